// The code of a source line, in every inlined copy.
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
 * @param file  The path of the source file, or its last components: "slub.c" and "mm/slub.c" both
 *              match "/usr/src/linux/mm/slub.c". If several files match, all are searched.
 * @param line  From 1.
 * @param err   [out] Set on failure; may be NULL.
 *
 * @return The code, possibly none, to be freed with ic_lines_free() before the symbolizer; NULL if
 *         memory runs out or its limit is reached, if ic_symbolizer_options::progress stops it, or
 *         if `file` is NULL (IC_ERROR_ARGUMENT). Unreadable data becomes a problem of the
 *         symbolizer.
 *
 * Cost: the first call reads the headers of all line tables, or all of Go's tables. The tables
 *       that have such a file are executed, and the rows of its lines are cached until another
 *       file is looked up. Units that contain code of the line are decoded. The result takes 64
 *       bytes per range, which count against ic_image_options::max_memory.
 */
IC_API struct ic_lines *ic_lines_find(struct ic_symbolizer *symbolizer, const char *file,
				      uint32_t line, struct ic_error *err);

/** Frees the result; NULL is allowed. */
IC_API void ic_lines_free(struct ic_lines *lines);

/**
 * A run of code of the line, with the same functions around all of it: it ends where another copy
 * starts.
 */
struct ic_line_place {
	/** Empty if the line table assigns an address first to this line and then to another line:
	 *  a debugger may stop there for either. There is no empty range if the line also has code
	 *  there. */
	struct ic_range range;
	const char *file; /**< path */
	uint32_t line, column, discriminator;
	bool is_stmt; /**< its start is recommended for a breakpoint */
	/** Of such a place: code of another column of the line ends where it starts, in the same
	 *  copy, so that the line does not begin there. Code of the same column does: a loop that
	 *  was unrolled. */
	bool continues;
};

/** The number of runs. */
IC_API size_t ic_lines_count(const struct ic_lines *lines);

/**
 * Gets run number `number`, which must be below the count; sorted by address.
 *
 * @param frames    [out] Array of `capacity`, for the frames at every address of the range,
 *                  innermost first, with the line's own position; their strings are valid as long
 *                  as the lines. May be NULL if `capacity` is 0. Those of an empty range start with
 *                  the function that contains the line; if that is not among the functions at the
 *                  address, because its copy is not described, the first frame has no name.
 * @param capacity  The size of `frames`; further frames are not written.
 *
 * @return The total number of frames, which may exceed `capacity`; at least 1, without a function
 *         if none is known there. Cannot fail.
 *
 * Time: O(log n + d) for n rows and instances in the unit, and d frames; allocates nothing. Any
 *       number of threads may call it.
 */
IC_API size_t ic_lines_get(const struct ic_lines *lines, size_t number, struct ic_line_place *place,
			   struct ic_frame *frames, size_t capacity);

/** Whether any line table has such a file with code. */
IC_API bool ic_lines_has_file(const struct ic_lines *lines);

/**
 * The next line of such a file that has code, if the line itself has none; 0 if there is no such
 * line.
 */
IC_API uint32_t ic_lines_next(const struct ic_lines *lines);

#ifdef __cplusplus
}
#endif

#endif
