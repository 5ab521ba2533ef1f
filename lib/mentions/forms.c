#include "mentions/forms.h"

#include <string.h>

#include "text/span.h"
#include "text/text.h"

enum {
	LEAST_ADDR_DIGITS = 6, // of "0x..." without a symbol: shorter ones are often other numbers
	MOST_DECIMAL_DIGITS = 9,
	MOST_PATH_SIZE = 4096,
	PERF_ADDR_WIDTH = 16, // with blanks before it
};

static bool starts_with(struct ic_span line, size_t at, const char *text)
{
	size_t size = strlen(text);

	return line.size - at >= size && memcmp(line.text + at, text, size) == 0;
}

static size_t skip_name(struct ic_span line, size_t at)
{
	while (at < line.size && ic_mention_is_name_char(line.text[at]))
		at++;
	return at;
}

// Whether a word ends there: the next character is not part of one, or is the dot at the end of a
// sentence.
static bool is_word_end(struct ic_span line, size_t at)
{
	while (at < line.size && line.text[at] == '.')
		at++;
	return at == line.size || !ic_mention_is_name_char(line.text[at]);
}

static size_t skip_blanks(struct ic_span line, size_t at)
{
	while (at < line.size && ic_text_is_blank(line.text[at]))
		at++;
	return at;
}

// The end of the hexadecimal number at `at`; `at` if there is none, or it exceeds 64 bits.
static size_t read_hex(struct ic_span line, size_t at, uint64_t *value)
{
	size_t end = at;

	*value = 0;
	for (; end < line.size && ic_text_hex_digit(line.text[end]) >= 0; end++) {
		if (end - at == 16)
			return at;
		*value = *value << 4 | (uint64_t)ic_text_hex_digit(line.text[end]);
	}
	return end;
}

size_t ic_mention_read_hex(struct ic_span line, size_t at, const char *lead, uint64_t *value)
{
	if (!starts_with(line, at, lead))
		return at;
	size_t digits = at + strlen(lead), end = read_hex(line, digits, value);
	return end > digits ? end : at;
}

// " [xfs]", or " [xfs BUILD-ID]"; its end, or `at`.
static size_t read_module(struct ic_span line, size_t at, struct ic_mention *mention)
{
	if (!starts_with(line, at, " ["))
		return at;
	size_t name = at + 2, end = name;
	while (end < line.size &&
	       (ic_mention_is_name_char(line.text[end]) || line.text[end] == '-'))
		end++;
	size_t close = end;
	if (close < line.size && line.text[close] == ' ')
		for (close++; close < line.size && ic_text_hex_digit(line.text[close]) >= 0;)
			close++;
	if (end == name || close == line.size || line.text[close] != ']')
		return at;
	mention->module = (struct ic_span){ line.text + name, end - name };
	if (close > end + 1)
		mention->build_id = (struct ic_span){ line.text + end + 1, close - end - 1 };
	return close + 1;
}

// Whether "? " precedes what starts at `at`.
static bool is_questioned(struct ic_span line, size_t at)
{
	while (at > 0 && ic_text_is_blank(line.text[at - 1]))
		at--;
	return at > 0 && line.text[at - 1] == '?';
}

// NAME+0xOFF or NAME+0xOFF/0xSIZE, and its module.
size_t ic_mention_read_symbol(struct ic_span line, size_t at, struct ic_mention *mention)
{
	size_t name_end = skip_name(line, at);
	uint64_t off, size;

	if (name_end == at || (line.text[at] >= '0' && line.text[at] <= '9'))
		return at;
	size_t off_end = ic_mention_read_hex(line, name_end, "+0x", &off);
	if (off_end == name_end)
		return at;
	size_t end = ic_mention_read_hex(line, off_end, "/0x", &size);
	if (!is_word_end(line, end))
		return at;
	mention->name = (struct ic_span){ line.text + at, name_end - at };
	mention->is_doubtful |= is_questioned(line, at);
	mention->off = off;
	mention->has_size = end > off_end;
	mention->size = mention->has_size ? size : 0;
	return read_module(line, end, mention);
}

// The symbol of a place that is also given as an address, as in "[<ffffffff81000000>]
// kfree+0x1f/0x90".
static size_t read_symbol_after(struct ic_span line, size_t at, struct ic_mention *mention)
{
	size_t next = at;

	while (next < line.size && strchr(" \t>])(?", line.text[next] + !line.text[next]))
		next++;
	size_t end = ic_mention_read_symbol(line, next, mention);
	if (end == next)
		return at;
	mention->is_doubtful |= memchr(line.text + at, '?', next - at) != NULL;
	return end;
}

