// The scratch that units are read with, one after another, and the opening of a unit.
#ifndef SCAN_SCAN_STREAM_H
#define SCAN_SCAN_STREAM_H

#include <stdatomic.h>

#include "dwarf/die.h"
#include "dwarf/line_header.h"
#include "dwarf/walk.h"
#include "elf/relocate.h"
#include "model/index.h"
#include "scan/scan_units.h"

struct ic_scan_wanted { // addresses in a unit, sorted, of which alone something is asked
	const uint64_t *addrs;
	uint32_t count;
};

struct ic_scan_context { // read only while workers run, but for what belongs to a unit
	const struct ic_index_options *options;
	struct ic_index *index;
	const struct ic_scan_units *listed;
	uint64_t *reported;        // by loader of these: see ic_scan_units_report()
	struct ic_unit_list units; // of its own: see ic_scan_units_copy()
	// Of the one section of units whose relocations are not applied; NULL if there is none.
	const struct ic_pending_addends *addends;
	bool wants_code_map;  // of each unit, and nothing of scopes
	bool skips_line_zero; // rows without a line get the place of one before
	// By unit: those whose `count` is not 0 are read as far as these addresses need it. NULL
	// where all of every unit is wanted.
	const struct ic_scan_wanted *wanted;
	// Bytes of line programs that may still be run for that: a table may be shared, but not by
	// a million units.
	atomic_ullong row_allowance;
};

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

struct ic_scan_sought { // a call whose place the line table is asked for
	uint64_t addr;
	uint32_t call; // in the unit's
	uint32_t next; // itself, or where to look on once it has its place
};

struct ic_scan_stream {      // the scratch of one walk; used for one unit after another
	struct ic_walk walk; // first: it is what the hot loop touches
	struct ic_scan_context *context;
	struct ic_arena *arena; // of the worker
	struct ic_unit *unit;
	uint32_t unit_index;
	struct ic_scan_wanted wanted; // all of it where the count is 0
	uint64_t covered;  // bits of the first 64 wanted addresses: a function was found for it
	struct ic_die die; // the entry that the walk has stopped at
	struct ic_abbrev_table own_table;
	const struct ic_abbrev_table *table;
	IC_ARRAY(struct open_scope) open;
	IC_ARRAY(struct ic_instance) instances;
	IC_ARRAY(struct ic_range) ranges;
	IC_ARRAY(struct ic_call) calls;
	IC_ARRAY(struct ic_function) functions;
	IC_ARRAY(struct ic_scope) scopes;
	IC_ARRAY(struct ic_declaration) declarations;
	IC_ARRAY(struct ic_scan_reference) references;
	struct ic_map function_of; // by offset in .debug_info
	// The unit's line table: paths are made for those files alone that something refers to.
	struct ic_line_header lines;
	bool lines_read;
	IC_ARRAY(struct ic_scan_sought) sought;
	// What the line table says of addresses, where that is asked for.
	IC_ARRAY(struct ic_code_sequence) sequences;
	IC_ARRAY(struct ic_code_row) rows;
	IC_ARRAY(uint32_t) file_of; // by number in the table: in `files`
	IC_ARRAY(const char *) files;
	IC_ARRAY(const char *) sources; // of the first of them; none if no file has its text
	struct ic_problems problems;
	struct ic_range code; // the last range of executable code that an address was found in
	uint64_t list_budget;
	bool base_was_dead;    // of a range list: what follows it there was left out
	uint64_t path_budget;  // bytes of paths that the unit may still have
	uint32_t padding;      // zeros after the last entry so far
	bool has_stray;        // an entry that is in no other was reported
	uint64_t outside_addr; // as ic_unit_model has it
	bool unit_is_dead;     // its code was thrown away as a whole
	bool out_of_memory;
};

// Scopes around scopes, and instances around instances: programs have hundreds at the most, and
// what is around each of a million could be printed with it.
enum { SCAN_DEEPEST = 2048 };

enum { SCAN_STREAMS = 4 }; // units that one thread walks at a time (docs/performance.md)

struct ic_scan_worker {
	struct ic_scan_stream streams[SCAN_STREAMS];
	struct ic_arena arena;
};

// Opens a unit for the reading of single entries: its table and its root entry. Nothing is left in
// the stream of the unit before but what ic_scan_references_follow() is still to see. False if the
// unit cannot be read; the reason is a problem of the stream.
bool ic_scan_unit_open(struct ic_scan_stream *stream, uint32_t unit_index) IC_CHECKED;

// The same for the reading of the root entry alone.
bool ic_scan_unit_open_root(struct ic_scan_stream *stream, uint32_t unit_index) IC_CHECKED;

// Moves the unit's problems out of the stream. What is added afterwards is of nothing.
struct ic_problems ic_scan_problems_take(struct ic_scan_stream *stream);

// Has what grows with a unit's entries count against a limit; NULL for none.
void ic_scan_stream_limit(struct ic_scan_stream *stream, struct ic_memory *memory);

void ic_scan_stream_free(struct ic_scan_stream *stream);

// Adds a problem of the stream's unit at an entry; of what is missing with the supplementary file
// nothing more is said.
void ic_scan_problem(struct ic_scan_stream *stream, uint64_t die_off, const struct ic_error *err)
	IC_COLD;

// The first of the wanted addresses that is not below one; their count where there is none.
uint32_t ic_scan_first_wanted(const struct ic_scan_stream *stream, uint64_t addr);

#endif
