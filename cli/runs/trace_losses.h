// Reports what a finished trace has missed. Each function prints errors, and returns whether
// anything is missing because of them.
#ifndef CLI_RUNS_TRACE_LOSSES_H
#define CLI_RUNS_TRACE_LOSSES_H

#include <inlinecall/extra/trace.h>

// Reports copies that were not traced, and calls that were not recorded. If there were no calls at
// all, `hint` tells why that may be; it may be "". Sets *any if there were calls.
bool cli_trace_complain_of_calls(struct ic_trace *trace, const char *path, const char *hint,
				 bool *any);

// Reports copies whose exits were not traced, and exits that are not certain.
bool cli_trace_complain_of_exits(struct ic_trace *trace, const char *path);

// Reports calls whose argument is in no histogram; `distributions` are those of the copies.
bool cli_trace_complain_of_values(struct ic_trace *trace, const char *path, const char *argument,
				  const struct ic_trace_distribution *distributions);

#endif
