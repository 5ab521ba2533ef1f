// The frames at an address, including inlined functions.
//
// A symbolizer decodes a unit of debug information when an address in it is first looked up, and
// caches it. Any number of threads may use a symbolizer at the same time, except to free it.
// Everything it returns, including strings, is valid as long as both it and its image exist: free
// the symbolizer first, then close the image.
//
// Addresses are as the ELF file numbers them, before any load bias. In a relocatable file, where
// every section starts at 0, the sections are laid out one after the other;
// ic_symbolizer_section_find() returns where each starts.
#ifndef INLINECALL_SYMBOLIZER_H
#define INLINECALL_SYMBOLIZER_H

#include <inlinecall/demangle.h>
#include <inlinecall/index.h>
#include <inlinecall/range.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_symbolizer;

/** Which symbol names an address, if there are several candidates. */
enum ic_symbolizer_symbols {
	/** Among the functions that contain the address, the one that starts last; at equal
	 *  addresses global before weak before local, then the first. A function of unknown size,
	 *  such as assembly code, extends to the next symbol or to the end of its section; inside
	 *  another function it is a label, and names nothing. Versions ("f@@V2") are cut off. */
	IC_SYMBOLS_INNERMOST,
	/** The one that llvm-symbolizer prints: among functions, labels and data the one that
	 *  starts last, if it contains the address or has unknown size; at equal addresses the
	 *  largest, then the last. Only from the file itself, never from its debug file. */
	IC_SYMBOLS_LLVM,
	/** The same, for symbols whose addresses may have tags in their top byte, such as variables
	 *  under HWASan: the top byte is replaced by copies of bit 55. */
	IC_SYMBOLS_LLVM_UNTAGGED,
	/** The one that GNU addr2line prints: the one that starts last in the section, excluding
	 *  data, even if it ends before the address; at equal addresses a function that contains
	 *  it, then a label that does, then the smallest, then the first; then the largest. */
	IC_SYMBOLS_GNU,
};

struct ic_symbolizer_options {
	/** Threads for batch operations such as ic_stacks_find(); 0 for one per CPU. The answers
	 *  are the same for any number of threads. */
	uint32_t jobs;
	enum ic_paths paths; /**< of source files */
	enum ic_symbolizer_symbols symbols;
	/** For code to which the line table assigns no line, use the position of the last preceding
	 *  row in the same sequence that has one: ic_frame::is_approximate. */
	bool skip_line_zero;
	/** Set ic_frame::display_name; demangled names are in this style. */
	bool display_names;
	enum ic_demangle_style display_style;
	/** Called occasionally on the calling thread of ic_stacks_find() or ic_lines_find(),
	 *  between units, with the bytes done and the total. Return false to stop
	 *  (IC_ERROR_STOPPED); the call can be repeated. It must not use the symbolizer: it might
	 *  wait for the units that are being read. May be NULL. */
	bool (*progress)(void *context, unsigned long long done, unsigned long long total);
	void *progress_context;
	/** See struct ic_index_options: a copy is only known at its entry address. If several
	 *  copies are entered at one address, those earlier in the table count as the outer
	 *  ones. */
	const struct ic_btf_inline *inline_table;
};

/**
 * Makes a symbolizer for an image, which must stay open as long as the symbolizer is used.
 *
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The symbolizer, to be freed with ic_symbolizer_free(); NULL if memory runs out. Errors
 *         inside the DWARF, its relocations or its compression only lose the data they affect: see
 *         ic_symbolizer_problem_get().
 *
 * Cost: small; sections are decompressed and relocated by the first lookup of an address in
 *       code.
 */
IC_API struct ic_symbolizer *ic_symbolizer_new(struct ic_image *image,
					       const struct ic_symbolizer_options *options,
					       struct ic_error *err);

/** Frees a symbolizer; NULL is allowed. */
IC_API void ic_symbolizer_free(struct ic_symbolizer *symbolizer);

/** One level of the inline stack at an address. Unknown strings are NULL, unknown numbers 0. */
struct ic_frame {
	const char *function;     /**< DW_AT_name, or else the linkage name or the symbol */
	const char *linkage_name; /**< as in the symbol table: mangled */
	/** Only with ic_symbolizer_options::display_names: the function's name as in the source.
	 *  This is its linkage name demangled or, if that is unknown or not mangled, its name
	 *  qualified with the namespaces and classes around it, "ns::Class::method", without
	 *  parameters. An unnamed namespace is "(anonymous namespace)", a class without a name,
	 *  such as a closure, "{unnamed:12}" with the line of its declaration. Each is made when
	 *  first needed, and cached: lookups then allocate memory and take a lock. */
	const char *display_name;
	/** Path of the source of this frame's current position: for the innermost frame that of the
	 *  line table row at the address, for the others that of the inlined call. */
	const char *file;
	const char *source; /**< the full text of `file`, if the debug information includes it */
	uint32_t line, column, discriminator;
	const char *decl_file; /**< path of the file where the function is declared */
	uint32_t decl_line;
	uint64_t start; /**< entry address of this copy of the function; IC_NO_ADDR if unknown */
	bool inlined;   /**< into the next frame */
	bool is_symbol; /**< only a symbol is known of the function */
	/** File, line and column are those of an earlier row: see ic_symbolizer_options. */
	bool is_approximate;
};

