// What is at an address: its frames, those of inlined functions too.
//
// A symbolizer decodes a unit of the source when an address in it is first looked up, and keeps
// it. Any number of threads may use one at the same time, except to free it. What it gives out,
// strings too, lives as long as both it and its image do: free the symbolizer first, then close the
// image.
//
// Addresses are as the ELF file numbers them, before any load bias. In a relocatable file, where
// every section begins at 0, the sections are laid out one after the other, and
// ic_symbolizer_section_find() says where each begins.
#ifndef INLINECALL_SYMBOLIZER_H
#define INLINECALL_SYMBOLIZER_H

#include <inlinecall/demangle.h>
#include <inlinecall/index.h>
#include <inlinecall/range.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_symbolizer;

/** Which symbol names an address, if several might. */
enum ic_symbolizer_symbols {
	/** Of the functions that hold the address the one that begins last; at one address global
	 *  before weak before local ones, then the first. A function of unknown size, as assembly
	 *  leaves them, goes on to the next symbol or to the end of its section; inside another
	 *  function it is a label, and names nothing. Versions ("f@@V2") are cut off. */
	IC_SYMBOLS_INNERMOST,
	/** The one that llvm-symbolizer names: what begins last of functions, labels and data, if
	 *  it holds the address or is of unknown size; at one address the largest, then the last.
	 *  Of the file itself, never of its debug file. */
	IC_SYMBOLS_LLVM,
	/** The same, of symbols whose addresses may have tags in their highest byte, as HWASan's
	 *  variables do: there bit 55 is repeated. */
	IC_SYMBOLS_LLVM_UNTAGGED,
	/** The one that GNU addr2line names: what begins last in the section, data excepted, also
	 *  if it ends before the address; at one address a function that holds it, then a label
	 *  that does, then the smallest, then the first; then the largest. */
	IC_SYMBOLS_GNU,
};

struct ic_symbolizer_options {
	/** Threads for what is done at once, as in ic_stacks_find(); 0 for as many as there are
	 *  CPUs. The answers are the same whatever their number. */
	uint32_t jobs;
	enum ic_paths paths; /**< of sources */
	enum ic_symbolizer_symbols symbols;
	/** For code that the line table gives no line, the position of the last row before it in
	 *  the same sequence that has one: ic_frame::is_approximate. */
	bool skip_line_zero;
	/** Set ic_frame::display_name; names that are demangled are in this style. */
	bool display_names;
	enum ic_demangle_style display_style;
	/** Called now and then by the thread that is in ic_stacks_find() or ic_lines_find(),
	 * between two units that are read for it, with bytes done of all; false stops it
	 *  (IC_ERROR_STOPPED), and the same can be asked again. It must not use the symbolizer:
	 *  it might wait for the units that are being read. May be NULL. */
	bool (*progress)(void *context, unsigned long long done, unsigned long long total);
	void *progress_context;
	/** As in struct ic_index_options: only where a copy is entered it is known to be. Of
	 * several copies that are entered at one address, those that come first in the table count
	 * as the outer ones. */
	const struct ic_btf_inline *inline_table;
};

/**
 * Makes a symbolizer for an image, which must stay open as long as it is used.
 *
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] The reason if it fails; may be NULL.
 *
 * @return The symbolizer, to be freed with ic_symbolizer_free(); NULL if memory is
 *         out. What is wrong inside the DWARF, with its relocations or its compression, costs what
 *         it is about: see ic_symbolizer_problem_get().
 *
 * Cost: little; compressed sections are decompressed, and relocations applied, by the first look-up
 *       of an address that is code.
 */
IC_API struct ic_symbolizer *ic_symbolizer_new(struct ic_image *image,
					       const struct ic_symbolizer_options *options,
					       struct ic_error *err);

/** Frees a symbolizer; NULL is allowed. */
IC_API void ic_symbolizer_free(struct ic_symbolizer *symbolizer);

/** One level of the inline stack at an address. Strings that are not known are NULL, numbers 0. */
struct ic_frame {
	const char *function;     /**< DW_AT_name; without one, the linkage name or the symbol */
	const char *linkage_name; /**< as symbols have it: mangled */
	/** Only if ic_symbolizer_options::display_names says so: the function as the source calls
	 *  it. That is its linkage name demangled; if that is not known or not mangled, its name
	 *  behind the namespaces and classes around it, "ns::Class::method", without parameters,
	 *  with "(anonymous namespace)", and "{unnamed:12}" for a class without a name, as closures
	 *  are, that is declared in that line. Each is made when it is first found, and kept:
	 *  look-ups then allocate and take a lock. */
	const char *display_name;
	const char *file;   /**< path, of the code of this frame that is under way: in the
			     *   innermost frame that of the line table's row at the address, in
			     *   the others that of the call that was inlined */
	const char *source; /**< the whole text of `file`, if the debug information has it */
	uint32_t line, column, discriminator;
	const char *decl_file; /**< path, where the function is declared */
	uint32_t decl_line;
	uint64_t start; /**< where this copy of the function is entered; IC_NO_ADDR if
			 *   not known */
	bool inlined;   /**< into the next frame */
	bool is_symbol; /**< all that is known of the function is its symbol */
	/** The file, line and column are those of a row before: see ic_symbolizer_options. */
	bool is_approximate;
};

