#include "dwarf_builder_internal.h"

#include "dwarf_constants.h"

#include <stdlib.h>
#include <string.h>

// ---- Abbreviations

static size_t table_new(struct dwarf_builder *dw, const char *name, bool dwo)
{
	dw->tables = support_grow(dw->tables, dw->table_count, sizeof(*dw->tables));
	dw->tables[dw->table_count] = (struct abbrev_table){ .name = support_strdup(name),
							     .dwo = dwo,
							     .label = label_new(dw) };
	return dw->table_count++;
}

// The table of a unit: its own, one that units share by name, or one that the test writes.
static size_t table_find(struct dwarf_builder *dw, const struct dw_unit *unit)
{
	if (unit->abbrevs_by_hand) {
		size_t index = table_new(dw, NULL, unit->dwo);
		dw->tables[index].by_hand = true;
		dw->tables[index].label = label_find(dw, unit->abbrevs);
		return index;
	}
	for (size_t i = 0; unit->abbrevs && i < dw->table_count; i++) {
		const struct abbrev_table *table = &dw->tables[i];
		if (table->name && !strcmp(table->name, unit->abbrevs) && table->dwo == unit->dwo)
			return i;
	}
	return table_new(dw, unit->abbrevs, unit->dwo);
}

static bool same_shape(const struct dwarf_builder *dw, const struct abbrev *abbrev,
		       const struct open_die *die)
{
	if (abbrev->tag != die->tag || abbrev->children != die->children)
		return false;
	if ((die->code && abbrev->code != die->code) || abbrev->attr_count != dw->attr_count)
		return false;
	for (size_t i = 0; i < dw->attr_count; i++) {
		const struct abbrev_attr *a = &abbrev->attrs[i], *b = &dw->attrs[i];
		if (a->name != b->name || a->form != b->form || a->constant != b->constant)
			return false;
	}
	return true;
}

// The code of the abbreviation for the open DIE.
static uint64_t abbrev_code(struct dwarf_builder *dw, const struct open_die *die)
{
	struct abbrev_table *table = &dw->tables[dw->table];

	if (table->by_hand) {
		if (!die->code)
			support_fail("a DIE needs dw_die_code(): its table is written by hand");
		return die->code;
	}
	for (size_t i = 0; i < table->abbrev_count; i++) {
		if (same_shape(dw, &table->abbrevs[i], die))
			return table->abbrevs[i].code;
	}
	struct abbrev abbrev = {
		.code = die->code ? die->code : table->last_code + 1,
		.tag = die->tag,
		.children = die->children,
	};
	for (size_t i = 0; i < dw->attr_count; i++) {
		abbrev.attrs = support_grow(abbrev.attrs, i, sizeof(*abbrev.attrs));
		abbrev.attrs[i] = dw->attrs[i];
		abbrev.attr_count++;
	}
	if (abbrev.code > table->last_code)
		table->last_code = abbrev.code;
	table->abbrevs = support_grow(table->abbrevs, table->abbrev_count, sizeof(abbrev));
	table->abbrevs[table->abbrev_count++] = abbrev;
	return abbrev.code;
}

void dw_abbrev_begin(struct dwarf_builder *dw, uint64_t code, uint64_t tag, uint8_t children)
{
	dw_uleb(dw, code);
	dw_uleb(dw, tag);
	dw_u8(dw, children);
}

void dw_abbrev_attr(struct dwarf_builder *dw, uint64_t name, uint64_t form)
{
	dw_uleb(dw, name);
	dw_uleb(dw, form);
}

void dw_abbrev_implicit_const(struct dwarf_builder *dw, uint64_t name, int64_t value)
{
	dw_abbrev_attr(dw, name, DW_FORM_implicit_const);
	dw_sleb(dw, value);
}

void dw_abbrev_end(struct dwarf_builder *dw)
{
	dw_abbrev_attr(dw, 0, 0);
}

static void abbrev_write(struct dwarf_builder *dw, const struct abbrev *abbrev)
{
	dw_abbrev_begin(dw, abbrev->code, abbrev->tag, abbrev->children);
	for (size_t i = 0; i < abbrev->attr_count; i++) {
		const struct abbrev_attr *attr = &abbrev->attrs[i];
		if (attr->form == DW_FORM_implicit_const)
			dw_abbrev_implicit_const(dw, attr->name, attr->constant);
		else
			dw_abbrev_attr(dw, attr->name, attr->form);
	}
	dw_abbrev_end(dw);
}

