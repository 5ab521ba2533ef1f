// Fuzzes the values of attributes: the input is a list of forms, and the bytes of the values.
// Wanted: a value ends where skipping it ends, and is the same read fast or slowly; its target is
// within its section.
#include "dwarf/units/form.h"
#include "fuzz_input.h"

static void check_meanings(const struct ic_value *value, const struct ic_unit *unit)
{
	const struct ic_dwarf *dwarf = unit->dwarf;
	struct ic_error err = { 0 };
	const char *text = NULL;
	uint64_t number = 0;

	if (ic_value_string(value, unit, &text, &err))
		fuzz_read_text(text, value->form == DW_FORM_string      ? &dwarf->info
				     : value->form == DW_FORM_line_strp ? &dwarf->line_str
									: &dwarf->str);
	else
		PROMISE_REASON(err);
	err = (struct ic_error){ 0 };
	if (!ic_value_address(value, unit, &number, &err))
		PROMISE_REASON(err);
	else
		PROMISE(unit->addr_size == 8 || number <= UINT32_MAX);
	err = (struct ic_error){ 0 };
	if (!ic_value_reference(value, unit, &number, &err))
		PROMISE_REASON(err);
	else
		PROMISE(value->form == DW_FORM_ref_addr ||
			(number >= unit->off && number < unit->end_off));
	err = (struct ic_error){ 0 };
	if (!ic_value_offset(value, &number, &err))
		PROMISE_REASON(err);
}

static void check_form(struct ic_cursor *cur, uint16_t form, const struct ic_unit *unit)
{
	const struct ic_attr_spec spec =
		ic_attr_spec_make(DW_AT_name, form, ic_form_size(form, unit), -1);
	struct ic_cursor skipped = *cur, slow = *cur;
	struct ic_value value = ic_value_read(cur, &spec, unit);
	struct ic_value same = ic_value_read_slow(&slow, &spec, unit);

	ic_form_skip(&skipped, form, unit);
	PROMISE(cur->pos <= cur->end && skipped.pos == cur->pos && slow.pos == cur->pos);
	PROMISE(!cur->fault == !skipped.fault && !cur->fault == !slow.fault);
	if (cur->fault)
		return;
	PROMISE(value.form == same.form && value.class == same.class);
	PROMISE(value.number == same.number);
	check_meanings(&value, unit);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	struct ic_bytes sections[6]; // the forms, .debug_info, .debug_str and so on
	uint8_t sizes = fuzz_take_u8(&in);
	uint8_t base = fuzz_take_u8(&in);

	fuzz_take_sections(&in, sections, 6);
	const struct ic_dwarf dwarf = { .info = sections[1],
					.info_name = ".debug_info",
					.str = sections[2],
					.line_str = sections[3],
					.str_offsets = sections[4],
					.addr = sections[5],
					.swap = sizes & 1 };
	const struct ic_unit unit = { .dwarf = &dwarf,
				      .end_off = sections[1].size,
				      .version = sizes & 2 ? 2 : 5,
				      .addr_size = sizes & 4 ? 4 : 8,
				      .offset_size = sizes & 8 ? 8 : 4,
				      .root.addr_base = base,
				      .root.str_offsets_base = base };
	struct ic_cursor cur = ic_unit_cursor(&unit, 0);
	for (size_t i = 0; i + 1 < sections[0].size; i += 2)
		check_form(&cur, ic_load16(sections[0].data + i, false), &unit);
	fuzz_free_sections(sections, 6);
	return 0;
}
