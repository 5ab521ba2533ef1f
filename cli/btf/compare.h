// inlinecall btf check --against: how a table of inlined calls differs from the DWARF of a file.
#ifndef CLI_BTF_COMPARE_H
#define CLI_BTF_COMPARE_H

#include "base/btf_files.h"
#include "base/files.h"
#include "base/report.h"

// Prints a row for each kind of difference. Returns CLI_NOTHING if the table has faults.
enum cli_status cli_btf_compare(struct cli_report *report, const struct cli_btf_table *table,
				struct cli_files *files, struct ic_index_options *options,
				const char *path);

#endif
