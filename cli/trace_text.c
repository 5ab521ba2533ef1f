#include "trace_text.h"

#include <string.h>

enum {
	MOST_LOOKED_BACK = 96, // bytes before a mention, for what it is called
	MOST_LOOKED_AHEAD = 256,
	MOST_HEADING_SIZE = 512,
	LEAST_ADDR_DIGITS = 6, // of "0x..." alone: what is smaller is most often a number
};

static bool is_name_char(char character)
{
	unsigned char byte = (unsigned char)character;

	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') || byte >= 0x80 || strchr("_.$@", byte + !byte);
}

static int hex_digit(char character)
{
	if (character >= '0' && character <= '9')
		return character - '0';
	if (character >= 'a' && character <= 'f')
		return character - 'a' + 10;
	if (character >= 'A' && character <= 'F')
		return character - 'A' + 10;
	return -1;
}

static bool is_blank(char character)
{
	return character == ' ' || character == '\t';
}

static bool slice_is(struct cli_slice slice, const char *text)
{
	return slice.size == strlen(text) && memcmp(slice.text, text, slice.size) == 0;
}

static bool starts_with(const struct cli_trace *trace, size_t at, const char *text)
{
	size_t size = strlen(text);

	return trace->size - at >= size && memcmp(trace->line + at, text, size) == 0;
}

static bool holds(const struct cli_trace *trace, const char *text)
{
	return memmem(trace->line, trace->size, text, strlen(text)) != NULL;
}

static size_t skip_name(const struct cli_trace *trace, size_t at)
{
	while (at < trace->size && is_name_char(trace->line[at]))
		at++;
	return at;
}

// Whether a word ends there: what follows is none, or the dot at the end of a sentence.
static bool is_word_end(const struct cli_trace *trace, size_t at)
{
	while (at < trace->size && trace->line[at] == '.')
		at++;
	return at == trace->size || !is_name_char(trace->line[at]);
}

static size_t skip_blanks(const struct cli_trace *trace, size_t at)
{
	while (at < trace->size && is_blank(trace->line[at]))
		at++;
	return at;
}

// The end of the hexadecimal number at `at`; `at` where there is none, or one of over 64 bits.
static size_t read_hex(const struct cli_trace *trace, size_t at, uint64_t *value)
{
	size_t end = at;

	*value = 0;
	for (; end < trace->size && hex_digit(trace->line[end]) >= 0; end++) {
		if (end - at == 16)
			return at;
		*value = *value << 4 | (uint64_t)hex_digit(trace->line[end]);
	}
	return end;
}

// The same of "0x..." behind `lead`.
static size_t read_prefixed_hex(const struct cli_trace *trace, size_t at, const char *lead,
				uint64_t *value)
{
	if (!starts_with(trace, at, lead))
		return at;
	size_t digits = at + strlen(lead), end = read_hex(trace, digits, value);
	return end > digits ? end : at;
}

// " [xfs]", or " [xfs BUILD-ID]"; its end, or `at`.
static size_t read_module(const struct cli_trace *trace, size_t at, struct cli_slice *module)
{
	if (!starts_with(trace, at, " ["))
		return at;
	size_t name = at + 2, end = name;
	while (end < trace->size && (is_name_char(trace->line[end]) || trace->line[end] == '-'))
		end++;
	size_t behind = end;
	if (behind < trace->size && trace->line[behind] == ' ')
		for (behind++; behind < trace->size && hex_digit(trace->line[behind]) >= 0;)
			behind++;
	if (end == name || behind == trace->size || trace->line[behind] != ']')
		return at;
	*module = (struct cli_slice){ trace->line + name, end - name };
	return behind + 1;
}

