#include "types/dies.h"

#include <inttypes.h>

#include "dwarf/units/constants.h"
#include "read/lines.h"
#include "units/units.h"

// ---- DIEs

static bool wants_all(uint16_t tag)
{
	(void)tag;
	return true;
}

static uint8_t classify_all(const struct ic_abbrev *abbrev, const struct ic_attr_spec *specs,
			    const void *context)
{
	(void)specs;
	(void)context;
	switch (abbrev->tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
	case DW_TAG_subprogram: return IC_DIE_SCOPE;
	case DW_TAG_formal_parameter:
	case DW_TAG_unspecified_parameters:
	case DW_TAG_GNU_formal_parameter_pack: return IC_DIE_PARAMETER;
	}
	return IC_DIE_OTHER;
}

static void read_attrs(struct ic_full_die *die)
{
	struct ic_full_die_attrs *attrs = &die->attrs;
	struct ic_value value;

	*attrs = (struct ic_full_die_attrs){ .name.form = 0 };
	for (;;) {
		const uint8_t *pos = die->die.cur.pos;
		switch (ic_die_next(&die->die, &value)) {
		case 0: return;
		case DW_AT_name: attrs->name = value; break;
		case DW_AT_type: attrs->type = value; break;
		case DW_AT_abstract_origin: attrs->origin = value; break;
		case DW_AT_specification: attrs->specification = value; break;
		case DW_AT_byte_size: attrs->byte_size = value; break;
		case DW_AT_count: attrs->count = value; break;
		case DW_AT_lower_bound: attrs->lower = value; break;
		case DW_AT_upper_bound: attrs->upper = value; break;
		case DW_AT_decl_file: attrs->decl_file = value; break;
		case DW_AT_decl_line: attrs->decl_line = value; break;
		case DW_AT_LLVM_tag_offset: attrs->tag_offset = value; break;
		case DW_AT_loclists_base: attrs->lists_base = value; break;
		case DW_AT_encoding: attrs->encoding = value; break;
		case DW_AT_const_value: attrs->const_value = value; break;
		case DW_AT_enum_class: attrs->enum_class = value; break;
		case DW_AT_signature: attrs->signature = value; break;
		case DW_AT_containing_type: attrs->containing_type = value; break;
		case DW_AT_prototyped: attrs->prototyped = value; break;
		case DW_AT_artificial: attrs->artificial = value; break;
		case DW_AT_GNU_vector: attrs->is_vector = value; break;
		case DW_AT_variable_parameter: attrs->is_result = value; break;
		case DW_AT_declaration: attrs->member.declaration = value; break;
		case DW_AT_bit_stride:
		case DW_AT_byte_stride: attrs->stride = value; break;
		case DW_AT_bit_size: attrs->member.bit_size = value; break;
		case DW_AT_bit_offset: attrs->member.bit_offset = value; break;
		case DW_AT_data_bit_offset: attrs->member.data_bit_offset = value; break;
		case DW_AT_data_member_location:
			attrs->member.location = ic_full_die_attr_at(&die->die, pos);
			break;
		case DW_AT_location: attrs->location = ic_full_die_attr_at(&die->die, pos); break;
		case DW_AT_frame_base:
			attrs->frame_base = ic_full_die_attr_at(&die->die, pos);
			break;
		}
	}
}

static bool parse_table(struct ic_die_table *table, struct ic_unit *unit,
			struct ic_problems *problems, struct ic_error *err)
{
	const struct ic_abbrev_reader reader = { wants_all, classify_all, NULL };
	struct ic_bytes section = unit->dwarf->abbrev;
	uint64_t size = unit->abbrev_off < section.size ? section.size - unit->abbrev_off : 1;
	struct ic_cursor cur =
		ic_cursor_at(section, ".debug_abbrev", unit->abbrev_off, size, unit->dwarf->swap);
	struct ic_full_die root;

	table->unit = NULL;
	if (!ic_unit_check(unit, err) ||
	    !ic_abbrev_table_parse(&table->table, &cur, unit, &reader, err) ||
	    !ic_unit_read_root(unit, &table->table, problems, err) ||
	    !ic_die_open(&root.die, unit, &table->table, unit->die_off, err))
		return false;
	read_attrs(&root);
	table->unit = unit;
	// After the header of the first one.
	table->lists_base = unit->locations_part + (unit->offset_size == 8 ? 20 : 12);
	if (ic_value_is_given(&root.attrs.lists_base))
		return ic_value_offset(&root.attrs.lists_base, &table->lists_base, err);
	return true;
}

