#include "read/pc.h"

#include <inttypes.h>

#include "dwarf/units/ranges.h"

bool ic_pc_is_code(struct ic_reader *reader, uint64_t addr)
{
	if (addr >= reader->code.start && addr < reader->code.end)
		return true;
	const struct ic_range *found = ic_range_set_find(&reader->context->index->code, addr);
	if (found)
		reader->code = *found;
	return found != NULL;
}

void ic_pc_begin(struct ic_reader *reader)
{
	const struct ic_unit *unit = reader->unit;

	reader->list_budget =
		reader->context->listed->list_allowance + 4 * (unit->end_off - unit->off);
	reader->unit_is_dead = unit->root.has_low_pc && unit->root.has_high_pc &&
			       !ic_pc_is_code(reader, unit->root.low_pc);
}

// The values that linkers write in place of the address of a discarded function.
static bool is_mark(const struct ic_reader *reader, uint64_t addr)
{
	return addr <= 1 || addr >= ic_unit_addr_mask(reader->unit) - 1;
}

// Whether an address is beyond all code, but not a mark. Linkers do not write such an address for
// discarded code: they write a mark, or only the addend.
static bool is_beyond_code(const struct ic_reader *reader, uint64_t addr)
{
	const struct ic_range_set *code = &reader->context->index->code;

	return !is_mark(reader, addr) && code->count > 0 &&
	       addr >= code->ranges[code->count - 1].end;
}

// Handles a range that does not start in code. Most were discarded by the linker, but not one in a
// hole: there, the section header is damaged.
static bool take_outside(struct ic_reader *reader, uint64_t start, struct ic_error *err)
{
	bool is_unit_marked = reader->unit_is_dead && is_mark(reader, reader->unit->root.low_pc);

	if (!is_mark(reader, start) && ic_range_set_find(&reader->context->index->holes, start))
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "code at 0x%" PRIx64
			       " is in an executable segment, but not in any section",
			       start);
	if (!is_unit_marked && is_beyond_code(reader, start)) {
		if (is_beyond_code(reader, reader->outside_addr))
			return true; // only one per unit is reported
		reader->outside_addr = start;
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "code at 0x%" PRIx64 " is beyond all code sections", start);
	}
	if (reader->outside_addr == 0 && !is_unit_marked && !is_mark(reader, start))
		reader->outside_addr = start;
	return true;
}

bool ic_pc_check_range(struct ic_reader *reader, struct ic_range range, struct ic_error *err)
{
	if (!ic_pc_is_code(reader, range.start))
		return take_outside(reader, range.start, err);
	return range.end <= reader->code.end || ic_fail(err, IC_ERROR_MALFORMED,
							"range from 0x%" PRIx64 " to 0x%" PRIx64
							" extends beyond the code it starts in",
							range.start, range.end);
}

// An empty range in code is GCC's marker for an entry of an instance.
static bool push_empty(struct ic_reader *reader, uint64_t start)
{
	uint64_t *place = reader->context->want.entries ? IC_ARRAY_PUSH(&reader->empty_starts)
							: NULL;

	if (place)
		*place = start;
	reader->out_of_memory |= reader->context->want.entries && !place;
	return true;
}

// Keeps a range that starts in code; sets *outside if it does not.
static bool push_range(struct ic_reader *reader, struct ic_range range, bool *outside,
		       struct ic_error *err)
{
	if (!ic_pc_is_code(reader, range.start)) {
		*outside = true;
		// Unreachable functions are empty, and may be at the end of all code.
		return range.start == range.end || ic_pc_check_range(reader, range, err);
	}
	if (range.start == range.end)
		return push_empty(reader, range.start);
	if (range.start > range.end)
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "range ends at 0x%" PRIx64 ", before its start at 0x%" PRIx64,
			       range.end, range.start);
	if (!IC_ARRAY_ADD(&reader->ranges, range))
		reader->out_of_memory = true;
	return ic_pc_check_range(reader, range, err);
}

static bool resolve_list(struct ic_reader *reader, const struct ic_value *value,
			 uint64_t *first_start, bool *outside, struct ic_error *err)
{
	struct ic_range_list list;
	struct ic_range range;

	if (!ic_range_list_open(&list, value, reader->unit, err))
		return false;
	uint64_t begin = ic_cursor_off(&list.cur);
	bool inverted = false;
	bool is_short = reader->list_budget < (uint64_t)(list.cur.end - list.cur.pos);

	if (is_short)
		list.cur.end = list.cur.pos + reader->list_budget;
	// A base near the end of the address space is a linker's mark for discarded code, and so is
	// any base in a unit that was discarded as a whole.
	uint64_t mark = ic_unit_addr_mask(reader->unit) - 1;
	for (bool first = true; ic_range_list_next(&list, &range); first = false) {
		bool base_dead = list.base_selected ? list.base >= mark : reader->unit_is_dead;

		if (first)
			*first_start = range.start;
		reader->base_was_dead |= base_dead && list.base_selected;
		if (base_dead)
			*outside = true;
		else if (!push_range(reader, range, outside, err))
			inverted = true; // the other ranges still count
	}
	uint64_t end = list.cur.fault ? list.cur.fault_off : ic_cursor_off(&list.cur);
	if (is_short && list.cur.fault) {
		reader->list_budget = 0;
		return ic_fail_at(
			err, list.cur.section, end,
			"range lists are referenced too many times; the rest are skipped");
	}
	reader->list_budget -= end - begin;
	return ic_range_list_ok(&list, err) && !inverted;
}