// An address that is a whole word: "[<81000000>]", "0xffffffff81000000" or 16 digits.
size_t ic_mention_read_addr(struct ic_span line, size_t at, struct ic_mention *mention)
{
	char before = at > 0 ? line.text[at - 1] : ' ';
	bool prefixed = starts_with(line, at, "0x");
	size_t digits = prefixed ? at + 2 : at, end = read_hex(line, digits, &mention->addr);
	bool bracketed = at >= 2 && line.text[at - 2] == '[' && before == '<' &&
			 starts_with(line, end, ">]");

	if (end == digits || !is_word_end(line, end) || before == '+' || before == '-' ||
	    before == '/')
		return at;
	if (end < line.size && line.text[end] == '-') // a UUID
		return at;
	if (!bracketed && !(prefixed && end - digits >= LEAST_ADDR_DIGITS) &&
	    !(!prefixed && end - digits == 16))
		return at;
	if (bracketed)
		mention->start -= 2;
	mention->is_doubtful = is_questioned(line, mention->start);
	mention->is_plain = !bracketed && !prefixed;
	mention->has_addr = true;
	return read_symbol_after(line, end, mention);
}

// The object without its offset, which perf prints with -F +dsoff.
static struct ic_span without_off(struct ic_span object)
{
	const char *plus = memrchr(object.text, '+', object.size);
	size_t at = plus ? (size_t)(plus - object.text) : object.size;
	uint64_t off;

	if (at > 0 && ic_mention_read_hex(object, at, "+0x", &off) == object.size)
		object.size = at;
	return object;
}

// The end of the decimal number at `at`, or `at`.
static size_t read_decimal(struct ic_span line, size_t at, uint64_t *value)
{
	size_t end = at;

	*value = 0;
	for (; end < line.size && line.text[end] >= '0' && line.text[end] <= '9'; end++) {
		if (end - at == MOST_DECIMAL_DIGITS)
			return at;
		*value = *value * 10 + (uint64_t)(line.text[end] - '0');
	}
	return end;
}

// "+0xOFF" at the end of a label, or bpftrace's "+OFF".
static bool take_off(struct ic_mention *mention)
{
	struct ic_span label = mention->label;
	const char *plus = memrchr(label.text, '+', label.size);
	size_t at = plus ? (size_t)(plus - label.text) : 0;

	if (at == 0 ||
	    (ic_mention_read_hex(label, at, "+0x", &mention->off) != label.size &&
	     (at + 1 == label.size || read_decimal(label, at + 1, &mention->off) != label.size)))
		return false;
	mention->label.size = at;
	mention->name = mention->label;
	return true;
}

// The place whose address is at `start`, up to the end of the trimmed line.
static bool read_perf_place(struct ic_span line, size_t start, struct ic_mention *mention)
{
	size_t end = line.size, name_end;

	size_t addr_end = read_hex(line, start, &mention->addr), name = skip_blanks(line, addr_end);
	if ((addr_end - start < 4 && addr_end < PERF_ADDR_WIDTH) || name == addr_end)
		return false;
	const char *open = memrchr(line.text + name, '(', end - name);
	if (!open || open == line.text + name || open[-1] != ' ')
		return false;
	name_end = (size_t)(open - line.text) - 1;
	mention->start = start;
	mention->has_addr = true;
	mention->object = without_off((struct ic_span){ open + 1, end - name_end - 3 });
	mention->label = (struct ic_span){ line.text + name, name_end - name };
	take_off(mention);
	mention->is_of_perf = mention->label.size > 0;
	return true;
}

static bool ends_with_object(struct ic_span line)
{
	return line.size > 0 && line.text[line.size - 1] == ')';
}

bool ic_mention_read_perf_line(struct ic_span line, struct ic_mention *mention)
{
	size_t start = skip_blanks(line, 0);

	line = ic_span_trimmed(line);
	return start > 0 && ends_with_object(line) && read_perf_place(line, start, mention);
}

// Whether a word is a time: digits, a point, digits and a colon.
static bool is_time(struct ic_span word)
{
	uint64_t number;
	size_t point = read_decimal(word, 0, &number), end;

	if (point == 0 || point == word.size || word.text[point] != '.')
		return false;
	end = read_decimal(word, point + 1, &number);
	return end > point + 1 && end + 1 == word.size && word.text[end] == ':';
}

