// Units: one header of .debug_info each, and the bases that the forms of its entries need.
#ifndef DWARF_UNIT_H
#define DWARF_UNIT_H

#include "base/array.h"
#include "base/cursor.h"

// The DWARF of one file: its sections, all borrowed; absent ones are empty. Where they come from
// is nobody's business here, so that a test or a fuzzer can make them.
struct ic_dwarf {
	struct ic_bytes info, abbrev, addr, line, line_str, ranges, rnglists, str, str_offsets;
	bool swap; // their byte order is not ours
};

struct ic_unit {
	const struct ic_dwarf *dwarf;
	uint64_t off, die_off, end_off; // in .debug_info: header, first entry, end
	uint64_t abbrev_off;
	uint16_t version;
	uint8_t type, addr_size, offset_size; // type: DW_UT_*

	// Of its root entry; known once ic_unit_read_root has been called.
	bool root_read;
	bool has_low_pc, has_high_pc, has_stmt_list;
	bool is_skeleton;            // its entries are in another file
	uint16_t language;           // DW_LANG_*, 0 where not said
	const char *name, *comp_dir; // NULL where not said
	uint64_t low_pc, line_off;
	uint64_t addr_base, str_offsets_base, rnglists_base;
};

struct ic_unit_list {
	IC_ARRAY(struct ic_unit) units;
	// Units that end within their header, zeros between others for one, are counted and left
	// out.
	uint64_t cut_count, first_cut_off;
};

// Reads all headers of .debug_info, in order. A length that cannot be read, or is not that of a
// unit, ends the list and fills *err; the units before it stay, and false is returned.
bool ic_unit_list_parse(struct ic_unit_list *list, const struct ic_dwarf *dwarf,
			struct ic_error *err) IC_CHECKED;

// Whether the entries of a unit can be read: its version and sizes are ones that we know. Where
// not, the units after it are none the worse.
bool ic_unit_check(const struct ic_unit *unit, struct ic_error *err) IC_CHECKED;

// The unit whose entries hold the offset, or NULL. Time: O(log n).
const struct ic_unit *ic_unit_list_find(const struct ic_unit_list *list, uint64_t off);

// A cursor over the entries of the unit, from `off` (in the section) to its end.
struct ic_cursor ic_unit_cursor(const struct ic_unit *unit, uint64_t off);

#endif
