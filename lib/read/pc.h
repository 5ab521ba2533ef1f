// The attributes that say where a DIE's code is (DWARF 5, 2.17 and 2.18).
#ifndef READ_PC_H
#define READ_PC_H

#include "read/reader.h"

struct ic_pc {
	struct ic_value low_pc, high_pc, ranges, entry_pc;
};

// Keeps the attribute if it is one of them.
static inline void ic_pc_take(struct ic_pc *pc, uint16_t name, const struct ic_value *value)
{
	switch (name) {
	case DW_AT_low_pc: pc->low_pc = *value; break;
	case DW_AT_high_pc: pc->high_pc = *value; break;
	case DW_AT_ranges: pc->ranges = *value; break;
	case DW_AT_entry_pc: pc->entry_pc = *value; break;
	}
}

// Fills in the ranges and the entry address of an instance. Ranges that are empty or outside
// executable code are left out; with `dead` all are. Returns whether the linker discarded its code:
// it has ranges that are not empty, and all of them are outside.
bool ic_pc_resolve(struct ic_reader *reader, const struct ic_pc *pc, bool dead,
		   struct ic_instance *instance, uint64_t die_off);

// Reports the range list of an inlined instance if it ends at once though it should not: to be
// called for an instance without ranges in a function whose code starts at `host_start`.
void ic_pc_check_list(struct ic_reader *reader, const struct ic_pc *pc, uint64_t host_start,
		      uint64_t die_off);

// Reports that the code of an inlined instance, a single range, is discarded, though that around it
// is there, in a single range too: a linker keeps both or neither.
void ic_pc_check_pair(struct ic_reader *reader, const struct ic_pc *pc, uint64_t host_start,
		      uint64_t die_off);

// Reports that the code of an inlined instance, a single range, is there, though the linker
// discarded the range around it: of that, linkers write a mark, or what they add to it.
void ic_pc_check_discarded(struct ic_reader *reader, const struct ic_pc *pc, struct ic_range around,
			   uint64_t die_off);

// What is wrong with where a range is, which is not empty: it begins in an executable segment but
// in no section, or beyond all code (which is said once of a unit), or ends beyond the code that it
// begins in. True also if a linker has discarded it.
bool ic_pc_check_range(struct ic_reader *reader, struct ic_range range, struct ic_error *err)
	IC_CHECKED;

// Whether the address lies in executable code.
bool ic_pc_is_code(struct ic_reader *reader, uint64_t addr);

#endif
