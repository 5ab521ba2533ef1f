#include "query/find/matcher.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "query/find/names.h"
#include "text/clone_name.h"
#include "text/demangle.h"
#include "text/text.h"

enum { LONGEST_NAME = 4096, REMEMBERED = 31 };

struct subject { // a function, and what is known about its names so far
	const struct ic_function *function;
	char *demangled; // the linkage name, to be freed; NULL if it is not mangled
	struct ic_name_parts demangled_parts;
	const char *name; // qualified if its scope is known
	struct ic_name_parts name_parts;
	bool is_demangled, is_qualified;
	char qualified[LONGEST_NAME];
};

// ---- Exact names

static struct ic_name_part last_part(const struct ic_name_parts *parts)
{
	return parts->parts[parts->count - 1];
}

static uint64_t stem_hash(struct ic_name_part name)
{
	return ic_text_hash_up_to(name.start, ic_name_stem_length(name.start, name.length));
}

static bool add_text(struct ic_matchers *matchers, const char *text, uint32_t number)
{
	uint32_t *head = ic_map_at(&matchers->by_text, ic_text_hash(text));
	struct ic_matcher_link *link = head ? IC_ARRAY_PUSH(&matchers->links) : NULL;

	if (head && !link && *head == IC_NONE)
		*head = IC_NONE - 1; // it must be set; not used further
	if (!link)
		return false;
	*link = (struct ic_matcher_link){ number, *head };
	*head = matchers->links.count - 1;
	if (strlen(text) > matchers->longest)
		matchers->longest = strlen(text);
	return true;
}

// The length of the identifier at the start.
static size_t word_length(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '_')
		length++;
	return length;
}

// An exact name may be a symbol's, as in a profile or in /proc/kallsyms.
static bool init_name(struct ic_matchers *matchers, uint32_t number)
{
	struct ic_matcher *matcher = &matchers->items[number];
	const char *suffix = ic_clone_suffix(matcher->pattern);

	if (!matcher->pattern[word_length(matcher->pattern)])
		matcher->word_length = strlen(matcher->pattern);
	if (suffix)
		matcher->source_name =
			strndup(matcher->pattern, (size_t)(suffix - matcher->pattern));
	if (suffix && (!matcher->source_name || !add_text(matchers, matcher->source_name, number)))
		return false;
	ic_name_parts_split(&matcher->parts,
			    matcher->source_name ? matcher->source_name : matcher->pattern);
	uint32_t *head = ic_map_at(&matchers->by_stem, stem_hash(last_part(&matcher->parts)));
	if (!head)
		return false;
	matcher->next = *head;
	*head = number;
	return add_text(matchers, matcher->pattern, number);
}

static struct ic_matcher_seen *slot_of(struct ic_matcher_seen *seen, const char *text)
{
	return &seen[((uintptr_t)text * 0x9e3779b97f4a7c15ull >> 32) % IC_MATCHER_SEEN];
}

static uint32_t find_head(const struct ic_map *map, uint64_t hash)
{
	const uint32_t *head = ic_map_find(map, hash);

	return head ? *head : IC_NONE;
}

// The first link of the names that may be equal to the text.
static uint32_t find_text(struct ic_matchers *matchers, const char *text)
{
	struct ic_matcher_seen *seen = slot_of(matchers->seen_texts, text);

	if (seen->text != text) {
		size_t length = strnlen(text, matchers->longest + 1);
		*seen = (struct ic_matcher_seen){
			text,
			length > matchers->longest
				? IC_NONE
				: find_head(&matchers->by_text, ic_text_hash_up_to(text, length))
		};
	}
	return seen->found;
}

// The first name with the stem of the last part of this one, which has its scopes, as in GSYM and
// Breakpad files.
static uint32_t find_last_stem(const struct ic_matchers *matchers, const char *name)
{
	struct ic_name_parts parts;
	const char *end = name;

	while (*end && *end != ':' && *end != '<' && *end != '(')
		end++;
	if (*end != ':') // most names; arguments of templates have scopes of their own
		return IC_NONE;
	ic_name_parts_split(&parts, name);
	return find_head(&matchers->by_stem, stem_hash(last_part(&parts)));
}