bool ic_mention_read_perf_sample(struct ic_span line, struct ic_mention *mention)
{
	bool has_time = false;

	line = ic_span_trimmed(line);
	if (!ends_with_object(line))
		return false;
	for (size_t at = skip_blanks(line, 0), end; at < line.size; at = skip_blanks(line, end)) {
		for (end = at; end < line.size && !ic_text_is_blank(line.text[end]);)
			end++;
		size_t next = skip_blanks(line, end);
		if (has_time && line.text[end - 1] == ':' && next < line.size &&
		    read_perf_place(line, next, mention))
			return true;
		*mention = (struct ic_mention){ .start = 0 };
		has_time |= is_time((struct ic_span){ line.text + at, end - at });
	}
	return false;
}

bool ic_mention_read_decimal_line(struct ic_span line, struct ic_mention *mention)
{
	line = ic_span_trimmed(line);
	size_t start = skip_blanks(line, 0), name_end = skip_name(line, start), end;

	if (name_end == start || !starts_with(line, name_end, "+") ||
	    (line.text[start] >= '0' && line.text[start] <= '9'))
		return false;
	end = read_decimal(line, name_end + 1, &mention->off);
	if (end == name_end + 1)
		return false;
	mention->start = start;
	mention->name = (struct ic_span){ line.text + start, name_end - start };
	return end == line.size || read_module(line, end, mention) == line.size;
}

// Places identified by their objects.

struct frame_head {        // "#3  0x00005581e5f4a114 in main"
	size_t start, end; // of the address; equal if there is no such head
	uint64_t number;
};

// "0x" and digits distinguish a frame from any other "#3".
static struct frame_head read_frame_head(struct ic_span line)
{
	struct frame_head head = { .start = 0 };
	const char *hash = memchr(line.text, '#', line.size);
	uint64_t addr;

	if (!hash)
		return head;
	size_t at = (size_t)(hash - line.text) + 1, digits = read_decimal(line, at, &head.number);
	head.start = head.end = skip_blanks(line, digits);
	if (digits > at && head.start > digits)
		head.end = ic_mention_read_hex(line, head.start, "0x", &addr);
	return head;
}

size_t ic_mention_word_start(struct ic_span line, size_t end)
{
	size_t least = end > MOST_PATH_SIZE ? end - MOST_PATH_SIZE : 0;

	while (end > least && !ic_text_is_blank(line.text[end - 1]))
		end--;
	return end;
}

// " [0x5581e5f4a114]" or, as backtrace_symbols_fd() prints it, "[0x5581e5f4a114]"; its end, or
// `at`.
static size_t read_traced_addr(struct ic_span line, size_t at, uint64_t *addr)
{
	size_t end =
		ic_mention_read_hex(line, at, starts_with(line, at, " ") ? " [0x" : "[0x", addr);

	return end > at && starts_with(line, end, "]") ? end + 1 : at;
}

// "prog(+0x1114) [0x5581e5f4a114]" with its parentheses at `open` and `close`.
static bool read_backtrace(struct ic_span line, size_t open, size_t close,
			   struct ic_mention *mention)
{
	struct ic_span inner = { line.text + open + 1, close - open - 1 };
	size_t start = ic_mention_word_start(line, open);

	if (start == open || read_traced_addr(line, close + 1, &mention->addr) == close + 1)
		return false;
	mention->start = start;
	mention->object = (struct ic_span){ line.text + start, open - start };
	if (start >= 2 && memcmp(line.text + start - 2, "> ", 2) == 0) { // strace -k
		mention->origin = IC_MENTION_ORIGIN_FILE;
		mention->object_off = mention->addr;
		return true;
	}
	mention->label = inner;
	mention->has_addr = true;
	if (inner.size == 0 || take_off(mention)) // empty: a file that is not relocated
		return true;
	if (ic_mention_read_hex(inner, 0, "+0x", &mention->object_off) != inner.size)
		return false;
	mention->label = (struct ic_span){ NULL, 0 };
	mention->origin = IC_MENTION_ORIGIN_BIAS;
	return true;
}

// "./prog[0x401114]", of a file that is not relocated, as the whole line.
static bool read_bare_backtrace(struct ic_span line, struct ic_mention *mention)
{
	struct ic_span text = ic_span_trimmed(line);
	const char *bracket = memrchr(text.text, '[', text.size);
	size_t open = bracket ? (size_t)(bracket - text.text) : 0,
	       start = ic_mention_word_start(text, open);

	if (start == open || read_traced_addr(text, open, &mention->addr) != text.size ||
	    !memchr(text.text + start, '/', open - start))
		return false;
	mention->start = start;
	mention->object = (struct ic_span){ text.text + start, open - start };
	return mention->has_addr = true;
}

