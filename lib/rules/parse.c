// Reads the line of a rule.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "rules/rules.h"
#include "text/text.h"

enum { MOST_WORDS = 128, MOST_DIGITS = 15 };

struct word {
	const char *start;
	size_t length;
};

struct parser {
	struct ic_rules *rules;
	struct ic_rule_item item;
	struct word words[MOST_WORDS];
	size_t count;       // of words, without the reason
	const char *reason; // rest of the line; NULL if there is none
};

// ---- Words

static bool is_end(const char *at)
{
	return *at == 0 || *at == '\n' || *at == '\r';
}

// A word, or a name in quotes, which may have blanks; after it may come the glob of a file.
static struct word take_word(const char **at)
{
	struct word word = { .start = *at };
	bool is_quoted = false;

	for (; !is_end(*at) && (is_quoted || !ic_text_is_blank(**at)); (*at)++)
		is_quoted ^= **at == '"';
	word.length = (size_t)(*at - word.start);
	return word;
}

static bool is_word(struct word word, const char *text)
{
	return word.length == strlen(text) && memcmp(word.start, text, word.length) == 0;
}

static bool is_digit(char character)
{
	return character >= '0' && character <= '9';
}

// "90%" are two words.
static bool is_percentage(struct word word)
{
	return word.length > 1 && word.start[word.length - 1] == '%' && is_digit(word.start[0]);
}

static bool add_word(struct parser *parser, struct word word)
{
	if (parser->count + 2 > MOST_WORDS)
		return false;
	if (is_percentage(word)) {
		parser->words[parser->count++] = (struct word){ word.start, word.length - 1 };
		word = (struct word){ word.start + word.length - 1, 1 };
	}
	parser->words[parser->count++] = word;
	return true;
}

// Splits the line at blanks; false if it is too long. A comment begins with '#', the reason with
// "--".
static bool split_line(struct parser *parser, const char *text)
{
	for (;;) {
		while (ic_text_is_blank(*text))
			text++;
		if (is_end(text) || *text == '#')
			return true;
		struct word word = take_word(&text);
		if (is_word(word, "--")) {
			while (ic_text_is_blank(*text))
				text++;
			parser->reason = is_end(text) ? NULL : text;
			return true;
		}
		if (!add_word(parser, word))
			return false;
	}
}

static const char *copy_text(struct ic_rules *rules, const char *start, size_t length)
{
	char *copy = ic_arena_alloc(&rules->arena, length + 1);

	if (!copy)
		return NULL;
	memcpy(copy, start, length);
	copy[length] = 0;
	return copy;
}

// ---- Names

// `word` is what the subject was read from: the same words are the same subject.
static uint32_t add_subject(struct ic_rules *rules, const struct ic_rule_subject *subject,
			    struct word word)
{
	uint32_t *number = ic_byte_map_at(&rules->by_word, word.start, (uint32_t)word.length);

	if (!number)
		return IC_NONE;
	if (*number == IC_NONE) {
		*number = rules->subjects.count;
		if (!IC_ARRAY_ADD(&rules->subjects, *subject))
			return IC_NONE;
	}
	return *number;
}

// The subject of a word: NAME, "NAME", or either followed by @FILE. IC_NONE if memory runs out.
static uint32_t subject_of(struct ic_rules *rules, struct word word)
{
	bool is_quoted = word.start[0] == '"';
	const char *start = word.start + is_quoted, *end = word.start + word.length;
	const char *close = is_quoted ? memchr(start, '"', (size_t)(end - start)) : NULL;
	const char *at =
		memrchr(close ? close : start, '@', (size_t)(end - (close ? close : start)));
	struct ic_rule_subject subject = { .file = NULL };

	subject.name = copy_text(rules, start,
				 (size_t)((close              ? close
					   : at && at > start ? at
							      : end) -
					  start));
	if (at && at > start)
		subject.file = copy_text(rules, at + 1, (size_t)(end - at - 1));
	if (!subject.name || (at && at > start && !subject.file))
		return IC_NONE;
	// Operators of C++ have such characters, too.
	subject.is_glob = !is_quoted && subject.name[strcspn(subject.name, "*?[")] &&
			  !strstr(subject.name, "operator");
	return add_subject(rules, &subject, word);
}

// ---- Forms

static bool take_number(struct word word, uint64_t *number)
{
	if (word.length == 0 || word.length > MOST_DIGITS)
		return false;
	*number = 0;
	for (size_t i = 0; i < word.length; i++) {
		if (!is_digit(word.start[i]))
			return false;
		*number = *number * 10 + (uint64_t)(word.start[i] - '0');
	}
	return true;
}

static bool is_name(struct word of_form)
{
	return is_word(of_form, "NAME") || is_word(of_form, "HOST") || is_word(of_form, "ARG");
}

// "FILE:NUMBER": *length is then the length of the path.
static bool take_line(struct word word, size_t *length, uint64_t *line)
{
	const char *colon = memrchr(word.start, ':', word.length);

	if (!colon || colon == word.start)
		return false;
	*length = (size_t)(colon - word.start);
	const struct word number = { colon + 1, word.length - *length - 1 };
	return take_number(number, line) && *line > 0 && *line <= UINT32_MAX;
}

static bool fits_form(struct word of_form, struct word word)
{
	uint64_t number;
	size_t length;

	if (is_word(of_form, "LINE"))
		return take_line(word, &length, &number);
	if (is_word(of_form, "N"))
		return take_number(word, &number);
	return is_name(of_form) || (word.length == of_form.length &&
				    memcmp(word.start, of_form.start, word.length) == 0);
}

