#include "dwarf/expressions/locations.h"

#include "dwarf/units/constants.h"

enum { // entry kinds of .debug_loclists (DWARF 5, 7.7.3), and GNU's extension
	LLE_END,
	LLE_BASE_ADDRESSX,
	LLE_STARTX_ENDX,
	LLE_STARTX_LENGTH,
	LLE_OFFSET_PAIR,
	LLE_DEFAULT,
	LLE_BASE_ADDRESS,
	LLE_START_END,
	LLE_START_LENGTH,
	LLE_GNU_VIEW_PAIR,
};

enum { // entry kinds of .debug_loc.dwo (GCC's "Fission")
	LLE_GNU_END,
	LLE_GNU_BASE_ADDRESS,
	LLE_GNU_START_END,
	LLE_GNU_START_LENGTH,
	LLE_GNU_OFFSET_PAIR,
};

// Depends on the unit's version, and on whether it is split.
static const char *section_name(const struct ic_unit *unit)
{
	if (unit->version >= 5)
		return unit->dwarf->is_split ? ".debug_loclists.dwo" : ".debug_loclists";
	return unit->dwarf->is_split ? ".debug_loc.dwo" : ".debug_loc";
}

static struct ic_cursor take_block(struct ic_cursor *cur, uint64_t size)
{
	struct ic_cursor block = *cur;

	if (ic_cursor_take(cur, size))
		block.end = block.pos + size;
	else
		block.pos = block.end;
	return block;
}

struct ic_cursor ic_block_read(struct ic_cursor *cur, uint16_t form)
{
	switch (form) {
	case DW_FORM_block1: return take_block(cur, ic_cursor_u8(cur));
	case DW_FORM_block2: return take_block(cur, ic_cursor_u16(cur));
	case DW_FORM_block4: return take_block(cur, ic_cursor_u32(cur));
	default: return take_block(cur, ic_cursor_uleb(cur));
	}
}

// A cursor from an offset in the section to its end.
static struct ic_cursor cursor_from(const struct ic_locations *locations, uint64_t off)
{
	uint64_t size = locations->section.size;

	return ic_cursor_at(locations->section, section_name(locations->unit), off,
			    off < size ? size - off : 1, locations->unit->dwarf->swap);
}

// Checks the version of the table of lists, a field that ends six bytes before the list offsets. A
// list found by index belongs to the unit's own table; for others, the first table of the file, or
// of the unit's part of a package, is checked. Before DWARF 5 there is no version.
static bool has_version(const struct ic_locations *locations, uint16_t form)
{
	const struct ic_unit *unit = locations->unit;
	struct ic_bytes section = locations->section;
	bool swap = unit->dwarf->swap;
	uint64_t base = locations->lists_base;

	if (unit->version < 5)
		return true;
	if (form != DW_FORM_loclistx) {
		base = unit->locations_part;
		if (base > section.size || section.size - base < 20)
			return true;
		base += ic_load32(section.data + base, swap) == UINT32_MAX ? 20 : 12;
	}
	return base < 8 || base > section.size ||
	       ic_dwarf_is_version_5(ic_load16(section.data + base - 8, swap));
}

// Whether the list is only zeros: more of them than an empty list with its views followed by
// another, or an empty list at the end of the section, could account for.
static bool is_zeros(struct ic_cursor cur, const struct ic_unit *unit)
{
	uint64_t empty = unit->version >= 5 ? 1 : 2 * unit->addr_size;
	uint64_t left = cur.fault ? 0 : (uint64_t)(cur.end - cur.pos);
	uint64_t most = empty + 4 * sizeof(uint64_t);

	return left > 2 * empty &&
	       ic_bytes_are_zero((struct ic_bytes){ cur.pos, left < most ? left : most });
}

bool ic_locations_open(struct ic_locations *locations, struct ic_cursor attr,
		       const struct ic_attr_spec *spec, const struct ic_location_lists *lists,
		       struct ic_error *err)
{
	const struct ic_unit *unit = lists->unit;
	uint64_t off;

