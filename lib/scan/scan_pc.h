// The attributes that say where an entry's code is (DWARF 5, 2.17 and 2.18).
#ifndef SCAN_SCAN_PC_H
#define SCAN_SCAN_PC_H

#include "scan/scan_reader.h"

struct ic_scan_pc {
	struct ic_value low_pc, high_pc, ranges, entry_pc;
};

// Takes the attribute if it is one of them.
static inline void ic_scan_pc_take(struct ic_scan_pc *pc, uint16_t name,
				   const struct ic_value *value)
{
	switch (name) {
	case DW_AT_low_pc: pc->low_pc = *value; break;
	case DW_AT_high_pc: pc->high_pc = *value; break;
	case DW_AT_ranges: pc->ranges = *value; break;
	case DW_AT_entry_pc: pc->entry_pc = *value; break;
	}
}

// Fills in the ranges and the entry of an instance: ranges that are empty, or outside what can be
// executed, are left out. With `dead` all of them are. Returns whether the linker threw its code
// away: there was some, and all of it was outside.
bool ic_scan_pc_resolve(struct ic_scan_reader *reader, const struct ic_scan_pc *pc, bool dead,
			struct ic_instance *instance, uint64_t die_off);

// Reports the list of ranges of an inlined instance if it ends at once and must not: for an
// instance without ranges in a function that has code from `host_start`.
void ic_scan_pc_check_list(struct ic_scan_reader *reader, const struct ic_scan_pc *pc,
			   uint64_t host_start, uint64_t die_off);

// Whether the address lies in executable code.
bool ic_scan_is_code(struct ic_scan_reader *reader, uint64_t addr);

#endif