// The first name with the stem of this one.
static uint32_t find_stem(struct ic_matchers *matchers, const char *name)
{
	struct ic_matcher_seen *seen = slot_of(matchers->seen_stems, name);

	if (seen->text == name)
		return seen->found;
	uint64_t hash = stem_hash((struct ic_name_part){ name, SIZE_MAX });
	*seen = (struct ic_matcher_seen){ name, find_head(&matchers->by_stem, hash) };
	if (seen->found == IC_NONE)
		seen->found = find_last_stem(matchers, name);
	return seen->found;
}

static void qualify_subject(struct ic_matchers *matchers, struct subject *subject)
{
	const struct ic_function *function = subject->function;

	if (subject->is_qualified)
		return;
	subject->is_qualified = true;
	subject->name = ic_function_name(function);
	if (ic_function_qualified_name(matchers->index, function, subject->qualified,
				       sizeof(subject->qualified)))
		subject->name = subject->qualified;
	if (subject->name)
		ic_name_parts_split(&subject->name_parts, subject->name);
}

static void demangle_subject(struct ic_matchers *matchers, struct subject *subject)
{
	if (subject->is_demangled)
		return;
	subject->is_demangled = true;
	if (!ic_demangle(subject->function->linkage_name, IC_DEMANGLE_FULL, &subject->demangled))
		matchers->out_of_memory = true;
	if (subject->demangled)
		ic_name_parts_split(&subject->demangled_parts, subject->demangled);
}

// Whether the name could be the demangled symbol, though it is not the one in DWARF: that may lack
// scopes, or spell arguments and operators in another way.
static bool may_be_demangled(const struct ic_matcher *matcher, const struct ic_function *function)
{
	const struct ic_name_parts *parts = &matcher->parts;
	struct ic_name_part last = last_part(parts), scope;

	if (!function->linkage_name)
		return false;
	if (parts->count == 1 && function->name)
		return parts->params.length > 0 ||
		       ic_name_stem_length(last.start, last.length) < last.length;
	if (parts->count == 1)
		return true;
	scope = parts->parts[parts->count - 2];
	size_t length = 0;
	while (length < scope.length && !strchr("<[({ :", scope.start[length]))
		length++;
	return ic_demangler_has_word(scope.start, length) ||
	       ic_demangled_may_have(function->linkage_name, scope.start, length);
}

static bool means_demangled(struct ic_matchers *matchers, const struct ic_matcher *matcher,
			    struct subject *subject, bool *has_params)
{
	if (!may_be_demangled(matcher, subject->function))
		return false;
	demangle_subject(matchers, subject);
	if (!subject->demangled)
		return false;
	*has_params = subject->demangled_parts.params.length > 0;
	return strcmp(matcher->pattern, subject->demangled) == 0 ||
	       ic_name_parts_match(&matcher->parts, &subject->demangled_parts);
}

static bool means_qualified(struct ic_matchers *matchers, const struct ic_matcher *matcher,
			    struct subject *subject)
{
	qualify_subject(matchers, subject);
	return subject->name && (strcmp(matcher->pattern, subject->name) == 0 ||
				 ic_name_parts_match(&matcher->parts, &subject->name_parts));
}

// Most names are a word, and most functions that have it are it and arguments, whatever the scope.
static bool means_word(const struct ic_matcher *matcher, const struct ic_function *function)
{
	size_t length = matcher->word_length;

	return length > 0 && function->name &&
	       strncmp(function->name, matcher->pattern, length) == 0 &&
	       ic_name_has_only_arguments(function->name, length);
}

// Demangling takes most of the time.
static bool means_function(struct ic_matchers *matchers, const struct ic_matcher *matcher,
			   struct subject *subject)
{
	bool has_params = false;

	if (means_word(matcher, subject->function))
		return true;
	if (matcher->parts.params.length == 0)
		return means_qualified(matchers, matcher, subject) ||
		       means_demangled(matchers, matcher, subject, &has_params);
	if (means_demangled(matchers, matcher, subject, &has_params))
		return true;
	// Known parameters have been compared.
	return !has_params && means_qualified(matchers, matcher, subject);
}

