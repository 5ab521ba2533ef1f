#include "dwarf/units/aranges.h"

void ic_aranges_open(struct ic_aranges *aranges, struct ic_bytes section, bool swap)
{
	*aranges = (struct ic_aranges){
		.cur = ic_cursor_at(section, ".debug_aranges", 0, section.size, swap),
	};
	aranges->section_end = aranges->cur.end;
}

// The tuples begin at a multiple of their size, counted from the start of the set (DWARF 5, 6.1.2).
static void pass_padding(struct ic_aranges *aranges, const uint8_t *set)
{
	struct ic_cursor *cur = &aranges->cur;
	uint64_t tuple = 2ull * aranges->addr_size + aranges->segment_size;
	uint64_t used = (uint64_t)(cur->pos - set) % tuple;

	if (used > 0)
		ic_cursor_take(cur, tuple - used);
}

static void parse_header(struct ic_aranges *aranges)
{
	struct ic_cursor *cur = &aranges->cur;
	const uint8_t *set = cur->pos;
	uint8_t offset_size = ic_cursor_initial_length(cur);
	uint16_t version = ic_cursor_u16(cur);

	aranges->info_off = ic_cursor_uint(cur, offset_size);
	aranges->addr_size = ic_cursor_u8(cur);
	aranges->segment_size = ic_cursor_u8(cur);
	if (cur->fault)
		return;
	if (version != 2)
		ic_cursor_fault(cur, "unknown version of an address range set");
	else if (aranges->addr_size != 4 && aranges->addr_size != 8)
		ic_cursor_fault(cur, "address range set has an address size other than 4 or 8");
	else if (aranges->segment_size != 0 && aranges->segment_size != 4 &&
		 aranges->segment_size != 8)
		ic_cursor_fault(cur, "address range set has an invalid segment selector size");
	else
		pass_padding(aranges, set);
}

bool ic_aranges_next_set(struct ic_aranges *aranges)
{
	struct ic_cursor *cur = &aranges->cur;

	if (aranges->in_set) { // skip the rest of it
		cur->pos = cur->end;
		cur->end = aranges->section_end;
		aranges->in_set = false;
	}
	if (cur->fault || !ic_cursor_more(cur))
		return false;
	parse_header(aranges);
	aranges->in_set = !cur->fault;
	return aranges->in_set;
}

bool ic_aranges_next(struct ic_aranges *aranges, struct ic_range *range)
{
	struct ic_cursor *cur = &aranges->cur;

	if (!aranges->in_set || !ic_cursor_more(cur))
		return false;
	ic_cursor_take(cur, aranges->segment_size);
	range->start = ic_cursor_uint(cur, aranges->addr_size);
	range->end = range->start + ic_cursor_uint(cur, aranges->addr_size);
	return !cur->fault;
}

bool ic_aranges_ok(const struct ic_aranges *aranges, struct ic_error *err)
{
	return ic_cursor_ok(&aranges->cur, err);
}
