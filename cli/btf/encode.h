// inlinecall btf encode FILE: writes a table of the inlined calls in the DWARF of a file.
#ifndef CLI_BTF_ENCODE_H
#define CLI_BTF_ENCODE_H

#include "base/files.h"
#include "base/report.h"

struct cli_btf_encode {
	struct cli_files *files;
	struct cli_report *report; // on what happened to the calls
	const char *types, *base;  // --btf and --btf-base
	const char *output, *types_output;
	bool into;
	bool is_encoding; // an option about DWARF was given
	struct ic_btf_encode_options options;
	struct ic_index_options index;
};

// Takes an option about the output; *status is CLI_ANSWERED, or CLI_USAGE after an error message.
// Returns false for other options.
bool cli_btf_encode_take(struct cli_btf_encode *encode, enum cli_option option, char *argument,
			 enum cli_status *status);

// An error message about the options taken; NULL if they are valid.
const char *cli_btf_encode_fault(const struct cli_btf_encode *encode);

// Builds an index that includes arguments. NULL after an error message.
struct ic_index *cli_btf_index_build(struct ic_image *image, struct ic_index_options *options);

// Whether there is anything to write.
bool cli_btf_counts_any(const struct ic_btf_encode_counts *counts);

// Prints what happened to the calls and their parameters.
void cli_btf_counts_print(struct cli_report *report, const struct ic_btf_encode_counts *counts,
			  const char *output);

// Prints the parts that could not be read; returns whether there were any.
bool cli_btf_problems_print(const struct ic_btf_encoding *encoding, const char *path);

enum cli_status cli_btf_encode_run(struct cli_btf_encode *encode, const char *path);

#endif
