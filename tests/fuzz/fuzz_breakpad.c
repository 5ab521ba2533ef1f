// Fuzzes Breakpad symbol files.
// Wanted: an error that says why; every function in one part, in the order of the file; each file
// and inlined function with the name of its line; entries of call frame information that can be
// read.
#include "breakpad/call_frames.h"
#include "dwarf/frames/entry.h"
#include "fuzz_input.h"
#include "text/text.h"

static void check_name(const struct ic_breakpad *file, const struct ic_breakpad_names *names,
		       struct ic_bytes line)
{
	struct ic_breakpad_name name;

	if (!ic_breakpad_name_read(line, &name))
		return;
	struct ic_bytes found = ic_breakpad_name_of(file, names, name.number);
	// The first line with a number counts.
	PROMISE(found.data && found.data <= name.name.data);
}

static void check_call(struct ic_bytes line)
{
	struct ic_breakpad_call call;
	struct ic_range range;

	if (!ic_breakpad_call_read(line, ic_breakpad_call_has_file(line), &call))
		return;
	PROMISE(call.ranges.size > 0);
	while (ic_breakpad_range_next(&call, &range))
		PROMISE(range.start <= range.end);
}

static void check_row(struct ic_bytes line)
{
	struct ic_breakpad_row row;

	if (ic_breakpad_row_read(line, &row))
		PROMISE(row.addr + row.size >= row.addr);
}

// Returns whether the line is a function or a symbol.
static bool check_line(const struct ic_breakpad *file, struct ic_bytes line, uint32_t *functions)
{
	struct ic_breakpad_function function;
	enum ic_breakpad_kind kind = ic_breakpad_kind_of(line);

	switch (kind) {
	case IC_BREAKPAD_FILE: check_name(file, &file->files, line); return false;
	case IC_BREAKPAD_ORIGIN: check_name(file, &file->origins, line); return false;
	case IC_BREAKPAD_CALL: check_call(line); return false;
	case IC_BREAKPAD_ROW: check_row(line); return false;
	case IC_BREAKPAD_FUNCTION:
	case IC_BREAKPAD_PUBLIC:
		if (!ic_breakpad_function_read(line, &function))
			return false;
		PROMISE(function.addr >= file->code.start);
		PROMISE(function.addr + function.size <= file->code.end);
		*functions += kind == IC_BREAKPAD_FUNCTION;
		return true;
	default: return false;
	}
}

// As .debug_frame, whose entries are whole: only instructions may be wrong.
static void check_frames(const struct ic_breakpad *file, uint16_t machine)
{
	struct ic_breakpad_frames frames;
	struct ic_error err;

	PROMISE(ic_breakpad_frames_build(&frames, file, machine));
	const struct ic_cfi_section section = {
		.bytes = { frames.bytes.items, frames.bytes.count },
		.name = ".debug_frame",
		.machine = machine,
		.addr_size = 8,
	};
	struct ic_cfi_walk walk = { &section, 0 };
	struct ic_cfi_entry entry;
	struct ic_cie cie = { .off = 0 };
	while (ic_cfi_entry_next(&walk, &entry, &err)) {
		struct ic_fde fde;
		if (entry.kind == IC_CFI_CIE)
			PROMISE(ic_cie_read(&section, entry.off, &cie, &err));
		else
			PROMISE(ic_fde_read(&section, &entry, &cie, &fde, &err));
	}
	PROMISE(err.code == IC_ERROR_NONE);
	ic_breakpad_frames_free(&frames);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	uint32_t functions = 0, symbols = 0, listed = 0;
	struct ic_breakpad file;
	struct ic_error err = { 0 };
	struct ic_bytes text, line;

	fuzz_take_sections(&in, &text, 1);
	if (ic_breakpad_survey(&file, text, &err)) {
		struct ic_bytes rest = file.text;
		while (ic_text_take_line(&rest, &line))
			symbols += check_line(&file, line, &functions);
		for (uint32_t i = 0; i < file.parts.count; i++) {
			const struct ic_breakpad_part *part = &file.parts.items[i];
			PROMISE(part->off < part->end_off && part->end_off <= file.text.size);
			PROMISE(i == 0 || part->off == file.parts.items[i - 1].end_off);
			listed += part->count;
		}
		PROMISE(listed == functions && file.symbols.count == symbols);
		check_frames(&file, ic_breakpad_machine(file.module.arch));
	} else {
		PROMISE_REASON(err);
	}
	ic_breakpad_free(&file);
	fuzz_free_sections(&text, 1);
	return 0;
}
