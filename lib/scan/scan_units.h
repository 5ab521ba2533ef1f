// The units of all files that an index is made of, in one list.
#ifndef SCAN_SCAN_UNITS_H
#define SCAN_SCAN_UNITS_H

#include "scan/scan_stream.h"

// Numbers the entries of the sections behind all others, and lists their units. What cannot be read
// becomes a problem; false where memory is out.
bool ic_scan_units_add(struct ic_scan_context *context, struct ic_dwarf *dwarf,
		       struct ic_problems *problems, struct ic_error *err) IC_CHECKED;

// Lists the one unit whose header is at an offset. False where there is none, or memory is out.
bool ic_scan_units_add_one(struct ic_scan_context *context, struct ic_dwarf *dwarf, uint64_t off,
			   struct ic_error *err) IC_CHECKED;

// Completes the list: says how much of what units share each may use, and finds type units by
// their signatures. False where memory is out.
bool ic_scan_units_finish(struct ic_scan_context *context, struct ic_error *err) IC_CHECKED;

// The entry of the type with a signature, as ic_unit_global_off() has it; false where there is
// none.
bool ic_scan_units_find_type(const struct ic_scan_context *context, uint64_t signature,
			     uint64_t *off);

// Remembers the split units from number `first` on by their dwo_id: of several with one the first.
// False where memory is out.
bool ic_scan_units_map_ids(struct ic_map *by_id, const struct ic_unit_list *list, uint32_t first)
	IC_CHECKED;

// Adds why sections could not be made readable that were asked for, each once. To be called after
// anything was read, while nothing is.
void ic_scan_units_report(struct ic_scan_context *context, struct ic_problems *problems);

// Whether there is any such section.
bool ic_scan_units_lack_sections(const struct ic_scan_context *context);

void ic_scan_units_free(struct ic_scan_context *context);

#endif
