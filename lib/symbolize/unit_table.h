// The units of an open scan, and the code that each claims.
#ifndef SYMBOLIZE_UNIT_TABLE_H
#define SYMBOLIZE_UNIT_TABLE_H

#include <stdatomic.h>

#include "dwarf/units/aranges.h"
#include "symbolize/unit_map.h"

typedef _Atomic(const struct ic_unit_model *) ic_model_slot;

struct ic_unit_table {
	struct ic_unit_map map;
	ic_model_slot *models; // by unit; NULL if not decoded
	uint32_t count;
	uint32_t listed_count; // lower ranks are claims in .debug_aranges
	bool is_incomplete;    // the claims of some unit are unreadable
};

// Builds the table in the arena of the scan's index. The scan must keep code maps. Units in
// .debug_aranges have the claims listed there, and come first, in its order; the others have the
// claims of their root DIEs. Errors become problems. Returns false if memory runs out.
bool ic_unit_table_build(struct ic_unit_table *table, struct ic_scan *scan, struct ic_bytes aranges,
			 struct ic_problems *problems, struct ic_error *err) IC_CHECKED;

// Reads the claims in the units themselves, without .debug_aranges; units without any are unsure.
// Slower: the last resort for an address that nothing in the table of all knows.
bool ic_unit_claims_read(struct ic_claims *claims, struct ic_scan *scan, struct ic_error *err)
	IC_CHECKED;

// Builds a table of these claims in the arena; their unsure units are decoded in `table`, with
// which it shares the models. False if memory is out.
bool ic_unit_table_build_rest(struct ic_unit_table *rest, const struct ic_unit_table *table,
			      struct ic_claims *claims, struct ic_arena *arena,
			      struct ic_error *err) IC_CHECKED;

// The offset in .debug_info of the next unit to which .debug_aranges assigns an address. Returns
// false if there are no more. Time: O(n) for n bytes, without allocation.
bool ic_aranges_find(struct ic_aranges *aranges, uint64_t addr, uint64_t *info_off);

#endif
