#include "dwarf/units/die.h"

#include <inttypes.h>
#include <string.h>

#include "dwarf/units/constants.h"

bool ic_die_open(struct ic_die *die, const struct ic_unit *unit,
		 const struct ic_abbrev_table *table, uint64_t off, struct ic_error *err)
{
	*die = (struct ic_die){ .cur = ic_unit_cursor(unit, off), .unit = unit, .off = off };

	uint64_t code = ic_cursor_uleb(&die->cur);
	const struct ic_step *step = ic_abbrev_table_find(table, code);
	if (!ic_cursor_ok(&die->cur, err))
		return false;
	if (ic_abbrev_step_is_absent(table, step))
		return ic_fail_at(err, unit->dwarf->info_name, off,
				  "DIE with abbreviation %" PRIu64
				  ": no such abbreviation in .debug_abbrev",
				  code);
	if (step->kind == IC_KIND_OTHER)
		return ic_fail_at(err, unit->dwarf->info_name, off, "unexpected DIE tag");

	const struct ic_abbrev *abbrev = &table->kept.items[step->detail];
	die->tag = abbrev->tag;
	die->has_children = abbrev->has_children;
	die->spec = table->specs.items + abbrev->first_spec;
	die->spec_end = die->spec + abbrev->spec_count;
	return true;
}

// Values that can only be resolved with the bases, which may come after them.
struct root_values {
	struct ic_value name, comp_dir, producer, low_pc, dwo_name;
	bool has_str_offsets, has_addrs; // the DIE gives the bases of these tables
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

// The DW_LANG_* of a DW_LNAME_*; 0 for languages on which nothing depends.
static uint16_t language_of(uint64_t name)
{
	switch (name) {
	case DW_LNAME_C: return DW_LANG_C;
	case DW_LNAME_C_plus_plus: return DW_LANG_C_plus_plus;
	case DW_LNAME_Go: return DW_LANG_Go;
	case DW_LNAME_ObjC: return DW_LANG_ObjC;
	case DW_LNAME_ObjC_plus_plus: return DW_LANG_ObjC_plus_plus;
	case DW_LNAME_OpenCL_C: return DW_LANG_OpenCL;
	case DW_LNAME_UPC: return DW_LANG_UPC;
	case DW_LNAME_Assembly: return DW_LANG_Mips_Assembler;
	case DW_LNAME_CPP_for_OpenCL: return DW_LANG_CPP_for_OpenCL;
	case DW_LNAME_HIP: return DW_LANG_HIP;
	}
	return 0;
}

static void read_root_attr(struct ic_unit *unit, struct root_values *values, uint16_t name,
			   const struct ic_value *value)
{
	switch (name) {
	case DW_AT_name: values->name = *value; break;
	case DW_AT_comp_dir: values->comp_dir = *value; break;
	case DW_AT_producer: values->producer = *value; break;
	case DW_AT_low_pc:
		values->low_pc = *value;
		unit->root.has_low_pc = true;
		break;
	case DW_AT_high_pc: unit->root.has_high_pc = true; break;
	case DW_AT_ranges: unit->root.has_ranges = true; break;
	case DW_AT_stmt_list:
		unit->root.has_stmt_list = take_offset(value, &unit->root.line_off);
		break;
	case DW_AT_str_offsets_base:
		values->has_str_offsets = take_offset(value, &unit->root.str_offsets_base);
		break;
	case DW_AT_addr_base:
	case DW_AT_GNU_addr_base:
		values->has_addrs = take_offset(value, &unit->root.addr_base);
		break;
	case DW_AT_rnglists_base: take_offset(value, &unit->root.rnglists_base); break;
	case DW_AT_GNU_ranges_base: take_offset(value, &unit->root.gnu_ranges_base); break;
	case DW_AT_language: unit->root.language = (uint16_t)ic_value_constant(value); break;
	case DW_AT_language_name:
		unit->root.language = language_of(ic_value_constant(value));
		break;
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name: values->dwo_name = *value; break;
	case DW_AT_GNU_dwo_id: unit->id = ic_value_constant(value); break;
	}
}

static void resolve_string(const struct ic_unit *unit, const struct ic_value *value,
			   const char **text, struct ic_problems *problems)
{
	struct ic_error err;

	if (ic_value_is_given(value) && !ic_value_string(value, unit, text, &err) &&
	    !ic_dwarf_is_reported(unit->dwarf, &err))
		ic_problems_add(problems, &err, unit->dwarf->info_name, unit->die_off);
}

static void resolve_root(struct ic_unit *unit, const struct root_values *values,
			 struct ic_problems *problems)
{
	struct ic_error err;

