#include "mentions/frames.h"

#include <assert.h>
#include <string.h>

#include "mentions/forms.h"
#include "text/span.h"
#include "text/text.h"

enum { MOST_LITERAL = 48, MOST_STARTS = 4, MOST_NUMBER_DIGITS = 9, LEAST_ADDR_DIGITS = 4 };

enum mark {
	HASH = 1,
	AT = 2,
	TICK = 4,
	BANG = 8,
	BRACKET = 16,
	PLUS = 32,
	QUOTE = 64,
	COLON = 128,
	EQUALS = 256,
	PAREN = 512,
	ZERO_X = 1024
};

struct form {
	enum ic_frame_kind kind;
	const char *pattern;
};

static const struct form forms[] = {
#define FORM(kind, pattern) { IC_FRAME_##kind, pattern },
#include "mentions/frame_forms.def"
#undef FORM
};

// Which of the characters that distinguish lines with frames a text contains.
static unsigned find_marks(struct ic_span line)
{
	static const uint16_t bits[256] = {
		['#'] = HASH, ['@'] = AT,    ['`'] = TICK,  ['!'] = BANG,   ['['] = BRACKET,
		['+'] = PLUS, ['"'] = QUOTE, [':'] = COLON, ['='] = EQUALS, ['('] = PAREN
	};
	unsigned marks = 0;

	for (size_t i = 0; i < line.size; i++)
		marks |= bits[(unsigned char)line.text[i]];
	if (ic_span_find(line, "0x"))
		marks |= ZERO_X;
	return marks;
}

struct match {
	struct ic_span line;
	size_t at; // position in the line, up to which the pattern matches
	const char *pattern;
	struct ic_mention *mention;
	struct ic_frame_facts *facts;
	bool has_place; // mention->start is set
};

static size_t skip_blanks(struct ic_span line, size_t at)
{
	while (at < line.size && ic_text_is_blank(line.text[at]))
		at++;
	return at;
}

static bool take_decimal(struct match *match, uint64_t *number)
{
	size_t start = match->at;

	*number = 0;
	for (; match->at < match->line.size && match->line.text[match->at] >= '0' &&
	       match->line.text[match->at] <= '9';
	     match->at++) {
		if (match->at - start == MOST_NUMBER_DIGITS)
			return false;
		*number = *number * 10 + (uint64_t)(match->line.text[match->at] - '0');
	}
	return match->at > start;
}

// Returns the number of digits; 0 if there is no number, or it exceeds 64 bits.
static size_t take_hex(struct match *match, uint64_t *number)
{
	size_t end = ic_mention_read_hex(match->line, match->at, "", number),
	       digits = end - match->at;

	match->at = end;
	return digits;
}

static void set_start(struct match *match, size_t start)
{
	if (!match->has_place)
		match->mention->start = start;
	match->has_place = true;
}

// The size of the literal up to the next token; a blank in it matches one blank.
static size_t literal_size(const char *pattern)
{
	return strcspn(pattern, "%$");
}

// The text that a wildcard matches: up to the first or the last occurrence of the following
// literal, or to the end.
static bool take_text(struct match *match, bool up_to_last, struct ic_span *text)
{
	size_t size = literal_size(match->pattern);
	const char *start = match->line.text + match->at,
		   *end = match->line.text + match->line.size;
	const char *found = end;

	if (size > 0) {
		found = memmem(start, (size_t)(end - start), match->pattern, size);
		for (const char *next = found; up_to_last && next;) {
			found = next;
			next = memmem(found + 1, (size_t)(end - found) - 1, match->pattern, size);
		}
	}
	if (!found)
		return false;
	*text = (struct ic_span){ start, (size_t)(found - start) };
	match->at += text->size;
	return true;
}

static struct ic_span without_blanks(struct ic_span text)
{
	size_t lead = skip_blanks(text, 0);

	return ic_span_trimmed((struct ic_span){ text.text + lead, text.size - lead });
}

static bool take_function(struct match *match, bool up_to_last)
{
	struct ic_span *label = &match->mention->label;

	if (!take_text(match, up_to_last, label))
		return false;
	*label = without_blanks(*label);
	if (label->size > 0)
		set_start(match, (size_t)(label->text - match->line.text));
	return label->size > 0;
}

static bool take_object(struct match *match, char token)
{
	struct ic_span text;
	bool is_path = token == 'M'; // without the slash, which is in the pattern

	if (!take_text(match, false, &text))
		return false;
	if (is_path && text.text > match->line.text)
		text = (struct ic_span){ text.text - 1, text.size + 1 };
	text = without_blanks(text);
	if (token == 'w') {
		size_t start = ic_mention_word_start(text, text.size);
		text = (struct ic_span){ text.text + start, text.size - start };
	}
	if (text.size == 0 || memchr(text.text, '=', text.size)) // the value of an argument
		return false;
	match->mention->object = text;
	set_start(match, (size_t)(text.text - match->line.text));
	return true;
}

