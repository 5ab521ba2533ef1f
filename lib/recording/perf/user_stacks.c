#include "recording/perf/user_stacks.h"

#include <stdlib.h>

#include "base/machine.h"
#include "profile/file_map.h"
#include "unwind/targets/target.h"

// The unwinding register for each bit of perf's register mask (PERF_REG_* in Linux).
enum { NO = -1, PC = -2 };

static const int8_t x86_64[] = { 0,  3,  2,  1,  4, 5, 6,  7,  PC, NO, NO, NO,
				 NO, NO, NO, NO, 8, 9, 10, 11, 12, 13, 14, 15 };
static const int8_t x86[] = { 0, 3, 1, 2, 6, 7, 5, 4, PC };
static const int8_t aarch64[] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
				  11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
				  22, 23, 24, 25, 26, 27, 28, 29, 30, 31, PC };
static const int8_t riscv[] = { PC, 1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
				16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31 };

static const struct machine {
	const char *name; // as in uname
	unsigned machine;
	bool is_32_bit;
	uint8_t count, sp; // number of registers, and the index of the stack pointer among them
	const int8_t *numbers;
} machines[] = {
	{ "x86_64", IC_MACHINE_X86_64, false, sizeof(x86_64), 7, x86_64 },
	{ "x86_64", IC_MACHINE_386, true, sizeof(x86), 4, x86 },
	{ "i686", IC_MACHINE_386, true, sizeof(x86), 4, x86 },
	{ "aarch64", IC_MACHINE_AARCH64, false, sizeof(aarch64), 31, aarch64 },
	{ "riscv64", IC_MACHINE_RISCV, false, sizeof(riscv), 2, riscv },
};

enum { ABI_32_BIT = 1 };

// The state of a process when its stack was last unwound.
struct ic_user_process {
	uint32_t pid;
	struct ic_mapping_space space;
	bool is_32_bit;
	struct ic_target *target;
	struct ic_unwinder *unwinder;
};

void ic_user_stacks_init(struct ic_user_stacks *stacks, struct ic_processes *processes,
			 const char *machine, bool is_big_endian)
{
	*stacks = (struct ic_user_stacks){ .processes = processes,
					   .machine = machine,
					   .is_big_endian = is_big_endian };
}

static const struct machine *find_machine(const struct ic_user_stacks *stacks, bool is_32_bit)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		if (stacks->machine && machines[i].is_32_bit == is_32_bit &&
		    strcmp(machines[i].name, stacks->machine) == 0)
			return &machines[i];
	return NULL;
}

// Data that could not be read meanwhile is a problem of the profile.
static void forget_process(struct ic_user_stacks *stacks, struct ic_user_process *process)
{
	struct ic_problems *problems = &stacks->processes->profile->problems;

	if (process->target) {
		ic_target_collect(process->target);
		ic_problems_copy_texts(problems, &process->target->problems);
		problems->out_of_memory |= process->target->problems.out_of_memory;
	}
	ic_unwinder_free(process->unwinder);
	ic_target_free(process->target);
	process->unwinder = NULL;
	process->target = NULL;
}

struct mapping_context {
	struct ic_processes *processes;
	struct ic_space *space;
	struct ic_error *err;
};

static bool map_code(void *context, const struct ic_mapped *mapped)
{
	struct mapping_context *mapping = context;

	const struct ic_profile *profile = mapping->processes->profile;
	const struct ic_profile_file *file = &profile->files.items[mapped->file];
	const struct ic_mapped_part part = { mapped->start, mapped->end, mapped->offset };
	bool ok = ic_profile_file_map(profile, file, &part, mapping->space, mapping->err);
	// Without the vDSO, stacks just end in it.
	return ok || (file->kind == IC_PROFILE_VDSO && mapping->err->code != IC_ERROR_MEMORY);
}