static bool is_found(const struct ic_matchers *matchers, uint32_t number)
{
	for (uint32_t i = 0; i < matchers->found.count; i++)
		if (matchers->found.items[i] == number)
			return true;
	return false;
}

static void add_found(struct ic_matchers *matchers, uint32_t number)
{
	uint32_t *place = IC_ARRAY_PUSH(&matchers->found);

	matchers->out_of_memory |= !place;
	if (place)
		*place = number;
}

static void add_exact(struct ic_matchers *matchers, uint32_t link, const char *text)
{
	for (; link < matchers->links.count; link = matchers->links.items[link].next) {
		uint32_t number = matchers->links.items[link].matcher;
		const struct ic_matcher *matcher = &matchers->items[number];
		if (!is_found(matchers, number) &&
		    (strcmp(matcher->pattern, text) == 0 ||
		     (matcher->source_name && strcmp(matcher->source_name, text) == 0)))
			add_found(matchers, number);
	}
}

// The same for functions that only have a symbol.
static uint32_t find_symbol_stem(struct ic_matchers *matchers, struct subject *subject)
{
	demangle_subject(matchers, subject);
	return subject->demangled ? find_head(&matchers->by_stem,
					      stem_hash(last_part(&subject->demangled_parts)))
				  : IC_NONE;
}

// Finds the exact names of the function.
static void find_exact(struct ic_matchers *matchers, const struct ic_function *function)
{
	const char *texts[] = { function->name, function->linkage_name };

	for (size_t i = 0; i < 2; i++)
		if (texts[i])
			add_exact(matchers, find_text(matchers, texts[i]), texts[i]);
}

// Finds names that omit scopes, arguments or parameters.
static void find_meant(struct ic_matchers *matchers, const struct ic_function *function)
{
	bool has_name = function->name && *function->name;
	uint32_t next = has_name ? find_stem(matchers, function->name) : IC_NONE;

	if (has_name ? next == IC_NONE : !function->linkage_name)
		return;
	struct subject subject; // not initialized: it is large
	subject.function = function;
	subject.demangled = NULL;
	subject.is_demangled = subject.is_qualified = false;
	if (!has_name)
		next = find_symbol_stem(matchers, &subject);
	for (; next != IC_NONE; next = matchers->items[next].next)
		if (!is_found(matchers, next) &&
		    means_function(matchers, &matchers->items[next], &subject))
			add_found(matchers, next);
	free(subject.demangled);
}

// ---- Globs and regular expressions

// regexec() tries to match at each character, each time up to the end of a long name. An expression
// that also matches everything before is tried once.
static bool compile_search(struct ic_matcher *matcher)
{
	static const char before[] = "^.*(", after[] = ")";
	size_t length = strlen(matcher->pattern);
	char *pattern = malloc(sizeof(before) + length + sizeof(after));
	regex_t search;

	if (!pattern)
		return false;
	strcpy(pattern, before);
	memcpy(pattern + strlen(before), matcher->pattern, length);
	strcpy(pattern + strlen(before) + length, after);
	if (regcomp(&search, pattern, REG_EXTENDED | REG_NOSUB) == 0) {
		regfree(&matcher->regex);
		matcher->regex = search;
	}
	free(pattern);
	return true;
}

static bool compile_pattern(struct ic_matcher *matcher, struct ic_error *err)
{
	if (!ic_regex_is_bounded(matcher->pattern))
		return ic_fail(
			err, IC_ERROR_ARGUMENT,
			"regular expression is nested too deeply or repeats too much: %.200s",
			matcher->pattern);
	int error = regcomp(&matcher->regex, matcher->pattern, REG_EXTENDED | REG_NOSUB);

	matcher->is_compiled = error == 0;
	if (error == 0)
		return !ic_regex_may_be_searched(matcher->pattern) || compile_search(matcher) ||
		       ic_fail_memory(err);
	char reason[128];
	regerror(error, &matcher->regex, reason, sizeof(reason));
	return ic_fail(err, IC_ERROR_ARGUMENT, "invalid regular expression: %s: %s",
		       matcher->pattern, reason);
}