// NAME+0xOFF or NAME+0xOFF/0xSIZE, and its module; its end, or `at`.
static size_t read_symbol(const struct cli_trace *trace, size_t at, struct cli_mention *mention)
{
	size_t name_end = skip_name(trace, at);
	uint64_t off, size;

	if (name_end == at || (trace->line[at] >= '0' && trace->line[at] <= '9'))
		return at;
	size_t off_end = read_prefixed_hex(trace, name_end, "+0x", &off);
	if (off_end == name_end)
		return at;
	size_t end = read_prefixed_hex(trace, off_end, "/0x", &size);
	if (!is_word_end(trace, end))
		return at;
	mention->name = (struct cli_slice){ trace->line + at, name_end - at };
	mention->off = off;
	mention->has_size = end > off_end;
	mention->size = mention->has_size ? size : 0;
	return read_module(trace, end, &mention->module);
}

// What is said of one place twice, as in "[<ffffffff81000000>] kfree+0x1f/0x90".
static size_t read_symbol_behind(const struct cli_trace *trace, size_t at,
				 struct cli_mention *mention)
{
	size_t next = at;

	while (next < trace->size && strchr(" \t>])(?", trace->line[next] + !trace->line[next]))
		next++;
	size_t end = read_symbol(trace, next, mention);
	return end > next ? end : at;
}

// An address that is a word: "[<81000000>]", "0xffffffff81000000" or 16 digits.
static size_t read_addr(const struct cli_trace *trace, size_t at, struct cli_mention *mention)
{
	const char *line = trace->line;
	char before = at > 0 ? line[at - 1] : ' ';
	bool prefixed = starts_with(trace, at, "0x");
	size_t digits = prefixed ? at + 2 : at, end = read_hex(trace, digits, &mention->addr);
	bool bracketed = at >= 2 && line[at - 2] == '[' && before == '<' &&
			 starts_with(trace, end, ">]");

	if (end == digits || !is_word_end(trace, end) || before == '+' || before == '-' ||
	    before == '/')
		return at;
	if (end < trace->size && line[end] == '-') // a UUID
		return at;
	if (!bracketed && !(prefixed && mention->addr >> 4 * (LEAST_ADDR_DIGITS - 1)) &&
	    !(!prefixed && end - digits == 16))
		return at;
	if (bracketed)
		mention->start -= 2;
	mention->is_plain = !bracketed && !prefixed;
	mention->has_addr = true;
	return read_symbol_behind(trace, end, mention);
}

// A line of perf script's: blanks, an address, a name that may hold anything, "+0xOFF" with
// -F +symoff, and the object in parentheses. False where it is none.
static bool read_perf_line(const struct cli_trace *trace, struct cli_mention *mention)
{
	const char *line = trace->line;
	size_t start = skip_blanks(trace, 0), end = trace->size, name_end;

	while (end > 0 && (is_blank(line[end - 1]) || line[end - 1] == '\r'))
		end--;
	if (start == 0 || end == 0 || line[end - 1] != ')')
		return false;
	size_t addr_end = read_hex(trace, start, &mention->addr),
	       name = skip_blanks(trace, addr_end);
	if (addr_end - start < 4 || name == addr_end)
		return false;
	const char *open = memrchr(line + name, '(', end - name);
	if (!open || open == line + name || open[-1] != ' ')
		return false;
	name_end = (size_t)(open - line) - 1;
	mention->start = start;
	mention->has_addr = true;
	mention->object = (struct cli_slice){ open + 1, end - name_end - 3 };
	mention->label = (struct cli_slice){ line + name, name_end - name };
	const char *plus = memrchr(line + name, '+', name_end - name);
	size_t plus_at = plus ? (size_t)(plus - line) : name_end;
	if (plus_at > name && read_prefixed_hex(trace, plus_at, "+0x", &mention->off) > plus_at) {
		mention->name = (struct cli_slice){ line + name, plus_at - name };
		mention->label = mention->name;
	}
	return true;
}

// The word before `*at`, which is moved to its beginning; hexadecimal numbers and punctuation in
// between are passed over.
static struct cli_slice word_before(const struct cli_trace *trace, size_t *at, size_t least)
{
	struct cli_slice word = { NULL, 0 };
	bool is_number = true;

