// .debug_aranges: which unit has which addresses (DWARF 5, 6.1.2; all versions alike). Compilers
// may leave it out, and leave units out of it.
#ifndef DWARF_ARANGES_H
#define DWARF_ARANGES_H

#include "base/cursor.h"
#include "base/range.h"

struct ic_aranges {           // one pass over the section
	struct ic_cursor cur; // at the next set, or the next tuple of the one that is open
	const uint8_t *section_end;
	uint64_t set_off, info_off; // of the set that is open; of its unit in .debug_info
	uint8_t addr_size, segment_size;
	bool in_set;
};

void ic_aranges_open(struct ic_aranges *aranges, struct ic_bytes section, bool swap);

// Goes to the next set, and fills in its info_off. False at the end of the section, or at a fault.
bool ic_aranges_next_set(struct ic_aranges *aranges);

// The next range of the set, as the section has it: it may be empty. False at the end of the set.
// Tuples of zeros end nothing: in a relocatable file they are empty sections, and the set has a
// length.
bool ic_aranges_next(struct ic_aranges *aranges, struct ic_range *range);

// Whether the section could be read to where it now is.
bool ic_aranges_ok(const struct ic_aranges *aranges, struct ic_error *err) IC_CHECKED;

#endif