size_t ic_mention_number_start(struct ic_span text, size_t end)
{
	size_t at = end;

	while (at > 0 && text.text[at - 1] >= '0' && text.text[at - 1] <= '9')
		at--;
	return at < end && at > 0 && text.text[at - 1] == ':' ? at - 1 : end;
}

struct ic_span ic_mention_bare_label(struct ic_span label)
{
	if (ic_span_begins(label, "in "))
		label = (struct ic_span){ label.text + 3, label.size - 3 };
	size_t end = ic_mention_number_start(label, ic_mention_number_start(label, label.size));
	size_t start = end < label.size ? ic_mention_word_start(label, end) : 0;
	return start > 0 ? ic_span_trimmed((struct ic_span){ label.text, start }) : label;
}

// "(/usr/bin/prog+0x1114)" or "(prog + 0x1114)"; `inner` is what is in the parentheses.
static bool read_parenthesized(struct ic_span line, const struct frame_head *head,
			       struct ic_span inner, struct ic_mention *mention,
			       enum ic_stack_style *style)
{
	const char *plus = memrchr(inner.text, '+', inner.size);
	size_t at = plus ? (size_t)(plus - inner.text) : 0;
	bool spaced = at > 1 && inner.text[at - 1] == ' ';

	if (at == 0 || ic_mention_read_hex(inner, at, spaced ? "+ 0x" : "+0x",
					   &mention->object_off) != inner.size)
		return false;
	size_t open = (size_t)(inner.text - line.text) - 1;
	bool is_frame = head->end > head->start && head->end <= open;
	mention->object = (struct ic_span){ inner.text, spaced ? at - 1 : at };
	mention->origin = spaced ? IC_MENTION_ORIGIN_START : IC_MENTION_ORIGIN_BIAS;
	if (!is_frame && (spaced || !memchr(mention->object.text, '/', mention->object.size)))
		return false;
	mention->start = is_frame ? head->start : open;
	size_t name = skip_blanks(line, is_frame ? head->end : open);
	if (name < open)
		mention->label = ic_span_trimmed((struct ic_span){ line.text + name, open - name });
	bool is_sanitizer = ic_span_begins(mention->label, "in ") ||
			    (name == open && name > head->end + 1);
	mention->label = ic_mention_bare_label(mention->label);
	*style = !is_frame                 ? IC_STACK_PLAIN
		 : !spaced && is_sanitizer ? IC_STACK_EXACT
		 : head->number == 0       ? IC_STACK_FIRST
					   : IC_STACK_RETURN;
	return true;
}

// "(BuildId: 0123abcd)" after the place, as sanitizers print it.
static void read_build_id(struct ic_span line, size_t at, struct ic_mention *mention)
{
	static const char lead[] = " (BuildId: ";

	if (!starts_with(line, at, lead))
		return;
	size_t start = at + strlen(lead), end = start;
	while (end < line.size && ic_text_hex_digit(line.text[end]) >= 0)
		end++;
	if (end > start && starts_with(line, end, ")"))
		mention->build_id = (struct ic_span){ line.text + start, end - start };
}

bool ic_mention_read_object_place(struct ic_span line, struct ic_mention *mention,
				  enum ic_stack_style *style)
{
	const struct frame_head head = read_frame_head(line); // once, for any number of places
	const char *from = line.text, *found;
	uint64_t addr;

	for (; (found = memchr(from, ')', (size_t)(line.text + line.size - from)));
	     from = found + 1) {
		size_t close = (size_t)(found - line.text);
		size_t least = close > MOST_PATH_SIZE ? close - MOST_PATH_SIZE : 0;
		bool is_traced = read_traced_addr(line, close + 1, &addr) > close + 1;
		if (close == 0 || (!is_traced && ic_text_hex_digit(found[-1]) < 0))
			continue;
		const char *paren = memrchr(line.text + least, '(', close - least);
		if (!paren)
			continue;
		size_t open = (size_t)(paren - line.text);
		struct ic_span inner = { paren + 1, close - open - 1 };
		*mention = (struct ic_mention){ .start = open };
		*style = IC_STACK_RETURN;
		if (is_traced ? read_backtrace(line, open, close, mention)
			      : read_parenthesized(line, &head, inner, mention, style)) {
			read_build_id(line, close + 1, mention);
			if (mention->origin == IC_MENTION_ORIGIN_FILE)
				*style = IC_STACK_LISTED;
			return true;
		}
	}
	*mention = (struct ic_mention){ .start = 0 };
	*style = IC_STACK_RETURN;
	return read_bare_backtrace(line, mention);
}
