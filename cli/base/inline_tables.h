// Tables of inlined calls used in place of DWARF.
#ifndef CLI_BASE_INLINE_TABLES_H
#define CLI_BASE_INLINE_TABLES_H

#include "base/btf_files.h"
#include "base/files.h"

struct cli_inline_files { // named by options; otherwise NULL
	const char *table, *types, *base;
};

// Takes an option that names one of these; returns false for other options.
bool cli_inline_files_take(struct cli_inline_files *names, enum cli_option option,
			   const char *argument);

// Opens a file and the table to use for it: the one that --btf-inline names, or its own, if the
// file has no debug information anywhere. *has_table tells whether there is one; close it after the
// image. Returns NULL if the file cannot be opened; *err is the reason, or IC_ERROR_NONE after an
// error message.
struct ic_image *cli_inline_table_open(struct cli_files *files,
				       const struct cli_inline_files *names, const char *path,
				       struct cli_btf_table *table, bool *has_table,
				       struct ic_error *err);

#endif
