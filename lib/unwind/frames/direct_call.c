#include "unwind/frames/direct_call.h"

#include "base/bytes.h"
#include "base/machine.h"
#include "instructions/call_before.h"
#include "unwind/code/function_walk.h"
#include "unwind/frames/function_range.h"
#include "unwind/frames/registers.h"
#include "unwind/frames/signal_code.h"
#include "unwind/frames/word.h"

enum {
	MOST_PUSHED = 2,   // words of a guess
	MOST_BEHIND = 256, // bytes, the same
	MOST_WORDS = 512,  // of the stack that are searched for the return address
	MOST_JIT_WORDS = 32,
	MOST_WALKS = 16,
	PIECE = 64, // words that are read at once
	MOST_REFUSED = 16,
};

struct search {
	const struct ic_unwind_options *options;
	const struct ic_unwind_machine *machine;
	const struct ic_unwind_registers *registers;
	uint64_t sp, fp;
	bool has_fp;
	uint64_t entries[MOST_WALKS]; // those whose code was followed in vain
	uint32_t entry_count;
	// The last addresses that do not follow a call of code close by: in recursion they recur.
	uint64_t refused[MOST_REFUSED];
	uint32_t refused_count;
	// The part of the stack that was read last.
	uint64_t piece_start, piece_end;
	uint8_t piece[8 * PIECE];
};

static bool is_x86(const struct ic_unwind_options *options)
{
	return options->machine == IC_MACHINE_X86_64 || options->machine == IC_MACHINE_386;
}

static bool is_power_machine(const struct ic_unwind_options *options)
{
	return options->machine == IC_MACHINE_PPC64 || options->machine == IC_MACHINE_PPC;
}

// Whether there is a call right before an address, and its target.
static bool find_target(const struct ic_unwind_options *options, uint64_t return_addr,
			uint64_t *target)
{
	uint64_t size = is_x86(options) ? 5 : 4;
	uint8_t bytes[5];

	if (return_addr < size ||
	    !options->read_memory(options->context, return_addr - size, bytes, (size_t)size))
		return false;
	if (is_x86(options)) { // call rel32
		uint32_t distance = ic_load32(bytes + 1, IC_HOST_IS_BIG_ENDIAN);
		*target = return_addr + (uint64_t)(int64_t)(int32_t)distance;
		if (options->is_32_bit)
			*target = (uint32_t)*target;
		return bytes[0] == 0xe8;
	}
	// bl has a distance of 26 bits: on AArch64 in words, on POWER in bytes, as its two low bits
	// say whether it is a distance, and whether the instruction is a call.
	bool is_power = is_power_machine(options);
	uint32_t word = ic_load32(bytes, is_power && options->is_big_endian
						 ? !IC_HOST_IS_BIG_ENDIAN
						 : IC_HOST_IS_BIG_ENDIAN);
	uint64_t distance = is_power ? word & 0x3fffffc : word & 0x3ffffff;
	distance = (distance ^ 0x2000000) - 0x2000000;
	*target = return_addr - 4 + (is_power ? distance : distance * 4);
	return is_power ? word >> 26 == 18 && (word & 3) == 1 : word >> 26 == 0x25;
}

// ---- Certain

static bool is_code(const struct search *search, uint64_t addr)
{
	struct ic_unwind_module module;

	return search->options->find_module(search->options->context, addr, &module);
}

// Whether the code from `entry` on leads to where it was stopped, with the return address in
// `slot`.
static bool leads_here(struct search *search, uint64_t entry, uint64_t slot,
		       struct ic_x86_stack *stack)
{
	uint64_t cfa = slot + search->machine->word;

	for (uint32_t i = 0; i < search->entry_count; i++)
		if (search->entries[i] == entry)
			return false;
	if (search->entry_count == MOST_WALKS)
		return false;
	if (!ic_function_walk(search->options, entry, search->registers->pc, stack)) {
		search->entries[search->entry_count++] = entry;
		return false;
	}
	return (stack->knows_sp && search->sp + (uint64_t)(int64_t)stack->sp == cfa) ||
	       (stack->knows_fp && search->has_fp &&
		search->fp + (uint64_t)(int64_t)stack->fp == cfa);
}