// Opens what is needed to unwind the stacks of a process in its current state.
static bool open_process(struct ic_user_stacks *stacks, struct ic_user_process *process,
			 const struct machine *machine, struct ic_error *err)
{
	struct ic_modules *modules = stacks->processes->profile->modules;
	struct ic_unwind_options options;

	process->target = ic_target_alloc(modules, machine->machine, machine->is_32_bit, err);
	if (!process->target)
		return false;
	struct mapping_context mapping = { stacks->processes, process->target->space, err };
	process->target->is_big_endian = stacks->is_big_endian;
	const struct ic_target_stack *stack = IC_ARRAY_PUSH(&process->target->stacks);
	if (!stack)
		return ic_fail_memory(err);
	if (!ic_mappings_each(&stacks->processes->mappings, process->space, map_code, &mapping))
		return false;
	ic_target_unwind_options(process->target, &options);
	process->unwinder = ic_unwinder_new(&options, err);
	return process->unwinder;
}

// The process of a sample, ready to unwind; NULL if that is impossible, or memory runs out.
static struct ic_user_process *prepare_process(struct ic_user_stacks *stacks, uint32_t pid,
					       const struct machine *machine, struct ic_error *err)
{
	struct ic_mapping_space space = ic_processes_space(stacks->processes, pid);
	uint32_t *number = ic_map_at(&stacks->by_pid, pid);

	if (number && *number == IC_NONE) {
		struct ic_user_process *place = IC_ARRAY_PUSH(&stacks->list);
		if (place) {
			*place = (struct ic_user_process){ .pid = pid };
			*number = stacks->list.count - 1;
		}
	}
	if (!number || *number >= stacks->list.count) {
		ic_fail_memory(err);
		return NULL;
	}
	struct ic_user_process *process = &stacks->list.items[*number];
	if (process->unwinder && process->space.version == space.version &&
	    process->is_32_bit == machine->is_32_bit)
		return process;
	forget_process(stacks, process);
	process->space = space;
	process->is_32_bit = machine->is_32_bit;
	if (open_process(stacks, process, machine, err))
		return process;
	forget_process(stacks, process);
	return NULL;
}

static void read_registers(const struct machine *machine, const struct ic_perf_event *event,
			   const struct ic_perf_sample *sample,
			   struct ic_unwind_registers *registers)
{
	struct ic_cursor cur = sample->registers;

	*registers = (struct ic_unwind_registers){ .pc = 0 };
	for (unsigned i = 0; i < 64; i++) {
		if (!(event->user_registers >> i & 1))
			continue;
		uint64_t value = ic_cursor_u64(&cur);
		int number = i < machine->count ? machine->numbers[i] : NO;
		if (number == PC)
			registers->pc = value;
		else if (number != NO)
			ic_unwind_register_set(registers, (uint32_t)number, value);
	}
}

bool ic_user_stacks_unwind(struct ic_user_stacks *stacks, const struct ic_perf_event *event,
			   const struct ic_perf_sample *sample, struct ic_error *err)
{
	const struct machine *machine = find_machine(stacks, sample->user_abi == ABI_32_BIT);
	struct ic_unwind_registers registers;
	const struct ic_unwind_frame *frame;
	uint64_t sp;

	stacks->addrs.count = 0;
	stacks->is_cut = sample->user_abi != 0;
	if (!machine || sample->user_abi == 0 || sample->stack.size == 0)
		return true;
	struct ic_user_process *process = prepare_process(stacks, sample->pid, machine, err);
	if (!process)
		return err->code != IC_ERROR_MEMORY;
	read_registers(machine, event, sample, &registers);
	if (!ic_unwind_register_get(&registers, machine->sp, &sp))
		return true;
	process->target->stacks.items[0] =
		(struct ic_target_stack){ sp, sample->stack.size, sample->stack.data };
	ic_unwinder_begin(process->unwinder, &registers);
	while ((frame = ic_unwinder_next(process->unwinder))) {
		if (!IC_ARRAY_ADD(&stacks->addrs, ic_unwind_lookup_addr(frame)))
			return ic_fail_memory(err);
	}
	stacks->is_cut = ic_unwinder_end(process->unwinder) != IC_UNWIND_OUTERMOST;
	return true;
}

void ic_user_stacks_free(struct ic_user_stacks *stacks)
{
	for (uint32_t i = 0; i < stacks->list.count; i++)
		forget_process(stacks, &stacks->list.items[i]);
	IC_ARRAY_FREE(&stacks->list);
	IC_ARRAY_FREE(&stacks->addrs);
	ic_map_free(&stacks->by_pid);
}