void abbrev_tables_write(struct dwarf_builder *dw)
{
	for (size_t i = 0; i < dw->table_count; i++) {
		const struct abbrev_table *table = &dw->tables[i];
		if (table->by_hand)
			continue;
		dw_section_begin(dw, table->dwo ? ".debug_abbrev.dwo" : ".debug_abbrev");
		label_place(dw, table->label);
		for (size_t j = 0; j < table->abbrev_count; j++)
			abbrev_write(dw, &table->abbrevs[j]);
		dw_u8(dw, 0);
		dw_section_end(dw);
	}
}

void abbrev_tables_free(struct dwarf_builder *dw)
{
	for (size_t i = 0; i < dw->table_count; i++) {
		for (size_t j = 0; j < dw->tables[i].abbrev_count; j++)
			free(dw->tables[i].abbrevs[j].attrs);
		free(dw->tables[i].abbrevs);
		free(dw->tables[i].name);
	}
	free(dw->tables);
}

// ---- DIEs

static struct open_die *die_current(struct dwarf_builder *dw)
{
	if (dw->die_count == 0)
		support_fail("no DIE is open");
	return &dw->dies[dw->die_count - 1];
}

// Ends the attributes of the open DIE: its abbreviation is known now, so its code is written.
static void die_close(struct dwarf_builder *dw, bool children)
{
	struct open_die *die = die_current(dw);

	if (dw->block.open)
		support_fail("a block is still open");
	if (die->closed) {
		if (children && !die->children)
			support_fail("the DIE was declared to have no children");
		return;
	}
	die->closed = true;
	die->children = children;

	uint64_t code = abbrev_code(dw, die);
	size_t size = uleb_size(code);
	if (size > 1) // one byte was kept free
		section_insert(dw, die->off + 1, size - 1);
	byte_buffer_patch_uleb(&section_current(dw)->bytes, die->off, code, size);
}

void dw_die_begin(struct dwarf_builder *dw, uint16_t tag)
{
	if (!dw->unit_is_open)
		support_fail("a DIE outside of a unit");
	if (dw->die_count == MAX_DEPTH)
		support_fail("DIEs nested deeper than %d", MAX_DEPTH);
	if (dw->die_count > 0)
		die_close(dw, true);
	// The parent may just have grown by its code, and a label placed here with it.
	dw->dies[dw->die_count++] =
		(struct open_die){ .off = section_pos(dw), .tag = tag, .sibling = NO_LABEL };
	dw->attr_count = 0;
	dw_u8(dw, 0);
}

void dw_die_children(struct dwarf_builder *dw)
{
	die_close(dw, true);
}

void dw_die_null(struct dwarf_builder *dw)
{
	if (dw->die_count > 0)
		die_close(dw, true);
	dw_u8(dw, 0);
}

void dw_die_code(struct dwarf_builder *dw, uint64_t code)
{
	struct open_die *die = die_current(dw);

	if (die->closed || !code)
		support_fail("dw_die_code() after the attributes, or of 0");
	die->code = code;
}

void dw_sibling(struct dwarf_builder *dw)
{
	struct open_die *die = die_current(dw);

	die->sibling = label_new(dw);
	dw_attr(dw, DW_AT_sibling, DW_FORM_ref4);
	put_distance(dw, dw->unit_start, die->sibling, 4);
}

static void die_end(struct dwarf_builder *dw, bool terminated)
{
	struct open_die *die = die_current(dw);

	die_close(dw, die->closed && die->children);
	if (die->children && terminated)
		dw_u8(dw, 0);
	if (die->sibling != NO_LABEL)
		label_place(dw, die->sibling);
	dw->die_count--;
}

void dw_die_end(struct dwarf_builder *dw)
{
	die_end(dw, true);
}

void dw_die_end_unterminated(struct dwarf_builder *dw)
{
	die_close(dw, true);
	die_end(dw, false);
}

