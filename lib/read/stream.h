// The scratch memory for walks through units, one after another, in which their models are built.
#ifndef READ_STREAM_H
#define READ_STREAM_H

#include "base/map.h"
#include "dwarf/units/walk.h"
#include "read/reader.h"

struct ic_reference {          // a function or a scope that another unit completes
	uint64_t off;          // of the DIE in that unit, from ic_unit_global_off()
	uint32_t unit, number; // its unit and its number there
	uint32_t links;        // followed so far
	bool is_scope;         // `number` is that of a scope without a name
};

struct open_scope { // an open DIE of the walk
	int32_t depth;
	uint32_t scope;            // the scope of declarations inside
	uint32_t instance;         // the innermost around them, IC_NONE if there is none
	bool dead;                 // the linker discarded all code inside
	struct ic_range discarded; // that code, empty if it is not a single range
	bool unwanted;             // the function's code contains no wanted address
};

struct ic_built_model {                         // the unit's tables for the model, so far
	IC_ARRAY(struct ic_instance) instances; // their ranges are the reader's
	IC_ARRAY(struct ic_call) calls;
	IC_ARRAY(struct ic_parameter_die) parameters;
	IC_ARRAY(struct ic_entry_row) entry_rows;
	IC_ARRAY(struct ic_empty_range) empty_ranges;
	IC_ARRAY(struct ic_function) functions;
	IC_ARRAY(struct ic_scope) scopes;
	IC_ARRAY(struct ic_declaration) declarations;
	// The line table's rows, if requested.
	IC_ARRAY(struct ic_code_sequence) sequences;
	IC_ARRAY(struct ic_code_row) rows;
};

enum { IC_SEEN_NAMES = 4096 };

struct ic_seen_name { // a string attribute
	uint64_t number;
	uint16_t form; // 0 in an unused slot
};

struct ic_kept_names {                           // names that were kept: see read/function_names.h
	const struct ic_dwarf *dwarf;            // owner of `seen`
	struct ic_seen_name seen[IC_SEEN_NAMES]; // by number
	IC_ARRAY(const char *) texts;            // of the unit
};

struct ic_stream {
	struct ic_walk walk; // first member: the hot loop uses it
	struct ic_reader reader;
	struct ic_die die; // the DIE at which the walk has stopped
	IC_ARRAY(struct open_scope) open;
	uint8_t kinds;                    // at which the walk stops in wanted code
	struct ic_requested_addrs wanted; // the count is 0 if the whole unit is
	uint64_t covered; // bits of the first 64 wanted addresses: the function was found
	bool has_stray;   // a DIE outside the unit's root DIE was reported
	struct ic_built_model built;
	struct ic_kept_names *names; // NULL if none were kept
	struct ic_map function_of;   // by offset in .debug_info: index in the functions
	IC_ARRAY(struct ic_reference) references; // of all units since the last round
};

// Limits the nesting of scopes and of instances: real programs have at most hundreds of levels, and
// output may print everything around each of a million instances.
enum { IC_DEEPEST_NESTING = 2048 };

enum { IC_MOST_STREAMS = 4 }; // units that one thread walks in parallel (docs/performance.md)

struct ic_read_worker {
	struct ic_stream streams[IC_MOST_STREAMS];
	struct ic_arena arena;
};

// Opens a unit for a walk, or for reading functions. Resets everything of the last unit except the
// references, which ic_references_follow() takes. Returns false if the unit cannot be read, for a
// reason that becomes a problem of the reader.
bool ic_stream_open(struct ic_stream *stream, uint32_t unit_index) IC_CHECKED;

// Opens a unit whose source has its own rows, and builds these and the paths of its files. Returns
// false if it cannot be read.
bool ic_stream_build(struct ic_stream *stream, uint32_t unit_index) IC_CHECKED;

// Charges memory that grows with a unit's DIEs to a limit; NULL for none.
void ic_stream_limit(struct ic_stream *stream, struct ic_memory *memory);

void ic_stream_free(struct ic_stream *stream);

// The first of the wanted addresses at or above `addr`; their count if there is none.
uint32_t ic_stream_first_requested(const struct ic_stream *stream, uint64_t addr);

#endif