	while (is_number) {
		while (*at > least &&
		       strchr(" \t:[]<>()=", trace->line[*at - 1] + !trace->line[*at - 1]))
			--*at;
		size_t end = *at;
		is_number = true;
		while (*at > least && is_name_char(trace->line[*at - 1]))
			is_number &= hex_digit(trace->line[--*at]) >= 0;
		word = (struct cli_slice){ trace->line + *at, end - *at };
		is_number &= word.size >= 4;
	}
	return word;
}

static bool is_one_of(struct cli_slice word, const char *const *words)
{
	for (; *words; words++)
		if (slice_is(word, *words))
			return true;
	return false;
}

enum register_kind { REGISTER_NONE, REGISTER_COUNTER, REGISTER_LINK };

// Which register a mention is the value of, by what stands before it: "RIP: 0010:", "pc : ",
// "LR is at ", "NIP [c000000000001000] ", "epc : 80001000 ", "Krnl PSW : ... (".
static enum register_kind find_register(const struct cli_trace *trace, size_t start)
{
	static const char *const counters[] = { "RIP", "EIP", "IP",  "pc",  "PC", "epc", "EPC",
						"NIP", "ERA", "era", "PSW", "at", NULL };
	static const char *const links[] = { "lr", "LR", "ra", "RA", NULL };
	size_t at = start, least = start > MOST_LOOKED_BACK ? start - MOST_LOOKED_BACK : 0;
	struct cli_slice word = word_before(trace, &at, least);

	if (slice_is(word, "at")) { // "PC is at", but also "--- interrupt: 300 at"
		struct cli_slice is = word_before(trace, &at, least);
		if (slice_is(is, "is"))
			word = word_before(trace, &at, least);
	}
	return is_one_of(word, counters) ? REGISTER_COUNTER
	       : is_one_of(word, links)  ? REGISTER_LINK
					 : REGISTER_NONE;
}

static uint64_t hash_symbol(const struct cli_mention *mention)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (size_t i = 0; i < mention->name.size; i++)
		hash = (hash ^ (unsigned char)mention->name.text[i]) * 0x100000001b3;
	return ((hash ^ mention->off) * 0x100000001b3) | 1;
}

// arm64 says "(P)" behind an entry that comes from the program counter of saved registers.
static bool is_marked_counter(const struct cli_trace *trace)
{
	size_t at = trace->at;

	if (!starts_with(trace, at, " (P"))
		return false;
	for (at += 3; at < trace->size && trace->line[at] >= 'A' && trace->line[at] <= 'Z';)
		at++;
	return at < trace->size && trace->line[at] == ')';
}

// 32-bit ARM prints "[<c0101000>] (callee [module]) from [<c0102000>] (caller+0x10/0x20)": the
// callee's address is not one that is returned to.
static bool is_before_from(const struct cli_trace *trace)
{
	size_t size = trace->size - trace->at;

	return memmem(trace->line + trace->at, size < MOST_LOOKED_AHEAD ? size : MOST_LOOKED_AHEAD,
		      ") from ", 7) != NULL;
}

// The kernel's tracer prints " => symbol+0xOFF/0xSIZE" for the callers of what it traces.
static bool is_behind_arrow(const struct cli_trace *trace, size_t start)
{
	return start >= 3 && memcmp(trace->line + start - 3, "=> ", 3) == 0;
}

// The first entry of a trace is the program counter where the registers were printed before, and
// where a dump begins with its own function ("dump_backtrace+0x0/0x1c0").
static bool is_first_counter(const struct cli_trace *trace, const struct cli_mention *mention)
{
	return trace->at_first && mention->name.text &&
	       (mention->off == 0 || hash_symbol(mention) == trace->counter);
}

static void set_kind(struct cli_trace *trace, struct cli_mention *mention)
{
	enum register_kind kind = find_register(trace, mention->start);

	if (kind == REGISTER_COUNTER && mention->name.text)
		trace->counter = hash_symbol(mention);
	if (kind != REGISTER_NONE)
		mention->is_return = kind == REGISTER_LINK;
	else if (is_marked_counter(trace) || is_before_from(trace))
		mention->is_return = false;
	else if (mention->has_size && mention->off == mention->size)
		mention->is_return = true; // the call was the last instruction
	else if (trace->in_trace)
		mention->is_return = !is_first_counter(trace, mention);
	else
		mention->is_return = trace->return_addresses ||
				     is_behind_arrow(trace, mention->start);
	trace->at_first = false;
}

