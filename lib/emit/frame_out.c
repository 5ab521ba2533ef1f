#include "emit/frame_out.h"

#include "base/machine.h"
#include "dwarf/frames/instruction.h"
#include "go/pc_values.h"

enum { // of the CIE
	VERSION = 4,
	DATA_ALIGN = -4,
};

static const struct machine {
	uint16_t machine;
	uint8_t sp, ra; // DWARF register numbers
	bool has_link;  // calls put the return address into register `ra`, not on the stack
} machines[] = {
	{ IC_MACHINE_X86_64, 7, 16, false },  { IC_MACHINE_386, 4, 8, false },
	{ IC_MACHINE_AARCH64, 31, 30, true }, { IC_MACHINE_ARM, 13, 14, true },
	{ IC_MACHINE_RISCV, 2, 1, true },     { IC_MACHINE_PPC64, 1, 65, true },
	{ IC_MACHINE_S390, 15, 14, true },    { IC_MACHINE_MIPS, 29, 31, true },
	{ IC_MACHINE_LOONGARCH, 3, 1, true },
};

struct frames {
	struct ic_out *out;
	const struct ic_go_pclntab *table;
	const struct machine *machine;
	uint32_t cie_off;
	ic_go_runs runs;
	uint64_t steps;
};

static void pad_entry(struct ic_out *out, uint32_t off, unsigned size)
{
	while (!out->failed && (out->bytes.count - off) % size != 0)
		ic_out_uint(out, 0, 1); // DW_CFA_nop
}

static void put_cie(struct frames *frames)
{
	const struct machine *machine = frames->machine;
	struct ic_out *out = frames->out;
	unsigned size = frames->table->pointer_size;

	frames->cie_off = ic_out_length_begin(out);
	ic_out_uint(out, UINT32_MAX, 4);
	ic_out_uint(out, VERSION, 1);
	ic_out_uint(out, 0, 1); // no augmentation
	ic_out_uint(out, size, 1);
	ic_out_uint(out, 0, 1); // no segments
	ic_out_uleb(out, frames->table->quantum);
	ic_out_sleb(out, DATA_ALIGN);
	ic_out_uleb(out, machine->ra);
	ic_out_uint(out, DW_CFA_def_cfa, 1);
	ic_out_uleb(out, machine->sp);
	ic_out_uleb(out, machine->has_link ? 0 : size);
	if (machine->has_link) {
		ic_out_uint(out, DW_CFA_same_value, 1);
		ic_out_uleb(out, machine->ra);
		ic_out_uint(out, DW_CFA_val_offset, 1);
		ic_out_uleb(out, machine->sp);
		ic_out_uleb(out, 0);
	} else {
		ic_out_uint(out, DW_CFA_offset_extended, 1);
		ic_out_uleb(out, machine->ra);
		ic_out_uleb(out, size / -DATA_ALIGN); // at CFA - size
	}
	pad_entry(out, frames->cie_off + 4, size);
	ic_out_length_end(out, frames->cie_off);
}

static void put_advance(struct frames *frames, uint32_t delta)
{
	struct ic_out *out = frames->out;

	delta /= frames->table->quantum;
	if (delta < 0x40) {
		ic_out_uint(out, DW_CFA_advance_loc | delta, 1);
	} else if (delta <= UINT8_MAX) {
		ic_out_uint(out, DW_CFA_advance_loc1, 1);
		ic_out_uint(out, delta, 1);
	} else if (delta <= UINT16_MAX) {
		ic_out_uint(out, DW_CFA_advance_loc2, 1);
		ic_out_uint(out, delta, 2);
	} else {
		ic_out_uint(out, DW_CFA_advance_loc4, 1);
		ic_out_uint(out, delta, 4);
	}
}

// A value is the number of bytes that the function has pushed, without the return address that the
// call pushed; for a few functions of the runtime it is negative. The link register, if there is
// one, is saved in the lowest word of the frame.
static void put_value(struct frames *frames, int64_t value, bool is_outermost)
{
	const struct machine *machine = frames->machine;
	struct ic_out *out = frames->out;
	int64_t offset = value + (machine->has_link ? 0 : frames->table->pointer_size);

	ic_out_uint(out, offset < 0 ? DW_CFA_def_cfa_offset_sf : DW_CFA_def_cfa_offset, 1);
	if (offset < 0)
		ic_out_sleb(out, offset / DATA_ALIGN);
	else
		ic_out_uleb(out, (uint64_t)offset);
	if (!machine->has_link || is_outermost)
		return;
	ic_out_uint(out, value > 0 ? DW_CFA_offset_extended_sf : DW_CFA_same_value, 1);
	ic_out_uleb(out, machine->ra);
	if (value > 0)
		ic_out_sleb(out, value / -DATA_ALIGN);
}

static void put_fde(struct frames *frames, const struct ic_go_function *function)
{
	struct ic_out *out = frames->out;
	unsigned size = frames->table->pointer_size;
	uint32_t start = 0, end = frames->runs.items[frames->runs.count - 1].end;
	uint32_t off = ic_out_length_begin(out);

	ic_out_uint(out, frames->cie_off, 4);
	ic_out_uint(out, function->entry, size);
	ic_out_uint(out, end, size);
	if (function->is_outermost) {
		ic_out_uint(out, DW_CFA_undefined, 1);
		ic_out_uleb(out, frames->machine->ra);
	}
	for (uint32_t i = 0; i < frames->runs.count; i++) {
		const struct ic_go_run *run = &frames->runs.items[i];
		if (i > 0)
			put_advance(frames, run[-1].end - start);
		start = i > 0 ? run[-1].end : 0;
		put_value(frames, run->value, function->is_outermost);
	}
	pad_entry(out, off + 4, size);
	ic_out_length_end(out, off);
}

static const struct machine *find_machine(unsigned machine)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		if (machines[i].machine == machine)
			return &machines[i];
	return NULL;
}

bool ic_frames_out_put(struct ic_out *out, const struct ic_go_pclntab *table, unsigned machine,
		       uint64_t steps)
{
	struct frames frames = {
		.out = out, .table = table, .machine = find_machine(machine), .steps = steps
	};
	struct ic_go_function function;
	struct ic_error unwanted;
	bool ok = true;

	if (!frames.machine)
		return true;
	put_cie(&frames);
	for (uint32_t i = 0; ok && !out->failed && i < table->function_count; i++) {
		// The model has reported the unreadable functions.
		if (!ic_go_function_read(table, i, "", &function, &unwanted))
			continue;
		uint64_t size = function.end - function.entry;
		ok = ic_go_runs_read(table, function.pc_sp,
				     size > UINT32_MAX ? UINT32_MAX : (uint32_t)size, &frames.runs,
				     &frames.steps) != IC_GO_VALUES_MEMORY;
		if (frames.runs.count > 0)
			put_fde(&frames, &function);
	}
	IC_ARRAY_FREE(&frames.runs);
	return ok && !out->failed;
}