	if (ic_value_is_given(&values->producer) &&
	    !ic_value_string(&values->producer, unit, &unit->root.producer, &err))
		unit->root.producer = NULL; // nothing depends on it
	resolve_string(unit, &values->name, &unit->root.name, problems);
	resolve_string(unit, &values->comp_dir, &unit->root.comp_dir, problems);
	if (!unit->dwarf->is_split) // in split units, clang repeats the skeleton's attributes
		resolve_string(unit, &values->dwo_name, &unit->root.dwo_name, problems);
	if (ic_value_is_given(&values->low_pc) &&
	    !ic_value_address(&values->low_pc, unit, &unit->root.low_pc, &err)) {
		if (!ic_dwarf_is_reported(unit->dwarf, &err))
			ic_problems_add(problems, &err, unit->dwarf->info_name, unit->die_off);
		unit->root.has_low_pc = false;
	}
}

// Sets the bases for a root DIE that gives none: just after the header of the first table. That is
// where the tables of a .dwo file, or of its part of a package, are; before DWARF 5 they have no
// header (DWARF 5, 7.3.2.3; GCC's "Fission").
static void set_default_bases(struct ic_unit *unit)
{
	uint8_t header = unit->offset_size == 8 ? 16 : 8;
	bool has_header = unit->version >= 5;

	unit->root.addr_base = has_header ? header : 0;
	unit->root.str_offsets_base = unit->str_offsets_part + (has_header ? header : 0);
	unit->root.rnglists_base = unit->rnglists_part + header + 4;
	unit->root.lists_base = unit->rnglists_part;
}

// A split unit uses the skeleton's addresses and their base (DWARF 5, 3.1.3).
static void adopt_skeleton(struct ic_unit *unit)
{
	const struct ic_unit *skeleton = unit->skeleton;

	unit->root.addr_base = skeleton->root.addr_base;
	unit->root.has_low_pc = skeleton->root.has_low_pc;
	unit->root.has_high_pc = skeleton->root.has_high_pc;
	unit->root.low_pc = skeleton->root.low_pc;
	if (unit->version < 5)
		unit->root.lists_base = skeleton->root.gnu_ranges_base;
}

static void report_table(const char *name, uint64_t off, const char *what,
			 const struct ic_unit *unit, struct ic_problems *problems)
{
	struct ic_error err;

	ic_fail_at(&err, name, off, "%s", what);
	ic_problems_add(problems, &err, unit->dwarf->info_name, unit->die_off);
}

// In the headers of both tables, the version field ends two bytes before the first entry (DWARF 5,
// 7.26 and 7.27).
static bool has_version(struct ic_bytes section, uint64_t base, bool swap)
{
	return base >= 8 && (base > section.size ||
			     ic_dwarf_is_version_5(ic_load16(section.data + base - 4, swap)));
}

// No two strings of a table have the same offset, so two zeros mean damage.
static bool ends_in_zeros(struct ic_bytes section, uint64_t end, uint8_t offset_size)
{
	uint64_t size = 2ull * offset_size;

	for (uint64_t i = 0; i < size; i++)
		if (end > section.size || end < size || section.data[end - size + i] != 0)
			return false;
	return true;
}

// The end of the unit's table of string offsets; in a .dwo file of DWARF 4 it has no header.
static uint64_t str_offsets_end(const struct ic_unit *unit)
{
	struct ic_bytes section = unit->dwarf->str_offsets;
	uint64_t base = unit->root.str_offsets_base, header = unit->offset_size == 8 ? 12 : 8;

	if (unit->version < 5)
		return section.size;
	if (base < header || base > section.size)
		return 0; // any use of it fails
	const uint8_t *length = section.data + base - header;
	return base - 4 +
	       (unit->offset_size == 8 ? ic_load64(length, unit->dwarf->swap)
				       : ic_load32(length, unit->dwarf->swap));
}

// Checks the tables that the unit's own bases refer to. Zeros in them would look like strings and
// addresses.
static void check_tables(const struct ic_unit *unit, const struct root_values *values,
			 struct ic_problems *problems)
{
	const struct ic_dwarf *dwarf = unit->dwarf;
	bool has_strings = (values->has_str_offsets || dwarf->is_split) &&
			   dwarf->str_offsets.size > 0;

	if (values->has_addrs && dwarf->addr.size == 0)
		report_table(".debug_addr", unit->root.addr_base, "the section is missing or empty",
			     unit, problems);
	else if (values->has_addrs && unit->version >= 5 &&
		 !has_version(dwarf->addr, unit->root.addr_base, dwarf->swap))
		report_table(".debug_addr", unit->root.addr_base, "not a version 5 table", unit,
			     problems);
	if (has_strings && unit->version >= 5 &&
	    !has_version(dwarf->str_offsets, unit->root.str_offsets_base, dwarf->swap))
		report_table(".debug_str_offsets", unit->root.str_offsets_base,
			     "not a version 5 table", unit, problems);
	else if (has_strings &&
		 ends_in_zeros(dwarf->str_offsets, str_offsets_end(unit), unit->offset_size))
		report_table(".debug_str_offsets", unit->root.str_offsets_base,
			     "string offset table ends in zeros", unit, problems);
}

bool ic_unit_read_root(struct ic_unit *unit, const struct ic_abbrev_table *table,
		       struct ic_problems *problems, struct ic_error *err)
{
	struct root_values values = { .name.form = 0 };
	struct ic_value value;
	struct ic_die die;

	if (unit->root.is_read)
		return true;
	if (!ic_die_open(&die, unit, table, unit->die_off, err))
		return false;
	set_default_bases(unit);
	if (unit->skeleton)
		adopt_skeleton(unit);
	for (uint16_t name; (name = ic_die_next(&die, &value));)
		read_root_attr(unit, &values, name, &value);
	if (!ic_cursor_ok(&die.cur, err))
		return false;
	resolve_root(unit, &values, problems);
	unit->root.has_only_lines = unit->root.has_stmt_list && !unit->root.has_low_pc &&
				    !unit->root.has_ranges && !die.has_children &&
				    !unit->root.dwo_name;
	check_tables(unit, &values, problems);
	unit->root.is_read = true;
	return true;
}
