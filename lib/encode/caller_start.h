// Where the functions begin that tables name as callers: a reader looks for the symbol of that
// name.
#ifndef ENCODE_CALLER_START_H
#define ENCODE_CALLER_START_H

#include <inlinecall/symbolizer.h>

#include "model/index.h"

struct ic_caller_starts {
	struct ic_symbolizer *symbolizer;
	const struct ic_instance *last; // with what was found for it
	uint64_t last_start;
	bool last_is_told;
};

// False if memory is out.
bool ic_caller_starts_open(struct ic_caller_starts *starts, struct ic_image *image,
			   struct ic_error *err) IC_CHECKED;
void ic_caller_starts_close(struct ic_caller_starts *starts);

// From where offsets in a host count whose function has that name: from the only symbol of the
// name, even if the code is that of a clone or of a part, so that a reader comes to the right
// address. If there is none, or there are several, from the host's own start, and *is_told is
// false: a reader cannot tell which function is meant.
uint64_t ic_caller_start(struct ic_caller_starts *starts, const struct ic_instance *host,
			 const char *name, bool *is_told);

#endif
