// Unwinding a stack: recovering the caller's registers from those of a function, by call frame
// information (call_frames.h) or, in a Linux kernel on x86-64, by its ORC tables. Memory and files
// come from callbacks, so this works for cores, live processes and samples of stacks alike.
//
// An unwinder is for one thread at a time. Free it before the call frames that it uses. It
// allocates nothing per frame.
#ifndef INLINECALL_UNWIND_H
#define INLINECALL_UNWIND_H

#include <inlinecall/call_frames.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The most registers a frame can have: their numbers are below this. */
#define IC_UNWIND_MOST_REGISTERS 72

/** The number of words with one bit for each of them. */
#define IC_UNWIND_KNOWN_WORDS 2

/**
 * The integer registers of a frame, by DWARF number, including the stack pointer. The code address
 * is kept separately, as `pc`.
 */
struct ic_unwind_registers {
	uint64_t pc;
	uint64_t values[IC_UNWIND_MOST_REGISTERS];
	/** Value n is known if bit n % 64 of word n / 64 is set. */
	uint64_t known[IC_UNWIND_KNOWN_WORDS];
};

/** Sets a register and marks it as known; ignored if the number is too large. */
IC_API void ic_unwind_register_set(struct ic_unwind_registers *registers, uint32_t number,
				   uint64_t value);

/** Gets a register; false if it is unknown. */
IC_API bool ic_unwind_register_get(const struct ic_unwind_registers *registers, uint32_t number,
				   uint64_t *value);

/** The code at an address. */
struct ic_unwind_module {
	uint64_t bias; /**< added to an address in the file to get the one in memory */
	/** Of the file; NULL if it has none, or the code is in no file. */
	struct ic_call_frames *frames;
	/** Functions described in .debug_frame preserve no registers for their callers, as in
	 *  Go. */
	bool keeps_none;
	/** The file, whose symbols and stubs of dynamic linking are used if there are no call
	 * frames; NULL for that of `frames`. It must stay open as long as they. */
	struct ic_image *image;
};

/** Whose stack it is, and how to access its memory and files. */
struct ic_unwind_options {
	unsigned machine; /**< as returned by ic_image_machine() */
	bool is_32_bit;
	bool is_big_endian;
	/** Reads memory of the thread; returns false if it cannot be read. Must not be NULL. */
	bool (*read_memory)(void *context, uint64_t addr, void *bytes, size_t size);
	/** Finds the code at an address; returns false if there is none. The result must stay valid
	 *  until ic_unwinder_forget() is called. Must not be NULL. */
	bool (*find_module)(void *context, uint64_t addr, struct ic_unwind_module *module);
	void *context; /**< passed to both */
	/** AArch64: the bits of a return address that can be a signature (NT_ARM_PAC_MASK). */
	uint64_t signature_mask;
	uint32_t most_frames; /**< for one stack; 0 for 65,536 */
};

/** How a frame was found. */
enum ic_unwind_how {
	IC_UNWIND_GIVEN,         // it is the first
	IC_UNWIND_CALL_FRAMES,   // by call frame information, or ORC; or it is of a known form, as
				 // stubs of dynamic linking are
	IC_UNWIND_FRAME_POINTER, // there is none for the code: by the chain of frame pointers or,
				 // on POWER, of frames, a guess
	// The return address is where a call to this code just left it: there is no code at the
	// address, or a direct call to this code precedes the return address. A guess.
	IC_UNWIND_CALL,
	/** Not by the unwinder: the function left the stack by a tail call
	 *  (inlinecall/extra/tail_calls.h). */
	IC_UNWIND_TAIL_CALL,
	/** There is no call frame information, but the instructions of the function up to the code
	 *  address show where its return address is now, and that follows a call of it, or one
	 *  through a pointer (x86). */
	IC_UNWIND_CODE
};

/** A physical frame: functions inlined into its function share it. */
struct ic_unwind_frame {
	enum ic_unwind_how how;
	/** `pc` is not a return address: this is the first frame, or it was interrupted by a
	 *  signal. Otherwise look up `pc` - 1, as ic_unwind_lookup_addr() does. */
	bool is_exact;
	/** It is the kernel's code for returning from a signal. */
	bool is_signal;
	struct ic_unwind_registers registers;
};

/** Why there are no more frames. */
enum ic_unwind_end {
	IC_UNWIND_OUTERMOST, // the call frame information says so, or the return address register
			     // is 0, or a kernel was entered from user mode, or the code has no
			     // call frame information and is the program's entry point
	IC_UNWIND_NO_CODE,   // there is no code at the address
	IC_UNWIND_NO_CALL_FRAMES, // the code has neither call frame information nor a chain
	IC_UNWIND_NO_REGISTER,    // a required register is unknown
	IC_UNWIND_NO_MEMORY,      // required memory cannot be read
	IC_UNWIND_MALFORMED,      // the call frame information is invalid
	IC_UNWIND_NO_ADVANCE, // the stack pointer would not move: the stack is overwritten, or the
			      // information is for other code
	IC_UNWIND_TOO_MANY, // there are more frames than the options allow
	IC_UNWIND_ZERO      // the return address in memory is 0: the frame is the outermost, or the
			    // stack is overwritten
};

struct ic_unwinder;

/**
 * Makes an unwinder.
 *
 * @param options  Copied; its context must outlive the unwinder.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The unwinder, to be freed with ic_unwinder_free(); NULL if the machine is not supported
 *         (IC_ERROR_UNSUPPORTED), or memory runs out. Supported are x86-64, x32, i386, AArch64,
 *         64-bit RISC-V, POWER and s390.
 *
 * Memory: at most 1.5 MiB, mostly for cached rows: some 200 bytes for each address, up to 8,192
 *         addresses.
 */
IC_API struct ic_unwinder *ic_unwinder_new(const struct ic_unwind_options *options,
					   struct ic_error *err);

/** Frees an unwinder; NULL is allowed. */
IC_API void ic_unwinder_free(struct ic_unwinder *unwinder);

/** Starts a stack: `registers` are those of its innermost frame. */
IC_API void ic_unwinder_begin(struct ic_unwinder *unwinder,
			      const struct ic_unwind_registers *registers);

/**
 * Returns the next frame, starting with the innermost.
 *
 * @return The frame, owned by the unwinder and valid until the next call; NULL after the last one:
 *         ic_unwinder_end() then returns the reason.
 *
 * Time: the caller's reads of memory; for an address not seen before, also O(log n) for n FDEs plus
 *       executing the instructions of one.
 */
IC_API const struct ic_unwind_frame *ic_unwinder_next(struct ic_unwinder *unwinder);

/** Why there are no more frames. */
IC_API enum ic_unwind_end ic_unwinder_end(const struct ic_unwinder *unwinder);

/**
 * The same in words, with the address or register concerned. Owned by the unwinder and valid until
 * the next call.
 */
IC_API const char *ic_unwinder_end_text(struct ic_unwinder *unwinder);

/** The address to look up for a frame: of the call, if `pc` is a return address. */
IC_API uint64_t ic_unwind_lookup_addr(const struct ic_unwind_frame *frame);

#ifdef __cplusplus
}
#endif

#endif
