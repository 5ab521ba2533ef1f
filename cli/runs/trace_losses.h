// What a trace that has ended does not tell of. Each complains, and returns whether anything is
// missing for it.
#ifndef CLI_RUNS_TRACE_LOSSES_H
#define CLI_RUNS_TRACE_LOSSES_H

#include <inlinecall/extra/trace.h>

// Copies that were not traced, and calls that were not reported; if there were none at all `hint`
// says why that may be, which may be "". *any is set if there were.
bool cli_trace_complain_of_calls(struct ic_trace *trace, const char *path, const char *hint,
				 bool *any);

// Copies that were not watched until they were left, and exits that are not certain.
bool cli_trace_complain_of_exits(struct ic_trace *trace, const char *path);

// Calls whose argument is in no histogram; `distributions` are of the copies.
bool cli_trace_complain_of_values(struct ic_trace *trace, const char *path, const char *argument,
				  const struct ic_trace_distribution *distributions);

#endif
