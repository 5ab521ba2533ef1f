// What rows of calls and of their counts have in common: the copy that was called.
#ifndef REPORT_HIT_ROW_H
#define REPORT_HIT_ROW_H

#include "report/chain_row.h"
#include "report/rows.h"
#include "report/thread_row.h"

#include <inlinecall/trace.h>

extern const struct ic_schema ic_row_copy_schema;

// Fills in a copy of a trace, and the names of its function. False if memory is out.
bool ic_row_copy_fill(struct ic_row_copy *copy, struct ic_row_chain *chain,
		      struct ic_filler *filler, const struct ic_sites *sites,
		      const struct ic_trace_copy *of, const char **function,
		      const char **linkage_name) IC_CHECKED;

#endif
