#include "dwarf/units/walk.h"

#include <inttypes.h>

void ic_walk_init(struct ic_walk *walk, const struct ic_unit *unit,
		  const struct ic_abbrev_table *table)
{
	// More than the code and the attributes of any DIE on the fast path.
	enum { LARGEST = 2 + IC_STEP_PLANNED };
	const uint8_t *info = unit->dwarf->info.data;
	bool is_small = unit->end_off - unit->die_off <= LARGEST;

	*walk = (struct ic_walk){ .pos = info + unit->die_off,
				  .end = info + unit->end_off,
				  .near_end = info +
					      (is_small ? unit->die_off : unit->end_off - LARGEST),
				  .table = table,
				  .steps = table->steps.items,
				  .step_count = table->steps.count,
				  .kinds = (uint8_t)~IC_KIND_PASSED,
				  .unit = unit };
}

static struct ic_cursor cursor_at(const struct ic_walk *walk, const uint8_t *pos)
{
	const struct ic_unit *unit = walk->unit;

	return ic_unit_cursor(unit, (uint64_t)(pos - unit->dwarf->info.data));
}

static const struct ic_plan_item *plan_of(const struct ic_walk *walk, const struct ic_step *step)
{
	const struct ic_abbrev_table *table = walk->table;

	return &table->plans
			.items[step->kind == IC_KIND_OTHER ? step->detail
							   : table->kept.items[step->detail].plan];
}

// Skips a block whose length precedes it; NULL if it does not fit.
static const uint8_t *skip_block(const struct ic_walk *walk, const struct ic_plan_item *item,
				 const uint8_t *pos)
{
	struct ic_cursor cur = {
		.pos = pos, .end = walk->end, .begin = pos, .swap = walk->unit->dwarf->swap
	};
	uint64_t size = item->length_size ? ic_cursor_uint(&cur, item->length_size)
					  : ic_cursor_uleb(&cur);

	ic_cursor_take(&cur, size);
	return cur.fault ? NULL : cur.pos;
}

static const uint8_t *skip_indirect(const struct ic_walk *walk, const uint8_t *pos)
{
	struct ic_cursor cur = cursor_at(walk, pos);

	ic_form_skip(&cur, DW_FORM_indirect, walk->unit);
	return cur.fault ? NULL : cur.pos;
}

static const uint8_t *run_item(const struct ic_walk *walk, const struct ic_plan_item *item,
			       const uint8_t *pos)
{
	const uint8_t *end = walk->end;

	switch ((enum ic_plan_op)item->op) {
	case IC_PLAN_END:
	case IC_PLAN_ADD: return pos;
	case IC_PLAN_LEB:
		while (pos < end && *pos >= 0x80)
			pos++;
		return pos < end ? pos + 1 : NULL;
	case IC_PLAN_CSTRING:
		pos = memchr(pos, 0, (size_t)(end - pos));
		return pos ? pos + 1 : NULL;
	case IC_PLAN_BLOCK: return skip_block(walk, item, pos);
	case IC_PLAN_INDIRECT: return skip_indirect(walk, pos);
	case IC_PLAN_UNKNOWN:
	case IC_PLAN_ABSENT: return NULL;
	}
	return NULL;
}

const uint8_t *ic_walk_run_plan(const struct ic_walk *walk, const struct ic_step *step,
				const uint8_t *pos)
{
	const struct ic_plan_item *item = plan_of(walk, step);

	for (;; item++) {
		if (item->add > walk->end - pos)
			return NULL;
		pos = run_item(walk, item, pos + item->add);
		if (!pos || item->op == IC_PLAN_END)
			return pos;
	}
}

// Returns the position after the attributes at `pos`; NULL if they end too late or contain
// something unknown.
static const uint8_t *skip_attrs(const struct ic_walk *walk, const struct ic_step *step,
				 const uint8_t *pos)
{
	if (step->size == IC_STEP_PLANNED)
		return ic_walk_run_plan(walk, step, pos);
	return step->size <= walk->end - pos ? pos + step->size : NULL;
}

bool ic_walk_skip(struct ic_walk *walk)
{
	const uint8_t *pos = skip_attrs(walk, walk->step, walk->pos);

	if (pos)
		ic_walk_pass(walk, pos);
	else
		walk->pos = walk->entry;
	return pos != NULL;
}

enum ic_walk_event ic_walk_step_slow(struct ic_walk *walk)
{
	if (walk->pos == walk->end)
		return IC_WALK_END;
	struct ic_cursor cur = cursor_at(walk, walk->pos);
	const struct ic_step *step = ic_abbrev_table_find(walk->table, ic_cursor_uleb(&cur));
	const uint8_t *pos = cur.pos;

	if (cur.fault)
		return IC_WALK_FAULT;
	if (step->kind & walk->kinds) {
		walk->entry = walk->pos;
		walk->step = step;
		walk->pos = pos;
		return IC_WALK_ENTRY;
	}
	pos = skip_attrs(walk, step, pos);
	if (!pos)
		return IC_WALK_FAULT;
	walk->pos = pos;
	walk->depth += step->depth_change;
	return walk->depth < walk->leave_depth ? IC_WALK_LEAVE : IC_WALK_ON;
}

// Why the plan failed.
static const char *plan_fault(const struct ic_walk *walk, const struct ic_step *step,
			      const uint8_t *pos)
{
	const struct ic_plan_item *item = plan_of(walk, step);

	for (; item->op != IC_PLAN_END && item->add <= walk->end - pos; item++) {
		if (item->op == IC_PLAN_ABSENT)
			return "no such abbreviation in .debug_abbrev";
		if (item->op == IC_PLAN_UNKNOWN)
			return "unknown attribute form in .debug_abbrev";
		struct ic_cursor cur = cursor_at(walk, pos + item->add);
		if (item->op == IC_PLAN_INDIRECT)
			ic_form_skip(&cur, DW_FORM_indirect, walk->unit);
		if (cur.fault)
			return cur.fault;
		pos = run_item(walk, item, pos + item->add);
		if (!pos)
			break;
	}
	return "unexpected end of data";
}

bool ic_walk_pass_padding(struct ic_walk *walk, struct ic_error *err)
{
	enum { MOST_PADDING = 16 };

	walk->depth = 0;
	if (walk->padding++ != MOST_PADDING)
		return true;
	return ic_fail_at(err, walk->unit->dwarf->info_name,
			  (uint64_t)(walk->pos - walk->unit->dwarf->info.data),
			  "zeros after the last DIE of a unit");
}

bool ic_walk_fault(const struct ic_walk *walk, struct ic_error *err)
{
	const uint8_t *info = walk->unit->dwarf->info.data;

	struct ic_cursor cur = cursor_at(walk, walk->pos);
	uint64_t code = ic_cursor_uleb(&cur);
	const struct ic_step *step = ic_abbrev_table_find(walk->table, code);
	const char *fault = cur.fault ? cur.fault : "unexpected end of data";

	if (!cur.fault && step->size == IC_STEP_PLANNED)
		fault = plan_fault(walk, step, cur.pos);
	return ic_fail_at(err, walk->unit->dwarf->info_name, (uint64_t)(walk->pos - info),
			  "DIE with abbreviation %" PRIu64 ": %s", code, fault);
}
