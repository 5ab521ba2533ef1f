// Fuzzes range lists, of both kinds and with addresses of both sizes.
// Wanted: a list ends within its section and its bytes; a fault is reported; no address is larger
// than its size allows.
#include "dwarf/units/ranges.h"
#include "fuzz_input.h"

static void check_list(const struct ic_unit *unit, const struct ic_value *value)
{
	struct ic_range_list list;
	struct ic_range range;
	struct ic_error err = { 0 };

	if (!ic_range_list_open(&list, value, unit, &err)) {
		PROMISE_REASON(err);
		return;
	}
	for (;;) {
		const uint8_t *before = list.cur.pos;
		bool more = ic_range_list_next(&list, &range);

		PROMISE(list.cur.pos >= before && list.cur.pos <= list.cur.end);
		if (!more)
			break;
		PROMISE(list.cur.pos > before && !list.cur.fault);
		PROMISE(unit->addr_size == 8 ||
			(range.start <= UINT32_MAX && range.end <= UINT32_MAX));
	}
	if (ic_range_list_ok(&list, &err))
		PROMISE(!list.cur.fault);
	else
		PROMISE_REASON(err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint16_t forms[] = { DW_FORM_sec_offset, DW_FORM_rnglistx, DW_FORM_data4,
					  DW_FORM_strp };
	struct fuzz_input in = { data, data + size };
	struct ic_bytes sections[3]; // .debug_ranges, .debug_rnglists, .debug_addr
	uint8_t sizes = fuzz_take_u8(&in);
	uint16_t number = fuzz_take_u16(&in);
	uint8_t base = fuzz_take_u8(&in);

	fuzz_take_sections(&in, sections, 3);
	const struct ic_dwarf dwarf = { .ranges = sections[0],
					.rnglists = sections[1],
					.addr = sections[2],
					.swap = sizes & 1 };
	const struct ic_unit unit = { .dwarf = &dwarf,
				      .version = sizes & 2 ? 4 : 5,
				      .addr_size = sizes & 4 ? 4 : 8,
				      .offset_size = sizes & 8 ? 8 : 4,
				      .root.low_pc = sizes & 16 ? 0x1000 : 0,
				      .root.addr_base = base,
				      .root.rnglists_base = base };
	uint16_t form = forms[sizes >> 5 & 3];
	const struct ic_value value = { .form = form,
					.class = ic_form_info(form)->class,
					.number = number };
	check_list(&unit, &value);
	fuzz_free_sections(sections, 3);
	return 0;
}
