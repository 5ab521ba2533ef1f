#include <inlinecall/extra/mentions.h>

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "mentions/forms.h"
#include "mentions/frames.h"
#include "mentions/go.h"
#include "text/span.h"
#include "text/text.h"

enum {
	MOST_LOOKED_BACK = 96, // bytes before a mention that are examined for its name
	MOST_LOOKED_AHEAD = 256,
	MOST_HEADING_SIZE = 512,
};

// State from the lines before: a call trace has return addresses, except that its first entry may
// be the program counter.
struct ic_mentions {
	bool return_addresses; // the default, if the text does not decide
	struct ic_frame_marks frame_marks;
	bool in_trace, at_first;
	bool after_task; // the previous line ended the stack of a task, which is the last of a
			 // trace
	// Whether the previous line was a frame of a stack, and whether this one is; and whether
	// the previous one was the kernel's, which perf script prints above those of a program.
	bool after_frame, is_frame, after_kernel;
	uint64_t counter_addr; // the program counter printed above its stack; 0 for none
	bool after_inlined;    // the last frame belongs to the next one, which has its address
	bool in_native;        // native frames of an hs_err file have started
	bool last_is_return, last_code_decides;
	bool after_interrupt; // interrupted code was entered from the last mention
	uint64_t counter;     // hash of the last program counter mentioned; 0 for none
	// For Go's tracebacks: what this line says about the next one, and the previous line about
	// this one.
	struct ic_go_caller callers[2];
	unsigned own_caller; // index of this line's
	// For 32-bit ARM's "[<callee>] (name) from [<return address>]": hashes of the last return
	// addresses in this line and in the line before; 0 for none.
	uint64_t from, from_before;
	size_t go_stack;     // where the return addresses of a Go profile start in this line
	bool in_goroutine;   // the stack of a goroutine has started
	bool after_sigpanic; // the last place was where a signal turned into a panic
	struct ic_span line; // `text` is NULL after the whole line has been read
	size_t at;
	bool mentioned; // there was a mention in this line
};

static bool starts_with(const struct ic_mentions *mentions, size_t at, const char *text)
{
	struct ic_span rest = { mentions->line.text + at, mentions->line.size - at };

	return ic_span_begins(rest, text);
}

// The word before `*at`, which is moved to its start; hexadecimal numbers and punctuation in
// between are skipped.
static struct ic_span word_before(const struct ic_mentions *mentions, size_t *at, size_t least)
{
	struct ic_span word = { NULL, 0 };
	bool is_number = true;

	while (is_number) {
		while (*at > least && strchr(" \t:[]<>()=", mentions->line.text[*at - 1] +
								    !mentions->line.text[*at - 1]))
			--*at;
		size_t end = *at;
		is_number = true;
		while (*at > least && ic_mention_is_name_char(mentions->line.text[*at - 1]))
			is_number &= ic_text_hex_digit(mentions->line.text[--*at]) >= 0;
		word = (struct ic_span){ mentions->line.text + *at, end - *at };
		is_number &= word.size >= 4;
	}
	return word;
}

static bool is_one_of(struct ic_span word, const char *const *words)
{
	for (; *words; words++)
		if (ic_span_is(word, *words))
			return true;
	return false;
}

enum register_kind { REGISTER_NONE, REGISTER_COUNTER, REGISTER_LINK };

// Which register a mention is the value of, judging by the text before it: "RIP: 0010:", "pc : ",
// "LR is at ", "NIP [c000000000001000] ", "epc : 80001000 ", "Krnl PSW : ... (".
static enum register_kind find_register(const struct ic_mentions *mentions, size_t start)
{
	static const char *const counters[] = { "RIP", "EIP", "IP",  "pc",  "PC", "epc", "EPC",
						"NIP", "ERA", "era", "PSW", "at", NULL };
	static const char *const links[] = { "lr", "LR", "ra", "RA", NULL };
	size_t at = start, least = start > MOST_LOOKED_BACK ? start - MOST_LOOKED_BACK : 0;
	struct ic_span word = word_before(mentions, &at, least);

	if (ic_span_is(word, "at")) { // "PC is at", but also "--- interrupt: 300 at"
		struct ic_span is = word_before(mentions, &at, least);
		if (ic_span_is(is, "is"))
			word = word_before(mentions, &at, least);
	}
	return is_one_of(word, counters) ? REGISTER_COUNTER
	       : is_one_of(word, links)  ? REGISTER_LINK
					 : REGISTER_NONE;
}

