// The table of tracers.
#ifndef PROBE_TRACER_H
#define PROBE_TRACER_H

#include "probe/spelling.h"

struct ic_tracer_row {
	const char *name;
	const char *comment, *comment_end; // around a comment on its own line
	const char *first;                 // first line of the output; NULL if there is none
	bool has_returns;                  // it has probes of kind IC_PROBE_RETURN
	bool is_of_shell;                  // its definitions are shell commands
	const char *(*spell)(struct ic_spelling *spelling); // see spelling.h
};

// NULL for invalid tracers.
const struct ic_tracer_row *ic_tracer_row(enum ic_tracer tracer);

#endif
