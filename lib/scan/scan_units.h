// The units of all files that debug information is in, in one list: what is known of them before
// any of them is read, and does not depend on who reads them.
#ifndef SCAN_SCAN_UNITS_H
#define SCAN_SCAN_UNITS_H

#include "base/map.h"
#include "scan/scan_tables.h"

struct ic_scan_type { // a type unit
	uint64_t signature;
	uint32_t unit;
};

struct ic_scan_units { // zero-initialised but for the jobs is empty
	uint32_t jobs; // threads that are used for it, as in struct ic_index_options
	struct ic_unit_list list;
	struct ic_scan_tables tables;
	IC_ARRAY(struct ic_scan_type) types;        // by signature
	IC_ARRAY(struct ic_dwarf_loader *) loaders; // of the files that have one
	uint64_t next_base;              // where the entries of one more section would be numbered
	uint64_t list_bytes, line_bytes; // of the sections with range lists, and with line tables
	struct {
		const void *ranges, *rnglists, *line;
	} counted;               // the last sections that are in these sums
	uint64_t list_allowance; // bytes of range lists that a unit may use beyond its size
	uint64_t line_allowance; // likewise of its line table's header
};

// Makes sections ready to be listed: numbers their entries behind all others, and cuts strings
// behind the last one that has an end.
void ic_scan_units_number(struct ic_scan_units *units, struct ic_dwarf *dwarf);

// Lists the units of sections that are numbered. What cannot be read becomes a problem; false where
// memory is out.
bool ic_scan_units_add(struct ic_scan_units *units, const struct ic_dwarf *dwarf,
		       struct ic_problems *problems, struct ic_error *err) IC_CHECKED;

// Lists the one unit whose header is at an offset. False where there is none, or memory is out.
bool ic_scan_units_add_one(struct ic_scan_units *units, const struct ic_dwarf *dwarf, uint64_t off,
			   struct ic_error *err) IC_CHECKED;

// Completes the list: says how much of what units share each may use, finds type units by their
// signatures, and reads the abbreviation tables that units share. False where memory is out.
bool ic_scan_units_finish(struct ic_scan_units *units, struct ic_error *err) IC_CHECKED;

// The entry of the type with a signature, as ic_unit_global_off() has it; false where there is
// none.
bool ic_scan_units_find_type(const struct ic_scan_units *units, uint64_t signature, uint64_t *off);

// Remembers the split units from number `first` on by their dwo_id: of several with one the first.
// False where memory is out.
bool ic_scan_units_map_ids(struct ic_map *by_id, const struct ic_unit_list *list, uint32_t first)
	IC_CHECKED;

// A copy of the list for whoever reads units, since what their root entries say is kept there.
// False where memory is out; then too it must be freed.
bool ic_scan_units_copy(struct ic_unit_list *copy, const struct ic_scan_units *units) IC_CHECKED;

// Adds why sections could not be made readable that were asked for, each once: *reported, by
// loader, has which. To be called after anything was read.
void ic_scan_units_report(const struct ic_scan_units *units, uint64_t *reported,
			  struct ic_problems *problems);

// Whether there is any such section.
bool ic_scan_units_lack_sections(const struct ic_scan_units *units);

void ic_scan_units_free(struct ic_scan_units *units);

#endif
