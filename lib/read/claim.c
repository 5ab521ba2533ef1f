#include "read/claim.h"

#include "read/pc.h"

// DWARF 2 cannot describe a unit with several ranges, and assemblers omit them. Also, a linker that
// marks discarded code with -1 can turn a pair in .debug_ranges into a base address, which
// invalidates all pairs after it.
static bool may_have_more(const struct ic_reader *reader)
{
	const struct ic_unit *unit = reader->unit;

	return reader->base_was_dead || unit->root.has_only_lines ||
	       (unit->version == 2 && !unit->root.has_high_pc && !unit->root.has_ranges);
}

enum ic_unit_claim ic_unit_claim_by_root(struct ic_reader *reader)
{
	const struct ic_unit *unit = reader->unit;
	struct ic_instance instance = { .entry = IC_NO_ADDR };
	struct ic_pc pc = { .low_pc.form = 0 };
	struct ic_value value;
	struct ic_die die;
	struct ic_error err;

	ic_pc_begin(reader);
	if (!ic_die_open(&die, unit, reader->table, unit->die_off, &err))
		return IC_UNIT_CLAIM_UNREADABLE;
	for (uint16_t name; (name = ic_die_next(&die, &value));)
		ic_pc_take(&pc, name, &value);
	ic_pc_resolve(reader, &pc, false, &instance, unit->die_off);
	if (may_have_more(reader))
		return IC_UNIT_CLAIM_SOME;
	return unit->root.has_low_pc || unit->root.has_ranges ? IC_UNIT_CLAIM_ALL
							      : IC_UNIT_CLAIM_NONE;
}
