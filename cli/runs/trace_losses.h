// Reports what a finished trace has missed. Each function prints errors, and returns whether
// anything is missing because of them.
#ifndef CLI_RUNS_TRACE_LOSSES_H
#define CLI_RUNS_TRACE_LOSSES_H

#include <inlinecall/extra/trace_groups.h>

// Reports copies that were not traced, and calls that were not recorded. If there were no calls at
// all, `hint` completes "no calls ...". Sets *any if there were calls.
bool cli_trace_complain_of_calls(struct ic_trace *trace, const char *path, const char *hint,
				 bool *any);

// Reports copies whose exits were not traced, and exits that are not certain.
bool cli_trace_complain_of_exits(struct ic_trace *trace, const char *path);

// Reports calls without a group, and calls without a value of `measure`, among the groups read
// last.
bool cli_trace_complain_of_groups(struct ic_trace *trace, const char *path, const char *measure);

// Reports calls that were lost since the last time; *before is their number.
void cli_trace_complain_of_losses(struct ic_trace *trace, const char *path,
				  unsigned long long *before);

#endif