static uint64_t hash_symbol(const struct ic_mention *mention)
{
	uint64_t hash = ic_text_hash_up_to(mention->name.text, mention->name.size);

	return ((hash ^ mention->off) * 0x100000001b3) | 1;
}

// arm64 prints "(P)" after an entry that is the program counter in saved registers.
static bool is_marked_counter(const struct ic_mentions *mentions)
{
	size_t at = mentions->at;

	if (!starts_with(mentions, at, " (P"))
		return false;
	for (at += 3; at < mentions->line.size && mentions->line.text[at] >= 'A' &&
		      mentions->line.text[at] <= 'Z';)
		at++;
	return at < mentions->line.size && mentions->line.text[at] == ')';
}

// 32-bit ARM prints "[<c0101000>] (callee [module]) from [<c0102000>] (caller+0x10/0x20)".
static bool is_before_from(const struct ic_mentions *mentions)
{
	size_t size = mentions->line.size - mentions->at;

	return memmem(mentions->line.text + mentions->at,
		      size < MOST_LOOKED_AHEAD ? size : MOST_LOOKED_AHEAD, ") from ", 7) != NULL;
}

// The name before " from ", followed by a mention at `start`: "(callee [module])" or, in newer
// kernels, only "callee". Empty if there is none.
static struct ic_span name_before_from(const struct ic_mentions *mentions, size_t start)
{
	static const char from[] = " from ";
	const struct ic_span none = { NULL, 0 };
	size_t size = strlen(from), end = start - size;
	const char *text = mentions->line.text;

	if (start < size + 1 || memcmp(text + end, from, size) != 0)
		return none;
	if (text[end - 1] == ')') { // possibly with a module
		size_t least = end > MOST_LOOKED_BACK ? end - MOST_LOOKED_BACK : 0;
		const char *open = memrchr(text + least, '(', end - least);
		if (!open)
			return none;
		size_t name = (size_t)(open - text) + 1;
		while (name < end && ic_mention_is_name_char(text[name]))
			name++;
		return (struct ic_span){ open + 1, (size_t)(text + name - open) - 1 };
	}
	size_t name = end;
	while (name > 0 && ic_mention_is_name_char(text[name - 1]))
		name--;
	return name == 0 || ic_text_is_blank(text[name - 1])
		       ? (struct ic_span){ text + name, end - name }
		       : none;
}

// The kernel's tracer prints " => symbol+0xOFF/0xSIZE" for the callers of a traced function.
static bool is_after_arrow(const struct ic_mentions *mentions, size_t start)
{
	return start >= 3 && memcmp(mentions->line.text + start - 3, "=> ", 3) == 0;
}

// Whether a name is on the stack of interrupted code right before its program counter: the entry
// point of an exception or interrupt or, in a process, where a signal handler returns to.
static bool is_interrupt_entry(struct ic_span name)
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
		"__irq_svc", // 32-bit ARM's
		"__dabt_svc",
		"__pabt_svc",
		"__und_svc",
		"__fiq_svc",
		NULL,
	};

	return ic_span_begins(name, "asm_exc_") || ic_span_begins(name, "asm_sysvec_") ||
	       ic_span_begins(name, "el1h_64_") || is_one_of(name, names);
}

// Whether an entry of a trace is a program counter, not a return address: of interrupted code, or
// in the first entry the one from the registers, or where a dump starts with its own function
// ("dump_backtrace+0x0/0x1c0"). An entry only found on the stack ("? vfs_read+0xad") that equals
// the counter was left there by the exception.
static bool is_counter(const struct ic_mentions *mentions, const struct ic_mention *mention)
{
	if (mentions->after_interrupt)
		return true;
	if (!mention->name.text || !(mentions->at_first || mention->is_doubtful))
		return false;
	return hash_symbol(mention) == mentions->counter ||
	       (mentions->at_first && mention->off == 0);
}

// Whether a place not in a whole-line format is a return address.
static bool is_return(const struct ic_mentions *mentions, const struct ic_mention *mention)
{
	if (mention->has_size && mention->off == mention->size)
		return true; // the call was the last instruction
	if (mentions->in_trace)
		return !is_counter(mentions, mention);
	return mentions->return_addresses || is_after_arrow(mentions, mention->start) ||
	       mention->start > mentions->go_stack;
}

