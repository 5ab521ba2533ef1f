#include "query/matcher.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "query/names.h"

enum { LONGEST_NAME = 4096 };

// "ns::f<a::b>(c::d)": the name without scopes and parameters, "f<a::b>". Nothing inside brackets
// separates scopes.
static struct ic_name_part find_tail(const char *name)
{
	const char *tail = name, *end = name + strlen(name);
	int depth = 0;

	for (const char *at = name; *at; at++) {
		if (*at == '<')
			depth++;
		else if (*at == '>' && depth > 0)
			depth--;
		else if (depth == 0 && at[0] == ':' && at[1] == ':')
			tail = at + 2;
		else if (depth == 0 && *at == '(' && at > tail) {
			end = at;
			break;
		}
	}
	return (struct ic_name_part){ tail, (size_t)(end - tail) };
}

// What compilers put behind the name of a function for a copy of it, whose symbol that is then;
// DWARF has the name alone. GCC's first, then LLVM's.
static const char *const clone_suffixes[] = {
	".isra.",      ".constprop.", ".part.",   ".cold",         ".lto_priv.",
	".localalias", ".llvm.",      ".__uniq.", ".specialized.", ".Tgm",
};

// Whole words only: Go's "main.coldStart" is a function of its own.
static bool is_clone_suffix(const char *text, const char *suffix)
{
	size_t length = strlen(suffix);

	return !strncmp(text, suffix, length) &&
	       (suffix[length - 1] == '.' || text[length] == '.' || text[length] == 0);
}

// Where the name of a clone goes on behind that of its function; NULL where it is not one.
static const char *find_clone_suffix(const char *name)
{
	for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.'))
		for (size_t i = 0; dot > name && i < sizeof(clone_suffixes) / sizeof(char *); i++)
			if (is_clone_suffix(dot, clone_suffixes[i]))
				return dot;
	return NULL;
}

// An exact name may be that of a symbol, as it is in a profile or in /proc/kallsyms.
static bool find_source_name(struct ic_matcher *matcher)
{
	const char *suffix = matcher->match == IC_MATCH_NAME ? find_clone_suffix(matcher->pattern)
							     : NULL;

	if (suffix)
		matcher->source_name =
			strndup(matcher->pattern, (size_t)(suffix - matcher->pattern));
	return !suffix || matcher->source_name;
}

// The pattern without its parameters, for functions of which these are not known.
static bool find_bare_name(struct ic_matcher *matcher)
{
	const char *end = matcher->tail.start + matcher->tail.length;

	if (matcher->match == IC_MATCH_NAME && *end == '(')
		matcher->bare_name = strndup(matcher->pattern, (size_t)(end - matcher->pattern));
	return matcher->bare_name || matcher->match != IC_MATCH_NAME || *end != '(';
}

