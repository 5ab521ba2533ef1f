// Where copies of functions are entered: every place, and what is not certain of that.
//
// A copy has more than one way in where a compiler has unrolled or peeled the loop around it, or
// has led jumps into it past what they had decided already (jump threading).
//
// What was found is read only: any number of threads may share it.
#ifndef INLINECALL_EXTRA_ENTRIES_H
#define INLINECALL_EXTRA_ENTRIES_H

#include <inlinecall/image.h>
#include <inlinecall/sites.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Why entries of a copy may differ in number from its calls. */
enum ic_entry_doubt_kind {
	/** Control comes from outside into code of the copy that is no entry: calls may be missing.
	 *  Or compilers have only mixed code there. */
	IC_ENTRY_PASSED_BY,
	/** Control goes from code of the copy to its entry: that may be a loop of the function, or
	 * a call that was counted at another entry before. But if the function calls itself it may
	 * be a call. */
	IC_ENTRY_LOOP,
	/** The function's first statement is there again, or control goes back to it, as in an
	 *  unrolled loop, and where a call of itself was made a loop: calls may be missing. */
	IC_ENTRY_REPEATED,
	/** An instruction of the copy computes several values at once, and not in a loop of the
	 *  function: it may serve several calls, those of a loop around it. */
	IC_ENTRY_PACKED
};

/** A doubt. */
struct ic_entry_doubt {
	enum ic_entry_doubt_kind kind; /**< new ones may be added */
	/** The instruction by which control comes to `target`; of code that is there again, and of
	 *  code that control comes to in an unknown way, the same as `target`. */
	uint64_t addr;
	uint64_t target; /**< what is in doubt; as the ELF file numbers both */
};

/** Its name: "passed by", "loop", "repeated" or "packed". Static; NULL for a number that is no
 *  kind. */
IC_API const char *ic_entry_doubt_name(enum ic_entry_doubt_kind kind);

/** What copies with such a doubt are: "also reached without an entry" and the like. Static; NULL
 * for a number that is no kind. */
IC_API const char *ic_entry_doubt_text(enum ic_entry_doubt_kind kind);

/** What that means for counts: "calls may be missing", and the like. Static; NULL for a number that
 *  is no kind. */
IC_API const char *ic_entry_doubt_effect(enum ic_entry_doubt_kind kind);

/** How entries are looked for. Zero-initialised: with doubts. */
struct ic_entries_options {
	uint32_t jobs; /**< threads; 0 for as many as there are CPUs */
	/** Doubts are not looked for, and code is only read where entries depend on it. */
	bool without_doubts;
	/** For each function only the code of so many others around its copies is read, the first
	 *  in the order of the sites; 0 for all. Of copies in further ones only rows of the line
	 *  table tell where they are entered. */
	uint32_t most_functions;
};

/** Where the copies of a selection are entered. */
struct ic_entries;

/**
 * Finds where each copy of a selection is entered.
 *
 * GCC marks where it begins a function that it inlined: by a row of the line table at the position
 * of the function's name, in each copy of the code. Such a row counts if the copy, or a part of it,
 * starts there. LLVM has no such marks: of the places where parts of the copy start, and control
 * comes from outside, those count whose code is the first in the function, by line and column.
 * Padding is passed over. This needs the instructions, as doubts do (ic_exits_why_not() says when
 * they are not known); without them there is the one entry that DWARF has.
 *
 * @param image  Of the index; must stay open as long as this is used.
 * @param index  Built with ic_index_options::entries; else there is one entry of each copy.
 * @param sites  Of it. Must live as long as what is found.
 * @param options  NULL for the defaults. Not kept.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return What was found, to be freed with ic_entries_free(); NULL if memory runs out.
 *
 * Time: that of decoding the functions that the copies are in, each once; some 0.6 us an
 *       instruction.
 */
IC_API struct ic_entries *ic_entries_find(struct ic_image *image, const struct ic_index *index,
					  const struct ic_sites *sites,
					  const struct ic_entries_options *options,
					  struct ic_error *err);

/** Frees what was found; NULL is allowed. */
IC_API void ic_entries_free(struct ic_entries *entries);

/** Where a copy is entered. */
struct ic_site_entries {
	/** Addresses, as the ELF file numbers them: first that of the site, unless the copy is not
	 * entered there, then the others by address. None if it is not known, if the site is a
	 * call, and if they are counted elsewhere. */
	const uint64_t *addrs;
	size_t count;
	const struct ic_entry_doubt *doubts;
	size_t doubt_count;
	/** Doubts are not known, for this reason; NULL if they are. */
	const char *why_not;
	/** The calls of the copy are those of another one: that leads to it, and nothing else, or
	 * it is nothing but a jump to that; two calls were made with one code; it is a C++
	 * destructor that frees the object, and calls the one that does not; or another unit
	 * describes the same code. */
	bool is_counted_elsewhere;
};

/** Those of site number `number` of the selection; none if there are not so many sites. */
IC_API struct ic_site_entries ic_entries_of(const struct ic_entries *entries, size_t number);

#ifdef __cplusplus
}
#endif

#endif
