// Code of instances that is found piece by piece, and then becomes their ranges.
#ifndef TABLES_PIECES_H
#define TABLES_PIECES_H

#include "read/stream.h"

struct ic_piece { // part of an instance's ranges
	struct ic_range range;
	uint32_t instance;
};

struct ic_pieces {
	struct ic_stream *stream;
	uint64_t steps;        // left to take
	bool begin_at_entries; // inlined calls are entered at the start of their first piece
	uint32_t first;        // the first instance in `last`
	IC_ARRAY(struct ic_piece) list;
	IC_ARRAY(uint32_t) last; // by instance: its last piece, IC_NONE if there is none
};

// Appends an instance without code to the model; its number becomes its `die_off`. Returns IC_NONE
// if memory runs out.
uint32_t ic_pieces_push(struct ic_pieces *pieces, const struct ic_instance *instance);

// Adds code to an instance and to those around it, up to `outer`, which does not get it; IC_NONE
// for all of them. Each takes a step. Returns false if steps or memory run out.
bool ic_pieces_add(struct ic_pieces *pieces, uint32_t instance, uint32_t outer,
		   struct ic_range range) IC_CHECKED;

// Gives the instances from the first on their ranges, those of each instance contiguous, and their
// entries: the start of their first piece, if that is known to be one.
void ic_pieces_keep(struct ic_pieces *pieces);

void ic_pieces_free(struct ic_pieces *pieces);

#endif