static bool init_matcher(struct ic_matcher *matcher, const struct ic_index *index, const char *name,
			 enum ic_match match, struct ic_error *err)
{
	*matcher = (struct ic_matcher){ .index = index, .pattern = name, .match = match };
	matcher->tail = find_tail(matcher->pattern);
	matcher->has_arguments = strchr(matcher->tail.start, '<') != NULL;
	if (!find_source_name(matcher) || !find_bare_name(matcher))
		return ic_fail_memory(err);
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
	free(matcher->bare_name);
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

// The same for a text of the image, which stays where it is.
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

// Whether the pattern is the last part of a name, "f<int>" of "ns::f<int>". Where DW_AT_name has no
// arguments of the template (-gsimple-template-names), only the linkage name does.
static bool matches_tail(const struct ic_matcher *matcher, const char *name)
{
	struct ic_name_part tail = find_tail(name);

	return tail.length == strlen(matcher->pattern) &&
	       !strncmp(matcher->pattern, tail.start, tail.length);
}

// Writes the name without what is in angle brackets: "std::vector::push_back" of
// "std::vector<int, std::allocator<int> >::push_back". Those of operators are left.
static void drop_arguments(const char *name, char *to, size_t size)
{
	size_t length = 0;
	int depth = 0;

	for (const char *at = name; *at && length + 1 < size; at++) {
		bool is_operator = length >= 8 && !strncmp(to + length - 8, "operator", 8);
		if (depth == 0 && is_operator && strchr("<>-=", *at)) { // <, <<, <=>, ->, >>=
			while (*at && strchr("<>-=", *at) && length + 1 < size)
				to[length++] = *at++;
			at--;
		} else if (*at == '<') {
			depth++;
		} else if (*at == '>' && depth > 0) {
			depth--;
		} else if (depth == 0) {
			to[length++] = *at;
		}
	}
	to[length] = 0;
}

// Whether a name without parameters is the pattern, but for what the pattern leaves out: arguments
// of templates, or what the name does not have: parameters.
static bool matches_loosely(const struct ic_matcher *matcher, const char *name)
{
	const char *pattern = matcher->bare_name ? matcher->bare_name : matcher->pattern;
	char without[LONGEST_NAME];

	if (matcher->match != IC_MATCH_NAME)
		return false;
	if (matcher->has_arguments || !strchr(name, '<'))
		return matcher->bare_name && !strcmp(pattern, name);
	drop_arguments(name, without, sizeof(without));
	return !strcmp(pattern, without);
}

static bool matches_demangled(struct ic_matcher *matcher, const char *symbol,
			      enum ic_demangle_style style)
{
	char *demangled;

	if (!ic_demangle(symbol, style, &demangled))
		matcher->out_of_memory = true;
	bool matches = demangled && matches_text(matcher, demangled);
	// Parameters that a name could have are compared.
	if (demangled && !matches && matcher->match == IC_MATCH_NAME && style == IC_DEMANGLE_NAME)
		matches = matches_tail(matcher, demangled) ||
			  (!matcher->bare_name && matches_loosely(matcher, demangled));
	if (demangled && !matches && style == IC_DEMANGLE_FULL && !strchr(demangled, '('))
		matches = matches_loosely(matcher, demangled);
	free(demangled);
	return matches;
}

// Whether the qualified name is worth making: most functions fail by their last part already.
static bool could_match_qualified(const struct ic_matcher *matcher,
				  const struct ic_function *function)
{
	if (matcher->match != IC_MATCH_NAME)
		return true;
	const char *name = ic_function_name(function);
	// Of "f<int>" some producers have the name "f" alone.
	size_t length = strcspn(name, "<");
	if (matcher->tail.start == matcher->pattern && !matcher->tail.start[matcher->tail.length] &&
	    !matcher->has_arguments)
		return false; // no scopes and no parameters: the plain names have been compared
	return strncmp(name, matcher->tail.start, length) == 0 || !function->name;
}

// "f" is "f<int>" too.
static bool matches_template(const struct ic_matcher *matcher, const char *name)
{
	return matcher->match == IC_MATCH_NAME && !matcher->has_arguments &&
	       matcher->tail.start == matcher->pattern &&
	       !strncmp(name, matcher->pattern, matcher->tail.length) &&
	       name[matcher->tail.length] == '<' && matches_loosely(matcher, name);
}

static bool matches_function(struct ic_matcher *matcher, const struct ic_function *function)
{
	char qualified[LONGEST_NAME];

	if (function->name && matches_lasting_text(matcher, function->name))
		return true;
	if (function->linkage_name && matches_lasting_text(matcher, function->linkage_name))
		return true;
	if (function->name && matches_template(matcher, function->name))
		return true;
	if (!ic_function_name(function) || !could_match_qualified(matcher, function))
		return false;
	const char *name = ic_function_name(function);
	if (ic_function_qualified_name(matcher->index, function, qualified, sizeof(qualified)))
		name = qualified;
	if (matches_text(matcher, name) ||
	    (!(function->linkage_name && matcher->bare_name) && matches_loosely(matcher, name)))
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
