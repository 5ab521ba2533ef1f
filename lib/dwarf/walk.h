// Stepping through the entries of a unit.
//
// A walk waits for memory: where an entry begins is known only once the one before it has been
// read. So the state of a walk is a small struct with a step function, and one thread steps
// through several units in turn: while one waits, the others go on.
#ifndef DWARF_WALK_H
#define DWARF_WALK_H

#include "dwarf/abbrev.h"

enum ic_walk_event {
	IC_WALK_ON,    // an entry was passed over
	IC_WALK_ENTRY, // `pos` is at the attributes of an entry whose kind is not below
		       // `first_kind`
	IC_WALK_LEAVE, // `depth` has fallen below `leave_depth`
	IC_WALK_END,   // the unit is at its end
	IC_WALK_FAULT, // the next entry cannot be read; see ic_walk_fault
};

struct ic_walk {
	const uint8_t *pos, *end;
	const uint8_t *near_end;     // before it, an entry of any step without a plan fits
	const struct ic_step *steps; // the table's, by code
	uint32_t step_count;
	int32_t depth; // of the next entry; the root entry is at 0
	int32_t leave_depth;
	uint8_t first_kind; // where to stop: at entries of this kind and those above
	const struct ic_abbrev_table *table;
	const struct ic_step *step; // of the entry, after IC_WALK_ENTRY
	const uint8_t *entry;       // where the entry begins, after IC_WALK_ENTRY
	const struct ic_unit *unit;
};

// A walk from the root entry of the unit, which stops at all kinds from IC_KIND_FIRST on.
void ic_walk_init(struct ic_walk *walk, const struct ic_unit *unit,
		  const struct ic_abbrev_table *table);

// The cases that ic_walk_step has no fast path for: long codes, odd abbreviations, the last
// entries.
enum ic_walk_event ic_walk_step_slow(struct ic_walk *walk);

// Passes over the attributes at `pos` by a step that has a plan; NULL where the data ends too early
// or something in it is not known.
const uint8_t *ic_walk_run_plan(const struct ic_walk *walk, const struct ic_step *step,
				const uint8_t *pos);

// Goes on from the entry that an event was about: the caller read its attributes, and `pos` is
// behind them.
static inline void ic_walk_pass(struct ic_walk *walk, const uint8_t *pos)
{
	walk->pos = pos;
	walk->depth += walk->step->depth_change;
}

// Passes over one entry, or says why not. One at a time: a loop here that goes on with the same
// unit makes its own speed, but loses what the turns between units gain (docs/performance.md).
static inline enum ic_walk_event ic_walk_step(struct ic_walk *walk)
{
	const uint8_t *pos = walk->pos;

	if (__builtin_expect(pos >= walk->near_end, 0))
		return ic_walk_step_slow(walk);
	uint32_t code = *pos++;
	if (code >= 0x80) {
		if (*pos >= 0x80)
			return ic_walk_step_slow(walk);
		code = (code & 0x7f) | (uint32_t)*pos++ << 7;
	}
	if (__builtin_expect(code >= walk->step_count, 0))
		return ic_walk_step_slow(walk);
	const struct ic_step *step = &walk->steps[code];

	if (step->kind >= walk->first_kind) {
		walk->entry = walk->pos;
		walk->pos = pos;
		walk->step = step;
		return IC_WALK_ENTRY;
	}
	if (__builtin_expect(step->size == IC_STEP_PLANNED, 0)) {
		pos = ic_walk_run_plan(walk, step, pos);
		if (!pos)
			return IC_WALK_FAULT;
		walk->pos = pos;
	} else {
		walk->pos = pos + step->size;
	}
	walk->depth += step->depth_change;
	return __builtin_expect(walk->depth < walk->leave_depth, 0) ? IC_WALK_LEAVE : IC_WALK_ON;
}

// Why and where a walk stopped with IC_WALK_FAULT; returns false.
bool ic_walk_fault(const struct ic_walk *walk, struct ic_error *err);

#endif
