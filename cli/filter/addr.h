// Where an address that a text mentions is in a file, by what the text says with it.
#ifndef CLI_FILTER_ADDR_H
#define CLI_FILTER_ADDR_H

#include <inlinecall/extra/mentions.h>

#include "filter/files.h"

enum cli_addr {
	CLI_ADDR_FOUND,
	CLI_ADDR_UNKNOWN,
	CLI_ADDR_CONTRADICTED, // the file has the function that the text names elsewhere
};

// Whether a text calls a function so: perhaps with scopes before its name, and parameters after it.
bool cli_filter_is_called(struct ic_span label, const char *function);

// Sets *addr to the file's own address; that of a return address, not that of the call.
enum cli_addr cli_filter_find_addr(const struct cli_filter_file *file,
				   const struct ic_mention *mention, uint64_t *addr);

#endif
