// The scratch memory of walks through units, one after another, in which their models are built.
#ifndef READ_STREAM_H
#define READ_STREAM_H

#include "base/map.h"
#include "dwarf/units/walk.h"
#include "read/reader.h"

struct ic_reference {          // a function or a scope that another unit completes
	uint64_t off;          // of the DIE there, as returned by ic_unit_global_off()
	uint32_t unit, number; // which one in the model
	uint32_t links;        // followed so far
	bool is_scope;         // `number` is that of a scope whose name is sought
};

struct open_scope { // an open DIE of the walk
	int32_t depth;
	uint32_t scope;            // the scope of declarations in here
	uint32_t instance;         // the innermost around, IC_NONE if there is none
	bool dead;                 // the linker discarded all code in here
	struct ic_range discarded; // that code, empty if it is not a single range
	bool unwanted;             // no wanted address is in the code of the function
};

struct ic_built_model {                         // the model's tables of the unit, so far
	IC_ARRAY(struct ic_instance) instances; // their ranges are the reader's
	IC_ARRAY(struct ic_call) calls;
	IC_ARRAY(struct ic_parameter_die) parameters;
	IC_ARRAY(struct ic_entry_row) entry_rows;
	IC_ARRAY(struct ic_empty_range) empty_ranges;
	IC_ARRAY(struct ic_function) functions;
	IC_ARRAY(struct ic_scope) scopes;
	IC_ARRAY(struct ic_declaration) declarations;
	// The line table's rows at addresses, if requested.
	IC_ARRAY(struct ic_code_sequence) sequences;
	IC_ARRAY(struct ic_code_row) rows;
};

enum { IC_SEEN_NAMES = 4096 };

struct ic_seen_name { // a string attribute
	uint64_t number;
	uint16_t form; // 0 in an unused slot
};

struct ic_kept_names {                           // that were kept: see read/function_names.h
	const struct ic_dwarf *dwarf;            // that `seen` is of
	struct ic_seen_name seen[IC_SEEN_NAMES]; // by number
	IC_ARRAY(const char *) texts;            // of the unit
};

struct ic_stream {
	struct ic_walk walk; // first: it is what the hot loop touches
	struct ic_reader reader;
	struct ic_die die; // the DIE at which the walk has stopped
	IC_ARRAY(struct open_scope) open;
	uint8_t kinds;                    // at which the walk stops in what is wanted
	struct ic_requested_addrs wanted; // the count is 0 if all of the unit is
	uint64_t covered; // bits of the first 64 wanted addresses whose function was found
	bool has_stray;   // a DIE outside the unit's root DIE was reported
	struct ic_built_model built;
	struct ic_kept_names *names;              // NULL if none was kept
	struct ic_map function_of;                // by offset in .debug_info: in the functions
	IC_ARRAY(struct ic_reference) references; // of all units since the last round
};

// Limits the nesting of scopes and of instances: real programs have hundreds of levels at most, and
// output may print all that is around each of a million.
enum { IC_DEEPEST_NESTING = 2048 };

enum { IC_MOST_STREAMS = 4 }; // units that one thread walks at a time (docs/performance.md)

struct ic_read_worker {
	struct ic_stream streams[IC_MOST_STREAMS];
	struct ic_arena arena;
};

// Opens a unit for a walk, or for reading functions. Resets everything of the last unit except the
// references that ic_references_follow() will take. False if the unit cannot be read; the
// reason is a problem of the reader.
bool ic_stream_open(struct ic_stream *stream, uint32_t unit_index) IC_CHECKED;

// Opens a unit whose source has rows of its own, and builds it: its rows, and the paths of its
// files. False if it cannot be read.
bool ic_stream_build(struct ic_stream *stream, uint32_t unit_index) IC_CHECKED;

// Counts memory that grows with a unit's DIEs against a limit; NULL for none.
void ic_stream_limit(struct ic_stream *stream, struct ic_memory *memory);

void ic_stream_free(struct ic_stream *stream);

// The first of the wanted addresses at or above `addr`; their count if there is none.
uint32_t ic_stream_first_requested(const struct ic_stream *stream, uint64_t addr);

#endif
