#include "dwarf/units/unit.h"

#include "base/search.h"
#include "dwarf/units/constants.h"
#include "dwarf/units/package.h"

// DWARF 5, 7.5.1.1 to 7.5.1.3. In DWARF 2 to 4, the address size is last.
static bool parse_header(struct ic_unit *unit, struct ic_cursor *cur, bool *is_cut,
			 struct ic_error *err)
{
	const uint8_t *section_end = cur->end;

	unit->off = ic_cursor_off(cur);
	unit->offset_size = ic_cursor_initial_length(cur);
	if (!ic_cursor_ok(cur, err)) // the start of the next unit is unknown
		return false;
	unit->end_off = (uint64_t)(cur->end - cur->begin);
	unit->version = ic_cursor_u16(cur);
	unit->is_draft = unit->version == 6;
	unit->version -= unit->is_draft;
	if (unit->version >= 5) {
		unit->type = ic_cursor_u8(cur);
		unit->addr_size = ic_cursor_u8(cur);
		unit->abbrev_off = ic_cursor_uint(cur, unit->offset_size);
		if (unit->type == DW_UT_skeleton || unit->type == DW_UT_split_compile)
			unit->id = ic_cursor_u64(cur);
	} else {
		unit->type = unit->dwarf->is_types ? DW_UT_type : DW_UT_compile;
		unit->abbrev_off = ic_cursor_uint(cur, unit->offset_size);
		unit->addr_size = ic_cursor_u8(cur);
	}
	unit->is_passive = unit->type == DW_UT_type || unit->type == DW_UT_split_type;
	if (unit->is_passive) {
		unit->id = ic_cursor_u64(cur);
		unit->type_off = ic_cursor_uint(cur, unit->offset_size);
	}
	unit->die_off = ic_cursor_off(cur);
	*is_cut = cur->fault != NULL;
	cur->fault = NULL;
	cur->pos = cur->begin + unit->end_off;
	cur->end = section_end;
	return true;
}

static bool parse_table(struct ic_unit *unit, struct ic_cursor *cur, struct ic_error *err)
{
	const uint8_t *section_end = cur->end;

	unit->off = unit->root.line_off = ic_cursor_off(cur);
	unit->offset_size = ic_cursor_initial_length(cur);
	if (!ic_cursor_ok(cur, err))
		return false;
	unit->die_off = unit->end_off = (uint64_t)(cur->end - cur->begin);
	unit->version = 4; // decides the forms in its header; the table has its own version
	unit->addr_size = unit->dwarf->is_32_bit ? 4 : 8;
	unit->root.has_stmt_list = true;
	cur->pos = cur->end;
	cur->end = section_end;
	return true;
}

static bool has_known_version(const struct ic_unit *unit)
{
	return unit->version >= 2 && unit->version <= 5;
}

static bool has_known_addr_size(const struct ic_unit *unit)
{
	return unit->addr_size == 4 || unit->addr_size == 8;
}

bool ic_unit_check(const struct ic_unit *unit, struct ic_error *err)
{
	if (!has_known_version(unit)) {
		ic_fail_at(err, unit->dwarf->info_name, unit->off, "unsupported DWARF version %u",
			   unit->version);
		err->code = IC_ERROR_UNSUPPORTED;
		return false;
	}
	if (!has_known_addr_size(unit)) {
		ic_fail_at(err, unit->dwarf->info_name, unit->off,
			   "unsupported address size: %u bytes", unit->addr_size);
		err->code = IC_ERROR_UNSUPPORTED;
		return false;
	}
	if (unit->end_off - unit->off > UINT32_MAX) {
		ic_fail_at(err, unit->dwarf->info_name, unit->off, "unit is larger than 4 GiB");
		err->code = IC_ERROR_UNSUPPORTED;
		return false;
	}
	return true;
}

// Adds what the row of a package's index says about the unit.
static void take_package_row(struct ic_unit *unit)
{
	const struct ic_dwarf *dwarf = unit->dwarf;
	const struct ic_package_row *row =
		dwarf->package ? ic_package_find(dwarf->package, dwarf->is_types, unit->off) : NULL;

	if (!row)
		return;
	// Before DWARF 5, the header has no dwo_id. A row may cover several units, but its ID is
	// that of the first.
	if (unit->version < 5 && !unit->is_passive && unit->off == row->info_off)
		unit->id = row->id;
	unit->abbrev_off += row->abbrev_off;
	unit->str_offsets_part = row->str_offsets_off;
	unit->rnglists_part = row->rnglists_off;
	unit->locations_part = row->locations_off;
}

