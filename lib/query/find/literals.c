#include "query/find/literals.h"

#include <ctype.h>
#include <string.h>

#include "text/demangle.h"
#include "text/text.h"

enum { MOST_PLACES = 8 };                              // states are a power of two of them at most
enum { DEEPEST = 16 };                                 // groups in groups
enum { DEEPEST_GROUP = 250, MOST_REPEATED = 1 << 16 }; // that the C library is asked to compile

struct finder {
	const char *at;          // in the pattern
	struct ic_literal run;   // of plain characters that ends here
	struct ic_literals best; // of this alternative so far: each match contains one of them
	struct ic_literals found;
	bool is_any; // an alternative has none, or there are too many
};

static size_t shortest_of(const struct ic_literals *literals)
{
	size_t shortest = literals->count > 0 ? SIZE_MAX : 0;

	for (uint32_t i = 0; i < literals->count; i++)
		if (literals->items[i].length < shortest)
			shortest = literals->items[i].length;
	return shortest;
}

static void offer_literals(struct finder *finder, const struct ic_literals *literals)
{
	if (shortest_of(literals) > shortest_of(&finder->best))
		finder->best = *literals;
}

static void end_run(struct finder *finder)
{
	offer_literals(finder, &(struct ic_literals){ .items = { finder->run }, .count = 1 });
	finder->run.length = 0;
}

static void end_alternative(struct finder *finder)
{
	uint32_t count;

	end_run(finder);
	count = finder->best.count;
	finder->is_any |= count == 0 || finder->found.count + count > IC_MOST_LITERALS;
	for (uint32_t i = 0; !finder->is_any && i < count; i++)
		finder->found.items[finder->found.count++] = finder->best.items[i];
	finder->best.count = 0;
}

// Takes the next character as it is.
static void take_plain(struct finder *finder)
{
	if (finder->run.length == 0)
		finder->run.start = finder->at;
	finder->run.length++;
	finder->at++;
}

// Skips a set of characters, "[^]a-z[:digit:]]"; to the end of the pattern if it is not closed.
static void skip_set(struct finder *finder, const char *negations)
{
	const char *at = finder->at + 1;

	at += *at && strchr(negations, *at);
	at += *at == ']';
	while (*at && *at != ']') {
		char kind = at[0] == '[' ? at[1] : 0;
		at++;
		if (!kind || !strchr(":.=", kind))
			continue;
		for (at++; *at && !(at[0] == kind && at[1] == ']');)
			at++;
		at += *at ? 2 : 0;
	}
	finder->at = *at ? at + 1 : at;
}

static void find_in_glob(struct finder *finder)
{
	while (*finder->at) {
		switch (*finder->at) {
		case '*':
		case '?':
			end_run(finder);
			finder->at++;
			break;
		case '[':
			end_run(finder);
			skip_set(finder, "!^");
			break;
		case '\\': // the next character is plain, but not next to the run
			end_run(finder);
			finder->at++;
			if (*finder->at)
				take_plain(finder);
			break;
		default: take_plain(finder); break;
		}
	}
	end_alternative(finder);
}

// Skips a group.
static void skip_group(struct finder *finder)
{
	int depth = 0;

	while (*finder->at) {
		char here = *finder->at;
		if (here == '[') {
			skip_set(finder, "^");
			continue;
		}
		depth += (here == '(') - (here == ')');
		finder->at += here == '\\' && finder->at[1] ? 2 : 1;
		if (depth == 0)
			return;
	}
}

// GNU's "\w", "\<" and back references are not plain.
static void take_escape(struct finder *finder)
{
	end_run(finder);
	finder->at++;
	if (isalnum((unsigned char)*finder->at) || (*finder->at && strchr("<>`'_", *finder->at)))
		finder->at++;
	else if (*finder->at)
		take_plain(finder);
}

// What is repeated may be absent.
static void take_repetition(struct finder *finder)
{
	if (*finder->at != '+' && finder->run.length > 0)
		finder->run.length--;
	end_run(finder);
	if (*finder->at == '{')
		while (*finder->at && *finder->at != '}')
			finder->at++;
	if (*finder->at)
		finder->at++;
}

static void find_in_regex(struct finder *finder, int depth);

// A group that is not optional has the literals of the expression in it.
static void take_group(struct finder *finder, int depth)
{
	struct finder group = { .at = finder->at + 1 };

	end_run(finder);
	skip_group(finder);
	if (depth == DEEPEST || finder->at[-1] != ')' ||
	    (*finder->at && strchr("*?{", *finder->at)))
		return;
	find_in_regex(&group, depth + 1);
	if (!group.is_any)
		offer_literals(finder, &group.found);
}

// Ends at the end of the pattern, or of a group.
static void find_in_regex(struct finder *finder, int depth)
{
	while (*finder->at && (depth == 0 || *finder->at != ')')) {
		switch (*finder->at) {
		case '|':
			end_alternative(finder);
			finder->at++;
			break;
		case '(': take_group(finder, depth); break;
		case '[':
			end_run(finder);
			skip_set(finder, "^");
			break;
		case '.':
		case '^':
		case '$':
		case ')':
			end_run(finder);
			finder->at++;
			break;
		case '*':
		case '+':
		case '?':
		case '{': take_repetition(finder); break;
		case '\\': take_escape(finder); break;
		default: take_plain(finder); break;
		}
	}
	end_alternative(finder);
}

