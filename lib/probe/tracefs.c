// Definitions for Linux's uprobe_events and kprobe_events (Documentation/trace/uprobetracer.rst and
// kprobetrace.rst).
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/machine.h"
#include "probe/spelling.h"

enum {
	MOST_ARGUMENTS = 128, // MAX_TRACE_ARGS
	LONGEST_FETCH = 63,   // MAX_ARGSTR_LEN
	LONGEST_NAME = 31,    // MAX_ARG_NAME_LEN is 32
	LONGEST_LINE = 4000,  // less than one write takes, WRITE_BUFSIZE
};

// The names that every event uses for its fields, or for unnamed arguments.
static bool is_reserved(const char *name)
{
	static const char *const names[] = {
		"common_type",    "common_flags", "common_preempt_count",
		"common_pid",     "common_tgid",  "__probe_ip",
		"__probe_ret_ip", "__probe_func", "__probe_type",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

// Whether the definition already has an argument of this name.
static bool is_taken(const struct ic_probe_text *text, const char *name)
{
	char start[LONGEST_NAME + 4];

	snprintf(start, sizeof(start), " %s=", name);
	return text->bytes.count > 0 && strstr(text->bytes.items, start);
}

// The fields of an event need distinct names.
static void name_argument(const struct ic_probe_text *text, const struct ic_parameter *param,
			  size_t number, char name[static LONGEST_NAME + 1])
{
	char plain[LONGEST_NAME - 10]; // with room for a number

	if (!param->name)
		snprintf(plain, sizeof(plain), "arg%u", (unsigned)number + 1);
	else
		ic_probe_identifier(param->name, plain, sizeof(plain));
	snprintf(name, LONGEST_NAME + 1, "%s%s", is_reserved(plain) ? "_" : "", plain);
	for (unsigned i = 2; i < MOST_ARGUMENTS + 2 && is_taken(text, name); i++)
		snprintf(name, LONGEST_NAME + 1, "%s_%u", plain, i);
}

// "+8(%si)", "+0(+16(%ax))"
static bool write_memory(const struct ic_spelling *spelling, const struct ic_fetch *fetch,
			 struct ic_probe_text *text)
{
	const char *reg = ic_probe_kernel_register(spelling->target->machine, fetch->reg);
	uint32_t outer = fetch->offset_count;

	if (!reg && !fetch->is_absolute)
		return false;
	while (outer-- > (fetch->is_absolute ? 1u : 0u))
		ic_probe_text_add(text, "%+" PRId64 "(", fetch->offsets[outer]);
	if (fetch->is_absolute) // its distance from the probe in the file, wherever that is loaded
		ic_probe_text_add(text, "@+%" PRIu64,
				  fetch->number + (uint64_t)fetch->offsets[0] -
					  spelling->probe->addr + spelling->probe->file_off);
	else
		ic_probe_text_add(text, "%%%s", reg);
	for (uint32_t i = fetch->is_absolute ? 1 : 0; i < fetch->offset_count; i++)
		ic_probe_text_add(text, ")");
	return true;
}

// The kernel's data is at the addresses of its own symbols, which are not looked up here.
static const char *absolute_fault(const struct ic_spelling *spelling, const struct ic_fetch *fetch)
{
	uint64_t place = fetch->number + (uint64_t)fetch->offsets[0] - spelling->probe->addr +
			 spelling->probe->file_off;

	if (spelling->target->is_kernel)
		return "in kernel data";
	return place > INT64_MAX ? "at an address before the code" : NULL;
}

static const char *write_fetch(const struct ic_spelling *spelling, const struct ic_fetch *fetch,
			       struct ic_probe_text *text)
{
	const char *reg = ic_probe_kernel_register(spelling->target->machine, fetch->reg);
	const char *why = NULL;

	switch (fetch->kind) {
	case IC_FETCH_NONE: return fetch->why;
	case IC_FETCH_NUMBER:
		if (fetch->is_signed)
			ic_probe_text_add(text, "\\%" PRId64, ic_fetch_signed(fetch));
		else
			ic_probe_text_add(text, "\\0x%" PRIx64, ic_fetch_unsigned(fetch));
		return NULL;
	case IC_FETCH_SUM: return "a sum, which tracefs cannot compute";
	case IC_FETCH_REGISTER:
		if (!reg)
			return "in a register unknown to tracefs";
		ic_probe_text_add(text, "%%%s", reg);
		return NULL;
	case IC_FETCH_MEMORY:
		why = fetch->is_absolute ? absolute_fault(spelling, fetch) : NULL;
		if (!why && !write_memory(spelling, fetch, text))
			why = "in a register unknown to tracefs";
		break;
	}
	return why;
}

// Writes ":s32", ":string", or ":b3@5/32" for a bit-field. tracefs shows bit-fields as unsigned,
// and only little-endian machines number bits that way. Returns NULL, or why it is impossible.
static const char *write_type(const struct ic_spelling *spelling, const struct ic_fetch *fetch,
			      struct ic_probe_text *text)
{
	bool is_ordered = spelling->target->machine != IC_MACHINE_S390 &&
			  spelling->target->machine != IC_MACHINE_PPC64;

	if (fetch->is_text) {
		ic_probe_text_add(text, ":string");
		return NULL;
	}
	if (fetch->bit_size > 0 && fetch->is_signed)
		return "signed bit-fields are not supported";
	if (fetch->bit_size > 0 && !is_ordered)
		return "bit-fields are not supported on this machine";
	if (fetch->bit_size > 0)
		ic_probe_text_add(text, ":b%u@%u/%u", fetch->bit_size, fetch->bit_offset,
				  8 * fetch->size);
	else if (fetch->is_bit && is_ordered && fetch->kind != IC_FETCH_NUMBER)
		ic_probe_text_add(text, ":b1@0/8");
	else
		ic_probe_text_add(text, ":%c%u",
				  fetch->is_pointer  ? 'x'
				  : fetch->is_signed ? 's'
						     : 'u',
				  8 * fetch->size);
	return NULL;
}

static bool add_fetch(struct ic_spelling *spelling, const struct ic_parameter *param, size_t number,
		      uint32_t most)
{
	struct ic_fetch fetch = ic_fetch_of(param, spelling->target->addr_size);
	struct ic_probe_text text = { .bytes = { NULL, 0, 0, NULL } };
	char name[LONGEST_NAME + 1];

	name_argument(&spelling->text, param, number, name);
	const char *why = write_fetch(spelling, &fetch, &text);
	if (!why)
		why = write_type(spelling, &fetch, &text);
	if (!why) {
		if (text.bytes.count > LONGEST_FETCH)
			why = "too long for tracefs";
		else if (spelling->text.bytes.count + text.bytes.count + sizeof(name) > most)
			why = "exceeds the maximum line length";
	}
	spelling->text.out_of_memory |= text.out_of_memory;
	if (why)
		ic_spelling_leave_out(spelling, param, why);
	else if (!text.out_of_memory)
		ic_probe_text_add(&spelling->text, " %s=%s", name, text.bytes.items);
	IC_ARRAY_FREE(&text.bytes);
	return !why;
}

void ic_spelling_add_fetches(struct ic_spelling *spelling, uint32_t most)
{
	unsigned count = 0;

	for (size_t i = 0; i < spelling->param_count; i++) {
		if (count == MOST_ARGUMENTS)
			ic_spelling_leave_out(spelling, &spelling->params[i],
					      "an event has at most 128 arguments");
		else
			count += add_fetch(spelling, &spelling->params[i], i, most);
	}
}

void ic_spelling_add_kernel_place(struct ic_spelling *spelling)
{
	const char *module = spelling->target->module;

	ic_probe_text_add(&spelling->text, "%s%s%s+%" PRIu64, module ? module : "",
			  module ? ":" : "", spelling->probe->symbol, spelling->probe->symbol_off);
}

static const char *write_place(struct ic_spelling *spelling)
{
	const struct ic_probe *probe = spelling->probe;

	if (spelling->target->is_kernel) {
		const char *fault = ic_probe_symbol_fault(probe);
		if (!fault)
			ic_spelling_add_kernel_place(spelling);
		return fault;
	}
	if (probe->file_off == IC_NO_ADDR)
		return "its code is not in the file";
	// A blank would end the path, and # starts a comment.
	if (!ic_probe_path_is_plain(spelling->target->path, ":()[]{};&|<>!$%*?'\"\\`") ||
	    !ic_probe_path_is_of_kernel(spelling->target->path))
		return "the path cannot be written in tracefs syntax";
	ic_probe_text_add(&spelling->text, "%s:0x%" PRIx64, spelling->target->path,
			  probe->file_off);
	return NULL;
}

const char *ic_spell_tracefs(struct ic_spelling *spelling)
{
	ic_probe_text_add(&spelling->text, "%c:%s/%s ",
			  spelling->probe->kind == IC_PROBE_RETURN ? 'r' : 'p',
			  spelling->probe->group, spelling->probe->event);
	const char *fault = write_place(spelling);
	if (!fault && spelling->text.bytes.count > LONGEST_LINE)
		fault = "the path is too long for tracefs";
	if (!fault)
		ic_spelling_add_fetches(spelling, LONGEST_LINE);
	return fault;
}