	*locations = (struct ic_locations){
		.cur = attr,
		.unit = unit,
		.section = unit->version >= 5 ? lists->sections->loclists : lists->sections->loc,
		.base = unit->root.low_pc,
		.lists_base = lists->base,
	};
	if (spec->class == IC_FORM_CLASS_BLOCK) {
		locations->cur = ic_block_read(&attr, spec->form);
		return ic_cursor_ok(&attr, err);
	}
	struct ic_value value = ic_value_read(&attr, spec, unit);
	if (!ic_cursor_ok(&attr, err))
		return false;
	if (spec->form == DW_FORM_loclistx) {
		const struct ic_list_offsets offsets = { locations->section, section_name(unit),
							 lists->base };
		if (!ic_list_offset_at(unit, &offsets, value.number, &off, err))
			return false;
	} else if (!ic_value_offset(&value, &off, err)) {
		return false;
	} else if (__builtin_add_overflow(off, unit->locations_part, &off)) {
		off = UINT64_MAX;
	}
	locations->is_list = true;
	locations->cur = cursor_from(locations, off);
	locations->first = locations->cur.pos;
	if (!has_version(locations, spec->form))
		return ic_fail_at(err, section_name(unit), off,
				  "location list is not in a version 5 table");
	if (is_zeros(locations->cur, unit))
		return ic_fail_at(err, section_name(unit), off, "zeros instead of a location list");
	return ic_cursor_ok(&locations->cur, err);
}

bool ic_locations_open_views(struct ic_locations *locations, const struct ic_value *value,
			     struct ic_error *err)
{
	const struct ic_unit *unit = locations->unit;
	// In split units of DWARF 5, GCC counts the offset from the end of the table's header, like
	// the offsets in the table.
	uint64_t part = unit->version >= 5 && unit->dwarf->is_split ? locations->lists_base
								    : unit->locations_part;
	uint64_t off;

	if (!locations->is_list)
		return true;
	if (!ic_value_offset(value, &off, err))
		return false;
	if (__builtin_add_overflow(off, part, &off))
		off = UINT64_MAX;
	locations->views = cursor_from(locations, off);
	locations->first_views = locations->views.pos;
	return ic_cursor_ok(&locations->views, err);
}

// ---- Entries

static uint64_t read_addrx(struct ic_locations *locations)
{
	return ic_unit_read_addrx(locations->unit, &locations->cur);
}

static uint64_t read_address(struct ic_locations *locations)
{
	return ic_cursor_uint(&locations->cur, locations->unit->addr_size);
}

// Linkers write one of the last two addresses in place of the address of a discarded function.
static bool is_mark(const struct ic_locations *locations, uint64_t addr)
{
	return addr >= ic_unit_addr_mask(locations->unit) - 1;
}

static void select_base(struct ic_locations *locations, uint64_t addr)
{
	locations->base = addr & ic_unit_addr_mask(locations->unit);
}

// Sets a range of addresses; with a base, `start` and `end` are offsets from it.
static void set_range(const struct ic_locations *locations, struct ic_location_entry *entry,
		      uint64_t base, uint64_t start, uint64_t end)
{
	uint64_t mask = ic_unit_addr_mask(locations->unit);

	entry->has_range = true;
	entry->range = (struct ic_range){ (base + start) & mask, (base + end) & mask };
	entry->is_dead = is_mark(locations, base) || is_mark(locations, entry->range.start);
}

