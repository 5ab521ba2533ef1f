// Backtraces: the stacks of all threads of a target, with the functions that were inlined.
//
// They are read only once they are made: any number of threads may share them. They borrow from
// their target, and are freed before it.
#ifndef INLINECALL_BACKTRACE_H
#define INLINECALL_BACKTRACE_H

#include <inlinecall/target.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An argument of a frame. */
struct ic_backtrace_argument {
	const char *name, *type; /**< NULL if not known */
	/** As GDB prints it: numbers in decimal, a character as "120 'x'", a value of an
	 * enumeration by its name, several flags as "(A | B | unknown: 0x8)", pointers in
	 * hexadecimal, those to characters with the string, and what is larger as "{...} at
	 * ADDRESS". NULL if it is not available, or only a part of it is. */
	const char *value;
	const char *how; /**< "constant", "register", "memory", "computed" or "pieces", if parts of
			    it are in several places; "entry_value"; NULL without a value */
};

/** A frame, of its own or inlined. */
struct ic_backtrace_frame {
	uint64_t address; /**< of the code that runs, or to which the call returns */
	uint64_t lookup;  /**< that was looked up: `address`, or 1 less */
	/** Of the frame on the stack, from 0: those inlined there share it, and those that have
	 *  made tail calls have that of the frame that they would return to. */
	uint32_t number;
	const char
		*module; /**< path, or what the kernel calls the mapping; NULL if there is no code
			  */
	uint64_t module_addr; /**< `address` as the module numbers it; IC_NO_ADDR if not known */
	struct ic_frame
		frame;      /**< as ic_symbolizer_frames_at() has it; empty if nothing is known */
	const char *symbol; /**< that has the address; NULL if none does */
	uint64_t symbol_offset; /**< of `address` in it */
	enum ic_unwind_how how;
	bool is_exact, is_signal; /**< as in struct ic_unwind_frame */
	/** The function that the call of this frame goes to, if that is another than that of the
	 *  frame before: it has left the stack by tail calls, of which not all are known. Else
	 *  NULL, and nothing is known to be missing. */
	const char *callee;
	/** If asked for: NULL if they are not known. */
	const struct ic_backtrace_argument *arguments;
	size_t argument_count;
};

/** The stack of a thread. */
struct ic_backtrace_thread {
	struct ic_target_thread thread;
	const struct ic_backtrace_frame *frames; /**< the innermost first */
	size_t frame_count;
	enum ic_unwind_end end;
	const char *end_text; /**< as ic_unwinder_end_text() */
};

struct ic_backtraces;

/** How stacks are unwound. Zero-initialised: whole. */
struct ic_backtraces_options {
	/** Of a stack; 0 for 65,536. Those of inlined functions and of tail calls are apart. */
	uint32_t most_frames;
	bool arguments; /**< also the values of arguments */
};

/**
 * Unwinds the stacks of all threads of a target, and finds the functions. Files that cannot be
 * opened are problems of the target.
 *
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Why not; may be NULL.
 *
 * @return To be freed with ic_backtraces_free(); NULL if memory is out.
 */
IC_API struct ic_backtraces *ic_backtraces_make(struct ic_target *target,
						const struct ic_backtraces_options *options,
						struct ic_error *err);

/** Frees backtraces; NULL is allowed. */
IC_API void ic_backtraces_free(struct ic_backtraces *backtraces);

/** That of thread number `number` of the target; false if there are not so many. */
IC_API bool ic_backtraces_get(const struct ic_backtraces *backtraces, size_t number,
			      struct ic_backtrace_thread *thread);

#ifdef __cplusplus
}
#endif

#endif
