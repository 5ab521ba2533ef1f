// Locates an address that a text mentions in a file, by what the text says about it.
#ifndef CLI_FILTER_ADDR_H
#define CLI_FILTER_ADDR_H

#include <inlinecall/extra/mentions.h>

#include "filter/files.h"

enum cli_addr {
	CLI_ADDR_FOUND,
	CLI_ADDR_UNKNOWN,
	CLI_ADDR_CONTRADICTED, // in the file, the function that the text names is elsewhere
};

// Whether a label in a text means a function: its name may be preceded by scopes and followed by
// parameters.
bool cli_filter_is_called(struct ic_span label, const char *function);

// Sets *addr to the address in the file; for a return address to itself, not to the call.
enum cli_addr cli_filter_find_addr(const struct cli_filter_file *file,
				   const struct ic_mention *mention, uint64_t *addr);

#endif
