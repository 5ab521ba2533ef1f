// Exits of traced copies, and durations.
#ifndef TRACE_HITS_WAYS_OUT_H
#define TRACE_HITS_WAYS_OUT_H

#include "probe/place.h"
#include "trace/hits/trace.h"

struct ic_trace_ways {
	struct ic_trace *trace;
	struct ic_image *image;
	const struct ic_probe_places *places;
	struct ic_call_frame_reader *rows; // NULL if there is no call frame information
	struct ic_exits *exits;            // NULL if exits are not traced
	struct ic_error *err;
};

// Finds the properties of the frame at an address.
void ic_trace_place_find(const struct ic_trace_ways *ways, uint64_t addr,
			 struct ic_trace_place *place);

// Adds the exits of a site's copies, from `first` to the last one added, or sets in the first why
// they are unknown. False if memory runs out.
bool ic_trace_ways_out_find(const struct ic_trace_ways *ways, uint32_t first,
			    const struct ic_site *site) IC_CHECKED;

// Records the entry of a copy, from a hit. Its duration is to be added to sum number `sum`.
void ic_trace_enter(struct ic_trace *trace, const struct ic_trace_record *record,
		    const struct ic_unwind_registers *registers, uint32_t sum);

struct ic_trace_left {
	uint64_t duration;
	uint32_t sum;
};

// Whether a hit at an exit leaves a copy whose entry was reported. `words` are the registers of the
// record, as bytes.
bool ic_trace_leave(struct ic_trace *trace, const struct ic_trace_exit *exit,
		    const struct ic_trace_record *record,
		    const struct ic_unwind_registers *registers, const uint8_t *words,
		    struct ic_trace_left *left);

#endif
