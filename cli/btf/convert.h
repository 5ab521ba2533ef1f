// inlinecall btf convert FILE: writes a table of inlined calls in another format.
#ifndef CLI_BTF_CONVERT_H
#define CLI_BTF_CONVERT_H

#include "base/btf_files.h"
#include "btf/encode.h"

// `path` is the file that the table describes, for its symbols; NULL for the one with the table.
enum cli_status cli_btf_convert(const struct cli_btf_table *table,
				const struct cli_btf_encode *options, const char *path);

#endif
