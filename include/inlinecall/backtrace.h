// Backtraces: the stacks of all threads of a target, including inlined functions.
//
// Backtraces never change once made: any number of threads may share them. They borrow from their
// target; free them before it.
#ifndef INLINECALL_BACKTRACE_H
#define INLINECALL_BACKTRACE_H

#include <inlinecall/target.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An argument of a frame, or a variable. */
struct ic_backtrace_argument {
	const char *name, *type; /**< NULL if unknown */
	/** The value as GDB prints it: numbers in decimal, a character as "120 'x'", an enumeration
	 *  value by name, several flags as "(A | B | unknown: 0x8)", pointers in hexadecimal,
	 *  pointers to characters with the string, and larger values as "{...} at ADDRESS". NULL if
	 *  it is unavailable, or only partly available. */
	const char *value;
	/** "constant", "register", "memory", "computed", "pieces" (parts of it are in several
	 *  places) or "entry_value"; NULL if there is no value. */
	const char *how;
};

/** A frame, physical or inlined. */
struct ic_backtrace_frame {
	uint64_t address; /**< of the running code, or the return address of the call */
	uint64_t lookup;  /**< the address looked up: `address`, or 1 less */
	/** Number of the physical frame, from 0. Functions inlined into it have the same number;
	 *  functions that left the stack by tail calls have the number of the frame that they would
	 *  return to. */
	uint32_t number;
	/** Path, or the kernel's name for the mapping; NULL if there is no code. */
	const char *module;
	uint64_t module_addr;   /**< `address` as the module numbers it; IC_NO_ADDR if unknown */
	struct ic_frame frame;  /**< as from ic_symbolizer_frames_at(); empty if nothing is known */
	const char *symbol;     /**< the symbol that contains the address; NULL if none does */
	uint64_t symbol_offset; /**< offset of `address` in it */
	bool is_jit; /**< the symbol is from the process's list of functions that it has compiled */
	enum ic_unwind_how how;
	bool is_exact, is_signal; /**< see struct ic_unwind_frame */
	/** The function that this frame calls, if it is not the function of the previous frame: it
	 *  left the stack by tail calls that are not all known. NULL if no frame is known to be
	 *  missing. */
	const char *callee;
	/** If requested: NULL if unknown. */
	const struct ic_backtrace_argument *arguments;
	size_t argument_count;
	/** If requested, the variables in scope: of those with one name, the last one hides the
	 *  others. NULL if unknown. */
	const struct ic_backtrace_argument *variables;
	size_t variable_count;
};

/** The stack of one thread. */
struct ic_backtrace_thread {
	struct ic_target_thread thread;
	const struct ic_backtrace_frame *frames; /**< innermost first */
	size_t frame_count;
	enum ic_unwind_end end;
	const char *end_text; /**< see ic_unwinder_end_text() */
};

struct ic_backtraces;

/** How to unwind stacks. Zero-initialised: to the outermost frame. */
struct ic_backtraces_options {
	/** Frame limit of one stack; 0 for 65,536. Frames of inlined functions and of tail calls do
	 *  not count. */
	uint32_t most_frames;
	bool arguments; /**< also find the values of arguments */
	bool variables; /**< also find the values of arguments and variables */
};

/**
 * Unwinds the stacks of all threads of a target and symbolizes them. Files that cannot be opened
 * become problems of the target.
 *
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The backtraces, to be freed with ic_backtraces_free(); NULL if memory runs out.
 */
IC_API struct ic_backtraces *ic_backtraces_make(struct ic_target *target,
						const struct ic_backtraces_options *options,
						struct ic_error *err);

/** Frees backtraces; NULL is allowed. */
IC_API void ic_backtraces_free(struct ic_backtraces *backtraces);

/** Gets the stack of thread number `number` of the target; false if there are fewer. */
IC_API bool ic_backtraces_get(const struct ic_backtraces *backtraces, size_t number,
			      struct ic_backtrace_thread *thread);

#ifdef __cplusplus
}
#endif

#endif
