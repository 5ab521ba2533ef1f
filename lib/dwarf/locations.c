#include "dwarf/locations.h"

#include "dwarf/constants.h"

enum { // entries of .debug_loclists (DWARF 5, 7.7.3), and GNU's
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

enum { // entries of .debug_loc.dwo (GCC's "Fission")
	LLE_GNU_END,
	LLE_GNU_BASE_ADDRESS,
	LLE_GNU_START_END,
	LLE_GNU_START_LENGTH,
	LLE_GNU_OFFSET_PAIR,
};

// By the unit's version, and whether it is split.
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

// The offset of list number `index` in .debug_loclists.
static bool find_indexed(const struct ic_unit *unit, struct ic_bytes section, uint64_t index,
			 uint64_t base, uint64_t *off, struct ic_error *err)
{
	uint64_t at;

	if (__builtin_mul_overflow(index, unit->offset_size, &at) ||
	    __builtin_add_overflow(at, base, &at))
		at = UINT64_MAX;
	struct ic_cursor cur =
		ic_cursor_at(section, section_name(unit), at, unit->offset_size, unit->dwarf->swap);
	*off = base + ic_cursor_uint(&cur, unit->offset_size);
	return ic_cursor_ok(&cur, err);
}

bool ic_locations_open(struct ic_locations *locations, struct ic_cursor attr,
		       const struct ic_attr_spec *spec, const struct ic_unit *unit,
		       const struct ic_location_sections *sections, uint64_t base,
		       struct ic_error *err)
{
	struct ic_bytes section = unit->version >= 5 ? sections->loclists : sections->loc;
	uint64_t off;

	*locations = (struct ic_locations){ .cur = attr, .unit = unit };
	if (spec->class == IC_FORM_CLASS_BLOCK) {
		locations->cur = ic_block_read(&attr, spec->form);
		return ic_cursor_ok(&attr, err);
	}
	struct ic_value value = ic_value_read(&attr, spec, unit);
	if (!ic_cursor_ok(&attr, err))
		return false;
	if (spec->form == DW_FORM_loclistx) {
		if (!find_indexed(unit, section, value.number, base, &off, err))
			return false;
	} else if (!ic_value_offset(&value, &off, err)) {
		return false;
	} else if (__builtin_add_overflow(off, unit->locations_part, &off)) {
		off = UINT64_MAX;
	}
	locations->is_list = true;
	locations->cur = ic_cursor_at(section, section_name(unit), off,
				      off < section.size ? section.size - off : 1,
				      unit->dwarf->swap);
	return ic_cursor_ok(&locations->cur, err);
}

static void skip_uleb(struct ic_cursor *cur, unsigned count)
{
	while (count-- > 0)
		ic_cursor_uleb(cur);
}

// Whether the entry at the cursor has an expression, which is next.
static bool enter_new(struct ic_locations *locations)
{
	struct ic_cursor *cur = &locations->cur;
	unsigned addr_size = locations->unit->addr_size;

	switch (ic_cursor_u8(cur)) {
	case LLE_END: locations->is_over = true; return false;
	case LLE_BASE_ADDRESSX: skip_uleb(cur, 1); return false;
	case LLE_BASE_ADDRESS: ic_cursor_take(cur, addr_size); return false;
	case LLE_GNU_VIEW_PAIR: skip_uleb(cur, 2); return false;
	case LLE_STARTX_ENDX:
	case LLE_STARTX_LENGTH:
	case LLE_OFFSET_PAIR: skip_uleb(cur, 2); return true;
	case LLE_DEFAULT: return true;
	case LLE_START_END: ic_cursor_take(cur, 2ull * addr_size); return true;
	case LLE_START_LENGTH:
		ic_cursor_take(cur, addr_size);
		skip_uleb(cur, 1);
		return true;
	}
	ic_cursor_fault(cur, "unknown entry of a location list");
	return false;
}

static bool enter_gnu_split(struct ic_locations *locations)
{
	struct ic_cursor *cur = &locations->cur;

	switch (ic_cursor_u8(cur)) {
	case LLE_GNU_END: locations->is_over = true; return false;
	case LLE_GNU_BASE_ADDRESS: skip_uleb(cur, 1); return false;
	case LLE_GNU_START_END: skip_uleb(cur, 2); return true;
	case LLE_GNU_START_LENGTH:
		skip_uleb(cur, 1);
		ic_cursor_take(cur, 4);
		return true;
	case LLE_GNU_OFFSET_PAIR: ic_cursor_take(cur, 8); return true;
	}
	ic_cursor_fault(cur, "unknown entry of a location list");
	return false;
}

static bool enter_old(struct ic_locations *locations)
{
	struct ic_cursor *cur = &locations->cur;
	unsigned size = locations->unit->addr_size;
	uint64_t largest = size == 8 ? UINT64_MAX : UINT32_MAX;
	uint64_t start = ic_cursor_uint(cur, size), end = ic_cursor_uint(cur, size);

	locations->is_over = start == 0 && end == 0;
	return !locations->is_over && start != largest;
}

static bool enter(struct ic_locations *locations)
{
	if (locations->unit->version >= 5)
		return enter_new(locations);
	return locations->unit->dwarf->is_split ? enter_gnu_split(locations) : enter_old(locations);
}

bool ic_locations_next(struct ic_locations *locations, struct ic_cursor *expression)
{
	struct ic_cursor *cur = &locations->cur;

	if (!locations->is_list) {
		*expression = *cur;
		bool is_first = !locations->is_over;
		locations->is_over = true;
		return is_first;
	}
	bool is_new = locations->unit->version >= 5;
	while (!locations->is_over && !cur->fault) {
		if (!enter(locations))
			continue;
		*expression = take_block(cur, is_new ? ic_cursor_uleb(cur) : ic_cursor_u16(cur));
		return !cur->fault;
	}
	return false;
}

bool ic_locations_ok(const struct ic_locations *locations, struct ic_error *err)
{
	return ic_cursor_ok(&locations->cur, err);
}