void attr_declare(struct dwarf_builder *dw, uint16_t name, uint16_t form, int64_t constant)
{
	if (die_current(dw)->closed)
		support_fail("an attribute after its DIE's children");
	if (dw->block.open)
		support_fail("an attribute inside of a block");
	if (form == DW_FORM_rnglistx)
		dw->pools[POOL_RANGES].indexed = true;
	if (form == DW_FORM_loclistx)
		dw->pools[POOL_LOCS].indexed = true;
	dw->attrs = support_grow(dw->attrs, dw->attr_count, sizeof(*dw->attrs));
	dw->attrs[dw->attr_count++] = (struct abbrev_attr){
		.name = name,
		.form = dw->indirect ? DW_FORM_indirect : form,
		.constant = constant,
	};
	if (dw->indirect)
		dw_uleb(dw, form);
	dw->indirect = false;
}

void dw_attr(struct dwarf_builder *dw, uint16_t name, uint16_t form)
{
	attr_declare(dw, name, form, 0);
}

void dw_indirect(struct dwarf_builder *dw)
{
	dw->indirect = true;
}

// ---- Units

static void put_or_bad(struct dwarf_builder *dw, uint64_t value, struct dw_bad bad, size_t size)
{
	dw_uint(dw, bad.set ? bad.value : value, size);
}

static void unit_length_begin(struct dwarf_builder *dw, struct dw_bad bad)
{
	if (!bad.set) {
		dw_initial_length_begin(dw);
		return;
	}
	if (dw->format.offset_size == 8)
		dw_u32(dw, UINT32_MAX);
	dw_offset(dw, bad.value);
}

static void put_abbrev_off(struct dwarf_builder *dw)
{
	if (dw->unit.bad_abbrev_off.set)
		dw_offset(dw, dw->unit.bad_abbrev_off.value);
	else
		put_offset_to(dw, dw->tables[dw->table].label, 0, dw->format.offset_size);
}

static void put_type_die(struct dwarf_builder *dw)
{
	dw_u64(dw, dw->unit.id);
	if (dw->unit.type_die)
		dw_distance(dw, NULL, dw->unit.type_die, dw->format.offset_size);
	else
		dw_offset(dw, 0);
}

static void unit_header_write(struct dwarf_builder *dw)
{
	const struct dw_unit *unit = &dw->unit;
	uint16_t version = dw->format.version;
	bool is_type = unit->type == DW_UT_type || unit->type == DW_UT_split_type;

	unit_length_begin(dw, unit->bad_length);
	put_or_bad(dw, version, unit->bad_version, 2);
	if (version < 5) {
		put_abbrev_off(dw);
		put_or_bad(dw, dw->format.addr_size, unit->bad_addr_size, 1);
	} else {
		put_or_bad(dw, unit->type, unit->bad_type, 1);
		put_or_bad(dw, dw->format.addr_size, unit->bad_addr_size, 1);
		put_abbrev_off(dw);
		if (unit->type == DW_UT_skeleton || unit->type == DW_UT_split_compile)
			dw_u64(dw, unit->id);
	}
	if (is_type)
		put_type_die(dw);
}

void dw_unit_begin_with(struct dwarf_builder *dw, struct dw_unit unit)
{
	if (dw->unit_is_open)
		support_fail("a unit inside of a unit");
	bool is_type = unit.type == DW_UT_type || unit.type == DW_UT_split_type;
	struct dwarf_format *format = &dw->format;

	dw->unit = unit;
	dw->unit_is_open = true;
	format->version = unit.version ? unit.version : dw->builder_format.version;
	format->offset_size = unit.offset_size ? unit.offset_size : dw->builder_format.offset_size;
	format->addr_size = unit.addr_size ? unit.addr_size : dw->builder_format.addr_size;
	dw->table = table_find(dw, &unit);
	pools_begin_unit(dw);

	bool in_types = is_type && format->version < 5;
	section_push(dw, section_of_unit(dw, in_types ? ".debug_types" : ".debug_info"));
	dw->unit_start = label_new(dw);
	label_place(dw, dw->unit_start);
	if (unit.label)
		dw_label(dw, unit.label);
	unit_header_write(dw);
}

void dw_unit_begin(struct dwarf_builder *dw, uint8_t type)
{
	dw_unit_begin_with(dw, (struct dw_unit){ .type = type });
}

void dw_unit_end(struct dwarf_builder *dw)
{
	if (!dw->unit_is_open || dw->die_count > 0)
		support_fail("dw_unit_end() without a unit, or with %zu open DIEs", dw->die_count);
	if (!dw->unit.bad_length.set)
		dw_length_end(dw);
	dw_section_end(dw);
	if (!dw->unit.keep_tables)
		pools_flush(dw);
	dw->unit_is_open = false;
	dw->format = dw->builder_format;
}
