// Where copies of functions are entered: all entry addresses, and what is uncertain about them.
//
// A copy has several entries if the compiler unrolled or peeled the loop around it, or redirected
// jumps into it past conditions already decided (jump threading).
//
// Results never change: any number of threads may share them.
#ifndef INLINECALL_EXTRA_ENTRIES_H
#define INLINECALL_EXTRA_ENTRIES_H

#include <inlinecall/image.h>
#include <inlinecall/sites.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Why the number of entries of a copy may differ from the number of its calls. */
enum ic_entry_doubt_kind {
	/** Control comes from outside into code of the copy that is not an entry: calls may be
	 *  missing. Or the compiler merely mixed code there. */
	IC_ENTRY_PASSED_BY,
	/** Control goes from code of the copy to its entry: this may be a loop of the function, or
	 *  a call that was already counted at another entry. If the function calls itself it may
	 *  also be a new call. */
	IC_ENTRY_LOOP,
	/** The function's first statement occurs again, or control returns to it, as in an unrolled
	 *  loop or a recursive call turned into a loop: calls may be missing. */
	IC_ENTRY_REPEATED,
	/** An instruction of the copy computes several values at once, outside of any loop of the
	 *  function: it may serve several calls, from a loop around it. */
	IC_ENTRY_PACKED
};

/** An uncertainty about a copy's entries. */
struct ic_entry_doubt {
	enum ic_entry_doubt_kind kind; /**< new kinds may be added */
	/** The instruction from which control comes to `target`. Equals `target` for code that
	 *  occurs again, and if it is unknown how control gets there. */
	uint64_t addr;
	uint64_t target; /**< the code in doubt; both as the ELF file numbers them */
};

/**
 * The name of a kind: "passed by", "loop", "repeated" or "packed". Static; NULL for other numbers.
 */
IC_API const char *ic_entry_doubt_name(enum ic_entry_doubt_kind kind);

/**
 * Describes copies with such a doubt: "also reached without an entry" and the like. Static; NULL
 * for other numbers.
 */
IC_API const char *ic_entry_doubt_text(enum ic_entry_doubt_kind kind);

/**
 * What the doubt means for counts: "calls may be missing" and the like. Static; NULL for other
 * numbers.
 */
IC_API const char *ic_entry_doubt_effect(enum ic_entry_doubt_kind kind);

/** How to search for entries. Zero-initialised: with doubts. */
struct ic_entries_options {
	uint32_t jobs; /**< threads; 0 for one per CPU */
	/** Do not search for doubts, and read code only where entries depend on it. */
	bool without_doubts;
	/** For each function, read only the code of this many functions that contain its copies,
	 *  the first in site order; 0 for all. The entries of copies in others are found from the
	 *  line table only. */
	uint32_t most_functions;
};

/** Where the copies of a selection are entered. */
struct ic_entries;

/**
 * Finds where each copy of a selection is entered.
 *
 * GCC marks the start of an inlined function with a line table row at the position of the
 * function's name, in each copy of the code. Such a row counts if the copy, or a part of it, starts
 * there. LLVM has no such marks: where a part of the copy starts and control comes from outside, it
 * counts as an entry if its code is the first in the function, by line and column. Padding is
 * skipped. This needs the instructions, as doubts do (ic_exits_why_not() lists when they are
 * unavailable); without them, the only entry is the one in the DWARF.
 *
 * @param image    The one that the index was built from; must stay open as long as the result is
 *                 used.
 * @param index    Built with ic_index_options::entries; otherwise each copy has one entry.
 * @param sites    From the index. Must outlive the result.
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The entries, to be freed with ic_entries_free(); NULL if memory runs out.
 *
 * Time: decoding the functions that contain the copies, each once; some 0.6 us per instruction.
 */
IC_API struct ic_entries *ic_entries_find(struct ic_image *image, const struct ic_index *index,
					  const struct ic_sites *sites,
					  const struct ic_entries_options *options,
					  struct ic_error *err);

/** Frees entries; NULL is allowed. */
IC_API void ic_entries_free(struct ic_entries *entries);

/** The entries of one copy. */
struct ic_site_entries {
	/** Addresses, as the ELF file numbers them: first that of the site, unless the copy is not
	 *  entered there, then the others sorted by address. None if they are unknown, if the site
	 *  is a call, or if its calls are counted elsewhere. */
	const uint64_t *addrs;
	size_t count;
	const struct ic_entry_doubt *doubts;
	size_t doubt_count;
	/** Why doubts are unknown; NULL if they are known. */
	const char *why_not;
	/** The calls of this copy are those of another one: this copy leads only to the other, or
	 *  is only a jump to it; or two calls share the same code; or it is a C++ destructor that
	 *  frees the object, and calls the one that does not; or another unit describes the same
	 *  code. */
	bool is_counted_elsewhere;
};

/** Gets the entries of site number `number` of the selection; none if there are fewer sites. */
IC_API struct ic_site_entries ic_entries_of(const struct ic_entries *entries, size_t number);

#ifdef __cplusplus
}
#endif

#endif