// Reads an entry up to its expression (DWARF 5, 7.7.3). Returns false if it has none.
static bool enter_new(struct ic_locations *locations, struct ic_location_entry *entry)
{
	struct ic_cursor *cur = &locations->cur;
	uint64_t start = 0, end = 0, base = 0;

	switch (ic_cursor_u8(cur)) {
	case LLE_END: locations->is_over = true; return false;
	case LLE_BASE_ADDRESSX: select_base(locations, read_addrx(locations)); return false;
	case LLE_BASE_ADDRESS: select_base(locations, read_address(locations)); return false;
	case LLE_GNU_VIEW_PAIR:
		entry->has_views = true;
		entry->start_view = ic_cursor_uleb(cur);
		entry->end_view = ic_cursor_uleb(cur);
		return false;
	case LLE_DEFAULT: entry->is_default = true; return true;
	case LLE_STARTX_ENDX:
		start = read_addrx(locations);
		end = read_addrx(locations);
		break;
	case LLE_STARTX_LENGTH:
		start = read_addrx(locations);
		end = start + ic_cursor_uleb(cur);
		break;
	case LLE_OFFSET_PAIR:
		base = locations->base;
		start = ic_cursor_uleb(cur);
		end = ic_cursor_uleb(cur);
		break;
	case LLE_START_END:
		start = read_address(locations);
		end = read_address(locations);
		break;
	case LLE_START_LENGTH:
		start = read_address(locations);
		end = start + ic_cursor_uleb(cur);
		break;
	default: ic_cursor_fault(cur, "unknown location list entry kind"); return false;
	}
	set_range(locations, entry, base, start, end);
	return true;
}

static bool enter_gnu_split(struct ic_locations *locations, struct ic_location_entry *entry)
{
	struct ic_cursor *cur = &locations->cur;
	uint64_t start = 0, end = 0, base = 0;

	switch (ic_cursor_u8(cur)) {
	case LLE_GNU_END: locations->is_over = true; return false;
	case LLE_GNU_BASE_ADDRESS: select_base(locations, read_addrx(locations)); return false;
	case LLE_GNU_START_END:
		start = read_addrx(locations);
		end = read_addrx(locations);
		break;
	case LLE_GNU_START_LENGTH: // GCC writes negative lengths: docs/dwarf-notes.md
		start = read_addrx(locations);
		end = start + (uint64_t)(int32_t)ic_cursor_u32(cur);
		break;
	case LLE_GNU_OFFSET_PAIR:
		base = locations->base;
		start = ic_cursor_u32(cur);
		end = ic_cursor_u32(cur);
		break;
	default: ic_cursor_fault(cur, "unknown location list entry kind"); return false;
	}
	set_range(locations, entry, base, start, end);
	return true;
}

// DWARF 4, 2.6.2: pairs of offsets; two zeros end the list, the largest address selects a base.
static bool enter_old(struct ic_locations *locations, struct ic_location_entry *entry)
{
	unsigned size = locations->unit->addr_size;
	uint64_t largest = size == 8 ? UINT64_MAX : UINT32_MAX;
	uint64_t start = read_address(locations), end = read_address(locations);

	locations->is_over = start == 0 && end == 0;
	if (start == largest)
		select_base(locations, end);
	if (locations->is_over || start == largest)
		return false;
	set_range(locations, entry, locations->base, start, end);
	return true;
}

static bool enter_list(struct ic_locations *locations, struct ic_location_entry *entry)
{
	if (locations->unit->version >= 5)
		return enter_new(locations, entry);
	return locations->unit->dwarf->is_split ? enter_gnu_split(locations, entry)
						: enter_old(locations, entry);
}

static void read_views(struct ic_locations *locations, struct ic_location_entry *entry)
{
	if (!locations->first_views || !entry->has_range)
		return;
	entry->has_views = true;
	entry->start_view = ic_cursor_uleb(&locations->views);
	entry->end_view = ic_cursor_uleb(&locations->views);
}

bool ic_locations_next(struct ic_locations *locations, struct ic_location_entry *entry)
{
	struct ic_cursor *cur = &locations->cur;

	*entry = (struct ic_location_entry){ .has_range = false };
	if (!locations->is_list) {
		entry->expression = *cur;
		bool is_first = !locations->is_over;
		locations->is_over = true;
		return is_first;
	}
	bool is_new = locations->unit->version >= 5;
	while (!locations->is_over && !cur->fault) {
		if (!enter_list(locations, entry))
			continue;
		entry->expression =
			take_block(cur, is_new ? ic_cursor_uleb(cur) : ic_cursor_u16(cur));
		read_views(locations, entry);
		return !cur->fault && !locations->views.fault;
	}
	return false;
}

