#include "split_builder.h"

#include "dwarf_constants.h"

#include <stdio.h>
#include <string.h>

static const char *label(char to[64], const struct split_unit *unit, const char *what)
{
	snprintf(to, 64, "%s.%s", unit->name, what);
	return to;
}

static bool is_old(const struct dwarf_builder *dw)
{
	return dw_format(dw).version < 5;
}

static void write_skeleton(struct dwarf_builder *dw, const struct split_unit *unit,
			   const char *addrs)
{
	char lists[64], skeleton[64];

	dw_unit_begin_with(dw,
			   (struct dw_unit){ .type = is_old(dw) ? DW_UT_compile : DW_UT_skeleton,
					     .label = label(skeleton, unit, "skeleton"),
					     .id = unit->id });
	dw_die_begin(dw, is_old(dw) ? DW_TAG_compile_unit : DW_TAG_skeleton_unit);
	dw_strp(dw, is_old(dw) ? DW_AT_GNU_dwo_name : DW_AT_dwo_name, unit->dwo_name);
	if (unit->comp_dir)
		dw_string(dw, DW_AT_comp_dir, unit->comp_dir);
	dw_addr(dw, DW_AT_low_pc, unit->start);
	if (unit->has_high_pc)
		dw_data4(dw, DW_AT_high_pc, 0x100);
	if (unit->lines)
		dw_stmt_list(dw, unit->lines);
	if (is_old(dw)) {
		dw_data8(dw, DW_AT_GNU_dwo_id, unit->id);
		dw_sec_offset(dw, DW_AT_GNU_ranges_base, label(lists, unit, "lists"));
	}
	dw_sec_offset(dw, is_old(dw) ? DW_AT_GNU_addr_base : DW_AT_addr_base, addrs);
	dw_die_end(dw);
	dw_unit_end(dw);
}

static uint64_t split_id(const struct split_unit *unit)
{
	return unit->split_id ? unit->split_id : unit->id;
}

// Before DWARF 5 the lists stay in the program, and are counted from the base in the skeleton; they
// are of offsets from its low_pc.
static void write_ranges(struct dwarf_builder *dw, const struct split_unit *unit)
{
	if (!is_old(dw)) {
		dw_rangesx(dw, DW_RANGES({ unit->start + 0x10, unit->start + 0x18 },
					 { unit->start + 0x30, unit->start + 0x38 }));
		return;
	}
	dw_value(dw, DW_AT_ranges, DW_FORM_sec_offset, 0);
}

static void write_old_list(struct dwarf_builder *dw, const struct split_unit *unit)
{
	char lists[64];

	dw_section_begin(dw, ".debug_ranges");
	dw_address(dw, 0); // so that no base is 0
	dw_address(dw, 0);
	dw_label(dw, label(lists, unit, "lists"));
	for (uint64_t off = 0x10; off <= 0x30; off += 0x20) {
		dw_address(dw, off);
		dw_address(dw, off + 8);
	}
	dw_address(dw, 0);
	dw_address(dw, 0);
	dw_section_end(dw);
}

static void write_unit(struct dwarf_builder *dw, const struct split_unit *unit, const char *addrs,
		       bool is_last)
{
	char begin[64], inlined[64];

	if (is_old(dw))
		write_old_list(dw, unit);
	dw_unit_begin_with(
		dw, (struct dw_unit){ .type = is_old(dw) ? DW_UT_compile : DW_UT_split_compile,
				      .label = label(begin, unit, "unit"),
				      .id = split_id(unit),
				      .dwo = true,
				      .keep_tables = !is_last,
				      .addr_label = addrs });
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_strx_form(dw, DW_AT_name, is_old(dw) ? DW_FORM_GNU_str_index : DW_FORM_strx1,
		     unit->name);
	dw_data1(dw, DW_AT_language, DW_LANG_C99);
	if (is_old(dw))
		dw_data8(dw, DW_AT_GNU_dwo_id, split_id(unit));
	dw_label(dw, label(inlined, unit, "inlined"));
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_strx_form(dw, DW_AT_name, is_old(dw) ? DW_FORM_GNU_str_index : DW_FORM_strx1, inlined);
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	if (unit->lines) {
		dw_data1(dw, DW_AT_decl_file, 1);
		dw_data1(dw, DW_AT_decl_line, 7);
	}
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_strx_form(dw, DW_AT_name, is_old(dw) ? DW_FORM_GNU_str_index : DW_FORM_strx1,
		     unit->name);
	dw_addrx_form(dw, DW_AT_low_pc, is_old(dw) ? DW_FORM_GNU_addr_index : DW_FORM_addrx,
		      unit->start);
	dw_data4(dw, DW_AT_high_pc, 0x100);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref4(dw, DW_AT_abstract_origin, inlined);
	write_ranges(dw, unit);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
}