static bool matches_text(struct ic_matchers *matchers, const struct ic_matcher *matcher,
			 const char *text)
{
	if (!ic_literals_are_in(&matcher->literals, text))
		return false;
	if (matchers->match == IC_MATCH_GLOB)
		return fnmatch(matcher->pattern, text, 0) == 0;
	int error = regexec(&matcher->regex, text, 0, NULL, 0);
	if (error == REG_ESPACE)
		matchers->out_of_memory = true;
	return error == 0;
}

// Bits of the patterns from `first` to `end` that may match the symbol when it is demangled.
static uint32_t may_be_demangled_to(const struct ic_matchers *matchers, const char *symbol,
				    uint32_t first, uint32_t end)
{
	uint32_t bits = 0;

	for (uint32_t i = first; i < end; i++)
		if (ic_literals_may_be_demangled(&matchers->items[i].literals, symbol))
			bits |= 1u << (i - first);
	return bits;
}

// Bits of the patterns that match a text.
static uint32_t match_text(struct ic_matchers *matchers, const char *text, uint32_t first,
			   uint32_t end)
{
	uint32_t bits = 0;

	for (uint32_t i = first; i < end; i++)
		if (matches_text(matchers, &matchers->items[i], text))
			bits |= 1u << (i - first);
	return bits;
}

static uint32_t may_be_inside(const struct ic_matchers *matchers, uint32_t first, uint32_t end)
{
	uint32_t bits = 0;

	for (uint32_t i = first; i < end; i++)
		if (matchers->items[i].may_be_inside)
			bits |= 1u << (i - first);
	return bits;
}

// The same for a symbol, as it is and demangled in each style. The full style contains the texts of
// the other styles; they only differ for C++.
static uint32_t match_symbol(struct ic_matchers *matchers, const char *symbol, uint32_t first,
			     uint32_t end)
{
	static const enum ic_demangle_style styles[] = { IC_DEMANGLE_FULL, IC_DEMANGLE_NAME,
							 IC_DEMANGLE_PARAMS };
	uint32_t may = may_be_demangled_to(matchers, symbol, first, end);
	// A word that is not in the symbol is not in any of these texts.
	uint32_t found = may ? match_text(matchers, symbol, first, end) : 0;
	char *demangled;

	for (size_t i = 0; may & ~found && i < sizeof(styles) / sizeof(*styles); i++) {
		if (!ic_demangle(symbol, styles[i], &demangled))
			matchers->out_of_memory = true;
		if (!demangled)
			continue;
		found |= may & match_text(matchers, demangled, first, end);
		free(demangled);
		if (symbol[1] != 'Z')
			break;
		if (styles[i] == IC_DEMANGLE_FULL)
			may &= ~may_be_inside(matchers, first, end);
	}
	return found;
}

static uint32_t remembered_count(const struct ic_matchers *matchers)
{
	return matchers->count < REMEMBERED ? matchers->count : REMEMBERED;
}

// Whether a name matches that many functions have.
static bool matches_name(struct ic_matchers *matchers, uint32_t number, const char *name)
{
	struct ic_matcher_seen *seen = slot_of(matchers->seen_texts, name);

	if (number >= REMEMBERED)
		return matches_text(matchers, &matchers->items[number], name);
	if (seen->text != name)
		*seen = (struct ic_matcher_seen){ name, match_text(matchers, name, 0,
								   remembered_count(matchers)) };
	return seen->found >> number & 1;
}

// The same for a symbol: each is demangled once, even if many units have the function.
static bool matches_symbol(struct ic_matchers *matchers, uint32_t number, const char *symbol)
{
	if (number >= REMEMBERED)
		return match_symbol(matchers, symbol, number, number + 1);
	uint32_t *found = ic_map_at(&matchers->by_symbol, (uintptr_t)symbol);
	matchers->out_of_memory |= !found;
	if (found && *found == IC_NONE)
		*found = match_symbol(matchers, symbol, 0, remembered_count(matchers));
	return found && *found >> number & 1;
}

