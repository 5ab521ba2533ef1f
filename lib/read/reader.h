// A unit that is open for reading: its abbreviations, its line table's files, its code, and its
// problems. A reader is reused for one unit after another.
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

struct ic_read_options { // what to read of units, and how
	// As in struct ic_index_options, which has no `entries`.
	uint32_t jobs;
	bool calls, declarations, parameters, entries, names_only, without_call_lines;
	// The names of wanted functions, as in struct ic_index_options; NULL if all are wanted.
	// Units with DIEs have already been chosen by them.
	const char *const *functions;
	bool code_map;       // build the code map of each unit, leaving out its scopes
	bool scopes;         // with code_map: do not leave them out
	bool skip_line_zero; // in the code map, a row without a line gets the position of the row
			     // before
	enum ic_paths paths;
};

// Whether models have the scopes of functions.
static inline bool ic_read_wants_scopes(const struct ic_read_options *want)
{
	return want->scopes || !want->code_map || want->calls;
}

struct ic_name_needles;

struct ic_read_context { // read-only while workers run, except for what belongs to a unit
	struct ic_read_options want;
	struct ic_index *index;
	const struct ic_units *listed;
	uint64_t *reported;        // by loader of these units: see ic_units_report()
	struct ic_unit_list units; // a private copy: see ic_units_copy()
	// Of the section of units that is relocated on demand; NULL if none is.
	const struct ic_pending_addends *addends;
	// For the names in `functions`, if all their spellings in DW_AT_name are known; otherwise
	// NULL. Functions with other names are left out if they have no copies, and so are the
	// entry rows of copies with other names.
	const struct ic_name_needles *needles;
	const struct ic_requested_addrs *wanted; // by unit: see struct ic_scan_request
	// Bytes of line programs that may still be run for `wanted`: units may share a table, but
	// not a million units.
	atomic_ullong row_allowance;
};

struct ic_unit_lines { // the unit's line table
	struct ic_line_header header;
	bool is_read;
	// Paths are built only for files that are referred to.
	IC_ARRAY(uint32_t) file_of; // by number in the table: index in `files`
	IC_ARRAY(const char *) files;
	IC_ARRAY(const char *) sources; // of the first files; empty if no file has source text
	uint64_t path_budget;           // bytes of paths that the unit may still use
};

struct ic_reader {
	struct ic_read_context *context;
	struct ic_arena *arena; // of the worker
	struct ic_unit *unit;
	uint32_t unit_index;
	const struct ic_unit_source *source; // of the unit; NULL if its version is unknown
	struct ic_abbrev_table own_table;
	const struct ic_abbrev_table *table; // NULL if there are no readable DIEs
	struct ic_unit_lines lines;
	IC_ARRAY(struct ic_range) ranges;
	IC_ARRAY(uint64_t) empty_starts; // of the empty ranges of the last instance
	struct ic_range code; // the range of executable code in which the last address was found
	struct ic_range discarded; // code of the last instance that the linker discarded, if it is
				   // a single range
	uint64_t list_budget;      // bytes of range lists that the unit may still read
	bool base_was_dead;        // a range list had a dead base: the pairs after it were omitted
	bool unit_is_dead;         // the linker discarded all its code
	uint64_t outside_addr;     // as in ic_unit_model
	struct ic_problems problems;
	bool out_of_memory;
};

// Opens a unit for reading; if it has DIEs, reads its abbreviations and its root DIE. Resets
// everything of the last unit. Returns false if the unit cannot be read, for a reason that becomes
// a problem of the reader.
bool ic_reader_open(struct ic_reader *reader, uint32_t unit_index) IC_CHECKED;

// The same, for reading only the root DIE or the line table.
bool ic_reader_open_root(struct ic_reader *reader, uint32_t unit_index) IC_CHECKED;

// Moves the unit's problems out of the reader. Problems added after this belong to no unit.
struct ic_problems ic_reader_problems_take(struct ic_reader *reader);

// Drops the unit's problems, which are reported elsewhere. Later ones are kept.
void ic_reader_problems_drop(struct ic_reader *reader);

// Adds a problem of the reader's unit at a DIE, unless it is due to a missing supplementary file,
// which has been reported.
void ic_reader_problem(struct ic_reader *reader, uint64_t die_off, const struct ic_error *err)
	IC_COLD;

// Charges memory that grows with a unit's DIEs to a limit; NULL for none.
void ic_reader_limit(struct ic_reader *reader, struct ic_memory *memory);

void ic_reader_free(struct ic_reader *reader);

#endif
