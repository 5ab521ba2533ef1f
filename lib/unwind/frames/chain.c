#include "unwind/frames/chain.h"

#include "unwind/frames/function_range.h"
#include "unwind/frames/registers.h"
#include "unwind/frames/word.h"

static bool follow_pointers(const struct ic_unwind_options *options,
			    const struct ic_unwind_machine *machine,
			    const struct ic_unwind_registers *now,
			    struct ic_unwind_registers *caller)
{
	uint64_t fp, sp, saved;

	if (!ic_registers_get(now, machine->fp, &fp) || !ic_registers_get(now, machine->sp, &sp) ||
	    fp < sp || fp % machine->word != 0 ||
	    !ic_unwind_read_word(options, machine->word, fp + (uint64_t)machine->saved_pc,
				 &caller->pc) ||
	    !ic_unwind_read_word(options, machine->word, fp + (uint64_t)machine->saved_fp, &saved))
		return false;
	ic_registers_set(caller, machine->sp, fp + (uint64_t)machine->cfa);
	ic_registers_set(caller, machine->fp, saved);
	return true;
}

// A function that was interrupted may not have a frame yet, or any more. It has one with its return
// address if that is in the link register as well, or if it has called others.
static bool has_frame(const struct ic_unwind_options *options,
		      const struct ic_unwind_machine *machine,
		      const struct ic_unwind_registers *now, uint64_t return_addr)
{
	struct ic_range function;
	uint64_t link;

	return ic_registers_get(now, machine->link, &link) &&
	       (link == return_addr || (ic_function_range_find(options, now->pc, &function) &&
					link > function.start && link <= function.end));
}

// The word at the stack pointer is the caller's stack pointer, 0 in the first frame, and a function
// saves its return address in the caller's frame before it calls others (Power Architecture 32-bit
// ABI 1.0, 3.3.5; 64-bit ELF V2 ABI 1.5, 2.2.2).
static bool follow_frames(const struct ic_unwind_options *options,
			  const struct ic_unwind_machine *machine,
			  const struct ic_unwind_frame *frame, struct ic_unwind_registers *caller)
{
	const struct ic_unwind_registers *now = &frame->registers;
	uint64_t sp, above;

	if (!ic_registers_get(now, machine->sp, &sp) ||
	    !ic_unwind_read_word(options, machine->word, sp, &above))
		return false;
	if (above == 0)
		return !frame->is_exact;
	if (above <= sp || above % machine->word != 0 ||
	    !ic_unwind_read_word(options, machine->word, above + (uint64_t)machine->saved_pc,
				 &caller->pc) ||
	    (frame->is_exact && !has_frame(options, machine, now, caller->pc)))
		return false;
	ic_registers_set(caller, machine->sp, above);
	return true;
}

bool ic_chain_find(const struct ic_unwind_options *options, const struct ic_unwind_machine *machine,
		   const struct ic_unwind_frame *frame, struct ic_unwind_registers *caller)
{
	*caller = (struct ic_unwind_registers){ .pc = 0 };
	switch (machine->chain) {
	case IC_CHAIN_NONE: break;
	case IC_CHAIN_POINTERS: return follow_pointers(options, machine, &frame->registers, caller);
	case IC_CHAIN_FRAMES: return follow_frames(options, machine, frame, caller);
	}
	return false;
}
