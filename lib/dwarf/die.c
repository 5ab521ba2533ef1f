#include "dwarf/die.h"

#include "dwarf/constants.h"

bool ic_die_open(struct ic_die *die, const struct ic_unit *unit,
		 const struct ic_abbrev_table *table, uint64_t off, struct ic_error *err)
{
	*die = (struct ic_die){ .cur = ic_unit_cursor(unit, off), .unit = unit, .off = off };

	const struct ic_step *step = ic_abbrev_table_find(table, ic_cursor_uleb(&die->cur));
	if (!ic_cursor_ok(&die->cur, err))
		return false;
	if (step->kind == IC_KIND_OTHER)
		return ic_fail_at(err, ".debug_info", off, "no entry of a kind that belongs here");

	const struct ic_abbrev *abbrev = &table->kept.items[step->detail];
	die->tag = abbrev->tag;
	die->has_children = abbrev->has_children;
	die->spec = table->specs.items + abbrev->first_spec;
	die->spec_end = die->spec + abbrev->spec_count;
	return true;
}

// The values that can be resolved only with the bases, which may come after them.
struct root_values {
	struct ic_value name, comp_dir, low_pc, dwo_name;
};

static bool take_offset(const struct ic_value *value, uint64_t *off)
{
	struct ic_error err;
	uint64_t taken;

	if (!ic_value_offset(value, &taken, &err))
		return false;
	*off = taken;
	return true;
}

static void read_root_attr(struct ic_unit *unit, struct root_values *values, uint16_t name,
			   const struct ic_value *value)
{
	switch (name) {
	case DW_AT_name: values->name = *value; break;
	case DW_AT_comp_dir: values->comp_dir = *value; break;
	case DW_AT_low_pc:
		values->low_pc = *value;
		unit->has_low_pc = true;
		break;
	case DW_AT_high_pc: unit->has_high_pc = true; break;
	case DW_AT_stmt_list: unit->has_stmt_list = take_offset(value, &unit->line_off); break;
	case DW_AT_str_offsets_base: take_offset(value, &unit->str_offsets_base); break;
	case DW_AT_addr_base: take_offset(value, &unit->addr_base); break;
	case DW_AT_rnglists_base: take_offset(value, &unit->rnglists_base); break;
	case DW_AT_language: unit->language = (uint16_t)ic_value_constant(value); break;
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name:
		values->dwo_name = *value;
		unit->is_skeleton = true;
		break;
	}
}

static void resolve_root(struct ic_unit *unit, const struct root_values *values,
			 struct ic_problems *problems)
{
	struct ic_error err;

	if (ic_value_is_given(&values->name) &&
	    !ic_value_string(&values->name, unit, &unit->name, &err))
		ic_problems_add(problems, &err, ".debug_info", unit->die_off);
	if (ic_value_is_given(&values->comp_dir) &&
	    !ic_value_string(&values->comp_dir, unit, &unit->comp_dir, &err))
		ic_problems_add(problems, &err, ".debug_info", unit->die_off);
	if (unit->is_skeleton) {
		const char *dwo_name = "another file";
		if (ic_value_string(&values->dwo_name, unit, &dwo_name, &err))
			ic_fail(&err, IC_ERROR_UNSUPPORTED,
				"the entries of this unit are in %.200s (split DWARF), which is "
				"not "
				"read",
				dwo_name);
		ic_problems_add(problems, &err, ".debug_info", unit->off);
	}
	if (unit->has_low_pc && !ic_value_address(&values->low_pc, unit, &unit->low_pc, &err)) {
		ic_problems_add(problems, &err, ".debug_info", unit->die_off);
		unit->has_low_pc = false;
	}
}

bool ic_unit_read_root(struct ic_unit *unit, const struct ic_abbrev_table *table,
		       struct ic_problems *problems, struct ic_error *err)
{
	struct root_values values = { .name.form = 0 };
	struct ic_value value;
	struct ic_die die;

	if (unit->root_read)
		return true;
	if (!ic_die_open(&die, unit, table, unit->die_off, err))
		return false;
	// Where a base is not given, it is just behind the header of the first table.
	bool is_64 = unit->offset_size == 8;
	unit->str_offsets_base = unit->addr_base = is_64 ? 16 : 8;
	unit->rnglists_base = is_64 ? 20 : 12;
	for (uint16_t name; (name = ic_die_next(&die, &value));)
		read_root_attr(unit, &values, name, &value);
	if (!ic_cursor_ok(&die.cur, err))
		return false;
	resolve_root(unit, &values, problems);
	unit->root_read = true;
	return true;
}