// Whether the line begins with a form; *count is then the number of its words.
static bool has_form(const struct parser *parser, const char *form, size_t *count)
{
	for (*count = 0; *form; (*count)++) {
		struct word of_form = take_word(&form);
		form += *form == ' ';
		if (*count == parser->count || !fits_form(of_form, parser->words[*count]))
			return false;
	}
	return true;
}

static bool take_source(struct parser *parser, struct word word)
{
	uint64_t line;
	size_t length;

	if (!take_line(word, &length, &line))
		return false;
	parser->item.source = copy_text(parser->rules, word.start, length);
	parser->item.source_line = (uint32_t)line;
	return parser->item.source;
}

// Takes the numbers and names; false if memory runs out.
static bool take_form(struct parser *parser, const char *form)
{
	struct ic_rules *rules = parser->rules;
	struct ic_rule_item *item = &parser->item;
	bool ok = true;

	for (size_t i = 0; ok && *form; i++) {
		struct word of_form = take_word(&form), word = parser->words[i];
		form += *form == ' ';
		if (is_word(of_form, "N"))
			ok = take_number(word, &item->rule.limit);
		else if (is_word(of_form, "NAME"))
			ok = (item->name = subject_of(rules, word)) != IC_NONE;
		else if (is_word(of_form, "HOST"))
			ok = (item->host = subject_of(rules, word)) != IC_NONE;
		else if (is_word(of_form, "LINE"))
			ok = take_source(parser, word);
		else if (is_word(of_form, "ARG"))
			ok = (item->argument = copy_text(rules, word.start, word.length)) != NULL;
	}
	return ok;
}

static const struct {
	enum ic_rule_kind kind;
	const char *words;
} forms[] = {
#define FORM(kind, words) { IC_RULE_##kind, words },
#include "rules/forms.def"
#undef FORM
};

static bool is_end_of_list(struct word word)
{
	return is_word(word, "unless") || is_word(word, "for");
}

// Takes the words after "unless" or "for"; *at is then the next word.
static bool take_list(struct parser *parser, size_t *at)
{
	bool is_unless = is_word(parser->words[(*at)++], "unless"), ok = true;
	struct ic_rules *rules = parser->rules;
	struct ic_rule_item *item = &parser->item;

	for (; ok && *at < parser->count && !is_end_of_list(parser->words[*at]); (*at)++) {
		struct word word = parser->words[*at];
		if (is_unless) {
			uint32_t subject = subject_of(rules, word);
			ok = subject != IC_NONE && IC_ARRAY_ADD(&rules->unless, subject);
			item->unless.count++;
		} else {
			const char *glob = copy_text(rules, word.start, word.length);
			ok = glob && IC_ARRAY_ADD(&rules->files, glob);
			item->files.count++;
		}
	}
	return ok;
}

// The words with one blank between them.
static const char *join_words(struct parser *parser)
{
	size_t size = 1;

	for (size_t i = 0; i < parser->count; i++)
		size += parser->words[i].length + 1;
	char *text = ic_arena_alloc(&parser->rules->arena, size), *at = text;
	for (size_t i = 0; text && i < parser->count; i++) {
		if (i > 0)
			*at++ = ' ';
		memcpy(at, parser->words[i].start, parser->words[i].length);
		at += parser->words[i].length;
	}
	if (text)
		*at = 0;
	return text;
}

static bool refuse_line(const struct parser *parser, const char *file, uint32_t line,
			const char *why, struct ic_error *err)
{
	const struct word *first = &parser->words[0];

	return ic_fail(err, IC_ERROR_ARGUMENT, "%s:%u: %s: '%.*s ...'", file ? file : "rule", line,
		       why, (int)(first->length < 60 ? first->length : 60), first->start);
}

static bool take_texts(struct parser *parser, const char *file, uint32_t line)
{
	struct ic_rules *rules = parser->rules;
	struct ic_rule *rule = &parser->item.rule;

	rule->line = line;
	rule->file = file ? copy_text(rules, file, strlen(file)) : NULL;
	rule->text = join_words(parser);
	rule->reason = parser->reason
			       ? copy_text(rules, parser->reason, strcspn(parser->reason, "\r\n"))
			       : NULL;
	return rule->text && (!file || rule->file) && (!parser->reason || rule->reason);
}

static bool take_rule(struct parser *parser, const char *file, uint32_t line, struct ic_error *err)
{
	size_t form = 0, at = 0;

	while (form < sizeof(forms) / sizeof(*forms) && !has_form(parser, forms[form].words, &at))
		form++;
	if (form == sizeof(forms) / sizeof(*forms))
		return refuse_line(parser, file, line, "not a rule", err);
	parser->item.kind = forms[form].kind;
	parser->item.unless.first = parser->rules->unless.count;
	parser->item.files.first = parser->rules->files.count;
	bool ok = take_form(parser, forms[form].words);
	while (ok && at < parser->count) {
		if (!is_end_of_list(parser->words[at]) || at + 1 == parser->count ||
		    is_end_of_list(parser->words[at + 1]))
			return refuse_line(parser, file, line,
					   "the rule must end here, or go on with 'unless NAME' "
					   "or 'for FILE'",
					   err);
		ok = take_list(parser, &at);
	}
	return (ok && take_texts(parser, file, line) &&
		IC_ARRAY_ADD(&parser->rules->items, parser->item)) ||
	       ic_fail_memory(err);
}

bool ic_rules_add(struct ic_rules *rules, const char *file, uint32_t line, const char *text,
		  struct ic_error *err)
{
	struct parser parser = {
		.rules = rules,
		.item = { .name = IC_NONE, .host = IC_NONE, .rule.limit = IC_RULE_NO_NUMBER }
	};
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!split_line(&parser, text))
		return refuse_line(&parser, file, line, "too many words", err);
	return parser.count == 0 || take_rule(&parser, file, line, err);
}