static bool read_word(const struct search *search, uint64_t addr, uint64_t *value)
{
	return ic_unwind_read_word(search->options, search->machine->word, addr, value);
}

// Reads a word of the stack, and those above it too if possible: reading a live process takes long.
static bool read_stack(struct search *search, uint64_t slot, uint64_t *value)
{
	const struct ic_unwind_options *options = search->options;
	bool swap = options->is_big_endian != IC_HOST_IS_BIG_ENDIAN;
	uint64_t size = PIECE * search->machine->word;

	if (slot < search->piece_start || slot > search->piece_end - search->machine->word) {
		if (!options->read_memory(options->context, slot, search->piece, (size_t)size))
			return read_word(search, slot, value);
		search->piece_start = slot;
		search->piece_end = slot + size;
	}
	const uint8_t *bytes = search->piece + (slot - search->piece_start);
	*value = search->machine->word == 4 ? ic_load32(bytes, swap) : ic_load64(bytes, swap);
	return true;
}

// The registers that functions preserve: those that were not changed, or whose values were saved.
static void restore_registers(const struct search *search, const struct ic_x86_stack *stack,
			      uint64_t cfa, struct ic_unwind_registers *caller)
{
	uint64_t value;

	ic_registers_copy(caller, search->registers);
	caller->known[0] &= search->machine->kept;
	caller->known[1] = 0;
	for (uint32_t reg = 0; reg < IC_X86_REGISTERS; reg++) {
		uint64_t at = cfa - (uint64_t)(int64_t)stack->saved[reg];

		if (!(search->machine->kept >> reg & 1))
			continue;
		if (stack->saved[reg] > 0 && read_word(search, at, &value))
			ic_registers_set(caller, reg, value);
		else if (stack->saved[reg] != 0 || (stack->written >> reg & 1))
			ic_registers_forget(caller, reg);
	}
}

static void enter_caller(const struct search *search, const struct ic_x86_stack *stack,
			 uint64_t slot, uint64_t addr, struct ic_unwind_registers *caller)
{
	restore_registers(search, stack, slot + search->machine->word, caller);
	caller->pc = addr;
	ic_registers_set(caller, search->machine->sp, slot + search->machine->word);
}

static bool is_on_stack(const struct search *search, uint64_t slot)
{
	uint64_t most = search->options->is_32_bit ? UINT32_MAX : UINT64_MAX;

	return slot >= search->sp && slot <= most - search->machine->word;
}

// Whether there is a call right before an address, of code that `pc` may be in.
static bool is_candidate(struct search *search, uint64_t addr, uint64_t *entry)
{
	for (uint32_t i = 0; i < search->refused_count && i < MOST_REFUSED; i++)
		if (search->refused[i] == addr)
			return false;
	if (is_code(search, addr - 1) && find_target(search->options, addr, entry) &&
	    search->registers->pc - *entry < IC_MOST_WALKED)
		return true;
	search->refused[search->refused_count++ % MOST_REFUSED] = addr;
	return false;
}

// Whether the word at an address of the stack is the return address.
static bool try_slot(struct search *search, uint64_t slot, struct ic_unwind_registers *caller)
{
	struct ic_x86_stack stack;
	uint64_t addr, entry;

	if (!is_on_stack(search, slot) || !read_stack(search, slot, &addr) ||
	    !is_candidate(search, addr, &entry) || !leads_here(search, entry, slot, &stack))
		return false;
	enter_caller(search, &stack, slot, addr, caller);
	return true;
}

// Code in no file was compiled at run time: it has small frames, which may be many, and most likely
// a frame pointer.
static uint64_t most_words(const struct search *search)
{
	const struct ic_unwind_options *options = search->options;
	struct ic_unwind_module module = { .frames = NULL };

	return options->find_module(options->context, search->registers->pc - 1, &module) &&
			       !module.image && !module.frames
		       ? MOST_JIT_WORDS
		       : MOST_WORDS;
}

