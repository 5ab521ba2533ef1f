#include "trace_text.h"

#include <string.h>

enum {
	MOST_LOOKED_BACK = 96, // bytes before a mention, for what it is called
	MOST_LOOKED_AHEAD = 256,
	MOST_HEADING_SIZE = 512,
};

static bool starts_with(const struct cli_trace *trace, size_t at, const char *text)
{
	struct cli_slice rest = { trace->line.text + at, trace->line.size - at };

	return cli_slice_begins(rest, text);
}

// The word before `*at`, which is moved to its beginning; hexadecimal numbers and punctuation in
// between are passed over.
static struct cli_slice word_before(const struct cli_trace *trace, size_t *at, size_t least)
{
	struct cli_slice word = { NULL, 0 };
	bool is_number = true;

	while (is_number) {
		while (*at > least && strchr(" \t:[]<>()=", trace->line.text[*at - 1] +
								    !trace->line.text[*at - 1]))
			--*at;
		size_t end = *at;
		is_number = true;
		while (*at > least && cli_is_name_char(trace->line.text[*at - 1]))
			is_number &= cli_hex_digit(trace->line.text[--*at]) >= 0;
		word = (struct cli_slice){ trace->line.text + *at, end - *at };
		is_number &= word.size >= 4;
	}
	return word;
}