struct ic_die_table *ic_dies_table(struct ic_dies *dies, struct ic_unit *unit, struct ic_error *err)
{
	for (uint32_t i = 0; i < IC_DIE_TABLES; i++)
		if (dies->tables[i].unit == unit)
			return &dies->tables[i];
	struct ic_die_table *table = &dies->tables[dies->next_table++ % IC_DIE_TABLES];
	return parse_table(table, unit, dies->of_roots ? dies->of_roots : &dies->reader->problems,
			   err)
		       ? table
		       : NULL;
}

void ic_full_die_problem(struct ic_dies *dies, struct ic_die_place place,
			 const struct ic_error *err)
{
	dies->reader->problems.file = place.unit->dwarf->file;
	ic_reader_problem(dies->reader, place.off, err);
	dies->reader->out_of_memory |= err->code == IC_ERROR_MEMORY;
}

// Limits the number of DIEs opened, because a file can refer to one again and again. Exceeding the
// limit is reported once.
static bool may_open(struct ic_dies *dies, struct ic_die_place place)
{
	struct ic_error err;

	if (dies->count < dies->most) {
		dies->count++;
		return true;
	}
	if (!dies->gave_up) {
		dies->gave_up = true;
		ic_fail(&err, IC_ERROR_MALFORMED,
			"gave up after %" PRIu32 " DIEs of variables and their types", dies->most);
		ic_full_die_problem(dies, place, &err);
	}
	return false;
}

bool ic_full_die_begin(struct ic_dies *dies, struct ic_die_place place, struct ic_die *die)
{
	struct ic_error err;

	if (!may_open(dies, place))
		return false;
	struct ic_die_table *table = ic_dies_table(dies, place.unit, &err);
	if (table && ic_die_open(die, place.unit, &table->table, place.off, &err))
		return true;
	ic_full_die_problem(dies, place, &err);
	return false;
}

bool ic_full_die_end(struct ic_dies *dies, struct ic_die_place place, const struct ic_die *die)
{
	struct ic_error err;

	if (ic_cursor_ok(&die->cur, &err))
		return true;
	ic_full_die_problem(dies, place, &err);
	return false;
}

bool ic_full_die_open(struct ic_dies *dies, struct ic_die_place place, struct ic_full_die *die)
{
	if (!ic_full_die_begin(dies, place, &die->die))
		return false;
	read_attrs(die);
	return ic_full_die_end(dies, place, &die->die);
}

bool ic_full_die_find(struct ic_dies *dies, struct ic_die_place place, uint16_t name,
		      struct ic_full_die_attr *attr)
{
	struct ic_value value;
	struct ic_die die;

	attr->spec.form = 0;
	if (!ic_full_die_begin(dies, place, &die))
		return false;
	const uint8_t *pos = die.cur.pos;
	for (uint16_t found; (found = ic_die_next(&die, &value)); pos = die.cur.pos)
		if (found == name)
			*attr = ic_full_die_attr_at(&die, pos);
	return ic_full_die_end(dies, place, &die);
}

bool ic_full_die_place_at(const struct ic_read_context *context, uint64_t off,
			  struct ic_die_place *place)
{
	const struct ic_unit *unit = ic_unit_list_find(&context->units, off);

	if (!unit)
		return false;
	place->unit = &context->units.units.items[unit - context->units.units.items];
	place->off = off - unit->dwarf->info_base;
	return true;
}

bool ic_full_die_follow(struct ic_dies *dies, const struct ic_value *value,
			struct ic_die_place *place)
{
	const struct ic_read_context *context = dies->reader->context;
	uint64_t off = 0;
	struct ic_error err;
	bool found;

	if (!ic_value_is_given(value))
		return false;
	if (value->form == DW_FORM_ref_sig8)
		found = ic_units_find_type(context->listed, value->number, &off) ||
			ic_fail(&err, IC_ERROR_MALFORMED, "no type unit has this signature");
	else
		found = ic_value_reference(value, place->unit, &off, &err);
	if (found && ic_unit_has(place->unit, off)) { // nearly always
		place->off = off - place->unit->dwarf->info_base;
		return true;
	}
	found = found && (ic_full_die_place_at(context, off, place) ||
			  ic_fail(&err, IC_ERROR_MALFORMED, "reference points outside all units"));
	if (!found)
		ic_full_die_problem(dies, *place, &err);
	return found;
}

