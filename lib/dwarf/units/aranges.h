// .debug_aranges: the address ranges of units (DWARF 5, 6.1.2; the same in all versions). Compilers
// may omit it, or omit units from it.
#ifndef DWARF_UNITS_ARANGES_H
#define DWARF_UNITS_ARANGES_H

#include "base/cursor.h"
#include "base/range.h"

struct ic_aranges {           // one pass over the section
	struct ic_cursor cur; // at the next set, or the next tuple of the open set
	const uint8_t *section_end;
	uint64_t info_off; // of the open set's unit in .debug_info
	uint8_t addr_size, segment_size;
	bool in_set;
};

void ic_aranges_open(struct ic_aranges *aranges, struct ic_bytes section, bool swap);

// Goes to the next set, and fills in its info_off. False at the end of the section, or at a fault.
bool ic_aranges_next_set(struct ic_aranges *aranges);

// The next range of the set, as in the section: it may be empty. False at the end of the set. Only
// the set's length ends it, not a pair of zeros, which may be an empty section of a relocatable
// file.
bool ic_aranges_next(struct ic_aranges *aranges, struct ic_range *range);

// Whether the section could be read so far.
bool ic_aranges_ok(const struct ic_aranges *aranges, struct ic_error *err) IC_CHECKED;

#endif