// "Call Trace:" and what else stands above return addresses.
static bool is_heading(const struct cli_trace *trace)
{
	static const char *const words[] = {
		"all trace",         "all Trace",     "acktrace",      "tack trace",
		"llocated by task ", "reed by task ", "work creation",
	};
	size_t end = trace->size;

	while (end > 0 && (is_blank(trace->line[end - 1]) || trace->line[end - 1] == '\r'))
		end--;
	if (end == 0 || trace->line[end - 1] != ':' || trace->size > MOST_HEADING_SIZE)
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (holds(trace, words[i]))
			return true;
	return false;
}

// What stands between the entries of one trace: the marks of its stacks, and the registers of what
// was interrupted.
static bool is_between_entries(const struct cli_trace *trace)
{
	static const char *const words[] = {
		"TASK>",
		"IRQ>",
		"NMI>",
		"EOI>",
		"<#",
		"</#",
		"Code: ",
		"RIP: ",
		"RSP: ",
		"RAX: ",
		"RDX: ",
		"RBP: ",
		"R10: ",
		"R13: ",
		"EFLAGS: ",
		"EAX: ",
		"ESI: ",
		"DS: ",
		"--- interrupt",
		"REGS: ",
		"MSR: ",
		"CFAR: ",
		"GPR",
		"NIP ",
		"LR ",
		"Exception stack(",
	};
	size_t at = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (holds(trace, words[i]))
			return true;
	// "5fa0: 74fd72e8 7ec0e0d0 ...": 32-bit ARM's registers.
	const char *colon = memchr(trace->line, ':', trace->size);
	while (colon && at < 4 && colon - trace->line > (ptrdiff_t)at &&
	       hex_digit(colon[-1 - (ptrdiff_t)at]) >= 0)
		at++;
	return at == 4;
}

void cli_trace_line(struct cli_trace *trace, const char *line, size_t size)
{
	trace->line = line;
	trace->size = size;
	trace->at = 0;
	trace->mentioned = false;
	trace->behind_frame = trace->is_frame;
	trace->is_frame = false;
	if (is_heading(trace))
		trace->in_trace = trace->at_first = trace->mentioned = true;
}

static void end_line(struct cli_trace *trace)
{
	if (trace->line && trace->in_trace && !trace->mentioned && !is_between_entries(trace))
		trace->in_trace = false;
	trace->line = NULL;
	trace->size = trace->at = 0;
}

static bool read_mention(struct cli_trace *trace, struct cli_mention *mention)
{
	size_t start = trace->at, end;

	*mention = (struct cli_mention){ .start = start };
	end = read_symbol(trace, start, mention);
	if (end == start) {
		*mention = (struct cli_mention){ .start = start };
		end = read_addr(trace, start, mention);
	}
	trace->at = end > start ? end : skip_name(trace, start);
	return end > start;
}

bool cli_trace_next(struct cli_trace *trace, struct cli_mention *mention)
{
	if (trace->at == 0 && trace->size > 0) {
		*mention = (struct cli_mention){ .start = 0 };
		if (read_perf_line(trace, mention)) {
			bool is_inlined = slice_is(mention->object, "inlined");
			trace->at = trace->size;
			// A sample is where the program was; below it are return addresses.
			mention->is_return = trace->return_addresses || trace->behind_frame;
			trace->is_frame = !is_inlined || trace->behind_frame;
			trace->mentioned = true;
			return !is_inlined;
		}
	}
	while (trace->at < trace->size) {
		if (!is_name_char(trace->line[trace->at])) {
			trace->at++;
		} else if (read_mention(trace, mention)) {
			set_kind(trace, mention);
			return trace->mentioned = true;
		}
	}
	end_line(trace);
	return false;
}
