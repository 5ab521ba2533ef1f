// The units of an open scan, and the code that each claims.
#ifndef SYMBOLIZE_UNIT_TABLE_H
#define SYMBOLIZE_UNIT_TABLE_H

#include <stdatomic.h>

#include "dwarf/aranges.h"
#include "symbolize/unit_map.h"

typedef _Atomic(const struct ic_unit_model *) ic_model_slot;

struct ic_unit_table {
	struct ic_unit_map map;
	ic_model_slot *models; // by unit; NULL of those that are not decoded
	uint32_t count;
	uint32_t listed_count; // ranks below are of claims that .debug_aranges lists
	bool is_incomplete;    // what some unit claims could not be read
};

// Makes the table in the arena of the scan's index. The scan must keep code maps. Units that
// .debug_aranges lists claim what it says, and stand in its order before the others, which claim
// what their root entries say. What is wrong is a problem. False where memory is out.
bool ic_unit_table_build(struct ic_unit_table *table, struct ic_scan *scan, struct ic_bytes aranges,
			 struct ic_problems *problems, struct ic_error *err) IC_CHECKED;

// Makes the same table by what the units themselves say, whatever .debug_aranges says; those that
// say nothing are decoded. It costs more, and is the last resort for an address that nothing in the
// other table knows, with which it shares the models.
bool ic_unit_table_build_rest(struct ic_unit_table *rest, const struct ic_unit_table *table,
			      struct ic_scan *scan, struct ic_problems *problems,
			      struct ic_error *err) IC_CHECKED;

// The next unit, after the last one that the pass was at, that .debug_aranges says has an address:
// its offset in .debug_info. False where there is none. Time: O(n) for n bytes, without memory.
bool ic_aranges_find(struct ic_aranges *aranges, uint64_t addr, uint64_t *info_off);

#endif
