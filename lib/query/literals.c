#include "query/literals.h"

#include <ctype.h>
#include <string.h>

#include "base/demangle.h"
#include "base/text.h"

struct finder {
	const char *at;            // in the pattern
	struct ic_literal run;     // of plain characters that ends here
	struct ic_literal longest; // of this alternative so far
	struct ic_literals found;
	bool is_any; // an alternative has none, or there are too many
};

static void end_run(struct finder *finder)
{
	if (finder->run.length > finder->longest.length)
		finder->longest = finder->run;
	finder->run.length = 0;
}

static void end_alternative(struct finder *finder)
{
	end_run(finder);
	finder->is_any |= finder->longest.length == 0 || finder->found.count == IC_MOST_LITERALS;
	if (!finder->is_any)
		finder->found.items[finder->found.count++] = finder->longest;
	finder->longest.length = 0;
}

// Takes the next character as it is.
static void take_plain(struct finder *finder)
{
	if (finder->run.length == 0)
		finder->run.start = finder->at;
	finder->run.length++;
	finder->at++;
}

// Moves behind a set of characters, "[^]a-z[:digit:]]"; to the end of the pattern if it has none.
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

// Moves behind a group; what is in it may be one of several texts.
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

static void find_in_regex(struct finder *finder)
{
	while (*finder->at) {
		switch (*finder->at) {
		case '|':
			end_alternative(finder);
			finder->at++;
			break;
		case '(':
			end_run(finder);
			skip_group(finder);
			break;
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
		find_in_regex(&finder);
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
