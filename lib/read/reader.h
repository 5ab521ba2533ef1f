// A unit that is open for reading: its abbreviations, its line table's files, its code, and its
// problems. One reader is used for one unit after another.
#ifndef READ_READER_H
#define READ_READER_H

#include <stdatomic.h>

#include "dwarf/lines/header.h"
#include "dwarf/units/die.h"
#include "elf/sections/relocate.h"
#include "model/index.h"
#include "units/source.h"
#include "units/units.h"

struct ic_requested_addrs { // the only addresses requested, sorted
	const uint64_t *addrs;
	uint32_t count;
};

struct ic_read_options { // what is read of units, and how
	uint32_t jobs;   // as in struct ic_index_options, as are calls, declarations, parameters,
		       // names_only and paths
	bool calls, declarations, parameters, entries, names_only;
	// Names that functions are wanted by, as in struct ic_index_options; NULL if all are. Units
	// with DIEs have been chosen by them.
	const char *const *functions;
	bool code_map;       // build the code map of each unit, without scopes unless
	bool scopes;         // says so
	bool skip_line_zero; // for the code map: rows without a line get the position of the one
			     // before
	enum ic_paths paths;
};

// Whether models have the scopes of functions.
static inline bool ic_read_wants_scopes(const struct ic_read_options *want)
{
	return want->scopes || !want->code_map || want->calls;
}

struct ic_name_needles;

struct ic_read_context { // read only while workers run, except for what belongs to a unit
	struct ic_read_options want;
	struct ic_index *index;
	const struct ic_units *listed;
	uint64_t *reported;        // by loader of these: see ic_units_report()
	struct ic_unit_list units; // its own copy: see ic_units_copy()
	// Of the section of units that is relocated on demand; NULL if there is none.
	const struct ic_pending_addends *addends;
	// Of the names of `functions`, if all their spellings in DW_AT_name are known; else NULL.
	// Functions of other names that have no copies are left out, and where others are entered.
	const struct ic_name_needles *needles;
	const struct ic_requested_addrs *wanted; // by unit: see struct ic_scan_request
	// Bytes of line programs that may still be run for `wanted`: a table may be shared, but not
	// by a million units.
	atomic_ullong row_allowance;
};

struct ic_unit_lines { // the unit's line table
	struct ic_line_header header;
	bool is_read;
	// Paths are made only for files that something refers to.
	IC_ARRAY(uint32_t) file_of; // by number in the table: in `files`
	IC_ARRAY(const char *) files;
	IC_ARRAY(const char *) sources; // of the first of them; none if no file has source text
	uint64_t path_budget;           // bytes of paths that the unit may still have
};

struct ic_reader {
	struct ic_read_context *context;
	struct ic_arena *arena; // of the worker
	struct ic_unit *unit;
	uint32_t unit_index;
	const struct ic_unit_source *source; // of the unit; NULL if it is of an unknown version
	struct ic_abbrev_table own_table;
	const struct ic_abbrev_table *table; // NULL if there are no DIEs that can be read
	struct ic_unit_lines lines;
	IC_ARRAY(struct ic_range) ranges;
	IC_ARRAY(uint64_t) empty_starts; // of the ranges of the last instance that are empty
	struct ic_range code;      // the last range of executable code that an address was found in
	struct ic_range discarded; // by the linker, of the last instance if it is a single range
	uint64_t list_budget;      // bytes of range lists that the unit may still have read
	bool base_was_dead;        // a range list had a dead base: the pairs after it were left out
	bool unit_is_dead;         // the linker discarded all its code
	uint64_t outside_addr;     // as ic_unit_model has it
	struct ic_problems problems;
	bool out_of_memory;
};

// Opens a unit for reading: of one with DIEs its table and its root DIE. Resets everything of the
// last unit. False if the unit cannot be read; the reason is a problem of the reader.
bool ic_reader_open(struct ic_reader *reader, uint32_t unit_index) IC_CHECKED;

// The same for reading only the root DIE, or the line table.
bool ic_reader_open_root(struct ic_reader *reader, uint32_t unit_index) IC_CHECKED;

// Moves the unit's problems out of the reader. Problems added after this belong to no unit.
struct ic_problems ic_reader_problems_take(struct ic_reader *reader);

// Forgets the unit's problems, which are reported elsewhere. Those added after this are its own.
void ic_reader_problems_drop(struct ic_reader *reader);

// Adds a problem of the reader's unit at a DIE, unless it follows from a missing supplementary
// file, which is reported already.
void ic_reader_problem(struct ic_reader *reader, uint64_t die_off, const struct ic_error *err)
	IC_COLD;

// Counts memory that grows with a unit's DIEs against a limit; NULL for none.
void ic_reader_limit(struct ic_reader *reader, struct ic_memory *memory);

void ic_reader_free(struct ic_reader *reader);

#endif
