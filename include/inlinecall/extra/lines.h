// The code of a line of the source, in every inlined copy.
#ifndef INLINECALL_EXTRA_LINES_H
#define INLINECALL_EXTRA_LINES_H

#include <inlinecall/symbolizer.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_lines;

/**
 * Finds the code of a line.
 *
 * @param file  The path of the source file, or its last parts: "slub.c" and "mm/slub.c" are found
 *              as "/usr/src/linux/mm/slub.c". Of several such files all are meant.
 * @param line  From 1.
 * @param err   [out] Set on failure; may be NULL.
 *
 * @return The code, perhaps none, to be freed with ic_lines_free(), before the symbolizer; NULL
 *         if memory runs out or its limit reached, if ic_symbolizer_options::progress stops it, or
 * if `file` is NULL (IC_ERROR_ARGUMENT). What cannot be read is a problem of the symbolizer.
 *
 * Cost: at the first call the headers of all line tables are read, or all of Go's tables. The
 * tables that have such a file are run, and what they say of its lines is kept until another file
 * is looked up. Units that have code of the line are decoded. The code takes 64 bytes a range,
 * which count in ic_image_options::max_memory.
 */
IC_API struct ic_lines *ic_lines_find(struct ic_symbolizer *symbolizer, const char *file,
				      uint32_t line, struct ic_error *err);

/** Frees what was found; NULL is allowed. */
IC_API void ic_lines_free(struct ic_lines *lines);

/** A run of code of the line, with the same functions around all of it: it ends where another copy
 *  begins. */
struct ic_line_place {
	/** It is empty if the line table has the line at an address, and then another line at
	 *  the same: a debugger may stop there for either. If the line has code there as well,
	 *  there is no empty range. */
	struct ic_range range;
	const char *file; /**< path */
	uint32_t line, column, discriminator;
	bool is_stmt; /**< its start is a good place for a breakpoint */
};

/** How many there are. */
IC_API size_t ic_lines_count(const struct ic_lines *lines);

/**
 * Place number `number`, which must be below the count; sorted by address.
 *
 * @param frames    [out] Array of `capacity`, for the frames at every address of the range, the
 *                  innermost first, with the line's own place; their strings live as long as the
 *                  lines. May be NULL if `capacity` is 0. Those of an empty range begin with the
 *                  function that has the line; if that is not among the functions at the address,
 *                  since its copy is not described, the first frame has no name.
 * @param capacity  Frames that fit; what does not is not written.
 *
 * @return The number of frames there are, which may exceed `capacity`; at least 1, without a
 *         function if none is known there. Cannot fail.
 *
 * Time: O(log n + d) for n rows and instances in the unit, and d frames; allocates nothing. Any
 *       number of threads may call it.
 */
IC_API size_t ic_lines_get(const struct ic_lines *lines, size_t number, struct ic_line_place *place,
			   struct ic_frame *frames, size_t capacity);

/** Whether any line table has such a file with code. */
IC_API bool ic_lines_has_file(const struct ic_lines *lines);

/** The next line of such a file that has code, if the line itself has none; 0 if there is
 *  none. */
IC_API uint32_t ic_lines_next(const struct ic_lines *lines);

#ifdef __cplusplus
}
#endif

#endif
