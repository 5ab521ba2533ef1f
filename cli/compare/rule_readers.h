// Readers of what rules need to know of a file, besides its index.
#ifndef CLI_COMPARE_RULE_READERS_H
#define CLI_COMPARE_RULE_READERS_H

#include <inlinecall/extra.h>

#include "base/entry_parameters.h"

struct cli_rule_readers {
	struct ic_rule_readers readers;
	struct cli_entry_parameters entry;
};

// Opens the readers that are needed. Must be closed in any case.
bool cli_rule_readers_open(struct cli_rule_readers *opened, const struct ic_rule_needs *needs,
			   struct ic_image *image, const struct ic_index *index,
			   struct ic_error *err);

// Prints what could not be read, and returns whether there was any.
bool cli_rule_readers_close(struct cli_rule_readers *opened, const char *path);

#endif
