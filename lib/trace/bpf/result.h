// What a function returned: in which register that is when it does, if that is certain.
#ifndef TRACE_BPF_RESULT_H
#define TRACE_BPF_RESULT_H

#include <inlinecall/extra/parameters.h>
#include <inlinecall/image.h>

#include "trace/bpf/fetch.h"

struct ic_trace_results { // zero-initialised but for the first
	struct ic_image *image;
	bool has_symbols;  // the following were read
	uint64_t *globals; // start addresses of global functions, sorted
	size_t global_count;
};

struct ic_trace_returning { // a function that returns at a place
	const struct ic_result *result;
	uint64_t addr;      // of the function
	const char *symbol; // that it has; NULL if none
	const struct ic_trace_place *place;
};

// Finds how the result of the function at an address, whose symbol has the name (NULL if there is
// none), is fetched when it returns. *why is why it cannot be, in static text; NULL if it can.
// False if memory runs out.
bool ic_trace_result_make(struct ic_trace_results *results,
			  const struct ic_trace_returning *returning, struct ic_trace_fetch *fetch,
			  const char **why, struct ic_error *err) IC_CHECKED;

void ic_trace_results_free(struct ic_trace_results *results);

#endif