// Gets the end of the code that starts at an address.
static bool read_end(const struct ic_unit *unit, const struct ic_pc *pc, uint64_t start,
		     uint64_t *end, struct ic_error *err)
{
	*end = start;
	if (pc->high_pc.class != IC_FORM_CLASS_CONSTANT)
		return !ic_value_is_given(&pc->high_pc) ||
		       ic_value_address(&pc->high_pc, unit, end, err);
	*end += pc->high_pc.number; // a length (DWARF 4, 2.17.2)
	return true;
}

static bool resolve_pair(struct ic_reader *reader, const struct ic_pc *pc, uint64_t start,
			 bool *outside, struct ic_error *err)
{
	struct ic_range range = { .start = start };

	if (!read_end(reader->unit, pc, start, &range.end, err) ||
	    !push_range(reader, range, outside, err))
		return false;
	if (*outside)
		reader->discarded = range;
	return true;
}

// DWARF 5, 2.18: the entry is an address, or an offset from the base, which is low_pc or the start
// of the first range.
static bool resolve_entry(struct ic_reader *reader, const struct ic_pc *pc, uint64_t base,
			  struct ic_instance *instance, struct ic_error *err)
{
	uint64_t entry = ic_value_is_given(&pc->low_pc) ? base : IC_NO_ADDR;

	if (instance->range_count > 0 &&
	    (!ic_value_is_given(&pc->low_pc) || ic_value_is_given(&pc->ranges)))
		entry = reader->ranges.items[instance->first_range].start;
	if (ic_value_is_given(&pc->entry_pc) && pc->entry_pc.class == IC_FORM_CLASS_CONSTANT)
		entry = base + pc->entry_pc.number;
	else if (ic_value_is_given(&pc->entry_pc) &&
		 !ic_value_address(&pc->entry_pc, reader->unit, &entry, err))
		return false;
	if (entry != IC_NO_ADDR && ic_pc_is_code(reader, entry))
		instance->entry = entry;
	return instance->entry != IC_NO_ADDR || instance->range_count == 0 ||
	       !ic_value_is_given(&pc->entry_pc) || is_mark(reader, entry) ||
	       ic_fail(err, IC_ERROR_MALFORMED, "entry address 0x%" PRIx64 " is not in code",
		       entry);
}

bool ic_pc_resolve(struct ic_reader *reader, const struct ic_pc *pc, bool dead,
		   struct ic_instance *instance, uint64_t die_off)
{
	struct ic_error err;
	uint64_t base = 0;
	bool ok = true, outside = false;

	instance->first_range = reader->ranges.count;
	reader->discarded = (struct ic_range){ 0 };
	reader->empty_starts.count = 0;
	if (dead)
		return true;
	if (ic_value_is_given(&pc->low_pc))
		ok = ic_value_address(&pc->low_pc, reader->unit, &base, &err);
	if (ok && ic_value_is_given(&pc->ranges)) {
		uint64_t first_start = base;
		ok = resolve_list(reader, &pc->ranges, &first_start, &outside, &err);
		if (!ic_value_is_given(&pc->low_pc))
			base = first_start;
	} else if (ok && ic_value_is_given(&pc->low_pc)) {
		ok = resolve_pair(reader, pc, base, &outside, &err);
	}
	instance->range_count = reader->ranges.count - instance->first_range;
	if (!ok || !resolve_entry(reader, pc, base, instance, &err))
		ic_reader_problem(reader, die_off, &err);
	return outside && instance->range_count == 0;
}

// Before DWARF 5, two zeros end a list. They may also be an empty range at the unit's base, with
// which GCC may begin a list in a function that starts there.
void ic_pc_check_list(struct ic_reader *reader, const struct ic_pc *pc, uint64_t host_start,
		      uint64_t die_off)
{
	struct ic_range_list list;
	struct ic_range range;
	struct ic_error err;

	if (!ic_value_is_given(&pc->ranges) ||
	    (reader->unit->version < 5 && host_start == reader->unit->root.low_pc) ||
	    !ic_range_list_open(&list, &pc->ranges, reader->unit, &err) ||
	    ic_range_list_next(&list, &range) || !ic_range_list_ok(&list, &err))
		return;
	ic_fail(&err, IC_ERROR_MALFORMED,
		"%s: empty range list of code inlined into the function at 0x%" PRIx64,
		reader->unit->version < 5 ? ".debug_ranges" : ".debug_rnglists", host_start);
	ic_reader_problem(reader, die_off, &err);
}

void ic_pc_check_pair(struct ic_reader *reader, const struct ic_pc *pc, uint64_t host_start,
		      uint64_t die_off)
{
	struct ic_error err;
	uint64_t start;

	if (ic_value_is_given(&pc->ranges) ||
	    !ic_value_address(&pc->low_pc, reader->unit, &start, &err))
		return;
	ic_fail(&err, IC_ERROR_MALFORMED,
		"address 0x%" PRIx64 ", inlined into the function at 0x%" PRIx64 ", is not in code",
		start, host_start);
	ic_reader_problem(reader, die_off, &err);
}

void ic_pc_check_discarded(struct ic_reader *reader, const struct ic_pc *pc, struct ic_range around,
			   uint64_t die_off)
{
	struct ic_error err;
	uint64_t start;

	if (around.start == around.end || ic_value_is_given(&pc->ranges) ||
	    !ic_value_is_given(&pc->low_pc) ||
	    !ic_value_address(&pc->low_pc, reader->unit, &start, &err) ||
	    start - around.start < around.end - around.start || !ic_pc_is_code(reader, start))
		return;
	ic_fail(&err, IC_ERROR_MALFORMED,
		"code at 0x%" PRIx64 " was inlined into a function at 0x%" PRIx64
		", where there is no code",
		start, around.start);
	ic_reader_problem(reader, die_off, &err);
}