static bool take_addr(struct match *match, bool is_whole)
{
	size_t start = match->at, digits = take_hex(match, &match->mention->addr);

	if (digits < LEAST_ADDR_DIGITS || (is_whole && digits != 8 && digits != 16))
		return false;
	match->mention->has_addr = true;
	bool is_prefixed = start >= 2 && memcmp(match->line.text + start - 2, "0x", 2) == 0;
	set_start(match, start - 2 * (size_t)is_prefixed);
	return true;
}

static bool take_object_off(struct match *match, enum ic_mention_origin origin)
{
	match->mention->origin = origin;
	return take_hex(match, &match->mention->object_off) > 0;
}

static bool take_symbol_off(struct match *match, bool is_decimal)
{
	struct ic_mention *mention = match->mention;

	if (is_decimal ? !take_decimal(match, &mention->off) : !take_hex(match, &mention->off))
		return false;
	mention->name = mention->label;
	return true;
}

static bool take_build_id(struct match *match)
{
	size_t start = match->at;

	while (match->at < match->line.size && ic_text_hex_digit(match->line.text[match->at]) >= 0)
		match->at++;
	match->mention->build_id = (struct ic_span){ match->line.text + start, match->at - start };
	return match->at > start;
}

// Matches a token of the pattern.
static bool take_token(struct match *match, char token)
{
	struct ic_mention *mention = match->mention;
	struct ic_span skipped;
	uint64_t unused;

	switch (token) {
	case 'n': return take_decimal(match, &match->facts->number);
	case 'd': return take_decimal(match, &unused);
	case 'a': return take_addr(match, false);
	case 'A': return take_addr(match, true);
	case 'o': return take_object_off(match, IC_MENTION_ORIGIN_BIAS);
	case 'O': return take_object_off(match, IC_MENTION_ORIGIN_START);
	case 'f': return take_object_off(match, IC_MENTION_ORIGIN_FILE);
	case 's': return take_function(match, false);
	case 'S': return take_function(match, true);
	case 'x': return take_symbol_off(match, false);
	case 'D': return take_symbol_off(match, true);
	case 'b': return take_build_id(match);
	case 'p': return take_hex(match, &mention->map_start) > 0;
	case 'q': return take_hex(match, &mention->map_size) > 0;
	case 'z': return take_text(match, false, &skipped);
	default: return take_object(match, token);
	}
}

// Whether a pattern matches from there on.
static bool form_fits(struct match *match)
{
	while (*match->pattern) {
		char next = *match->pattern++;
		if (next == '$')
			return match->at == match->line.size;
		if (next == '%') {
			char token = *match->pattern++;
			if (!take_token(match, token))
				return false;
			continue;
		}
		if (match->at == match->line.size || match->line.text[match->at] != next)
			return false;
		match->at = next == ' ' ? skip_blanks(match->line, match->at) : match->at + 1;
	}
	return true;
}

// Whether a frame may start there: at the start of the line, or after a log's prefix.
static bool may_begin(struct ic_span line, size_t at)
{
	while (at > 0 && ic_text_is_blank(line.text[at - 1]))
		at--;
	return at == 0 || strchr(":])|*#=", line.text[at - 1] + !line.text[at - 1]);
}

// Where a line starts after blanks and the prefixes of syslog or the journal. hs_err has a "#" on
// standard output.
static bool find_line_start(struct ic_span line, bool is_numbered, size_t *from, size_t *start)
{
	const char *tag = *from > 0 ? ic_span_find(line, "]: ") : NULL;

	if (*from > 1 || (*from == 1 && !tag))
		return false;
	*start = skip_blanks(line, tag ? (size_t)(tag - line.text) + 3 : 0);
	if (ic_span_begins(line, "(EE) ")) // the X server's
		*start += 5;
	if (*start < line.size && line.text[*start] == '#' && !is_numbered)
		*start = skip_blanks(line, *start + 1);
	++*from;
	return true;
}

// Finds a part of a pattern in a line.
static const char *find_literal(struct ic_span line, const char *literal, size_t size)
{
	for (const char *at = line.text, *end = at + line.size; (size_t)(end - at) >= size; at++) {
		at = memchr(at, *literal, (size_t)(end - at) - size + 1);
		if (!at || memcmp(at, literal, size) == 0)
			return at;
	}
	return NULL;
}

