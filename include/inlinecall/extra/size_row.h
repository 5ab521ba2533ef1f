// Rows of sizes: see inlinecall/extra/rows.h.
#ifndef INLINECALL_EXTRA_SIZE_ROW_H
#define INLINECALL_EXTRA_SIZE_ROW_H

#include <inlinecall/extra/sizes.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A row of sizes: first one for all code, then one for each group. Numbers that do not apply to a
 * group are UINT64_MAX, or for a saving IC_SIZE_NONE.
 */
struct ic_size_row {
	const char *type; /**< "size" */
	const char *file;
	/** "all", or "function", "template", "namespace", "crate", "source", "directory", "unit" or
	 *  "section" */
	const char *by;
	const char *kind; /**< "function", "symbol", "section", "linkage", "padding" or "unnamed" */
	const char *function, *linkage_name;
	const char *decl_file;
	uint32_t decl_line;
	const char *group;
	uint64_t self, self_inlined, total, total_inlined;
	uint64_t copies, out_of_line;
	int64_t saving;
	uint64_t functions; /**< for all: the number with code */
	/** For all, in bytes: code without debug information; together with `self` this is
	 *  `code`. */
	uint64_t symbols, linkage, padding, unnamed;
	/** Bytes of all code, as the base for shares; UINT64_MAX if unknown. */
	uint64_t code;
	enum ic_sizes_by what;   /**< not a key: same as `by` */
	enum ic_size_kind which; /**< not a key: same as `kind` */
};

#ifdef __cplusplus
}
#endif

#endif
