// Debugging information from the model: DWARF of functions, what was inlined into them, and their
// lines, for files that have none, or less.
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

/** What is to be written; to be freed before the image is closed. */
struct ic_emit;

/** How sections are compressed. */
enum ic_emit_compression {
	IC_EMIT_PLAIN,
	IC_EMIT_ZLIB,
	IC_EMIT_ZSTD, /**< which readers of before 2022 do not know */
};

/** Zero-initialised: the defaults. */
struct ic_emit_options {
	uint32_t jobs;    /**< threads; 0 for one a CPU */
	uint32_t version; /**< of DWARF: 4 or 5; 0 for 5 */
	enum ic_emit_compression compression;
};

/** How much it is. */
struct ic_emit_counts {
	uint64_t units;
	uint64_t functions; /**< DIEs of functions: abstract instances, declarations, and those with
			     *   code */
	uint64_t copies;    /**< inlined ones */
	uint64_t bytes;     /**< of all sections, before they are compressed */
};

/**
 * Makes DWARF of what an image's debugging information says of functions, inlined copies and lines:
 * of DWARF, of line tables, or of Go's tables.
 *
 * @param options  NULL for the defaults.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return NULL if it cannot be read at all, the version is unknown or the file is relocatable
 * (IC_ERROR_UNSUPPORTED), a section would have 4 GiB, or memory runs out. What cannot be read in
 * part is a problem.
 *
 * Cost: that of an index with lines; all sections are in memory.
 */
IC_API struct ic_emit *ic_emit_make(struct ic_image *image, const struct ic_emit_options *options,
				    struct ic_error *err);

/** How much there is to be written. */
IC_API void ic_emit_count(const struct ic_emit *emit, struct ic_emit_counts *counts);

/** Problem number `number`: what could not be read; false if there are not so many. */
IC_API bool ic_emit_problem_get(const struct ic_emit *emit, size_t number,
				struct ic_index_problem *problem);

/**
 * Writes a file of debugging information for the image, as debuggers look for it: it has the
 * image's notes with its build ID, the headers of what is loaded, the sections of DWARF, and a
 * table of the functions' symbols.
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