static bool matches_pattern(struct ic_matchers *matchers, uint32_t number,
			    const struct ic_function *function)
{
	const struct ic_matcher *matcher = &matchers->items[number];
	char qualified[LONGEST_NAME];

	return (function->name && matches_name(matchers, number, function->name)) ||
	       (ic_function_qualified_name(matchers->index, function, qualified,
					   sizeof(qualified)) &&
		matches_text(matchers, matcher, qualified)) ||
	       (function->linkage_name && matches_symbol(matchers, number, function->linkage_name));
}

// ---- All of them

static bool init_matcher(struct ic_matchers *matchers, const char *name, struct ic_error *err)
{
	struct ic_matcher *matcher = &matchers->items[matchers->count++];

	*matcher = (struct ic_matcher){ .pattern = name, .next = IC_NONE };
	if (matchers->match == IC_MATCH_NAME)
		return init_name(matchers, matchers->count - 1) || ic_fail_memory(err);
	matcher->literals = ic_literals_find(name, matchers->match);
	matcher->may_be_inside = ic_pattern_may_be_inside(name, matchers->match);
	return matchers->match != IC_MATCH_REGEX || compile_pattern(matcher, err);
}

bool ic_matchers_init(struct ic_matchers *matchers, const struct ic_index *index, const char *name,
		      const char *const *more, enum ic_match match, struct ic_error *err)
{
	uint64_t count = name != NULL;
	bool ok = true;

	*matchers = (struct ic_matchers){ .index = index, .match = match };
	while (more && more[count - (name != NULL)])
		count++;
	if (count == 0)
		return true;
	matchers->items = ic_items_alloc(count, sizeof(*matchers->items));
	matchers->seen_texts = ic_items_zeroed(IC_MATCHER_SEEN, sizeof(struct ic_matcher_seen));
	matchers->seen_stems = ic_items_zeroed(IC_MATCHER_SEEN, sizeof(struct ic_matcher_seen));
	ok = matchers->items && matchers->seen_texts && matchers->seen_stems;
	if (!ok)
		ic_fail_memory(err);
	for (uint64_t i = 0; ok && i < count; i++)
		ok = init_matcher(matchers, i == 0 && name ? name : *more++, err);
	if (!ok)
		ic_matchers_deinit(matchers);
	return ok;
}

// Finds the names of a function or, if one is enough, only the first.
static void find_matches(struct ic_matchers *matchers, const struct ic_function *function, bool one)
{
	matchers->found.count = 0;
	if (matchers->match == IC_MATCH_NAME) {
		find_exact(matchers, function);
		if (!one || matchers->found.count == 0)
			find_meant(matchers, function);
		return;
	}
	for (uint32_t i = 0; i < matchers->count && (!one || matchers->found.count == 0); i++)
		if (matches_pattern(matchers, i, function))
			add_found(matchers, i);
}

const uint32_t *ic_matchers_find(struct ic_matchers *matchers, const struct ic_function *function,
				 uint32_t *count)
{
	find_matches(matchers, function, false);
	*count = matchers->found.count;
	return matchers->found.items;
}

bool ic_matchers_match(struct ic_matchers *matchers, const struct ic_function *function)
{
	if (matchers->count == 0)
		return true;
	find_matches(matchers, function, true);
	return matchers->found.count > 0;
}

bool ic_matchers_are_sound(const struct ic_matchers *matchers)
{
	return !matchers->out_of_memory;
}

void ic_matchers_deinit(struct ic_matchers *matchers)
{
	for (uint32_t i = 0; i < matchers->count; i++) {
		struct ic_matcher *matcher = &matchers->items[i];
		if (matcher->is_compiled)
			regfree(&matcher->regex);
		free(matcher->source_name);
	}
	free(matchers->items);
	free(matchers->seen_texts);
	free(matchers->seen_stems);
	ic_map_free(&matchers->by_text);
	ic_map_free(&matchers->by_stem);
	ic_map_free(&matchers->by_symbol);
	IC_ARRAY_FREE(&matchers->links);
	IC_ARRAY_FREE(&matchers->found);
	*matchers = (struct ic_matchers){ .items = NULL };
}
