#include "types/variables.h"

#include "dwarf/units/constants.h"
#include "dwarf/units/ranges.h"
#include "read/pc.h"

// The attributes of a block that locate its code. False after a problem.
static bool read_pc(struct ic_dies *dies, struct ic_die_place place, struct ic_pc *pc)
{
	struct ic_value value;
	struct ic_die die;

	*pc = (struct ic_pc){ .low_pc.form = 0 };
	if (!ic_full_die_begin(dies, place, &die))
		return false;
	for (uint16_t name; (name = ic_die_next(&die, &value));)
		ic_pc_take(pc, name, &value);
	return ic_full_die_end(dies, place, &die);
}

static bool is_in_list(const struct ic_pc *pc, const struct ic_unit *unit, uint64_t addr,
		       struct ic_error *err)
{
	struct ic_range_list list;
	struct ic_range range;
	bool found = false;

	if (!ic_range_list_open(&list, &pc->ranges, unit, err))
		return false;
	while (!found && ic_range_list_next(&list, &range))
		found = addr >= range.start && addr < range.end;
	if (!found && !ic_range_list_ok(&list, err))
		return false;
	err->code = IC_ERROR_NONE;
	return found;
}

static bool is_in_pair(const struct ic_pc *pc, const struct ic_unit *unit, uint64_t addr,
		       struct ic_error *err)
{
	uint64_t start, end;

	if (!ic_value_address(&pc->low_pc, unit, &start, err))
		return false;
	if (ic_full_die_constant(&pc->high_pc, &end))
		end += start; // DWARF 4, 2.17.2
	else if (!ic_value_address(&pc->high_pc, unit, &end, err))
		return false;
	err->code = IC_ERROR_NONE;
	return addr >= start && addr < end;
}

// Whether a block contains the address. One without code of its own may.
static bool is_in_block(struct ic_dies *dies, struct ic_die_place place, uint64_t addr)
{
	struct ic_error err;
	struct ic_pc pc;
	bool found;

	if (!read_pc(dies, place, &pc))
		return false;
	if (ic_value_is_given(&pc.ranges))
		found = is_in_list(&pc, place.unit, addr, &err);
	else if (ic_value_is_given(&pc.low_pc) && ic_value_is_given(&pc.high_pc))
		found = is_in_pair(&pc, place.unit, addr, &err);
	else
		return true;
	if (!found && err.code != IC_ERROR_NONE)
		ic_full_die_problem(dies, place, &err);
	return found;
}

bool ic_variables_join(struct ic_formals *formals, struct ic_die_place instance, uint64_t addr)
{
	struct ic_dies *dies = formals->types.dies;
	struct ic_die_place place = instance;
	int depth = 0, outside = INT32_MAX; // the depth of a DIE whose variables are others'
	struct ic_full_die die;
	bool ok = true;

	if (!ic_full_die_open(dies, place, &die))
		return !dies->reader->out_of_memory;
	while (ok && ic_full_die_below(dies, &place, &die, &depth)) {
		if (depth > outside)
			continue;
		outside = INT32_MAX;
		if (die.die.tag == DW_TAG_variable)
			ok = ic_value_constant(&die.attrs.member.declaration) != 0 ||
			     ic_formals_push(formals, place);
		else if (die.die.tag != DW_TAG_lexical_block || !is_in_block(dies, place, addr))
			outside = depth;
	}
	return ok && !dies->reader->out_of_memory;
}