bool ic_full_die_below(struct ic_dies *dies, struct ic_die_place *place, struct ic_full_die *die,
		       int *depth)
{
	struct ic_cursor cur =
		ic_unit_cursor(place->unit, (uint64_t)(die->die.cur.pos - die->die.cur.begin));

	*depth += die->die.has_children;
	while (*depth > 0 && ic_cursor_more(&cur) && *cur.pos == 0) {
		ic_cursor_u8(&cur);
		--*depth;
	}
	if (*depth <= 0)
		return false;
	place->off = ic_cursor_off(&cur);
	return ic_full_die_open(dies, *place, die);
}

bool ic_full_die_type(struct ic_dies *dies, struct ic_die_place *place, const struct ic_value *type,
		      struct ic_full_die *die)
{
	struct ic_value link = *type;

	for (unsigned i = 0; i < IC_DIE_MOST_LINKS; i++) {
		if (!ic_full_die_follow(dies, &link, place) || !ic_full_die_open(dies, *place, die))
			return false;
		switch (die->die.tag) {
		case DW_TAG_typedef:
		case DW_TAG_template_alias:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type: link = die->attrs.type; break;
		default:
			if (!ic_value_is_given(&die->attrs.signature))
				return true;
			link = die->attrs.signature;
			break;
		}
	}
	return false;
}

// ---- Attribute values

const char *ic_full_die_text(struct ic_dies *dies, struct ic_die_place place,
			     const struct ic_value *value)
{
	const char *text = NULL;
	struct ic_error err;

	if (ic_value_is_given(value) && !ic_value_string(value, place.unit, &text, &err))
		ic_full_die_problem(dies, place, &err);
	return text;
}

bool ic_full_die_constant(const struct ic_value *value, uint64_t *number)
{
	*number = ic_value_constant(value);
	return value->class == IC_FORM_CLASS_CONSTANT;
}

// Multiplies by the counts of an array's dimensions; `place` and `entry` are the array's.
static uint64_t count_elements(struct ic_dies *dies, struct ic_die_place place,
			       struct ic_full_die entry, uint64_t size)
{
	uint64_t number, lower;
	int depth = 0;

	while (ic_full_die_below(dies, &place, &entry, &depth)) {
		if (entry.die.tag != DW_TAG_subrange_type || depth != 1)
			continue;
		if (ic_full_die_constant(&entry.attrs.count, &number))
			size *= number;
		if (!ic_full_die_constant(&entry.attrs.lower, &lower))
			lower = 0;
		if (ic_full_die_constant(&entry.attrs.upper, &number))
			size *= number - lower + 1;
	}
	return size;
}

// The size of the type that a value refers to, in bytes.
static bool size_of(struct ic_dies *dies, struct ic_die_place place, const struct ic_value *type,
		    unsigned links, uint64_t *size)
{
	struct ic_full_die entry;
	uint64_t addr_size = place.unit->addr_size;

	if (links == IC_DIE_MOST_LINKS || !ic_full_die_follow(dies, type, &place) ||
	    !ic_full_die_open(dies, place, &entry))
		return false;
	if (ic_full_die_constant(&entry.attrs.byte_size, size))
		return true;
	struct ic_die_place base = place;
	struct ic_full_die base_entry;
	switch (entry.die.tag) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type: *size = addr_size; return true;
	case DW_TAG_ptr_to_member_type: // of a function, two words
		*size = ic_full_die_follow(dies, &entry.attrs.type, &base) &&
					ic_full_die_open(dies, base, &base_entry) &&
					base_entry.die.tag == DW_TAG_subroutine_type
				? 2 * addr_size
				: addr_size;
		return true;
	case DW_TAG_array_type:
		if (!size_of(dies, place, &entry.attrs.type, links + 1, size))
			return false;
		*size = count_elements(dies, place, entry, *size);
		return !dies->gave_up;
	}
	return size_of(dies, place, &entry.attrs.type, links + 1, size);
}

bool ic_full_die_type_size(struct ic_dies *dies, struct ic_die_place place,
			   const struct ic_value *type, uint64_t *size)
{
	return size_of(dies, place, type, 0, size);
}

const char *ic_full_die_decl_file(struct ic_dies *dies, struct ic_die_place place,
				  const struct ic_full_die *die)
{
	struct ic_reader *reader = dies->reader;

	// File numbers refer to the unit's own table.
	if (place.unit != reader->unit || !ic_value_is_given(&die->attrs.decl_file))
		return NULL;
	uint32_t file = ic_decl_file_of(reader, &die->attrs.decl_file, place.off);
	return file != IC_NONE ? reader->lines.files.items[file] : NULL;
}

void ic_dies_free(struct ic_dies *dies)
{
	for (uint32_t i = 0; i < IC_DIE_TABLES; i++)
		ic_abbrev_table_free(&dies->tables[i].table);
}
