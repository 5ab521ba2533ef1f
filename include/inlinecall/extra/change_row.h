// Rows of comparisons: see inlinecall/extra/rows.h.
#ifndef INLINECALL_EXTRA_CHANGE_ROW_H
#define INLINECALL_EXTRA_CHANGE_ROW_H

#include <inlinecall/extra/compare.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A word of a list. */
struct ic_row_word {
	const char *name;
};

/** A call path whose number of copies changed. */
struct ic_change_path_row {
	const char *host;
	const struct ic_row_word
		*callers; /**< inlined functions around the copies, innermost first */
	size_t caller_count;
	uint64_t old_copies, new_copies, old_calls, new_calls, old_bytes, new_bytes;
};

/** An argument that became readable or unreadable: see struct ic_argument_change. */
struct ic_change_argument_row {
	const char *name;
	uint64_t old_copies, new_copies, old_readable, new_readable;
	uint64_t readable, unreadable;
};

/**
 * A row of a comparison: first one for all functions, then one for each function that changed, or
 * for each group of these. Numbers that do not apply are UINT64_MAX.
 */
struct ic_change_row {
	const char *type; /**< "change" */
	const char *of;   /**< "all", "function", "source", "directory" or "template" */
	/** "new", "vanished", "inlined", "outlined", "added", "removed", "grown", "shrunk",
	 *  "moved", "came", "went", "emptied", "filled", "readable" and "unreadable", separated by
	 *  commas */
	const char *kinds;
	const char *group; /**< see struct ic_change */
	const char *function, *linkage_name;
	/** "never", "partly" or "fully"; NULL if it is not in the build, or for a group. */
	const char *old_inlined, *new_inlined;
	const char *old_decl_file, *new_decl_file;
	uint32_t old_decl_line, new_decl_line;
	uint64_t old_copies, new_copies;
	uint64_t old_out_of_line, new_out_of_line;
	/** Bytes in nothing inlined into them: of the copies, and of the code out of line. */
	uint64_t old_bytes, new_bytes, old_out_of_line_bytes, new_out_of_line_bytes;
	/** Numbers of copies: see struct ic_change. */
	uint64_t inlined, outlined, added, removed, came, went, emptied, filled;
	/** Numbers of arguments of copies; they do not apply if arguments were not compared. */
	uint64_t readable, unreadable;
	int64_t explained, grown; /**< bytes: see struct ic_change */
	const struct ic_change_path_row *paths;
	size_t path_count;
	const struct ic_change_argument_row *arguments;
	size_t argument_count;
	/** For all, or a group: number of functions that changed. */
	uint64_t functions;
	uint64_t small, selected;    /**< for all: see struct ic_comparison_total */
	uint64_t old_code, new_code; /**< for all: bytes of code */
	uint32_t kind_bits;          /**< not a key: an or of enum ic_change_kind, as `kinds` */
	enum ic_comparison_by by;    /**< not a key: what the other rows are of */
	bool is_total;               /**< not a key: same as `of` */
	const char *file;            /**< not a key: ic_row_options::file, the title of a page */
	const char *source;          /**< not a key: see struct ic_change */
};

#ifdef __cplusplus
}
#endif

#endif
