// Finds out whether a place that a text mentions is a return address (docs/decisions/0033).
#ifndef CLI_FILTER_RETURN_H
#define CLI_FILTER_RETURN_H

#include <inlinecall/extra/mentions.h>

#include "filter/files.h"

// The address to look up for one in the file's code: for a return address, that of the call.
uint64_t cli_filter_lookup_addr(const struct cli_filter_file *file, uint64_t addr, bool is_return);

// Whether the mention, at this address of the file, is a return address. The place mentioned before
// it is the last one of `files`.
bool cli_filter_is_return(struct cli_filter_files *files, const struct ic_mention *mention,
			  struct cli_filter_place place);

#endif