static bool find_certain(struct search *search, struct ic_unwind_registers *caller)
{
	uint64_t word = search->machine->word, by_fp = search->fp + word, most = most_words(search);

	for (uint64_t i = 0; i < most; i++)
		if (try_slot(search, search->sp + i * word, caller))
			return true;
	return search->has_fp && by_fp > search->sp + (most - 1) * word &&
	       try_slot(search, by_fp, caller);
}

// ---- Certain by symbols

// Whether the bytes are an instruction that calls through a register or a word of memory.
static bool is_indirect_call(const uint8_t *bytes, size_t size)
{
	enum { REX_B = 0x41, CALL = 0xff };
	bool has_prefix = bytes[0] == REX_B;
	const uint8_t *at = bytes + has_prefix;

	if (size < 2u + has_prefix || at[0] != CALL || (at[1] >> 3 & 7) != 2)
		return false;
	unsigned mode = at[1] >> 6, base = at[1] & 7;
	bool has_sib = mode != 3 && base == 4;
	size_t wanted = 2 + has_prefix + has_sib;
	if (mode == 1)
		wanted += 1;
	else if (mode == 2 || (mode == 0 && (base == 5 || (has_sib && (at[2] & 7) == 5))))
		wanted += 4;
	return size == wanted;
}

static bool follows_indirect_call(const struct ic_unwind_options *options, uint64_t return_addr)
{
	enum { LONGEST = 8 };
	uint8_t bytes[LONGEST];

	if (return_addr < LONGEST ||
	    !options->read_memory(options->context, return_addr - LONGEST, bytes, LONGEST))
		return false;
	for (size_t size = 2; size <= LONGEST; size++)
		if (is_indirect_call(bytes + LONGEST - size, size))
			return true;
	return false;
}

// Whether the address can be the return address of a function that the caller does not call
// directly.
static bool may_return_to(const struct ic_unwind_options *options, uint64_t addr)
{
	struct ic_range target;
	uint64_t entry;

	if (find_target(options, addr, &entry))
		return !ic_function_range_find(options, entry, &target) ||
		       ic_function_may_leave(options, target);
	return follows_indirect_call(options, addr) || ic_signal_code_at(options, addr);
}

// Follows the code from the start of the function that contains `lookup`.
static bool find_by_symbol(struct search *search, uint64_t lookup,
			   struct ic_unwind_registers *caller)
{
	struct ic_x86_stack stack;
	struct ic_range range;
	uint64_t addr, slot;

	if (!ic_function_range_find(search->options, lookup, &range) ||
	    !ic_function_walk(search->options, range.start, search->registers->pc, &stack) ||
	    !(stack.knows_sp || search->has_fp))
		return false;
	slot = stack.knows_sp ? search->sp + (uint64_t)(int64_t)stack.sp
			      : search->fp + (uint64_t)(int64_t)stack.fp;
	slot -= search->machine->word;
	if (!is_on_stack(search, slot) || !read_word(search, slot, &addr) ||
	    !is_code(search, addr - 1) || !may_return_to(search->options, addr))
		return false;
	enter_caller(search, &stack, slot, addr, caller);
	return true;
}

// ---- Guesses

static bool is_close(const struct search *search, uint64_t return_addr, uint64_t *target)
{
	return find_target(search->options, return_addr, target) &&
	       search->registers->pc - *target < MOST_BEHIND;
}

// If the code can be followed, the address is not where it would have left it.
static bool guess_caller(const struct search *search, struct ic_unwind_registers *caller)
{
	struct ic_x86_stack stack;
	uint64_t addr, entry;

	for (uint64_t i = 0; i <= MOST_PUSHED; i++) {
		if (!read_word(search, search->sp + i * search->machine->word, &addr))
			return false;
		if (!is_close(search, addr, &entry) ||
		    ic_function_walk(search->options, entry, search->registers->pc, &stack))
			continue;
		ic_registers_copy(caller, search->registers);
		caller->pc = addr;
		ic_registers_set(caller, search->machine->sp,
				 search->sp + (i + 1) * search->machine->word);
		return true;
	}
	return false;
}

