// Stepping through the DIEs of a unit.
//
// A walk waits for memory: the start of a DIE is known only when the one before it has been read.
// So the state of a walk is a small struct with a step function, and one thread steps through
// several units in turn: while one waits, the others continue.
#ifndef DWARF_UNITS_WALK_H
#define DWARF_UNITS_WALK_H

#include "dwarf/units/abbrev.h"

enum ic_walk_event {
	IC_WALK_ON,    // a DIE was skipped
	IC_WALK_ENTRY, // `pos` is at the attributes of a DIE whose kind is among `kinds`
	IC_WALK_LEAVE, // `depth` has fallen below `leave_depth`
	IC_WALK_END,   // the end of the unit
	IC_WALK_FAULT, // the next DIE cannot be read; see ic_walk_fault
};

struct ic_walk {
	const uint8_t *pos, *end;
	const uint8_t *near_end;     // before it, a DIE of any step without a plan fits
	const struct ic_step *steps; // the table's, by code
	uint32_t step_count;
	int32_t depth; // of the next DIE; the root DIE is at 0
	int32_t leave_depth;
	uint8_t kinds; // at whose DIEs to stop, a bit each
	const struct ic_abbrev_table *table;
	const struct ic_step *step; // of the DIE, after IC_WALK_ENTRY
	const uint8_t *entry;       // the start of the DIE, after IC_WALK_ENTRY
	const struct ic_unit *unit;
	uint32_t padding; // null entries after the root's children so far
};

// A walk from the root DIE of the unit, which stops at all kinds of the reader.
void ic_walk_init(struct ic_walk *walk, const struct ic_unit *unit,
		  const struct ic_abbrev_table *table);

// The cases without a fast path in ic_walk_step: long codes, odd abbreviations, the last DIEs.
enum ic_walk_event ic_walk_step_slow(struct ic_walk *walk);

// Skips the attributes at `pos` by a step with a plan; NULL if the data ends too early or something
// in it is unknown.
const uint8_t *ic_walk_run_plan(const struct ic_walk *walk, const struct ic_step *step,
				const uint8_t *pos);

// Continues after the DIE of an event: the caller has read its attributes, and `pos` is after them.
static inline void ic_walk_pass(struct ic_walk *walk, const uint8_t *pos)
{
	walk->pos = pos;
	walk->depth += walk->step->depth_change;
}

// The same without having read the attributes. False if they cannot be skipped: the walk is back at
// the DIE, and ic_walk_fault() tells why.
bool ic_walk_skip(struct ic_walk *walk) IC_CHECKED;

// Skips one DIE, or returns why not. Only one: a loop here over one unit would be fast by itself,
// but lose the gain of alternating between units (docs/performance.md).
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

	if (step->kind & walk->kinds) {
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

// Continues after a null entry that brought the depth below 0: after the root's children it is
// padding. False, once, if there are more of them than tools pad with: the remains of lost DIEs.
bool ic_walk_pass_padding(struct ic_walk *walk, struct ic_error *err);

// Fails with the reason and place of IC_WALK_FAULT.
bool ic_walk_fault(const struct ic_walk *walk, struct ic_error *err);

#endif
