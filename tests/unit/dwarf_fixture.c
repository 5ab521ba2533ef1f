#include "dwarf_fixture.h"

#include "scan/scan_unit.h"

#include "unit_test.h"

#include "dwarf_constants.h"

struct dwarf_format dwarf_format_number(uint32_t number)
{
	return (struct dwarf_format){ .version = (uint16_t)(2 + number / 8),
				      .offset_size = number & 4 ? 8 : 4,
				      .addr_size = number & 2 ? 4 : 8,
				      .big_endian = number & 1 };
}

static struct ic_bytes section_of(struct dwarf_builder *dw, const char *name)
{
	struct bytes bytes = dw_section(dw, name);

	return (struct ic_bytes){ bytes.data, bytes.size };
}

struct ic_dwarf dwarf_of(struct dwarf_builder *dw, bool big_endian)
{
	return (struct ic_dwarf){ .info = section_of(dw, ".debug_info"),
				  .info_name = ".debug_info",
				  .abbrev = section_of(dw, ".debug_abbrev"),
				  .addr = section_of(dw, ".debug_addr"),
				  .line = section_of(dw, ".debug_line"),
				  .line_str = section_of(dw, ".debug_line_str"),
				  .ranges = section_of(dw, ".debug_ranges"),
				  .rnglists = section_of(dw, ".debug_rnglists"),
				  .str = section_of(dw, ".debug_str"),
				  .str_offsets = section_of(dw, ".debug_str_offsets"),
				  .swap = big_endian != IC_HOST_IS_BIG_ENDIAN,
				  .source = &ic_unit_source_dies };
}

static bool want_all(uint16_t tag)
{
	(void)tag;
	return true;
}

static bool want_none(uint16_t tag)
{
	(void)tag;
	return false;
}

static uint8_t first_kind(const struct ic_abbrev *abbrev, const struct ic_attr_spec *specs,
			  const void *context)
{
	(void)abbrev, (void)specs, (void)context;
	return IC_KIND_FIRST;
}

const struct ic_abbrev_reader dwarf_keep_all = { want_all, first_kind, NULL };
const struct ic_abbrev_reader dwarf_keep_none = { want_none, first_kind, NULL };

void dwarf_fixture_table(struct ic_abbrev_table *table, const struct ic_unit *unit,
			 const struct ic_abbrev_reader *reader)
{
	const struct ic_bytes section = unit->dwarf->abbrev;
	struct ic_cursor cur = ic_cursor_at(section, ".debug_abbrev", unit->abbrev_off,
					    section.size - unit->abbrev_off, unit->dwarf->swap);
	struct ic_error err = { .message = "" };

	if (!ic_abbrev_table_parse(table, &cur, unit, reader, &err))
		fail_msg("%s", err.message);
}

void dwarf_fixture_open(struct dwarf_fixture *fixture, struct dwarf_builder *dw, bool big_endian,
			const struct ic_abbrev_reader *reader)
{
	struct ic_error err = { .message = "" };

	*fixture = (struct dwarf_fixture){ .dw = dw, .dwarf = dwarf_of(dw, big_endian) };
	fixture->problems.arena = &fixture->arena;
	if (!ic_unit_list_parse(&fixture->list, &fixture->dwarf, &err))
		fail_msg("%s", err.message);
	assert_true(fixture->list.units.count > 0);
	fixture->unit = &fixture->list.units.items[0];
	dwarf_fixture_table(&fixture->table, fixture->unit, reader);
}

void dwarf_fixture_close(struct dwarf_fixture *fixture)
{
	IC_ARRAY_FREE(&fixture->list.units);
	IC_ARRAY_FREE(&fixture->problems.list);
	ic_abbrev_table_free(&fixture->table);
	ic_arena_free(&fixture->arena);
	dwarf_builder_free(fixture->dw);
}

struct dwarf_builder *dwarf_begin(struct dwarf_format format)
{
	struct dwarf_builder *dw = dwarf_builder_new(format);

	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	return dw;
}

void dwarf_end(struct dwarf_builder *dw)
{
	dw_die_end(dw);
	dw_unit_end(dw);
}
