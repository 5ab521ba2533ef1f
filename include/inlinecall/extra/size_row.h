// Rows of sizes: see inlinecall/extra/rows.h.
#ifndef INLINECALL_EXTRA_SIZE_ROW_H
#define INLINECALL_EXTRA_SIZE_ROW_H

#include <inlinecall/extra/sizes.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Of sizes: first one of all code, then one of each group. Numbers that mean nothing of such a
 *  group are UINT64_MAX, and a saving IC_SIZE_NONE. */
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
	uint64_t functions; /**< of all: how many have code */
	/** Of all, in bytes: what no debugging information describes; together with `self` it is
	 *  `code`. */
	uint64_t symbols, linkage, padding, unnamed;
	uint64_t code;         /**< bytes of all code, of which the others are shares; UINT64_MAX */
	enum ic_sizes_by what; /**< not a key: `by` says it */
	enum ic_size_kind which; /**< likewise, of `kind` */
};

#ifdef __cplusplus
}
#endif

#endif
