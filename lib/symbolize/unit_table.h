// The units that a symbolizer knows, and the code that each claims.
#ifndef SYMBOLIZE_UNIT_TABLE_H
#define SYMBOLIZE_UNIT_TABLE_H

#include <stdatomic.h>

#include "symbolize/unit_map.h"

typedef _Atomic(const struct ic_unit_model *) ic_model_slot;

struct ic_unit_table {
	struct ic_unit_map map;
	ic_model_slot *models; // NULL of those that are not decoded
	uint64_t *offs;        // in .debug_info: only of those that .debug_aranges lists
	uint32_t count;
};

// Lists the units of .debug_aranges, which need not be read for that. What is wrong with it is a
// problem. False where memory is out.
bool ic_unit_table_list(struct ic_unit_table *table, struct ic_bytes section, bool swap,
			const struct ic_range_set *code, struct ic_arena *arena,
			struct ic_problems *problems);

// Lists all units of an open scan, which must keep the code maps: those of `listed` claim what is
// said there, and keep their models; the others what their root entries say. False where memory is
// out.
bool ic_unit_table_complete(struct ic_unit_table *table, const struct ic_unit_table *listed,
			    struct ic_scan *scan, struct ic_problems *problems,
			    struct ic_error *err) IC_CHECKED;

#endif