/**
 * Finds the frames at an address, the innermost inlined one first, its host function last.
 *
 * @param addr      For a return address, subtract 1 first: it may point past the call, into the
 *                  next line.
 * @param frames    [out] Array of `capacity`; may be NULL if that is 0.
 * @param capacity  Frames that fit; what does not is not written.
 *
 * @return The number of frames there are, which may exceed `capacity`; 0 if nothing is known of
 *         the address. That is an answer, not an error: this function cannot fail. If there is
 *         no memory to decode the unit, that is a problem (ic_symbolizer_problem_get()), and what
 *         the symbols know is returned.
 *
 * Time: O(log n + d) for n rows and instances in the unit, and d frames; allocates nothing. The
 *       first look-up in a unit decodes it before, one thread at a time: 0.1 ms on average in a
 *       kernel.
 */
IC_API size_t ic_symbolizer_frames_at(struct ic_symbolizer *symbolizer, uint64_t addr,
				      struct ic_frame *frames, size_t capacity);

/** What is known of an address, and why no more. */
enum ic_lookup_status {
	IC_LOOKUP_FOUND,      /**< the debug information has a function or a line there */
	IC_LOOKUP_OUTSIDE,    /**< it is in no code of the file */
	IC_LOOKUP_NO_DEBUG,   /**< it is in code that no debug information describes */
	IC_LOOKUP_UNREADABLE, /**< what may describe it could not be decoded: the problems say why
			       */
};

/**
 * ic_symbolizer_frames_at() that also says why an address is unknown. Unless it is found there is
 * at most one frame, that of a symbol.
 *
 * @param status  [out] May be NULL.
 */
IC_API size_t ic_symbolizer_lookup_at(struct ic_symbolizer *symbolizer, uint64_t addr,
				      struct ic_frame *frames, size_t capacity,
				      enum ic_lookup_status *status);

struct ic_stacks;

/**
 * Finds the frames at many addresses at once: every unit is decoded once, by several threads.
 *
 * @param addrs  As in ic_symbolizer_frames_at(), in any order. Not kept.
 * @param err    [out] The reason if it fails; may be NULL.
 *
 * @return The stacks, to be freed with ic_stacks_free(); NULL if memory is out, or if
 *         ic_symbolizer_options::progress stops it.
 *
 * Time: O(n log n) for n addresses, and the decoding of units that have not been.
 */
IC_API struct ic_stacks *ic_stacks_find(struct ic_symbolizer *symbolizer, const uint64_t *addrs,
					size_t count, struct ic_error *err);

/** The answer for an address, as ic_symbolizer_lookup_at() would give it. */
struct ic_stack {
	const struct ic_frame *frames; /**< as long-lived as the stacks */
	size_t count;                  /**< of frames */
	enum ic_lookup_status status;
};

/** The answer for address number `number`. False if there were not so many addresses. */
IC_API bool ic_stacks_get(const struct ic_stacks *stacks, size_t number, struct ic_stack *stack);

/** Frees stacks; NULL is allowed. */
IC_API void ic_stacks_free(struct ic_stacks *stacks);

/**
 * Problem number `number` of those met so far, in the order in which they were met; of many alike
 * in one unit, and of those of no unit, the first few are kept and the rest counted in a last one.
 *
 * @return false if there are not so many.
 */
IC_API bool ic_symbolizer_problem_get(struct ic_symbolizer *symbolizer, uint64_t number,
				      struct ic_index_problem *problem);

/** A symbol of the symbol table. */
struct ic_symbolizer_symbol {
	const char *name;
	uint64_t start, end; /**< the same if its size is not known */
	/** What a compiler called the source file, of local functions only and only from
	 *  ic_symbolizer_symbol_at(); NULL if not known. */
	const char *source;
};

/**
 * Finds a symbol that is defined in the file by its name: of a function, or of anything else with
 * an address. One with a version ("f@@V2") is found without it too; that of an old version
 * ("f@V1") only if no other symbol has the name.
 *
 * @param name    NULL is the name of none.
 * @param number  Of several of that name, which one, from 0.
 *
 * @return false if there are not so many. Time: O(log n + number) for n symbols, after
 *         O(n log n) for the first one that is looked up.
 */
IC_API bool ic_symbolizer_symbol_find(struct ic_symbolizer *symbolizer, const char *name,
				      uint32_t number, struct ic_symbolizer_symbol *symbol);

/**
 * Finds the symbol that names an address: see ic_symbolizer_options. It is of a function, unless
 * they say otherwise.
 *
 * @return false if there is none.
 */
IC_API bool ic_symbolizer_symbol_at(struct ic_symbolizer *symbolizer, uint64_t addr,
				    struct ic_symbolizer_symbol *symbol);

#ifdef __cplusplus
}
#endif

#endif
