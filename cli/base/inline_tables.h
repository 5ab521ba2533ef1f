// Tables of inlined calls that answer in place of DWARF.
#ifndef CLI_BASE_INLINE_TABLES_H
#define CLI_BASE_INLINE_TABLES_H

#include "base/btf_files.h"
#include "base/files.h"

struct cli_inline_files { // that options name; NULL if they do not
	const char *table, *types, *base;
};

// Takes an option that names one; false if it is none of them.
bool cli_inline_files_take(struct cli_inline_files *names, enum cli_option option,
			   const char *argument);

// Opens a file for which a table is to answer: the one that --btf-inline names, or, if the file has
// no debug information anywhere, its own. *has_table says whether one does; it is to be closed
// after the image. NULL if the file cannot be opened; *err says why, or has IC_ERROR_NONE after a
// complaint.
struct ic_image *cli_inline_table_open(struct cli_files *files,
				       const struct cli_inline_files *names, const char *path,
				       struct cli_btf_table *table, bool *has_table,
				       struct ic_error *err);

#endif
