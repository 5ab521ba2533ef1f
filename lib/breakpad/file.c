#include "breakpad/file.h"
#include "text/text.h"

#include <string.h>

enum { FUNCTIONS_PER_PART = 128 };

static const char magic[] = "MODULE ";

bool ic_breakpad_begins(struct ic_bytes text)
{
	return text.size > strlen(magic) && memcmp(text.data, magic, strlen(magic)) == 0;
}

static void extend_code(struct ic_range *code, const struct ic_breakpad_function *function)
{
	uint64_t end = function->addr + function->size;

	if (end == function->addr && end < UINT64_MAX)
		end++; // of a symbol, only the start is known
	if (code->start == code->end)
		*code = (struct ic_range){ function->addr, end };
	if (function->addr < code->start)
		code->start = function->addr;
	if (end > code->end)
		code->end = end;
}

static bool add_name(struct ic_breakpad_names *names, uint64_t number, uint64_t off)
{
	uint32_t *index = ic_map_at(&names->of, number);

	if (!index)
		return false;
	if (*index != IC_NONE) // the first one counts
		return true;
	*index = names->offs.count;
	return IC_ARRAY_ADD(&names->offs, off);
}

static bool add_function(struct ic_breakpad *breakpad, const struct ic_breakpad_function *function,
			 uint64_t off)
{
	struct ic_breakpad_part *part = breakpad->parts.count > 0
						? &breakpad->parts.items[breakpad->parts.count - 1]
						: NULL;

	extend_code(&breakpad->code, function);
	if (!part || part->count == FUNCTIONS_PER_PART) {
		if (part)
			part->end_off = off;
		part = IC_ARRAY_PUSH(&breakpad->parts);
		if (!part)
			return false;
		*part = (struct ic_breakpad_part){ .off = off,
						   .end_off = breakpad->text.size,
						   .is_sorted = true };
	}
	part->is_sorted &= part->count == 0 || function->addr >= part->code.end;
	extend_code(&part->code, function);
	part->count++;
	return true;
}

// Takes a line that is not part of a function. False if memory runs out; *is_bad tells whether it
// is malformed.
static bool take_line(struct ic_breakpad *breakpad, struct ic_bytes line, uint64_t off,
		      bool *is_bad)
{
	struct ic_breakpad_function function;
	struct ic_breakpad_name name;
	enum ic_breakpad_kind kind = ic_breakpad_kind_of(line);

	switch (kind) {
	case IC_BREAKPAD_FILE:
	case IC_BREAKPAD_ORIGIN:
		*is_bad = !ic_breakpad_name_read(line, &name);
		return *is_bad ||
		       add_name(kind == IC_BREAKPAD_FILE ? &breakpad->files : &breakpad->origins,
				name.number, off);
	case IC_BREAKPAD_FUNCTION:
		*is_bad = !ic_breakpad_function_read(line, &function);
		return *is_bad || (add_function(breakpad, &function, off) &&
				   IC_ARRAY_ADD(&breakpad->symbols, off));
	case IC_BREAKPAD_PUBLIC:
		*is_bad = !ic_breakpad_function_read(line, &function);
		if (*is_bad)
			return true;
		extend_code(&breakpad->code, &function);
		return IC_ARRAY_ADD(&breakpad->symbols, off);
	case IC_BREAKPAD_INFO: (void)ic_breakpad_id_read(line, &breakpad->id); return true;
	case IC_BREAKPAD_UNKNOWN: *is_bad = true; return true;
	case IC_BREAKPAD_CALL:
		if (!breakpad->has_calls)
			breakpad->calls_have_files = ic_breakpad_call_has_file(line);
		breakpad->has_calls = true;
		*is_bad = breakpad->parts.count == 0;
		return true;
	case IC_BREAKPAD_ROW: *is_bad = breakpad->parts.count == 0; return true;
	case IC_BREAKPAD_STACK:
		if (off < breakpad->stack_off)
			breakpad->stack_off = off;
		*is_bad = !ic_breakpad_stack_is_sound(line);
		return true;
	case IC_BREAKPAD_EMPTY:
	case IC_BREAKPAD_MODULE: return true;
	}
	return true;
}

static size_t size_of_lines(struct ic_bytes text)
{
	size_t size = text.size;

	while (size > 0 && text.data[size - 1] != '\n')
		size--;
	return size;
}

bool ic_breakpad_survey(struct ic_breakpad *breakpad, struct ic_bytes text, struct ic_error *err)
{
	size_t whole = text.size;

	text.size = size_of_lines(text);
	struct ic_bytes line, rest = text;
	*breakpad = (struct ic_breakpad){ .text = text,
					  .is_cut = text.size < whole,
					  .stack_off = text.size,
					  .bad_count = text.size < whole,
					  .bad_off = text.size };
	if (!ic_breakpad_begins(text) || !ic_text_take_line(&rest, &line) ||
	    !ic_breakpad_module_read(line, &breakpad->module))
		return ic_fail_at(err, IC_BREAKPAD_SECTION, 0, "malformed MODULE line");
	for (uint64_t off = 0; ic_text_take_line(&rest, &line);) {
		bool is_bad = false;
		off = (uint64_t)(line.data - text.data);
		if (!take_line(breakpad, line, off, &is_bad))
			return ic_fail_memory(err);
		if (is_bad && breakpad->bad_count++ == 0)
			breakpad->bad_off = off;
	}
	return true;
}

struct ic_bytes ic_breakpad_name_of(const struct ic_breakpad *breakpad,
				    const struct ic_breakpad_names *names, uint64_t number)
{
	const uint32_t *index = ic_map_find(&names->of, number);
	struct ic_breakpad_name name = { .name = { NULL, 0 } };
	struct ic_bytes rest = breakpad->text, line;

	if (!index)
		return name.name;
	uint64_t off = names->offs.items[*index];
	rest = (struct ic_bytes){ rest.data + off, rest.size - (size_t)off };
	if (!ic_text_take_line(&rest, &line) || !ic_breakpad_name_read(line, &name))
		return (struct ic_bytes){ NULL, 0 };
	return name.name;
}

void ic_breakpad_free(struct ic_breakpad *breakpad)
{
	IC_ARRAY_FREE(&breakpad->parts);
	IC_ARRAY_FREE(&breakpad->symbols);
	IC_ARRAY_FREE(&breakpad->files.offs);
	IC_ARRAY_FREE(&breakpad->origins.offs);
	ic_map_free(&breakpad->files.of);
	ic_map_free(&breakpad->origins.of);
	*breakpad = (struct ic_breakpad){ .bad_count = 0 };
}
