// The table of tracers.
#ifndef PROBE_TRACER_H
#define PROBE_TRACER_H

#include "probe/spelling.h"

struct ic_tracer_row {
	const char *name;
	const char *comment, *comment_end; // around one in a line of its own
	const char *first;                 // line of what is printed; NULL if there is none
	bool has_returns;                  // probes of kind IC_PROBE_RETURN
	bool is_of_shell;                  // it takes commands for a shell
	const char *(*spell)(struct ic_spelling *spelling); // see spelling.h
};

// NULL for what is no tracer.
const struct ic_tracer_row *ic_tracer_row(enum ic_tracer tracer);

#endif
