// Fuzzes location lists, of all kinds and with views, and the text of their expressions.
// Wanted: a list ends within its section and by its bytes; a fault is reported; what is found at an
// address holds there; a text is complete, within its limit, and the same each time.
#include <string.h>

#include "dwarf/expressions/locations.h"
#include "dwarf/expressions/text.h"
#include "fuzz_input.h"

enum { X86_64 = 62 };

static const char *type_name(void *context, uint64_t off)
{
	(void)context;
	return off & 1 ? "int" : NULL;
}

static const char *symbol(void *context, uint64_t addr, uint64_t *off)
{
	(void)context;
	*off = addr & 3;
	return addr & 4 ? "symbol" : NULL;
}

static void check_expression(struct ic_expression_text *text, struct ic_cursor expression,
			     const struct ic_unit *unit)
{
	static const struct ic_expression_names names = { X86_64, type_name, symbol, NULL };
	struct ic_error err = { 0 };

	ic_expression_text_clear(text);
	if (!ic_expression_write(text, expression, unit, &names, &err))
		PROMISE_REASON(err);
	size_t size = strlen(ic_expression_text(text));
	PROMISE(size > 0 && size == text->chars.count && size <= IC_EXPRESSION_MOST_TEXT + 16);
	PROMISE((strncmp(ic_expression_text(text), "DW_OP_", 6) == 0) ||
		ic_expression_text(text)[0] == '<');
}

static uint64_t check_entries(struct ic_locations *locations, const struct ic_unit *unit)
{
	struct ic_expression_text text = { .chars.count = 0 };
	struct ic_location_entry entry;
	struct ic_error err = { 0 };
	uint64_t count = 0;

	for (;;) {
		const uint8_t *before = locations->cur.pos;
		bool more = ic_locations_next(locations, &entry);

		PROMISE(locations->cur.pos >= before && locations->cur.pos <= locations->cur.end);
		if (!more)
			break;
		PROMISE(!locations->is_list || locations->cur.pos > before);
		PROMISE(entry.expression.pos <= entry.expression.end);
		PROMISE(unit->addr_size == 8 ||
			(entry.range.start <= UINT32_MAX && entry.range.end <= UINT32_MAX));
		check_expression(&text, entry.expression, unit);
		count++;
	}
	if (!ic_locations_ok(locations, &err))
		PROMISE_REASON(err);
	ic_expression_text_free(&text);
	return count;
}

static void check_questions(struct ic_locations *locations, uint64_t addr, uint64_t view)
{
	struct ic_range code_range = { 0x100, 0x9000 };
	const struct ic_range_set code = { &code_range, 1 };
	const struct ic_range ranges[] = { { addr + 8, addr + 0x100 }, { 0x200, 0x208 } };
	const struct ic_location_query query = { addr, view, addr & 1 ? &code : NULL };
	struct ic_location_entry entry;
	uint64_t later;

	if (ic_locations_find(locations, &query, &entry) && entry.has_range)
		PROMISE(!entry.is_dead && addr >= entry.range.start && addr <= entry.range.end);
	if (ic_locations_find_later(locations, &query, ranges, 2, &later))
		PROMISE((later >= addr + 8 && later < addr + 0x100) ||
			(later >= 0x200 && later < 0x208));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint16_t forms[] = { DW_FORM_sec_offset, DW_FORM_loclistx, DW_FORM_data4,
					  DW_FORM_exprloc };
	struct fuzz_input in = { data, data + size };
	struct ic_bytes sections[3]; // the attribute, the lists, .debug_addr
	uint8_t sizes = fuzz_take_u8(&in), choice = fuzz_take_u8(&in);
	uint16_t views = fuzz_take_u16(&in), addr = fuzz_take_u16(&in);
	uint8_t view = fuzz_take_u8(&in);

	fuzz_take_sections(&in, sections, 3);
	const struct ic_dwarf dwarf = { .addr = sections[2],
					.swap = sizes & 1,
					.is_split = choice & 1 };
	const struct ic_unit unit = { .dwarf = &dwarf,
				      .version = sizes & 2 ? 4 : 5,
				      .addr_size = sizes & 4 ? 4 : 8,
				      .offset_size = sizes & 8 ? 8 : 4,
				      .locations_part = choice & 2 ? 4 : 0,
				      .root.low_pc = sizes & 16 ? 0x1000 : 0 };
	const struct ic_location_sections lists = { sections[1], sections[1] };
	uint16_t form = forms[sizes >> 5 & 3];
	const struct ic_attr_spec spec =
		ic_attr_spec_make(DW_AT_location, form, ic_form_size(form, &unit), 0);
	const struct ic_value views_value = { .number = views,
					      .form = DW_FORM_sec_offset,
					      .class = IC_FORM_CLASS_OFFSET };
	struct ic_locations locations;
	struct ic_error err = { 0 };

	bool ok = ic_locations_open(
		&locations,
		ic_cursor_at(sections[0], ".debug_info", 0, sections[0].size, dwarf.swap), &spec,
		&(struct ic_location_lists){ &unit, &lists, choice & 4 ? 12 : 0 }, &err);
	if (ok && choice & 8)
		ok = ic_locations_open_views(&locations, &views_value, &err);
	if (ok) {
		uint64_t count = check_entries(&locations, &unit);
		check_questions(&locations, addr, view);
		ic_locations_rewind(&locations);
		PROMISE(check_entries(&locations, &unit) == count);
	} else {
		PROMISE_REASON(err);
	}
	fuzz_free_sections(sections, 3);
	return 0;
}