void split_write_units(struct dwarf_builder *dw, const struct split_unit *units, size_t count)
{
	char addrs[64];

	label(addrs, &units[0], "addrs");
	for (size_t i = 0; i < count; i++)
		write_skeleton(dw, &units[i], addrs);
	for (size_t i = 0; i < count; i++)
		write_unit(dw, &units[i], addrs, i + 1 == count);
}

void elf_add_dwarf_part(struct elf_builder *elf, struct dwarf_builder *dw, bool dwo)
{
	const char *name;

	for (size_t i = 0; (name = dw_section_name(dw, i)) != NULL; i++) {
		size_t length = strlen(name);
		bool is_dwo = length > 4 && !strcmp(name + length - 4, ".dwo");
		if (is_dwo == dwo)
			elf_add_section(elf, (struct elf_section){ .name = name,
								   .align = 1,
								   .bytes = dw_section(dw, name) });
	}
}

// A power of two, of which a third stays free.
static uint32_t slot_count(const struct package_index *index)
{
	uint32_t slots = 2;

	while (slots < index->row_count + index->row_count / 2 + 1)
		slots *= 2;
	return slots;
}

static void put_cells(struct byte_buffer *out, const struct package_index *index, bool sizes)
{
	for (uint32_t i = 0; i < index->row_count; i++)
		for (uint32_t j = 0; j < index->columns; j++)
			byte_buffer_put(
				out, sizes ? index->rows[i].sizes[j] : index->rows[i].offs[j], 4);
}

static uint64_t or_bad(uint64_t value, struct dw_bad bad)
{
	return bad.set ? bad.value : value;
}

void package_index_write(struct byte_buffer *out, const struct package_index *index)
{
	enum { MOST_SLOTS = 64 };
	uint32_t slots = slot_count(index), row_of[MOST_SLOTS] = { 0 };

	if (slots > MOST_SLOTS || index->columns > PACKAGE_MOST_COLUMNS)
		support_fail("a package index of so many rows or columns");
	for (uint32_t i = 0; i < index->row_count; i++) {
		uint64_t id = index->rows[i].id;
		uint32_t slot = (uint32_t)id & (slots - 1);
		while (row_of[slot])
			slot = (slot + ((uint32_t)(id >> 32 & (slots - 1)) | 1)) & (slots - 1);
		row_of[slot] = i + 1;
	}
	uint64_t version = or_bad(index->version, index->bad_version);
	byte_buffer_put(out, version, version == 5 ? 2 : 4);
	if (version == 5)
		byte_buffer_put(out, 0, 2);
	byte_buffer_put(out, or_bad(index->columns, index->bad_columns), 4);
	byte_buffer_put(out, or_bad(index->row_count, index->bad_units), 4);
	byte_buffer_put(out, or_bad(slots, index->bad_slots), 4);
	for (uint32_t i = 0; i < slots; i++)
		byte_buffer_put(out, row_of[i] ? index->rows[row_of[i] - 1].id : 0, 8);
	for (uint32_t i = 0; i < slots; i++)
		byte_buffer_put(out, i + 1 == slots ? or_bad(row_of[i], index->bad_row) : row_of[i],
				4);
	for (uint32_t i = 0; i < index->columns; i++)
		byte_buffer_put(out, index->sections[i], 4);
	put_cells(out, index, false);
	put_cells(out, index, true);
}
