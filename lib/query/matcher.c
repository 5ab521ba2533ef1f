#include "query/matcher.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/clone_name.h"
#include "base/demangle.h"
#include "query/names.h"

enum { LONGEST_NAME = 4096 };

// An exact name may be a symbol's, as in a profile or in /proc/kallsyms.
static bool find_source_name(struct ic_matcher *matcher)
{
	const char *suffix = matcher->match == IC_MATCH_NAME ? ic_clone_suffix(matcher->pattern)
							     : NULL;

	if (suffix)
		matcher->source_name =
			strndup(matcher->pattern, (size_t)(suffix - matcher->pattern));
	return !suffix || matcher->source_name;
}

static bool init_matcher(struct ic_matcher *matcher, const struct ic_index *index, const char *name,
			 enum ic_match match, struct ic_error *err)
{
	*matcher = (struct ic_matcher){ .index = index, .pattern = name, .match = match };
	if (!find_source_name(matcher))
		return ic_fail_memory(err);
	ic_name_parts_split(&matcher->parts,
			    matcher->source_name ? matcher->source_name : matcher->pattern);
	if (matcher->match != IC_MATCH_REGEX)
		return true;
	int error = regcomp(&matcher->regex, matcher->pattern, REG_EXTENDED | REG_NOSUB);
	if (error == 0)
		return true;
	char reason[128];
	regerror(error, &matcher->regex, reason, sizeof(reason));
	matcher->pattern = NULL;
	return ic_fail(err, IC_ERROR_ARGUMENT, "not a regular expression: %s: %s", name, reason);
}

static void deinit_matcher(struct ic_matcher *matcher)
{
	if (matcher->pattern && matcher->match == IC_MATCH_REGEX)
		regfree(&matcher->regex);
	free(matcher->source_name);
}

static bool matches_text(struct ic_matcher *matcher, const char *text)
{
	int error;

	switch (matcher->match) {
	case IC_MATCH_NAME:
		return !strcmp(matcher->pattern, text) ||
		       (matcher->source_name && !strcmp(matcher->source_name, text));
	case IC_MATCH_GLOB: return fnmatch(matcher->pattern, text, 0) == 0;
	case IC_MATCH_REGEX:
		error = regexec(&matcher->regex, text, 0, NULL, 0);
		if (error == REG_ESPACE)
			matcher->out_of_memory = true;
		return error == 0;
	}
	return false;
}

// The same for a text of the image, which outlives the matcher.
static bool matches_lasting_text(struct ic_matcher *matcher, const char *text)
{
	uint64_t mixed = (uintptr_t)text * 0x9e3779b97f4a7c15ull;
	uint32_t slot = (uint32_t)(mixed >> 32) % IC_MATCHER_SEEN;

	if (matcher->seen[slot].text != text) {
		matcher->seen[slot].text = text;
		matcher->seen[slot].matches = matches_text(matcher, text);
	}
	return matcher->seen[slot].matches;
}

static bool matches_demangled(struct ic_matcher *matcher, const char *symbol,
			      enum ic_demangle_style style)
{
	char *demangled;

	if (!ic_demangle(symbol, style, &demangled))
		matcher->out_of_memory = true;
	bool matches = demangled && matches_text(matcher, demangled);
	free(demangled);
	return matches;
}

// The same for a name whose parts may be left out. *has_params tells whether the symbol has
// parameters.
static bool means_symbol(struct ic_matcher *matcher, const char *symbol, bool *has_params)
{
	struct ic_name_parts parts;
	char *demangled;

	if (!ic_demangle(symbol, IC_DEMANGLE_FULL, &demangled))
		matcher->out_of_memory = true;
	if (!demangled)
		return false;
	ic_name_parts_split(&parts, demangled);
	*has_params = parts.params.length > 0;
	bool means = strcmp(matcher->pattern, demangled) == 0 ||
		     ic_name_parts_match(&matcher->parts, &parts);
	free(demangled);
	return means;
}

