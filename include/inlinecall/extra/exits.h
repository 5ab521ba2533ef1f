// Where control leaves a copy of a function: found in its machine code.
//
// A finder of exits belongs to one thread at a time, and is closed before its index and its image.
// Several may read the same.
#ifndef INLINECALL_EXTRA_EXITS_H
#define INLINECALL_EXTRA_EXITS_H

#include <inlinecall/extra/entries.h>
#include <inlinecall/image.h>
#include <inlinecall/sites.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How control leaves a copy. An exit is at an instruction, and reached when that is about to be
 *  executed. All but the last two kinds are instructions of the copy, or of the code around it that
 *  is mixed with it, after which the copy is always left. */
enum ic_exit_kind {
	IC_EXIT_END,       // the last instruction before code that is not the copy's
	IC_EXIT_JUMP,      // a jump out of it, in the function that it is in
	IC_EXIT_RETURN,    // of that function
	IC_EXIT_TAIL_CALL, // a jump to another function
	IC_EXIT_NO_RETURN, // a call of a function that does not return, or what stops the program
	/** The first instruction after the copy, to which control gets only from it: by conditional
	 *  jumps or after a call, and perhaps by other ways that are not listed then. */
	IC_EXIT_AFTER,
	/** A conditional jump that leaves the copy or stays in it; what it leads to outside is
	 *  reached by other ways too. */
	IC_EXIT_PERHAPS
};

/** An exit. */
struct ic_exit {
	uint64_t addr; /**< as the ELF file numbers it */
	/** Where control goes if it leaves the copy; IC_NO_ADDR if not known, and of what is
	 *  after the copy. */
	uint64_t target;
	enum ic_exit_kind kind; /**< new ones may be added */
	/** Of the kind IC_EXIT_PERHAPS: the condition on which it jumps, as x86 numbers it in the
	 * low four bits of the opcode, if it asks for flags; else -1. */
	int8_t condition;
	bool leaves_if_taken; /**< and whether the copy is left if it jumps, or else if it does not
			       */
};

/** Its name: "end", "jump", "return", "tail call", "no return", "after" or "perhaps". Static; NULL
 *  for a number that is no kind. */
IC_API const char *ic_exit_kind_name(enum ic_exit_kind kind);

/** A finder of exits, and what it found last. */
struct ic_exits;

/**
 * Opens a finder of exits.
 *
 * @param image  With which the index was built; must stay open as long as the finder is.
 * @param index  Must live as long as the finder.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The finder, to be freed with ic_exits_free(); NULL if memory runs out. If the code cannot
 *         be read at all, that is the reason of each copy: see ic_exits_why_not().
 *
 * Cost: the first one of a program loads libcapstone, in some 1.5 ms.
 */
IC_API struct ic_exits *ic_exits_open(struct ic_image *image, const struct ic_index *index,
				      struct ic_error *err);

/** Frees a finder and what it found; NULL is allowed. */
IC_API void ic_exits_free(struct ic_exits *exits);

/**
 * Finds where control leaves a copy: an inlined one, or one out of line. It is under way from an
 * entry on, as long as control can get to more of its code without passing through an entry again:
 * so neither calls from it, functions inlined into it, jumps between its ranges, nor instructions
 * of the code around it that are mixed with it end it. Code of it that is reached without an
 * entry too, as if compilers move some before it, is not counted.
 *
 * On each path from the entry there is one exit, or, if there are any of the kind IC_EXIT_PERHAPS,
 * at most one other. On these paths are no exceptions, longjmp() and signals: the stack is unwound
 * without reaching an exit of each frame.
 *
 * @param site     Of the index.
 * @param entries  Where it is entered, as ic_entries_of() has it; NULL if only at ic_site::entry.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return false if memory runs out.
 *
 * Time: that of decoding the function that the copy is in, which is kept for its next copy.
 */
IC_API bool ic_exits_find(struct ic_exits *exits, const struct ic_site *site,
			  const struct ic_site_entries *entries, struct ic_error *err);

/** Why the exits of the copy are not known, as "where a jump in it goes is not known, at 0x1234";
 *  NULL if they are. Kept until the next search. The reasons are: instructions of the machine are
 *  not read (other than x86 and AArch64), or there is no libcapstone; the file is relocatable, or a
 *  kernel, which patches its code; the copy's ranges or entry are not known, or the file does not
 *  have its code; there is a jump by a table in it, or something that cannot be decoded. */
IC_API const char *ic_exits_why_not(const struct ic_exits *exits);

/** What is not certain of the exits that were found, for the same time; NULL if there is nothing:
 *  control goes back to where the copy is entered, which may be a loop of it or a new call, and is
 *  no exit; code of it that is reached without its entry, and is not counted, may not lead to it;
 * code around it that calls or chooses leads back to it, and is counted, though it was perhaps
 * left; a jump by a table around it, or code that perhaps catches exceptions, may lead into it.
 */
IC_API const char *ic_exits_doubt(const struct ic_exits *exits);

/** What was found last, sorted by address; kept until the next search. The number is the return: 0
 *  also if control never leaves it. */
IC_API size_t ic_exits_get(const struct ic_exits *exits, const struct ic_exit **list);

#ifdef __cplusplus
}
#endif

#endif