// Sets both places of a line of a 32-bit ARM stack. The second one is a return address, unless an
// exception interrupted it. Each line starts with where the previous one returns to, and the first
// one with a program counter or the start of a function.
static bool set_kind_by_from(struct ic_mentions *mentions, struct ic_mention *mention)
{
	struct ic_span callee = name_before_from(mentions, mention->start);
	uint64_t hash = mention->addr * 0x9e3779b97f4a7c15 | 1;

	if (is_before_from(mentions)) {
		mention->is_return = mention->has_addr && hash == mentions->from_before;
		return true;
	}
	if (callee.size == 0)
		return false;
	mention->is_return = !is_interrupt_entry(callee);
	mentions->from = mention->has_addr && mention->is_return ? hash : 0;
	return true;
}

static void set_kind(struct ic_mentions *mentions, struct ic_mention *mention)
{
	enum register_kind kind = find_register(mentions, mention->start);

	if (kind == REGISTER_COUNTER && mention->name.text)
		mentions->counter = hash_symbol(mention);
	if (kind != REGISTER_NONE) {
		mention->is_return = mention->code_decides = kind == REGISTER_LINK;
	} else if (is_marked_counter(mentions)) {
		mention->is_return = false;
	} else if (!set_kind_by_from(mentions, mention)) {
		mention->is_return = is_return(mentions, mention);
		mention->code_decides = mention->is_return;
	}
	mentions->at_first = false;
	mentions->after_interrupt = kind == REGISTER_NONE && is_interrupt_entry(mention->name);
}

// "Call Trace:" and other headings of return addresses.
static bool is_heading(const struct ic_mentions *mentions)
{
	static const char *const words[] = {
		"all trace",         "all Trace",     "acktrace",      "tack trace",
		"llocated by task ", "reed by task ", "work creation",
	};
	size_t end = ic_span_trimmed(mentions->line).size;

	if (end == 0 || mentions->line.text[end - 1] != ':' ||
	    mentions->line.size > MOST_HEADING_SIZE)
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (ic_span_holds(mentions->line, words[i]))
			return true;
	return false;
}

// Lines between the entries of one trace: the marks of its stacks, and the registers of interrupted
// code.
static bool is_between_entries(const struct ic_mentions *mentions)
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
		if (ic_span_holds(mentions->line, words[i]))
			return true;
	// "5fa0: 74fd72e8 7ec0e0d0 ...": 32-bit ARM's registers.
	const char *colon = memchr(mentions->line.text, ':', mentions->line.size);
	while (colon && at < 4 && colon - mentions->line.text > (ptrdiff_t)at &&
	       ic_text_hex_digit(colon[-1 - (ptrdiff_t)at]) >= 0)
		at++;
	return at == 4;
}

// Whether the line marks the start of another stack, such as that of an interrupt.
static bool begins_stack(const struct ic_mentions *mentions)
{
	static const char *const marks[] = { "<TASK>", "<IRQ>", "<NMI>", "<#" };

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (ic_span_holds(mentions->line, marks[i]))
			return true;
	return false;
}

struct ic_mentions *ic_mentions_new(const struct ic_mentions_options *options, struct ic_error *err)
{
	struct ic_mentions *mentions = calloc(1, sizeof(*mentions));
	struct ic_error unwanted;

	if (!mentions) {
		ic_fail_memory(err ? err : &unwanted);
		return NULL;
	}
	mentions->return_addresses = options && options->return_addresses;
	ic_frame_marks_init(&mentions->frame_marks);
	return mentions;
}

void ic_mentions_free(struct ic_mentions *mentions)
{
	free(mentions);
}

void ic_mentions_begin(struct ic_mentions *mentions, const char *line, size_t size)
{
	mentions->line = (struct ic_span){ size > 0 ? line : "", size };
	mentions->at = 0;
	mentions->mentioned = false;
	mentions->own_caller ^= 1;
	ic_go_caller_read(mentions->line, &mentions->callers[mentions->own_caller]);
	mentions->go_stack = ic_go_stack_start(mentions->line);
	mentions->in_goroutine |= ic_go_begins_stack(mentions->line);
	mentions->after_frame = mentions->is_frame;
	mentions->is_frame = false;
	if (ic_span_begins(mentions->line, "Native frames:") ||
	    ic_span_begins(mentions->line, "# Problematic frame:"))
		mentions->in_native = false;
	mentions->from_before = mentions->from;
	mentions->from = 0;
	if (mentions->after_task && !begins_stack(mentions))
		mentions->in_trace = mentions->after_interrupt = false;
	mentions->after_task = mentions->in_trace && ic_span_holds(mentions->line, "</TASK>");
	if (is_heading(mentions))
		mentions->in_trace = mentions->at_first = mentions->mentioned = true;
}

