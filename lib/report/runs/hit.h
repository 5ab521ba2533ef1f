// Shared by rows of calls and of their counts: the copy that was called.
#ifndef REPORT_RUNS_HIT_H
#define REPORT_RUNS_HIT_H

#include "report/rows/chain.h"
#include "report/rows/rows.h"

#include <inlinecall/extra/trace.h>

extern const struct ic_schema ic_row_counted_copy_schema;

// Fills in a copy, without its doubts. False if memory runs out.
bool ic_row_copy_fill(struct ic_row_copy *copy, struct ic_row_chain *chain,
		      struct ic_filler *filler, const struct ic_sites *sites,
		      const struct ic_trace_copy *of) IC_CHECKED;
// Fills in the names of its function.
void ic_row_copy_names_fill(struct ic_filler *filler, const struct ic_sites *sites,
			    const struct ic_trace_copy *of, const char **function,
			    const char **linkage_name);

#endif
