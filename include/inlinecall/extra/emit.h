// Writing debug information from the model: functions, what was inlined into them, and their lines,
// as DWARF for files that have none, or less, or in the formats of symbolizers.
#ifndef INLINECALL_EXTRA_EMIT_H
#define INLINECALL_EXTRA_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <inlinecall/error.h>
#include <inlinecall/image.h>
#include <inlinecall/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Debug information to be written; free it before closing the image. */
struct ic_emit;

enum ic_emit_format {
	IC_EMIT_DWARF,    /**< a debug file for the image */
	IC_EMIT_GSYM,     /**< LLVM's format for symbolizers, version 1 */
	IC_EMIT_GSYM_2,   /**< version 2, which LLVM reads from release 23 on */
	IC_EMIT_BREAKPAD, /**< a symbol file of Breakpad, with call frame information if it has
			     names of the machine's registers */
};

/** How to compress sections. */
enum ic_emit_compression {
	IC_EMIT_PLAIN,
	IC_EMIT_ZLIB,
	IC_EMIT_ZSTD, /**< readers from before 2022 do not support it */
};

/** Zero-initialised: the defaults. */
struct ic_emit_options {
	uint32_t jobs;                        /**< threads; 0 for one per CPU */
	uint32_t version;                     /**< DWARF version: 4 or 5; 0 for 5 */
	enum ic_emit_compression compression; /**< of DWARF only */
	enum ic_emit_format format;
};

/** The amount of data. */
struct ic_emit_counts {
	uint64_t units;
	/**
	 * DIEs of functions: abstract instances, declarations, and those with code. In other
	 * formats, pieces of their code, and symbols outside of them.
	 */
	uint64_t functions;
	uint64_t copies; /**< inlined copies */
	uint64_t bytes;  /**< of all sections, before compression; of the file, in other formats */
};

/**
 * Makes debug information from everything that an image's debug information (DWARF, line tables or
 * Go's tables) has on functions, inlined copies and lines.
 *
 * @param options  NULL for the defaults.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The result, to be freed with ic_emit_free(); NULL if the debug information cannot be read
 *         at all, the version is unknown or the file is relocatable (IC_ERROR_UNSUPPORTED), a
 *         section or the file would reach 4 GiB, or memory runs out. Partly unreadable data becomes
 *         a problem.
 *
 * Cost: that of an index with lines; what will be written is in memory.
 */
IC_API struct ic_emit *ic_emit_make(struct ic_image *image, const struct ic_emit_options *options,
				    struct ic_error *err);

/** Counts what will be written. */
IC_API void ic_emit_count(const struct ic_emit *emit, struct ic_emit_counts *counts);

/** Gets problem number `number`: what could not be read; false if there are fewer. */
IC_API bool ic_emit_problem_get(const struct ic_emit *emit, size_t number,
				struct ic_index_problem *problem);

/**
 * Writes the file. If it is DWARF, it is a debug file for the image, of the form that debuggers
 * look for: with the image's notes including its build ID, the headers of its loaded sections, the
 * DWARF sections, and a table of function symbols.
 *
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return false if it could not be written, or memory runs out.
 */
IC_API bool ic_emit_write(const struct ic_emit *emit, FILE *out, struct ic_error *err);

/** Frees it; NULL is allowed. */
IC_API void ic_emit_free(struct ic_emit *emit);

#ifdef __cplusplus
}
#endif

#endif
