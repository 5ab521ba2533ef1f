// Function results: which register has the result on return, if that is certain.
#ifndef TRACE_BPF_RESULT_H
#define TRACE_BPF_RESULT_H

#include <inlinecall/extra/parameters.h>
#include <inlinecall/image.h>

#include "trace/bpf/fetch.h"

struct ic_trace_results { // zero-initialised except the first
	struct ic_image *image;
	bool has_symbols;  // the rest has been read
	uint64_t *globals; // start addresses of global functions, sorted
	size_t global_count;
};

struct ic_trace_returning { // a function that returns at a place
	const struct ic_result *result;
	uint64_t addr;      // of the function
	const char *symbol; // of the function; NULL if none
	const struct ic_trace_place *place;
};

// Determines how to fetch the result of the function at an address, with the symbol's name (NULL if
// there is none), when it returns. *why is the reason if that is impossible, as a static text; NULL
// if it is possible. False if memory runs out.
bool ic_trace_result_make(struct ic_trace_results *results,
			  const struct ic_trace_returning *returning, struct ic_trace_fetch *fetch,
			  const char **why, struct ic_error *err) IC_CHECKED;

void ic_trace_results_free(struct ic_trace_results *results);

#endif