// Finds the next position to try a pattern, from `*from` on, and moves that past it: at the
// pattern's first literal, including the number before that, or at the start of the line if it has
// none.
static bool find_start(const struct form *form, struct ic_span line, size_t *from, size_t *start)
{
	bool is_numbered = strncmp(form->pattern, "%n", 2) == 0;
	const char *literal = form->pattern + 2 * is_numbered;
	size_t size = strcspn(literal, "% ");

	if (size < 2 && *literal != '#' && *literal != '@' && *literal != '[')
		return find_line_start(line, is_numbered, from, start);
	const char *found = find_literal((struct ic_span){ line.text + *from, line.size - *from },
					 literal, size);
	if (!found)
		return false;
	*start = (size_t)(found - line.text);
	*from = *start + 1;
	while (is_numbered && *start > 0 && line.text[*start - 1] >= '0' &&
	       line.text[*start - 1] <= '9')
		--*start;
	return true;
}

// Removes placeholders, and what is around a name, from a label.
static void clean_label(struct ic_mention *mention)
{
	static const char *const unknown[] = { "(unknown)", "??",        "???", "<unknown>", "n/a",
					       "[unknown]", "(unknown)", "()",  "?",         NULL };
	struct ic_span label = mention->label;
	size_t digits = 0;

	while (digits < label.size && label.text[digits] >= '0' && label.text[digits] <= '9')
		digits++;
	if (digits > 0 && digits < label.size &&
	    label.text[digits] == ' ') // the size of a frame, as printed by Abseil
		label = without_blanks(
			(struct ic_span){ label.text + digits, label.size - digits });
	else if (ic_span_begins(label, "(unknown) "))
		label = without_blanks((struct ic_span){ label.text + 9, label.size - 9 });
	label = ic_mention_bare_label(label);
	for (size_t i = 0; unknown[i]; i++)
		if (ic_span_is(label, unknown[i]))
			label = (struct ic_span){ NULL, 0 };
	if (mention->name.text)
		mention->name = label;
	if (!label.text)
		mention->off = 0;
	mention->label = label;
}

// ":12" or ":12:3" at the end, possibly in parentheses: the source line.
static uint32_t find_line(struct ic_span line)
{
	size_t end = line.size, first = 0, second = 0;

	if (end > 0 && line.text[end - 1] == ')')
		end--;
	size_t at = ic_mention_number_start(line, end);
	first = at < end ? at : 0;
	second = first > 0 ? ic_mention_number_start(line, first) : 0;
	if (second < first && second > 0)
		first = second;
	struct ic_frame_facts facts;
	struct ic_mention mention;
	struct match match = {
		.line = line, .at = first + 1, .mention = &mention, .facts = &facts
	};
	uint64_t number;
	return first > 0 && take_decimal(&match, &number) ? (uint32_t)number : 0;
}

static bool is_place(const struct ic_mention *mention)
{
	return mention->has_addr || mention->origin != IC_MENTION_ORIGIN_NONE || mention->name.text;
}

// The characters that a line needs to match a pattern.
static unsigned pattern_marks(const char *pattern)
{
	unsigned marks = 0;

	while (*pattern) {
		size_t size = literal_size(pattern);
		marks |= find_marks((struct ic_span){ pattern, size });
		pattern += size;
		pattern += *pattern == '%' ? 2 : *pattern == '$';
	}
	return marks;
}

void ic_frame_marks_init(struct ic_frame_marks *marks)
{
	static_assert(sizeof(forms) / sizeof(*forms) <= IC_MOST_FRAME_FORMS, "too many");

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		marks->items[i] = (uint16_t)pattern_marks(forms[i].pattern);
}

bool ic_mention_read_frame(const struct ic_frame_marks *wanted, struct ic_span line,
			   struct ic_mention *mention, struct ic_frame_facts *facts)
{
	line = ic_span_trimmed(line);
	unsigned marks = find_marks(line);
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		const struct form *form = &forms[i];
		if ((wanted->items[i] & marks) != wanted->items[i])
			continue;
		for (size_t from = 0, start, tries = 0;
		     tries < MOST_STARTS && find_start(form, line, &from, &start); tries++) {
			struct match match = { .line = line,
					       .at = start,
					       .pattern = form->pattern,
					       .mention = mention,
					       .facts = facts };
			*mention = (struct ic_mention){ .start = start };
			*facts = (struct ic_frame_facts){ .kind = form->kind };
			if (!may_begin(line, start) || !form_fits(&match))
				continue;
			clean_label(mention);
			if (mention->label.text)
				mention->line = find_line(line);
			if (form->kind == IC_FRAME_SIGNAL || is_place(mention))
				return true;
		}
	}
	*mention = (struct ic_mention){ .start = 0 };
	return false;
}

bool ic_frame_goes_on(struct ic_span line)
{
	line = ic_span_trimmed(line);
	return line.size > 0 && ic_text_is_blank(line.text[0]);
}
