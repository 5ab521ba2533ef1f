// Rows of affected functions: see inlinecall/extra/rows.h.
#ifndef INLINECALL_EXTRA_AFFECTED_ROW_H
#define INLINECALL_EXTRA_AFFECTED_ROW_H

#include <inlinecall/extra/affected.h>
#include <inlinecall/extra/change_row.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A row: first one for a function, then one for each out-of-line function that contains code of it;
 * or a total over several files. Numbers that do not apply are UINT64_MAX.
 */
struct ic_affected_row {
	const char *type;  /**< "affected" */
	const char *of;    /**< "function", "host" or "total" */
	const char *build; /**< as the user named it; ic_row_options has none, so NULL */
	const char *file;
	/** Of the file, see ic_image_package(): as `build`. */
	const char *package, *package_version;
	const char *function, *linkage_name;
	const char *decl_file;
	uint32_t decl_line;
	/** "present", "inlined_only", "folded", "absent" or "unknown" */
	const char *state;
	const char *reason; /**< why it is not present, in words; NULL if it is, or only inlined */
	uint64_t copies, without_code;
	uint64_t hosts; /**< for a function: the number of out-of-line functions */
	const char *host, *host_linkage_name;
	bool own; /**< the host is the function itself, or a clone or part of it */
	uint64_t address, end;
	const char *section;    /**< in a relocatable file, what these are offsets in */
	const char *in_section; /**< the section that has this code, in any file */
	uint64_t bytes;
	const struct ic_row_word *symbols; /**< at the host's code */
	size_t symbol_count;
	/** For a total, numbers of files: all of them, those in each state, and `unknown` ones. */
	uint64_t files, present, inlined_only, folded, unknown;
	bool is_host, is_total; /**< not keys: same as `of` */
};

#ifdef __cplusplus
}
#endif

#endif
