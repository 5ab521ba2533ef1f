// Unwinding a stack: from the registers of a function to those of its caller, by call frame
// information (call_frames.h), in a Linux kernel on x86-64 also by its ORC tables; with memory and
// files from the caller's functions: so it serves cores, live processes and samples of stacks
// alike.
//
// An unwinder belongs to one thread at a time, and is freed before the call frames that it was
// given. It allocates nothing for a frame.
#ifndef INLINECALL_UNWIND_H
#define INLINECALL_UNWIND_H

#include <inlinecall/call_frames.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How many registers a frame has at most: those with numbers below this. */
#define IC_UNWIND_MOST_REGISTERS 72

/** In how many words there is a bit for each of them. */
#define IC_UNWIND_KNOWN_WORDS 2

/** The integer registers of a frame, by DWARF's numbers, the stack pointer among them; but for the
 *  address of the code, which is apart. */
struct ic_unwind_registers {
	uint64_t pc;
	uint64_t values[IC_UNWIND_MOST_REGISTERS];
	/** Bit n % 64 of word n / 64: whether value n is known. */
	uint64_t known[IC_UNWIND_KNOWN_WORDS];
};

/** Sets a register that is known; one whose number is too large is left out. */
IC_API void ic_unwind_register_set(struct ic_unwind_registers *registers, uint32_t number,
				   uint64_t value);

/** Gets a register; false if it is not known. */
IC_API bool ic_unwind_register_get(const struct ic_unwind_registers *registers, uint32_t number,
				   uint64_t *value);

/** The code at an address. */
struct ic_unwind_module {
	uint64_t bias; /**< what is added to addresses of the file to get those in memory */
	/** The file's; NULL if it has none, or the code is of no file. */
	struct ic_call_frames *frames;
	/** Functions described in .debug_frame keep no registers for their callers, as those of Go.
	 */
	bool keeps_none;
};

/** Whose stack it is, and where its memory and files are. */
struct ic_unwind_options {
	unsigned machine; /**< as ic_image_machine() has it */
	bool is_32_bit;
	bool is_big_endian;
	/** Reads memory of the thread; false if it cannot be read. Must not be NULL. */
	bool (*read_memory)(void *context, uint64_t addr, void *bytes, size_t size);
	/** Finds the code at an address; false if there is none. What it finds must stay as it is
	 *  until ic_unwinder_forget() is called. Must not be NULL. */
	bool (*find_module)(void *context, uint64_t addr, struct ic_unwind_module *module);
	void *context; /**< handed to both */
	/** AArch64: the bits of a return address that can be a signature (NT_ARM_PAC_MASK). */
	uint64_t signature_mask;
	uint32_t most_frames; /**< of one stack; 0 for 65,536 */
};

/** How a frame was found. */
enum ic_unwind_how {
	IC_UNWIND_GIVEN,         // it is the first
	IC_UNWIND_CALL_FRAMES,   // by call frame information, or ORC
	IC_UNWIND_FRAME_POINTER, // the code has none: by the chain of frame pointers, a guess
	// There is no code, or a call to this code tells: as if a call had just gone there.
	IC_UNWIND_CALL,
	/** Not by the unwinder: it has left the stack by a tail call
	   (inlinecall/extra/tail_calls.h). */
	IC_UNWIND_TAIL_CALL
};

/** A frame that is in the stack by itself: functions inlined into its function share it. */
struct ic_unwind_frame {
	enum ic_unwind_how how;
	/** The code has not been left by a call: it is the first frame, or a signal interrupted it.
	 *  Else look `pc` - 1 up, as ic_unwind_lookup_addr() does. */
	bool is_exact;
	bool is_signal; /**< it is the code that the kernel put there to return from a signal */
	struct ic_unwind_registers registers;
};

/** Why there are no more frames. */
enum ic_unwind_end {
	IC_UNWIND_OUTERMOST,      // the call frame information says so, or the register with the
				  // return address is 0, or a kernel was entered from user mode
	IC_UNWIND_NO_CODE,        // there is no code at the address
	IC_UNWIND_NO_CALL_FRAMES, // there is no information for the code, nor a frame pointer
	IC_UNWIND_NO_REGISTER,    // a register that is needed is not known
	IC_UNWIND_NO_MEMORY,      // memory that is needed cannot be read
	IC_UNWIND_MALFORMED,      // the call frame information is wrong
	IC_UNWIND_NO_ADVANCE, // the stack pointer would not move on: the stack is overwritten, or
			      // the information is not that of the code
	IC_UNWIND_TOO_MANY, // there are more frames than the options allow
	IC_UNWIND_ZERO      // the return address in memory is 0: the frame is the outermost, or the
			    // stack is overwritten
};

struct ic_unwinder;

/**
 * Makes an unwinder.
 *
 * @param err  [out] Why not; may be NULL.
 *
 * @return To be freed with ic_unwinder_free(); NULL if the machine is not known
 *         (IC_ERROR_UNSUPPORTED), or memory is out. Known are x86-64, i386, AArch64, RISC-V,
 *         POWER of 64 bits and s390x.
 *
 * Memory: at most 1.5 MiB, mostly for rows that were found: some 200 bytes for each address, up to
 * 8,192.
 */
IC_API struct ic_unwinder *ic_unwinder_new(const struct ic_unwind_options *options,
					   struct ic_error *err);

/** Frees an unwinder; NULL is allowed. */
IC_API void ic_unwinder_free(struct ic_unwinder *unwinder);

/** Begins with a stack: `registers` are those of its innermost frame. */
IC_API void ic_unwinder_begin(struct ic_unwinder *unwinder,
			      const struct ic_unwind_registers *registers);

/**
 * The next frame, from the innermost on.
 *
 * @return The unwinder's, until the next one; NULL after the last one: then ic_unwinder_end() says
 *         why there are no more.
 *
 * Time: the caller's reads of memory; O(log n) for n FDEs and the instructions of one if the
 *       address was not met before.
 */
IC_API const struct ic_unwind_frame *ic_unwinder_next(struct ic_unwinder *unwinder);

/** Why there are no more frames. */
IC_API enum ic_unwind_end ic_unwinder_end(const struct ic_unwinder *unwinder);

/** The same in words, with the address or register that it is about. The unwinder's, until the next
 *  call. */
IC_API const char *ic_unwinder_end_text(struct ic_unwinder *unwinder);

/** The address to look up for a frame: of the call, if it is a return address. */
IC_API uint64_t ic_unwind_lookup_addr(const struct ic_unwind_frame *frame);

#ifdef __cplusplus
}
#endif

#endif