// Only words are the same in a symbol.
static void find_word(struct ic_literal *literal)
{
	const char *at = literal->start, *end = at + literal->length;

	while (at < end) {
		const char *start = at;
		while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
			at++;
		while (start < at && isdigit((unsigned char)*start))
			start++;
		size_t length = (size_t)(at - start);
		if (length > literal->word_length && !ic_demangler_has_word(start, length)) {
			literal->word = start;
			literal->word_length = length;
		}
		at += at < end;
	}
}

struct ic_literals ic_literals_find(const char *pattern, enum ic_match match)
{
	struct finder finder = { .at = pattern };

	if (match == IC_MATCH_GLOB)
		find_in_glob(&finder);
	else
		find_in_regex(&finder, 0);
	if (finder.is_any)
		finder.found.count = 0;
	for (uint32_t i = 0; i < finder.found.count; i++)
		find_word(&finder.found.items[i]);
	return finder.found;
}

bool ic_literals_are_in(const struct ic_literals *literals, const char *text)
{
	for (uint32_t i = 0; i < literals->count; i++)
		if (ic_text_contains(text, literals->items[i].start, literals->items[i].length))
			return true;
	return literals->count == 0;
}

bool ic_literals_may_be_demangled(const struct ic_literals *literals, const char *symbol)
{
	for (uint32_t i = 0; i < literals->count; i++)
		if (ic_demangled_may_have(symbol, literals->items[i].word,
					  literals->items[i].word_length))
			return true;
	return literals->count == 0;
}

// The maximum of a bound such as {2,5}; 1 if it is not a bound.
static uint64_t read_bound(const char **at)
{
	uint64_t numbers[2] = { 0, 0 };
	int number = 0;

	for (const char *digit = *at + 1; *digit && *digit != '}'; digit++) {
		if (*digit == ',' && number == 0)
			number = 1;
		else if (isdigit((unsigned char)*digit) && numbers[number] < MOST_REPEATED)
			numbers[number] = 10 * numbers[number] + (uint64_t)(*digit - '0');
		else
			return 1;
	}
	uint64_t most = numbers[0] > numbers[1] ? numbers[0] : numbers[1];
	return most > 1 ? most : 1;
}

bool ic_regex_is_bounded(const char *pattern)
{
	struct finder finder = { .at = pattern };
	uint64_t sizes[DEEPEST_GROUP + 1] = { 0 }; // in characters, of the open groups,
	uint64_t last = 0;                         // and of the item that may be repeated next
	uint32_t depth = 0;

	for (; *finder.at; finder.at++) {
		switch (*finder.at) {
		case '(':
			if (++depth > DEEPEST_GROUP)
				return false;
			sizes[depth] = last = 0;
			continue;
		case ')':
			if (depth > 0)
				last = sizes[depth--];
			break;
		case '{': {
			uint64_t times = read_bound(&finder.at);
			sizes[depth] += last * (times - 1);
			last *= times;
			if (sizes[depth] > MOST_REPEATED)
				return false;
			continue;
		}
		case '[':
			skip_set(&finder, "^");
			finder.at--;
			last = 1;
			break;
		case '\\':
			finder.at += finder.at[1] != 0;
			last = 1;
			break;
		default: last = 1;
		}
		sizes[depth] += last;
		if (sizes[depth] > MOST_REPEATED)
			return false;
	}
	return true;
}

bool ic_regex_may_be_searched(const char *pattern)
{
	struct finder finder = { .at = pattern };
	int depth = 0, places = 0; // number of items that match several characters

	while (*finder.at && depth >= 0) {
		char here = *finder.at, next = finder.at[1];
		if (here == '{' || here == '^' || (here == '\\' && isdigit((unsigned char)next)))
			return false;
		places += here == '.' || here == '[' || here == '\\';
		depth += (here == '(') - (here == ')');
		if (here == '[')
			skip_set(&finder, "^");
		else
			finder.at += here == '\\' && next ? 2 : 1;
	}
	return depth == 0 && places <= MOST_PLACES;
}

bool ic_pattern_may_be_inside(const char *pattern, enum ic_match match)
{
	struct finder finder = { .at = pattern };
	size_t length = strlen(pattern);

	if (match == IC_MATCH_GLOB)
		return length >= 2 && pattern[0] == '*' && pattern[length - 1] == '*' &&
		       pattern[length - 2] != '\\';
	while (*finder.at) {
		char next = finder.at[1];
		if (strchr("^$", *finder.at) ||
		    (*finder.at == '\\' && !ispunct((unsigned char)next)) ||
		    (*finder.at == '\\' && strchr("<>`'", next)))
			return false;
		if (*finder.at == '[')
			skip_set(&finder, "^");
		else
			finder.at += *finder.at == '\\' ? 2 : 1;
	}
	return true;
}