// Whether the unit may have a readable root DIE.
static bool may_be_readable(const struct ic_unit *unit)
{
	return has_known_version(unit) && has_known_addr_size(unit) &&
	       unit->die_off < unit->end_off && unit->dwarf->info.data[unit->die_off] != 0;
}

static bool push_unit(struct ic_unit_list *list, const struct ic_unit *unit, struct ic_error *err)
{
	if (!IC_ARRAY_ADD(&list->units, *unit))
		return ic_fail_memory(err);
	return true;
}

// Reads the next header of the section, and adds the unit if it is valid.
static bool parse_next(struct ic_unit_list *list, const struct ic_dwarf *dwarf,
		       struct ic_cursor *cur, struct ic_error *err)
{
	struct ic_unit unit = { .dwarf = dwarf };
	bool is_cut;

	if (!parse_header(&unit, cur, &is_cut, err))
		return false;
	if (is_cut) {
		if (list->cut_count++ == 0)
			list->first_cut_off = unit.off;
		return true;
	}
	if (!may_be_readable(&unit) && list->unreadable_count++ == IC_UNIT_MOST_UNREADABLE)
		return ic_fail_at(err, dwarf->info_name, unit.off,
				  "gave up after %d unreadable units", IC_UNIT_MOST_UNREADABLE);
	take_package_row(&unit);
	unit.is_passive |= dwarf->is_supplementary;
	return push_unit(list, &unit, err);
}

bool ic_unit_list_parse(struct ic_unit_list *list, const struct ic_dwarf *dwarf,
			struct ic_error *err)
{
	struct ic_cursor cur =
		ic_cursor_at(dwarf->info, dwarf->info_name, 0, dwarf->info.size, dwarf->swap);

	while (ic_cursor_more(&cur))
		if (!parse_next(list, dwarf, &cur, err))
			return false;
	return true;
}

bool ic_unit_list_parse_lines(struct ic_unit_list *list, const struct ic_dwarf *dwarf,
			      struct ic_error *err)
{
	struct ic_cursor cur =
		ic_cursor_at(dwarf->info, dwarf->info_name, 0, dwarf->info.size, dwarf->swap);

	while (ic_cursor_more(&cur)) {
		struct ic_unit unit = { .dwarf = dwarf };
		if (!parse_table(&unit, &cur, err) || !push_unit(list, &unit, err))
			return false;
	}
	return true;
}

bool ic_unit_list_parse_one(struct ic_unit_list *list, const struct ic_dwarf *dwarf, uint64_t off,
			    struct ic_error *err)
{
	uint64_t size = off < dwarf->info.size ? dwarf->info.size - off : 1;
	struct ic_cursor cur = ic_cursor_at(dwarf->info, dwarf->info_name, off, size, dwarf->swap);
	uint32_t before = list->units.count;

	if (!parse_next(list, dwarf, &cur, err))
		return false;
	return list->units.count > before ||
	       ic_fail_at(err, dwarf->info_name, off, "unit is shorter than its header");
}

const struct ic_unit *ic_unit_list_find(const struct ic_unit_list *list, uint64_t off)
{
	const struct ic_unit *units = list->units.items;
	uint32_t first; // that ends beyond the offset

	IC_SEARCH(first, list->units.count, at,
		  ic_unit_global_off(&units[at], units[at].end_off) <= off);
	if (first == list->units.count)
		return NULL;
	const struct ic_unit *unit = &list->units.items[first];
	return off < ic_unit_global_off(unit, unit->die_off) ? NULL : unit;
}

struct ic_cursor ic_unit_cursor(const struct ic_unit *unit, uint64_t off)
{
	if (off < unit->die_off || off > unit->end_off)
		off = unit->end_off; // so that reading there fails: "unexpected end of data"
	return ic_cursor_at(unit->dwarf->info, unit->dwarf->info_name, off, unit->end_off - off,
			    unit->dwarf->swap);
}