// Whether the last part of the pattern, without template or generic arguments, can be the
// function's name: rejects nearly all functions. Only names that are identifiers are the same in
// DWARF and in symbols.
static bool could_mean(const struct ic_matcher *matcher, const struct ic_function *function)
{
	const struct ic_name_part *last = &matcher->parts.parts[matcher->parts.count - 1];
	const char *name = function->name;
	size_t i = 0;

	if (!name || !*name || !last->length || strchr("{<(~", last->start[0]) ||
	    strncmp(name, "operator", 8) == 0)
		return true;
	while (i < last->length && name[i] == last->start[i] && name[i] != '<')
		i++;
	if (name[i] == '[')
		return true;
	bool is_end = i == last->length || strchr("<[:", last->start[i]);
	return is_end && (!name[i] || name[i] == '<');
}

static bool means_function(struct ic_matcher *matcher, const struct ic_function *function)
{
	char qualified[LONGEST_NAME];
	struct ic_name_parts parts;
	bool has_params = false;

	if (!could_mean(matcher, function))
		return false;
	if (function->linkage_name && means_symbol(matcher, function->linkage_name, &has_params))
		return true;
	const char *name = ic_function_name(function);
	// Known parameters have been compared.
	if (!name || (has_params && matcher->parts.params.length > 0))
		return false;
	if (ic_function_qualified_name(matcher->index, function, qualified, sizeof(qualified)))
		name = qualified;
	ic_name_parts_split(&parts, name);
	return strcmp(matcher->pattern, name) == 0 || ic_name_parts_match(&matcher->parts, &parts);
}

static bool matches_function(struct ic_matcher *matcher, const struct ic_function *function)
{
	char qualified[LONGEST_NAME];

	if (function->name && matches_lasting_text(matcher, function->name))
		return true;
	if (function->linkage_name && matches_lasting_text(matcher, function->linkage_name))
		return true;
	if (matcher->match == IC_MATCH_NAME)
		return means_function(matcher, function);
	if (ic_function_qualified_name(matcher->index, function, qualified, sizeof(qualified)) &&
	    matches_text(matcher, qualified))
		return true;
	for (int style = IC_DEMANGLE_NAME; function->linkage_name && style <= IC_DEMANGLE_FULL;
	     style++)
		if (matches_demangled(matcher, function->linkage_name,
				      (enum ic_demangle_style)style))
			return true;
	return false;
}

bool ic_matchers_init(struct ic_matchers *matchers, const struct ic_index *index, const char *name,
		      const char *const *more, enum ic_match match, struct ic_error *err)
{
	size_t count = name != NULL;

	*matchers = (struct ic_matchers){ .items = NULL };
	for (size_t i = 0; more && more[i]; i++)
		count++;
	if (count == 0)
		return true;
	matchers->items = malloc(count * sizeof(*matchers->items));
	if (!matchers->items)
		return ic_fail_memory(err);
	for (size_t i = 0; i < count; i++) {
		const char *next = i == 0 && name ? name : *more++;
		matchers->count++;
		if (!init_matcher(&matchers->items[i], index, next, match, err)) {
			ic_matchers_deinit(matchers);
			return false;
		}
	}
	return true;
}

bool ic_matchers_match(struct ic_matchers *matchers, const struct ic_function *function)
{
	for (size_t i = 0; i < matchers->count; i++)
		if (matches_function(&matchers->items[i], function))
			return true;
	return matchers->count == 0;
}

bool ic_matchers_are_sound(const struct ic_matchers *matchers)
{
	for (size_t i = 0; i < matchers->count; i++)
		if (matchers->items[i].out_of_memory)
			return false;
	return true;
}

void ic_matchers_deinit(struct ic_matchers *matchers)
{
	for (size_t i = 0; i < matchers->count; i++)
		deinit_matcher(&matchers->items[i]);
	free(matchers->items);
	*matchers = (struct ic_matchers){ .items = NULL };
}
