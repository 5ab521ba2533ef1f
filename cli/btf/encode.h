// inlinecall btf encode FILE: writes the table of inlined calls that the DWARF of a file has.
#ifndef CLI_BTF_ENCODE_H
#define CLI_BTF_ENCODE_H

#include "base/files.h"
#include "base/report.h"

struct cli_btf_encode {
	struct cli_files *files;
	struct cli_report *report; // of what became of the calls
	const char *types, *base;  // --btf and --btf-base
	const char *output, *types_output;
	bool into;
	bool is_encoding; // an option was given that is about DWARF
	struct ic_btf_encode_options options;
	struct ic_index_options index;
};

// Takes an option about what is written; *status is CLI_ANSWERED, or CLI_USAGE after a complaint.
// False if it is none of them.
bool cli_btf_encode_take(struct cli_btf_encode *encode, enum cli_option option, char *argument,
			 enum cli_status *status);

// What is wrong with the options taken; NULL if nothing is.
const char *cli_btf_encode_fault(const struct cli_btf_encode *encode);

// An index for what is about arguments. NULL after a complaint.
struct ic_index *cli_btf_index_build(struct ic_image *image, struct ic_index_options *options);

// Whether there is anything to write.
bool cli_btf_counts_any(const struct ic_btf_encode_counts *counts);

// Prints what became of the calls and their parameters.
void cli_btf_counts_print(struct cli_report *report, const struct ic_btf_encode_counts *counts,
			  const char *output);

// Prints what could not be read for it; false if there is nothing.
bool cli_btf_problems_print(const struct ic_btf_encoding *encoding, const char *path);

enum cli_status cli_btf_encode_run(struct cli_btf_encode *encode, const char *path);

#endif