// The frame above one of POWER, and the return address in it.
static bool read_frame(const struct search *search, uint64_t sp, uint64_t *above,
		       uint64_t *return_addr)
{
	return read_word(search, sp, above) && *above > sp &&
	       read_word(search, *above + (uint64_t)search->machine->saved_pc, return_addr);
}

// Whether the frame that begins at an address has a return address after a direct call of the
// function that contains `addr`.
static bool is_frame_of(const struct search *search, uint64_t sp, uint64_t addr)
{
	uint64_t above, return_addr, entry;
	struct ic_range function;

	return read_frame(search, sp, &above, &return_addr) &&
	       find_target(search->options, return_addr, &entry) &&
	       ic_function_range_find(search->options, addr - 1, &function) &&
	       entry >= function.start && entry < function.end;
}

// The stack pointer of the caller, which continues at `addr`: on POWER the code may have a frame
// already, with or without its return address.
static uint64_t find_caller_sp(const struct search *search, uint64_t addr)
{
	uint64_t above, saved;

	return search->machine->chain == IC_CHAIN_FRAMES &&
			       read_frame(search, search->sp, &above, &saved) &&
			       (saved == addr || (!is_frame_of(search, search->sp, addr) &&
						  is_frame_of(search, above, addr)))
		       ? above
		       : search->sp;
}

static bool find_by_link(const struct search *search, struct ic_unwind_registers *caller)
{
	uint64_t addr, entry;

	if (!ic_registers_get(search->registers, search->machine->link, &addr) ||
	    !is_close(search, addr, &entry))
		return false;
	ic_registers_copy(caller, search->registers);
	caller->pc = addr;
	ic_registers_set(caller, search->machine->sp, find_caller_sp(search, addr));
	return true;
}

bool ic_direct_call_find(const struct ic_unwind_options *options,
			 const struct ic_unwind_machine *machine,
			 const struct ic_unwind_registers *registers, bool may_guess,
			 struct ic_unwind_registers *caller, bool *is_certain)
{
	struct search search = { .options = options,
				 .machine = machine,
				 .registers = registers,
				 .piece_start = UINT64_MAX };

	*is_certain = false;
	if (!ic_registers_get(registers, machine->sp, &search.sp))
		return false;
	if (options->machine == IC_MACHINE_AARCH64 || is_power_machine(options))
		return may_guess && find_by_link(&search, caller);
	if (!is_x86(options))
		return false;
	search.has_fp = ic_registers_get(registers, machine->fp, &search.fp);
	*is_certain = find_certain(&search, caller) ||
		      find_by_symbol(&search, registers->pc - !may_guess, caller);
	return *is_certain || (may_guess && guess_caller(&search, caller));
}

enum ic_call_before ic_call_before_in_memory(const struct ic_unwind_options *options, uint64_t addr)
{
	bool swap = options->is_big_endian != IC_HOST_IS_BIG_ENDIAN;
	uint8_t bytes[IC_CALL_BYTES];

	if (addr < sizeof(bytes) ||
	    !options->read_memory(options->context, addr - sizeof(bytes), bytes, sizeof(bytes)))
		return IC_CALL_BEFORE_UNKNOWN;
	return ic_call_before_bytes(options->machine, swap,
				    (struct ic_bytes){ bytes, sizeof(bytes) }, addr);
}

bool ic_direct_call_contradicts(const struct ic_unwind_options *options, uint64_t lookup,
				uint64_t return_addr)
{
	struct ic_range own, target;
	uint64_t entry;

	return is_x86(options) && find_target(options, return_addr, &entry) &&
	       ic_function_range_find(options, lookup, &own) &&
	       !(entry >= own.start && entry < own.end) &&
	       ic_function_range_find(options, entry, &target) &&
	       !ic_function_may_leave(options, target);
}
