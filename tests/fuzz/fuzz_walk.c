// Fuzzes walks through the units of .debug_info, with their abbreviations.
// Wanted: a walk ends; its position only moves forward; the next DIE begins at the same offset
// whether the one before is read or skipped.
#include "dwarf/units/die.h"
#include "dwarf/units/walk.h"
#include "fuzz_input.h"
#include "fuzz_reader.h"

struct outcome { // of a walk
	enum ic_walk_event event;
	uint64_t off;
	int32_t depth;
};

// Reads the DIE that the walk has stopped at; false if its attributes cannot all be read.
static bool read_entry(struct ic_walk *walk)
{
	const uint8_t *info = walk->unit->dwarf->info.data;
	struct ic_value value;
	struct ic_die die, again;
	struct ic_error err = { 0 };

	ic_die_at_walk(&die, walk);
	PROMISE(ic_die_open(&again, walk->unit, walk->table, die.off, &err));
	PROMISE(again.cur.pos == die.cur.pos && again.spec == die.spec && again.tag == die.tag);
	PROMISE(die.off == (uint64_t)(walk->entry - info));
	while (ic_die_next(&die, &value)) {}
	// An attribute's name may be 0, though no compiler writes it: the end of such a DIE is not
	// known.
	if (die.spec != die.spec_end && !die.cur.fault)
		return false;
	if (!ic_cursor_ok(&die.cur, &err)) {
		PROMISE_REASON(err);
		return false;
	}
	ic_walk_pass(walk, die.cur.pos);
	return true;
}

// Walks to the end. DIEs of `kinds` are read, or skipped if `skip`; all others are passed over.
static struct outcome walk_unit(const struct ic_unit *unit, const struct ic_abbrev_table *table,
				uint8_t kinds, bool skip)
{
	struct ic_walk walk;
	struct ic_error err = { 0 };

	ic_walk_init(&walk, unit, table);
	walk.kinds = kinds;
	walk.leave_depth = INT32_MIN;
	for (;;) {
		const uint8_t *before = walk.pos;
		enum ic_walk_event event = ic_walk_step(&walk);

		PROMISE(event != IC_WALK_LEAVE);
		if (event == IC_WALK_END || event == IC_WALK_FAULT) {
			PROMISE(walk.pos == before);
			PROMISE(event == IC_WALK_FAULT || walk.pos == walk.end);
			if (event == IC_WALK_FAULT) {
				PROMISE(!ic_walk_fault(&walk, &err));
				PROMISE_REASON(err);
			}
			return (struct outcome){ event,
						 (uint64_t)(walk.pos - unit->dwarf->info.data),
						 walk.depth };
		}
		PROMISE(walk.pos > before);
		if (event == IC_WALK_ENTRY && !(skip ? ic_walk_skip(&walk) : read_entry(&walk)))
			return (struct outcome){ IC_WALK_FAULT, 0, 0 };
	}
}

static void check_unit(struct ic_unit *unit, struct ic_abbrev_table *table)
{
	const struct ic_dwarf *dwarf = unit->dwarf;
	struct ic_arena arena = { 0 };
	struct ic_problems problems = { .arena = &arena };
	struct ic_error err = { 0 };
	uint64_t off = unit->abbrev_off;
	struct ic_cursor cur = ic_cursor_at(dwarf->abbrev, ".debug_abbrev", off,
					    off < dwarf->abbrev.size ? dwarf->abbrev.size - off : 1,
					    dwarf->swap);

	if (!ic_unit_check(unit, &err) ||
	    !ic_abbrev_table_parse(table, &cur, unit, &fuzz_reader, &err)) {
		PROMISE_REASON(err);
		return;
	}
	struct outcome read = walk_unit(unit, table, (uint8_t)~IC_KIND_PASSED, false);
	struct outcome skipped = walk_unit(unit, table, (uint8_t)~IC_KIND_PASSED, true);
	struct outcome passed = walk_unit(unit, table, 0, false);
	struct outcome mixed = walk_unit(unit, table, IC_KIND_FIRST << 1, false);
	if (read.event == IC_WALK_END) {
		PROMISE(passed.event == IC_WALK_END && mixed.event == IC_WALK_END);
		PROMISE(passed.off == read.off && passed.depth == read.depth);
		PROMISE(mixed.off == read.off && mixed.depth == read.depth);
		PROMISE(skipped.event == IC_WALK_END);
		PROMISE(skipped.off == read.off && skipped.depth == read.depth);
	}
	if (!ic_unit_read_root(unit, table, &problems, &err))
		PROMISE_REASON(err);
	IC_ARRAY_FREE(&problems.list);
	ic_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	bool swap = fuzz_take_u8(&in) & 1;
	struct ic_bytes sections[FUZZ_DWARF_SECTIONS] = { 0 };
	struct ic_unit_list list = { 0 };
	struct ic_abbrev_table table = { 0 };
	struct ic_error err = { 0 };
	uint64_t last_end = 0;

	fuzz_take_sections(&in, sections, FUZZ_ABBREV + 1);
	struct ic_dwarf dwarf = fuzz_dwarf_of(sections, swap);
	if (!ic_unit_list_parse(&list, &dwarf, &err))
		PROMISE_REASON(err);
	for (uint32_t i = 0; i < list.units.count; i++) {
		struct ic_unit *unit = &list.units.items[i];

		PROMISE(unit->off >= last_end && unit->die_off > unit->off);
		PROMISE(unit->end_off >= unit->die_off && unit->end_off <= dwarf.info.size);
		PROMISE(!ic_unit_list_find(&list, unit->off));
		if (unit->end_off > unit->die_off)
			PROMISE(ic_unit_list_find(&list, unit->end_off - 1) == unit);
		last_end = unit->end_off;
		if (i < 16) // the time of a run is bounded
			check_unit(unit, &table);
	}
	ic_abbrev_table_free(&table);
	IC_ARRAY_FREE(&list.units);
	fuzz_free_sections(sections, FUZZ_ABBREV + 1);
	return 0;
}