static void end_line(struct ic_mentions *mentions)
{
	if (mentions->line.text && mentions->in_trace && !mentions->mentioned &&
	    !is_between_entries(mentions))
		mentions->in_trace = false;
	if (mentions->line.text && !mentions->mentioned && mentions->after_frame)
		mentions->is_frame = ic_frame_goes_on(mentions->line);
	if (!mentions->in_trace && !mentions->mentioned && !mentions->is_frame)
		mentions->after_interrupt = false;
	mentions->line = (struct ic_span){ NULL, 0 };
	mentions->at = 0;
}

// Records that this line is a frame of a stack, and whether it is probably a return address.
static void set_frame(struct ic_mentions *mentions, struct ic_mention *mention, bool is_return)
{
	struct ic_span object = mention->object;
	bool is_kernel = object.size > 0 && object.text[0] == '[' &&
			 !ic_span_is(object, "[unknown]") && !ic_span_begins(object, "[v");
	// The first program frame below the kernel's is where the program entered the kernel.
	bool is_entry = mentions->after_frame && mentions->after_kernel && !is_kernel;

	mention->is_return = is_return && !mentions->after_interrupt && !is_entry;
	mention->code_decides = mention->is_return;
	mention->is_caller = mentions->after_frame;
	mentions->after_interrupt =
		is_interrupt_entry(mention->label.text ? mention->label : mention->name);
	mentions->after_kernel = is_kernel;
	mentions->is_frame = true;
}

// A line of a stack without the kind of its addresses: the first is where the program was, those
// below are return addresses.
static void set_kind_in_stack(struct ic_mentions *mentions, struct ic_mention *mention)
{
	mentions->after_interrupt &= mentions->after_frame;
	set_frame(mentions, mention, mentions->return_addresses || mentions->after_frame);
}

// Functions that print their own stack: their frame 0 is not where a program stopped, but where
// they called the stack walker.
static bool takes_stack(struct ic_span label)
{
	static const char *const names[] = { "base::debug::CollectStackTrace",
					     "base::debug::StackTrace::StackTrace",
					     "llvm::sys::PrintStackTrace", NULL };

	for (size_t i = 0; names[i]; i++)
		if (ic_span_begins(label, names[i]))
			return true;
	return false;
}

static bool is_likely_return(struct ic_mentions *mentions, const struct ic_mention *mention,
			     const struct ic_frame_facts *facts)
{
	bool was_native = mentions->in_native;

	if (mention->has_addr && mention->addr == mentions->counter_addr)
		return false;
	switch (facts->kind) {
	case IC_FRAME_RETURN: return true;
	case IC_FRAME_INLINED:
	case IC_FRAME_NUMBERED: return facts->number > 0 || takes_stack(mention->label);
	case IC_FRAME_LISTED: return mentions->after_frame;
	case IC_FRAME_NATIVE: mentions->in_native = true; return was_native;
	default: return false;
	}
}

// False if the line has no place.
static bool set_kind_by_frame(struct ic_mentions *mentions, struct ic_mention *mention,
			      const struct ic_frame_facts *facts)
{
	bool was_inlined = mentions->after_inlined;

	mentions->after_inlined = facts->kind == IC_FRAME_INLINED;
	if (facts->kind == IC_FRAME_SIGNAL) {
		mentions->is_frame = mentions->after_interrupt = true;
		return false;
	}
	if (facts->kind == IC_FRAME_COUNTER) {
		mentions->counter_addr = mention->addr;
		return true;
	}
	mentions->after_interrupt &= mentions->after_frame;
	set_frame(mentions, mention, is_likely_return(mentions, mention, facts));
	if (facts->kind == IC_FRAME_CALLED) {
		mention->is_return = true;
		mention->code_decides = false;
	} else if (was_inlined && mentions->after_frame) {
		mention->is_return = mentions->last_is_return;
		mention->code_decides = mentions->last_code_decides;
	}
	mentions->last_is_return = mention->is_return;
	mentions->last_code_decides = mention->code_decides;
	return true;
}