void ic_locations_rewind(struct ic_locations *locations)
{
	locations->is_over = false;
	if (!locations->is_list)
		return;
	locations->cur.pos = locations->first;
	locations->cur.fault = NULL;
	locations->views.pos = locations->first_views;
	locations->views.fault = NULL;
	locations->base = locations->unit->root.low_pc;
}

bool ic_locations_ok(const struct ic_locations *locations, struct ic_error *err)
{
	return ic_cursor_ok(&locations->cur, err) && ic_cursor_ok(&locations->views, err);
}

// ---- Lookups

static bool is_alive(const struct ic_location_entry *entry, const struct ic_location_query *query)
{
	return !entry->is_dead &&
	       (!query->code || ic_range_set_find(query->code, entry->range.start));
}

// Whether the position (addr, view) is before another. Without views, each address is one position.
static bool is_before(uint64_t addr, uint64_t view, uint64_t other_addr, uint64_t other_view)
{
	return addr < other_addr || (addr == other_addr && view < other_view);
}

static bool entry_holds(const struct ic_location_entry *entry,
			const struct ic_location_query *query)
{
	uint64_t view = entry->has_views ? query->view : 0;

	if (!entry->has_range)
		return true;
	return is_alive(entry, query) &&
	       !is_before(query->addr, view, entry->range.start, entry->start_view) &&
	       is_before(query->addr, view, entry->range.end, entry->end_view);
}

bool ic_locations_find(struct ic_locations *locations, const struct ic_location_query *query,
		       struct ic_location_entry *entry)
{
	struct ic_location_entry next;
	bool has_default = false;

	ic_locations_rewind(locations);
	while (ic_locations_next(locations, &next)) {
		if (next.is_default && has_default)
			continue;
		if (!entry_holds(&next, query))
			continue;
		*entry = next;
		if (!next.is_default)
			return true;
		has_default = true;
	}
	// If an entry could not be read, it may have been the one that applies instead of the
	// default.
	return has_default && !locations->cur.fault && !locations->views.fault;
}

// Finds the first address from `addr` on that is in both a range and an entry.
static bool first_common(const struct ic_range *range, const struct ic_location_entry *entry,
			 uint64_t addr, uint64_t *common)
{
	bool is_bounded = entry->has_range;
	bool is_empty = is_bounded && entry->range.start == entry->range.end;
	uint64_t start = range->start > addr ? range->start : addr;

	if (is_bounded && entry->range.start > start)
		start = entry->range.start;
	*common = start;
	// An entry also covers the views at its end address that are before its end view.
	bool is_view = is_bounded && start == entry->range.end &&
		       entry->end_view > (is_empty ? entry->start_view : 0);
	return start < range->end && (!is_bounded || start < entry->range.end || is_view);
}

static bool find_from(struct ic_locations *locations, const struct ic_location_query *query,
		      uint64_t from, const struct ic_range *ranges, uint32_t count, uint64_t *addr)
{
	struct ic_location_entry entry;
	uint64_t common;
	bool found = false;

	ic_locations_rewind(locations);
	while (ic_locations_next(locations, &entry)) {
		if (entry.has_range && !is_alive(&entry, query))
			continue;
		for (uint32_t i = 0; i < count; i++) {
			if (!first_common(&ranges[i], &entry, from, &common) ||
			    (found && common >= *addr))
				continue;
			*addr = common;
			found = true;
		}
	}
	return found;
}

bool ic_locations_find_later(struct ic_locations *locations, const struct ic_location_query *query,
			     const struct ic_range *ranges, uint32_t count, uint64_t *addr)
{
	return find_from(locations, query, query->addr, ranges, count, addr) ||
	       find_from(locations, query, 0, ranges, count, addr);
}
