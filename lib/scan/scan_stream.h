// The scratch of walks through units, one after another, in which their model is built.
#ifndef SCAN_SCAN_STREAM_H
#define SCAN_SCAN_STREAM_H

#include "base/map.h"
#include "dwarf/walk.h"
#include "scan/scan_reader.h"

struct ic_scan_reference {     // a function or a scope of which another unit knows the rest
	uint64_t off;          // of the entry there, as ic_unit_global_off() has it
	uint32_t unit, number; // which one in the model
	uint32_t links;        // followed so far
	bool is_scope;         // `number` is that of a scope, of which the name is sought
};

struct open_scope { // an entry that the walk is inside of
	int32_t depth;
	uint32_t scope;    // what is declared in here belongs to it
	uint32_t instance; // the innermost around, IC_NONE where there is none
	bool dead;         // all code in here was thrown away
	bool unwanted;     // no wanted address is in the code of the function
};

struct ic_scan_built {                          // the model's tables of the unit, so far
	IC_ARRAY(struct ic_instance) instances; // their ranges are the reader's
	IC_ARRAY(struct ic_call) calls;
	IC_ARRAY(struct ic_function) functions;
	IC_ARRAY(struct ic_scope) scopes;
	IC_ARRAY(struct ic_declaration) declarations;
	// What the line table says of addresses, where that is asked for.
	IC_ARRAY(struct ic_code_sequence) sequences;
	IC_ARRAY(struct ic_code_row) rows;
};

struct ic_scan_stream {
	struct ic_walk walk; // first: it is what the hot loop touches
	struct ic_scan_reader reader;
	struct ic_die die; // the entry that the walk has stopped at
	IC_ARRAY(struct open_scope) open;
	struct ic_scan_wanted wanted; // all of it where the count is 0
	uint64_t covered; // bits of the first 64 wanted addresses: a function was found for it
	uint32_t padding; // zeros after the last entry so far
	bool has_stray;   // an entry that is in no other was reported
	struct ic_scan_built built;
	struct ic_map function_of;                     // by offset in .debug_info: in the functions
	IC_ARRAY(struct ic_scan_reference) references; // of all units since they were followed last
};

// Scopes around scopes, and instances around instances: programs have hundreds at the most, and
// what is around each of a million could be printed with it.
enum { SCAN_DEEPEST = 2048 };

enum { SCAN_STREAMS = 4 }; // units that one thread walks at a time (docs/performance.md)

struct ic_scan_worker {
	struct ic_scan_stream streams[SCAN_STREAMS];
	struct ic_arena arena;
};

// Opens a unit for a walk, or for the reading of functions. Nothing is left in the stream of the
// unit before but what ic_scan_references_follow() is still to see. False if the unit cannot be
// read; the reason is a problem of the reader.
bool ic_scan_stream_open(struct ic_scan_stream *stream, uint32_t unit_index) IC_CHECKED;

// Has what grows with a unit's entries count against a limit; NULL for none.
void ic_scan_stream_limit(struct ic_scan_stream *stream, struct ic_memory *memory);

void ic_scan_stream_free(struct ic_scan_stream *stream);

// The first of the wanted addresses that is not below one; their count where there is none.
uint32_t ic_scan_first_wanted(const struct ic_scan_stream *stream, uint64_t addr);

#endif
