#include "dwarf/units/ranges.h"

#include "dwarf/units/constants.h"

// Checks the version, a field that ends six bytes before the list offsets: that of the unit's
// table, if the list was found by index, else that of the first table.
static bool has_version(struct ic_bytes section, const struct ic_value *value,
			const struct ic_unit *unit)
{
	bool swap = unit->dwarf->swap;
	uint64_t base = unit->root.rnglists_base;

	if (value->form != DW_FORM_rnglistx)
		base = section.size >= 20 && ic_load32(section.data, swap) == UINT32_MAX ? 20 : 12;
	return base < 8 || base > section.size ||
	       ic_dwarf_is_version_5(ic_load16(section.data + base - 8, swap));
}

bool ic_range_list_open(struct ic_range_list *list, const struct ic_value *value,
			const struct ic_unit *unit, struct ic_error *err)
{
	const struct ic_dwarf *dwarf = unit->dwarf;
	struct ic_bytes section;
	const char *name = unit->version >= 5 ? ".debug_rnglists" : ".debug_ranges";
	uint64_t off;

	if (value->form == DW_FORM_rnglistx) {
		if (!ic_dwarf_section(dwarf, &dwarf->rnglists, &section, err))
			return false;
		const struct ic_list_offsets offsets = { section, ".debug_rnglists",
							 unit->root.rnglists_base };
		if (!ic_list_offset_at(unit, &offsets, value->number, &off, err))
			return false;
	} else if (!ic_value_offset(value, &off, err)) {
		return false;
	} else if (__builtin_add_overflow(off, unit->root.lists_base, &off)) {
		off = UINT64_MAX;
	}
	if (!ic_dwarf_section(dwarf, unit->version >= 5 ? &dwarf->rnglists : &dwarf->ranges,
			      &section, err))
		return false;
	uint64_t size = off < section.size ? section.size - off : 1;
	*list = (struct ic_range_list){ .cur = ic_cursor_at(section, name, off, size, dwarf->swap),
					.unit = unit,
					.base = unit->root.low_pc };
	if (unit->version >= 5 && !has_version(section, value, unit))
		return ic_fail_at(err, name, off, "range list is not in a version 5 table");
	// No tool writes adjacent empty lists; before DWARF 5, linkers did so for discarded code.
	if (unit->version >= 5 && size > 1 && section.data[off] == 0 && section.data[off + 1] == 0)
		return ic_fail_at(err, name, off, "zeros instead of a range list");
	return ic_cursor_ok(&list->cur, err);
}

// DWARF 4, 2.17.3: pairs of addresses; two zeros end the list, the largest address selects a base.
static bool next_of_pairs(struct ic_range_list *list, struct ic_range *range)
{
	struct ic_cursor *cur = &list->cur;
	uint8_t size = list->unit->addr_size;
	uint64_t mask = ic_unit_addr_mask(list->unit),
		 largest = size == 8 ? UINT64_MAX : UINT32_MAX;

	for (;;) {
		uint64_t start = ic_cursor_uint(cur, size), end = ic_cursor_uint(cur, size);

		if (cur->fault || (start == 0 && end == 0))
			return false;
		if (start != largest) {
			range->start = (list->base + start) & mask;
			range->end = (list->base + end) & mask;
			return true;
		}
		list->base = end & mask;
		list->base_selected = true;
	}
}

// DWARF 5, 2.17.3 and 7.25.
static bool next_of_entries(struct ic_range_list *list, struct ic_range *range)
{
	struct ic_cursor *cur = &list->cur;
	uint8_t size = list->unit->addr_size;
	uint64_t mask = ic_unit_addr_mask(list->unit);

	for (;;) {
		uint8_t kind = ic_cursor_u8(cur);

		switch (kind) {
		case DW_RLE_end_of_list: return false; // a faulted cursor yields it too
		case DW_RLE_base_addressx:
			list->base = ic_unit_read_addrx(list->unit, &list->cur);
			list->base_selected = true;
			continue;
		case DW_RLE_base_address:
			list->base = ic_cursor_uint(cur, size) & mask;
			list->base_selected = true;
			continue;
		case DW_RLE_startx_endx:
			range->start = ic_unit_read_addrx(list->unit, &list->cur);
			range->end = ic_unit_read_addrx(list->unit, &list->cur);
			break;
		case DW_RLE_startx_length:
			range->start = ic_unit_read_addrx(list->unit, &list->cur);
			range->end = range->start + ic_cursor_uleb(cur);
			break;
		case DW_RLE_offset_pair:
			range->start = list->base + ic_cursor_uleb(cur);
			range->end = list->base + ic_cursor_uleb(cur);
			break;
		case DW_RLE_start_end:
			range->start = ic_cursor_uint(cur, size);
			range->end = ic_cursor_uint(cur, size);
			break;
		case DW_RLE_start_length:
			range->start = ic_cursor_uint(cur, size);
			range->end = range->start + ic_cursor_uleb(cur);
			break;
		default: ic_cursor_fault(cur, "unknown range list entry kind"); return false;
		}
		range->start &= mask;
		range->end &= mask;
		return !cur->fault;
	}
}

bool ic_range_list_next(struct ic_range_list *list, struct ic_range *range)
{
	return list->unit->version >= 5 ? next_of_entries(list, range) : next_of_pairs(list, range);
}

bool ic_range_list_ok(const struct ic_range_list *list, struct ic_error *err)
{
	return ic_cursor_ok(&list->cur, err);
}
