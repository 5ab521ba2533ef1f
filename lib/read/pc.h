// The attributes that locate a DIE's code (DWARF 5, 2.17 and 2.18).
#ifndef READ_PC_H
#define READ_PC_H

#include "read/reader.h"

struct ic_pc {
	struct ic_value low_pc, high_pc, ranges, entry_pc;
};

// Stores the attribute if it is one of these.
static inline void ic_pc_take(struct ic_pc *pc, uint16_t name, const struct ic_value *value)
{
	switch (name) {
	case DW_AT_low_pc: pc->low_pc = *value; break;
	case DW_AT_high_pc: pc->high_pc = *value; break;
	case DW_AT_ranges: pc->ranges = *value; break;
	case DW_AT_entry_pc: pc->entry_pc = *value; break;
	}
}

// Sets the ranges and the entry address of an instance, omitting ranges that are empty or outside
// executable code; with `dead`, all are omitted. Returns whether the linker discarded its code: it
// has non-empty ranges, all of which are outside.
bool ic_pc_resolve(struct ic_reader *reader, const struct ic_pc *pc, bool dead,
		   struct ic_instance *instance, uint64_t die_off);

// Reports the range list of an inlined instance if it ends at once, but should not. Call it for an
// instance without ranges in a function whose code starts at `host_start`.
void ic_pc_check_list(struct ic_reader *reader, const struct ic_pc *pc, uint64_t host_start,
		      uint64_t die_off);

// Reports that the code of an inlined instance is discarded although that around it is not. Both
// are single ranges: a linker keeps both or neither.
void ic_pc_check_pair(struct ic_reader *reader, const struct ic_pc *pc, uint64_t host_start,
		      uint64_t die_off);

// Reports that the code of an inlined instance, a single range, is there although the linker
// discarded the range around it: it writes a mark, or only the addend, for both.
void ic_pc_check_discarded(struct ic_reader *reader, const struct ic_pc *pc, struct ic_range around,
			   uint64_t die_off);

// Checks the position of a range that is not empty. Returns false if it starts in an executable
// segment but in no section, or beyond all code (reported once per unit), or if it ends beyond the
// code it starts in. True also if the linker has discarded it.
bool ic_pc_check_range(struct ic_reader *reader, struct ic_range range, struct ic_error *err)
	IC_CHECKED;

// Prepares the reader of a unit that was opened for ranges.
void ic_pc_begin(struct ic_reader *reader);

// Whether the address lies in executable code.
bool ic_pc_is_code(struct ic_reader *reader, uint64_t addr);

#endif