static bool is_one_of(struct cli_slice word, const char *const *words)
{
	for (; *words; words++)
		if (cli_slice_is(word, *words))
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

	if (cli_slice_is(word, "at")) { // "PC is at", but also "--- interrupt: 300 at"
		struct cli_slice is = word_before(trace, &at, least);
		if (cli_slice_is(is, "is"))
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
	for (at += 3;
	     at < trace->line.size && trace->line.text[at] >= 'A' && trace->line.text[at] <= 'Z';)
		at++;
	return at < trace->line.size && trace->line.text[at] == ')';
}

// 32-bit ARM prints "[<c0101000>] (callee [module]) from [<c0102000>] (caller+0x10/0x20)": the
// callee's address is not one that is returned to.
static bool is_before_from(const struct cli_trace *trace)
{
	size_t size = trace->line.size - trace->at;

	return memmem(trace->line.text + trace->at,
		      size < MOST_LOOKED_AHEAD ? size : MOST_LOOKED_AHEAD, ") from ", 7) != NULL;
}

// The kernel's tracer prints " => symbol+0xOFF/0xSIZE" for the callers of what it traces.
static bool is_behind_arrow(const struct cli_trace *trace, size_t start)
{
	return start >= 3 && memcmp(trace->line.text + start - 3, "=> ", 3) == 0;
}

// What is on the stack of interrupted code, right before its program counter: the entry of an
// exception or an interrupt, and of a process what a signal handler returns to.
static bool is_interrupt_entry(struct cli_slice name)
{
	static const char *const names[] = {
		"asm_common_interrupt",
		"asm_spurious_interrupt",
		"el1_sync",
		"el1_irq",
		"handle_exception",
		"ret_from_exception",
		"__restore_rt",
		"__restore",
		"__kernel_rt_sigreturn",
		"__kernel_sigreturn",
		"__default_rt_sa_restorer",
		"__default_sa_restorer",
		NULL,
	};

	return cli_slice_begins(name, "asm_exc_") || cli_slice_begins(name, "asm_sysvec_") ||
	       cli_slice_begins(name, "el1h_64_") || is_one_of(name, names);
}

// Whether an entry of a trace is not a return address but a program counter: that of interrupted
// code, or in the first entry that which the registers had, or where a dump begins with its own
// function ("dump_backtrace+0x0/0x1c0"). What is only found on the stack ("? vfs_read+0xad") and
// equals the counter was left there by the exception.
static bool is_counter(const struct cli_trace *trace, const struct cli_mention *mention)
{
	if (trace->behind_interrupt)
		return true;
	if (!mention->name.text || !(trace->at_first || mention->is_doubtful))
		return false;
	return hash_symbol(mention) == trace->counter || (trace->at_first && mention->off == 0);
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
		mention->is_return = !is_counter(trace, mention);
	else
		mention->is_return = trace->return_addresses ||
				     is_behind_arrow(trace, mention->start);
	trace->at_first = false;
	trace->behind_interrupt = kind == REGISTER_NONE && is_interrupt_entry(mention->name);
}

// "Call Trace:" and what else stands above return addresses.
static bool is_heading(const struct cli_trace *trace)
{
	static const char *const words[] = {
		"all trace",         "all Trace",     "acktrace",      "tack trace",
		"llocated by task ", "reed by task ", "work creation",
	};
	size_t end = trace->line.size;

	while (end > 0 &&
	       (cli_is_blank(trace->line.text[end - 1]) || trace->line.text[end - 1] == '\r'))
		end--;
	if (end == 0 || trace->line.text[end - 1] != ':' || trace->line.size > MOST_HEADING_SIZE)
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (cli_slice_holds(trace->line, words[i]))
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
		if (cli_slice_holds(trace->line, words[i]))
			return true;
	// "5fa0: 74fd72e8 7ec0e0d0 ...": 32-bit ARM's registers.
	const char *colon = memchr(trace->line.text, ':', trace->line.size);
	while (colon && at < 4 && colon - trace->line.text > (ptrdiff_t)at &&
	       cli_hex_digit(colon[-1 - (ptrdiff_t)at]) >= 0)
		at++;
	return at == 4;
}

void cli_trace_line(struct cli_trace *trace, const char *line, size_t size)
{
	trace->line = (struct cli_slice){ line, size };
	trace->at = 0;
	trace->mentioned = false;
	trace->behind_frame = trace->is_frame;
	trace->is_frame = false;
	if (is_heading(trace))
		trace->in_trace = trace->at_first = trace->mentioned = true;
}

static void end_line(struct cli_trace *trace)
{
	if (trace->line.text && trace->in_trace && !trace->mentioned && !is_between_entries(trace))
		trace->in_trace = false;
	if (!trace->in_trace && !trace->mentioned)
		trace->behind_interrupt = false;
	trace->line = (struct cli_slice){ NULL, 0 };
	trace->at = 0;
}

// A line of a stack that says nothing of what kind its addresses are: the first is where the
// program was, those below it are return addresses.
static void set_kind_in_stack(struct cli_trace *trace, struct cli_mention *mention)
{
	mention->is_return = trace->return_addresses || trace->behind_frame;
	if (trace->behind_frame && trace->behind_interrupt)
		mention->is_return = false;
	trace->behind_interrupt =
		is_interrupt_entry(mention->label.text ? mention->label : mention->name);
	trace->is_frame = true;
}

// A line that is one place, whatever else stands in it. *is_inlined if it is one of the frames that
// perf found itself, which are of the next line's place.
static bool read_line(struct cli_trace *trace, struct cli_mention *mention, bool *is_inlined)
{
	enum cli_stack_style style;

	*is_inlined = false;
	*mention = (struct cli_mention){ .start = 0 };
	if (cli_read_perf_line(trace->line, mention)) {
		*is_inlined = cli_slice_is(mention->object, "inlined");
		if (*is_inlined)
			trace->is_frame = trace->behind_frame;
		else
			set_kind_in_stack(trace, mention);
		return true;
	}
	*mention = (struct cli_mention){ .start = 0 };
	if (cli_read_decimal_line(trace->line, mention)) {
		set_kind_in_stack(trace, mention);
		return true;
	}
	if (!cli_read_object_place(trace->line, mention, &style))
		return false;
	mention->is_return = style == CLI_STACK_PLAIN
				     ? trace->return_addresses
				     : style == CLI_STACK_RETURN && !trace->behind_interrupt;
	trace->behind_interrupt = style == CLI_STACK_RETURN && is_interrupt_entry(mention->label);
	return true;
}

static bool read_mention(struct cli_trace *trace, struct cli_mention *mention)
{
	size_t start = trace->at, end;

	*mention = (struct cli_mention){ .start = start };
	end = cli_read_symbol(trace->line, start, mention);
	if (end == start) {
		*mention = (struct cli_mention){ .start = start };
		end = cli_read_addr(trace->line, start, mention);
	}
	trace->at = end;
	while (end == start && trace->at < trace->line.size &&
	       cli_is_name_char(trace->line.text[trace->at]))
		trace->at++;
	return end > start;
}

bool cli_trace_next(struct cli_trace *trace, struct cli_mention *mention)
{
	bool is_inlined;

	if (trace->at == 0 && trace->line.size > 0 && read_line(trace, mention, &is_inlined)) {
		trace->at = trace->line.size;
		trace->mentioned = true;
		return !is_inlined;
	}
	while (trace->at < trace->line.size) {
		if (!cli_is_name_char(trace->line.text[trace->at])) {
			trace->at++;
		} else if (read_mention(trace, mention)) {
			set_kind(trace, mention);
			return trace->mentioned = true;
		}
	}
	end_line(trace);
	return false;
}
