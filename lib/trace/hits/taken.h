// Records that were taken from the ring buffer.
#ifndef TRACE_HITS_TAKEN_H
#define TRACE_HITS_TAKEN_H

#include "trace/hits/reading.h"
#include "trace/hits/ways_out.h"

struct ic_trace_taken { // valid until the next one
	const uint8_t *bytes;
	struct ic_trace_record record;
	struct ic_trace_reading reading;
	const struct ic_trace_exit *exit; // NULL for a call
};

// Takes the next record: of a call that passes the filter, or of an exit. False if there is none
// yet.
bool ic_trace_take(struct ic_trace *trace, struct ic_trace_taken *taken);

// The hit of a record, without values and duration.
struct ic_trace_hit ic_trace_hit_of(const struct ic_trace *trace,
				    const struct ic_trace_taken *taken);

// As ic_trace_leave(), for the record of an exit.
bool ic_trace_leave_taken(struct ic_trace *trace, const struct ic_trace_taken *taken,
			  struct ic_trace_left *left);

#endif