static void set_kind_by_style(struct ic_mentions *mentions, struct ic_mention *mention,
			      enum ic_stack_style style)
{
	if (style == IC_STACK_PLAIN) {
		mention->is_return = mention->code_decides = mentions->return_addresses;
		mentions->after_interrupt = false;
		return;
	}
	bool is_return = style == IC_STACK_RETURN ||
			 (style == IC_STACK_LISTED && mentions->after_frame);
	mentions->after_interrupt &= is_return;
	set_frame(mentions, mention, is_return);
	mentions->after_interrupt &= is_return || style == IC_STACK_LISTED;
}

// A line that is one place, whatever else it contains. *is_inlined is set if it is one of the
// frames that perf found itself, which belong to the next line's place, or a frame without a place.
static bool read_line(struct ic_mentions *mentions, struct ic_mention *mention, bool *is_inlined)
{
	const struct ic_go_caller *caller = &mentions->callers[mentions->own_caller ^ 1];
	enum ic_stack_style style;

	*is_inlined = false;
	if (ic_mention_read_go_place(mentions->line, caller, mention) &&
	    (mentions->in_goroutine || mention->off > 0 || mention->has_addr)) {
		mention->is_return &= !mentions->after_sigpanic;
		mentions->after_sigpanic = ic_go_caller_is_sigpanic(caller);
		return true;
	}
	*mention = (struct ic_mention){ .start = 0 };
	if (ic_mention_read_go_profile_line(mentions->line, mention))
		return true;
	*mention = (struct ic_mention){ .start = 0 };
	if (ic_mention_read_perf_line(mentions->line, mention)) {
		*is_inlined = ic_span_is(mention->object, "inlined");
		if (*is_inlined)
			mentions->is_frame = mentions->after_frame;
		else
			set_kind_in_stack(mentions, mention);
		return true;
	}
	*mention = (struct ic_mention){ .start = 0 };
	if (ic_mention_read_perf_sample(mentions->line, mention))
		return true;
	*mention = (struct ic_mention){ .start = 0 };
	if (ic_mention_read_decimal_line(mentions->line, mention)) {
		set_kind_in_stack(mentions, mention);
		return true;
	}
	if (ic_mention_read_object_place(mentions->line, mention, &style)) {
		set_kind_by_style(mentions, mention, style);
		return true;
	}
	struct ic_frame_facts facts;
	if (mentions->go_stack < mentions->line.size ||
	    !ic_mention_read_frame(&mentions->frame_marks, mentions->line, mention, &facts))
		return false;
	*is_inlined = !set_kind_by_frame(mentions, mention, &facts);
	return true;
}

static bool read_mention(struct ic_mentions *mentions, struct ic_mention *mention)
{
	size_t start = mentions->at, end;

	*mention = (struct ic_mention){ .start = start };
	end = ic_mention_read_symbol(mentions->line, start, mention);
	if (end == start) {
		*mention = (struct ic_mention){ .start = start };
		end = ic_mention_read_addr(mentions->line, start, mention);
	}
	mentions->at = end;
	while (end == start && mentions->at < mentions->line.size &&
	       ic_mention_is_name_char(mentions->line.text[mentions->at]))
		mentions->at++;
	return end > start;
}

bool ic_mentions_next(struct ic_mentions *mentions, struct ic_mention *mention)
{
	const struct ic_go_caller *caller = &mentions->callers[mentions->own_caller];
	bool is_inlined;

	if (mentions->in_goroutine && caller->has_arguments && caller->size > 0)
		mentions->at = mentions->line.size; // arguments are not places
	if (mentions->at == 0 && mentions->line.size > 0 &&
	    read_line(mentions, mention, &is_inlined)) {
		mentions->at = mentions->line.size;
		mentions->mentioned = true;
		return !is_inlined;
	}
	while (mentions->at < mentions->line.size) {
		if (!ic_mention_is_name_char(mentions->line.text[mentions->at])) {
			mentions->at++;
		} else if (read_mention(mentions, mention)) {
			set_kind(mentions, mention);
			return mentions->mentioned = true;
		}
	}
	end_line(mentions);
	return false;
}