/**
 * Finds the frames at an address, from the innermost inlined function to its host function.
 *
 * @param addr      For a return address, subtract 1 first: it may point past the call, into the
 *                  next line.
 * @param frames    [out] Array of `capacity`; may be NULL if that is 0.
 * @param capacity  The size of `frames`; further frames are not written.
 *
 * @return The total number of frames, which may exceed `capacity`; 0 if nothing is known of the
 *         address. That is an answer, not an error: this function cannot fail. If memory runs out
 *         while decoding the unit, that is a problem (ic_symbolizer_problem_get()), and the result
 *         comes from symbols only.
 *
 * Time: O(log n + d) for n rows and instances in the unit, and d frames; allocates nothing. The
 *       first lookup in a unit decodes it, while other threads that need it wait: 0.1 ms on average
 *       in a kernel.
 */
IC_API size_t ic_symbolizer_frames_at(struct ic_symbolizer *symbolizer, uint64_t addr,
				      struct ic_frame *frames, size_t capacity);

/** What is known of an address, or why nothing is. */
enum ic_lookup_status {
	IC_LOOKUP_FOUND,    /**< the debug information has a function or a line there */
	IC_LOOKUP_OUTSIDE,  /**< it is in no code of the file */
	IC_LOOKUP_NO_DEBUG, /**< it is in code without debug information */
	/** The debug information that may describe it could not be decoded: see the problems. */
	IC_LOOKUP_UNREADABLE,
};

/**
 * Same as ic_symbolizer_frames_at(), but also returns why an address is unknown. Unless the status
 * is IC_LOOKUP_FOUND there is at most one frame, from a symbol.
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
 * @param addrs  See ic_symbolizer_frames_at(); in any order. Not kept.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The stacks, to be freed with ic_stacks_free(); NULL if memory runs out, or if
 *         ic_symbolizer_options::progress stops it.
 *
 * Time: O(n log n) for n addresses, plus decoding the units that have not been decoded yet.
 */
IC_API struct ic_stacks *ic_stacks_find(struct ic_symbolizer *symbolizer, const uint64_t *addrs,
					size_t count, struct ic_error *err);

/** The answer for an address, as from ic_symbolizer_lookup_at(). */
struct ic_stack {
	const struct ic_frame *frames; /**< valid as long as the stacks */
	size_t count;                  /**< number of frames */
	enum ic_lookup_status status;
};

/** Gets the answer for address number `number`; false if there were fewer addresses. */
IC_API bool ic_stacks_get(const struct ic_stacks *stacks, size_t number, struct ic_stack *stack);

/** Frees stacks; NULL is allowed. */
IC_API void ic_stacks_free(struct ic_stacks *stacks);

/**
 * Gets problem number `number` of those found so far, in the order in which they were found. If a
 * unit has many similar problems, or many are of no unit, the first few are kept, and a last one
 * has the count of the rest.
 *
 * @return false if there are fewer.
 */
IC_API bool ic_symbolizer_problem_get(struct ic_symbolizer *symbolizer, size_t number,
				      struct ic_index_problem *problem);

/** A symbol of the symbol table. */
struct ic_symbolizer_symbol {
	const char *name;
	uint64_t start, end; /**< equal if the size is unknown */
	/** The source file's name from the compiler, for local functions only and only from
	 *  ic_symbolizer_symbol_at(); NULL if unknown. */
	const char *source;
};

/**
 * Finds a symbol by name, defined in the file: a function, or anything else with an address. A
 * symbol with a version ("f@@V2") is found without it too; one with an old version ("f@V1") only if
 * no other symbol has the name.
 *
 * @param name    NULL matches nothing.
 * @param number  If several symbols have the name, which one, from 0.
 *
 * @return false if there are fewer. Time: O(log n + number) for n symbols; the first lookup takes
 *         O(n log n).
 */
IC_API bool ic_symbolizer_symbol_find(struct ic_symbolizer *symbolizer, const char *name,
				      uint32_t number, struct ic_symbolizer_symbol *symbol);

/**
 * Finds the symbol that names an address: see ic_symbolizer_options. It is a function, unless the
 * options say otherwise.
 *
 * @return false if there is none.
 */
IC_API bool ic_symbolizer_symbol_at(struct ic_symbolizer *symbolizer, uint64_t addr,
				    struct ic_symbolizer_symbol *symbol);

#ifdef __cplusplus
}
#endif

#endif
