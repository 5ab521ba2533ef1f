// Where control leaves a copy of a function, found in its machine code.
//
// A finder of exits is for one thread at a time. Free it before its index and its image. Several
// may use the same.
#ifndef INLINECALL_EXTRA_EXITS_H
#define INLINECALL_EXTRA_EXITS_H

#include <inlinecall/extra/entries.h>
#include <inlinecall/image.h>
#include <inlinecall/sites.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * How control leaves a copy. An exit is at an instruction, and is reached when that is about to be
 * executed. All but the last two kinds are instructions of the copy, or of surrounding code mixed
 * with it, after which control always leaves the copy.
 */
enum ic_exit_kind {
	IC_EXIT_END,       // the last instruction before code outside the copy
	IC_EXIT_JUMP,      // a jump out of the copy, within the containing function
	IC_EXIT_RETURN,    // a return from the containing function
	IC_EXIT_TAIL_CALL, // a jump to another function
	IC_EXIT_NO_RETURN, // a call of a function that does not return, or an instruction that
			   // stops the program
	/** The first instruction after the copy, if control reaches it only from the copy: by
	 *  conditional jumps or after a call. If it is also reached in other ways, those are not
	 *  listed separately. */
	IC_EXIT_AFTER,
	/** A conditional jump that either leaves the copy or stays in it; its target outside can
	 *  also be reached from elsewhere. */
	IC_EXIT_PERHAPS
};

/** An exit. */
struct ic_exit {
	uint64_t addr; /**< as the ELF file numbers it */
	/** Where control goes if it leaves the copy; IC_NO_ADDR if unknown, and for
	 *  IC_EXIT_AFTER. */
	uint64_t target;
	enum ic_exit_kind kind; /**< new kinds may be added */
	/** For IC_EXIT_PERHAPS: the jump's condition, as in the low four bits of x86's opcodes, if
	 *  it tests flags; otherwise -1. */
	int8_t condition;
	/** For the same kind: the jump leaves the copy if taken, otherwise if not taken. */
	bool leaves_if_taken;
};

/**
 * The name of a kind: "end", "jump", "return", "tail call", "no return", "after" or "perhaps".
 * Static; NULL for other numbers.
 */
IC_API const char *ic_exit_kind_name(enum ic_exit_kind kind);

/** A finder of exits, with its latest results. */
struct ic_exits;

/**
 * Opens a finder of exits.
 *
 * @param image  The one that the index was built from; must stay open as long as the finder is
 *               used.
 * @param index  Must outlive the finder.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The finder, to be freed with ic_exits_free(); NULL if memory runs out. If the code cannot
 *         be read at all, ic_exits_why_not() returns that for each copy.
 *
 * Cost: the first finder of a program loads libcapstone, in some 1.5 ms.
 */
IC_API struct ic_exits *ic_exits_open(struct ic_image *image, const struct ic_index *index,
				      struct ic_error *err);

/** Frees a finder and its results; NULL is allowed. */
IC_API void ic_exits_free(struct ic_exits *exits);

/**
 * Finds where control leaves a copy, inlined or out of line. The copy is active from an entry on,
 * for as long as control can reach more of its code without passing an entry again: calls from it,
 * functions inlined into it, jumps between its ranges, and instructions of surrounding code mixed
 * with it do not end it. Code of the copy that is also reached without an entry, for example
 * because the compiler moved it before the entry, does not count.
 *
 * Each path from the entry has one exit or, if there are exits of the kind IC_EXIT_PERHAPS, at most
 * one of another kind. These paths do not include exceptions, longjmp() and signals: they unwind
 * the stack without reaching an exit of each frame.
 *
 * @param site     From the index.
 * @param entries  Where it is entered, from ic_entries_of(); NULL if only at ic_site::entry.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return false if memory runs out.
 *
 * Time: decoding the function that contains the copy; it is cached for that function's next copy.
 */
IC_API bool ic_exits_find(struct ic_exits *exits, const struct ic_site *site,
			  const struct ic_site_entries *entries, struct ic_error *err);

/**
 * Why the exits of the copy are unknown, such as "the target of a jump in it is unknown, at 0x10";
 * NULL if they are known. Valid until the next search. The reasons are: instructions of the machine
 * are not supported (other than x86 and AArch64), or libcapstone is missing; the file is
 * relocatable, or a kernel, which patches its code; the copy's ranges or entry are unknown, or the
 * file does not contain its code; it has a jump through a table, or something that cannot be
 * decoded.
 */
IC_API const char *ic_exits_why_not(const struct ic_exits *exits);

/**
 * What is uncertain about the exits found, valid as long as they are; NULL if nothing is. Possible
 * doubts:
 *
 * - control returns to where the copy is entered, by a loop or a new call, which is not an exit;
 * - some of its code is reached without passing its entry, and may not lead there; it does not
 *   count;
 * - surrounding code that calls or branches leads back into the copy, and counts as part of it,
 *   although the copy may have been left there;
 * - a jump through a table in surrounding code, or code that may catch exceptions, may lead into
 *   it.
 */
IC_API const char *ic_exits_doubt(const struct ic_exits *exits);

/**
 * Gets the latest results, sorted by address and valid until the next search. Returns their number,
 * which is also 0 if control never leaves the copy.
 */
IC_API size_t ic_exits_get(const struct ic_exits *exits, const struct ic_exit **list);

#ifdef __cplusplus
}
#endif

#endif
