// The units of all files of the debug information, in one list: what is known before any unit is
// read, independent of the reader.
#ifndef UNITS_UNITS_H
#define UNITS_UNITS_H

#include "base/map.h"
#include "units/tables.h"

struct ic_type_unit { // a type unit
	uint64_t signature;
	uint32_t unit;
};

struct ic_units {      // zero-initialise, then set `jobs`
	uint32_t jobs; // number of threads, as in struct ic_index_options
	struct ic_unit_list list;
	struct ic_shared_tables tables;
	IC_ARRAY(struct ic_type_unit) types;        // by signature
	IC_ARRAY(struct ic_dwarf_loader *) loaders; // of the files that have one
	uint64_t next_base;                         // number of the first DIE of the next section
	// Total sizes of sections with range lists, and with line tables.
	uint64_t list_bytes, line_bytes;
	struct {
		const void *ranges, *rnglists, *line;
	} counted;               // the last sections counted in these totals
	uint64_t list_allowance; // bytes of range lists that a unit may use beyond its size
	uint64_t line_allowance; // the same for the header of its line table
};

// Prepares sections for listing: numbers their DIEs after all others, and cuts string sections
// after the last terminated string.
void ic_units_number(struct ic_units *units, struct ic_dwarf *dwarf);

// Lists the units of numbered sections. Unreadable ones become problems. Returns false if memory
// runs out.
bool ic_units_add(struct ic_units *units, const struct ic_dwarf *dwarf,
		  struct ic_problems *problems, struct ic_error *err) IC_CHECKED;

// Lists the one unit whose header is at an offset. Returns false if there is none, or memory runs
// out.
bool ic_units_add_one(struct ic_units *units, const struct ic_dwarf *dwarf, uint64_t off,
		      struct ic_error *err) IC_CHECKED;

// Completes the list: sets how much shared data each unit may use, indexes type units by signature,
// and reads the abbreviation tables that units share. Returns false if memory runs out.
bool ic_units_finish(struct ic_units *units, struct ic_error *err) IC_CHECKED;

// Gets the DIE of the type with a signature, as from ic_unit_global_off(); false if there is none.
bool ic_units_find_type(const struct ic_units *units, uint64_t signature, uint64_t *off);

// Maps the split units from number `first` on by dwo_id; if several have the same ID, the first one
// counts. Returns false if memory runs out.
bool ic_units_map_ids(struct ic_map *by_id, const struct ic_unit_list *list, uint32_t first)
	IC_CHECKED;

// Copies the list for a reader of units, which stores the values of their root DIEs there. Returns
// false if memory runs out; free it in either case.
bool ic_units_copy(struct ic_unit_list *copy, const struct ic_units *units) IC_CHECKED;

// Reports why sections loaded on demand are not readable, each once: *reported tells, by loader,
// which have been reported. Call it after reading.
void ic_units_report(const struct ic_units *units, uint64_t *reported,
		     struct ic_problems *problems);

// Whether any of those sections is not readable.
bool ic_units_lack_sections(const struct ic_units *units);

void ic_units_free(struct ic_units *units);

#endif
