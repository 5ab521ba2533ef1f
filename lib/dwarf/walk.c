#include "dwarf/walk.h"

#include <inttypes.h>

void ic_walk_init(struct ic_walk *walk, const struct ic_unit *unit,
		  const struct ic_abbrev_table *table)
{
	const uint8_t *info = unit->dwarf->info.data;

	*walk = (struct ic_walk){ .pos = info + unit->die_off,
				  .end = info + unit->end_off,
				  .table = table,
				  .first_kind = IC_KIND_FIRST,
				  .unit = unit };
}

static struct ic_cursor cursor_at(const struct ic_walk *walk, const uint8_t *pos)
{
	const struct ic_unit *unit = walk->unit;

	return ic_unit_cursor(unit, (uint64_t)(pos - unit->dwarf->info.data));
}

// Carries out one item of a plan, after its bytes were added.
static void skip_item(struct ic_cursor *cur, const struct ic_plan_item *item,
		      const struct ic_unit *unit)
{
	switch ((enum ic_plan_op)item->op) {
	case IC_PLAN_END:
	case IC_PLAN_ADD: break;
	case IC_PLAN_LEB: ic_form_skip(cur, DW_FORM_udata, unit); break;
	case IC_PLAN_CSTRING: ic_cursor_string(cur); break;
	case IC_PLAN_BLOCK:
		ic_cursor_take(cur, item->length_size ? ic_cursor_uint(cur, item->length_size)
						      : ic_cursor_uleb(cur));
		break;
	case IC_PLAN_INDIRECT: ic_form_skip(cur, DW_FORM_indirect, unit); break;
	case IC_PLAN_UNKNOWN: ic_cursor_fault(cur, "attribute of unknown form"); break;
	case IC_PLAN_ABSENT: ic_cursor_fault(cur, "entry without an abbreviation"); break;
	}
}

static void skip_plan(struct ic_cursor *cur, const struct ic_walk *walk, const struct ic_step *step)
{
	const struct ic_abbrev_table *table = walk->table;
	uint32_t plan = step->kind == IC_KIND_OTHER ? step->detail
						    : table->kept.items[step->detail].plan;
	const struct ic_plan_item *item = &table->plans.items[plan];

	for (;; item++) {
		ic_cursor_take(cur, item->add);
		skip_item(cur, item, walk->unit);
		if (item->op == IC_PLAN_END || cur->fault)
			return;
	}
}

static void skip_attributes(struct ic_cursor *cur, const struct ic_walk *walk,
			    const struct ic_step *step)
{
	if (step->size != IC_STEP_PLANNED)
		ic_cursor_take(cur, step->size);
	else
		skip_plan(cur, walk, step);
}

enum ic_walk_event ic_walk_step_slow(struct ic_walk *walk)
{
	if (walk->pos >= walk->end)
		return walk->pos == walk->end ? IC_WALK_END : IC_WALK_FAULT;
	struct ic_cursor cur = cursor_at(walk, walk->pos);
	uint64_t code = ic_cursor_uleb(&cur);
	const struct ic_step *step = ic_abbrev_table_find(walk->table, code);

	if (cur.fault)
		return IC_WALK_FAULT;
	if (step->kind >= walk->first_kind) {
		walk->entry = walk->pos;
		walk->step = step;
		walk->pos = cur.pos;
		return IC_WALK_ENTRY;
	}
	skip_attributes(&cur, walk, step);
	if (cur.fault)
		return IC_WALK_FAULT;
	walk->pos = cur.pos;
	walk->depth += step->depth_change;
	return walk->depth < walk->leave_depth ? IC_WALK_LEAVE : IC_WALK_ON;
}

bool ic_walk_fault(const struct ic_walk *walk, struct ic_error *err)
{
	const uint8_t *info = walk->unit->dwarf->info.data;

	if (walk->pos > walk->end)
		return ic_fail_at(err, ".debug_info", walk->unit->end_off,
				  "the last entry reaches beyond the end of its unit");
	struct ic_cursor cur = cursor_at(walk, walk->pos);
	uint64_t code = ic_cursor_uleb(&cur);
	const struct ic_step *step = ic_abbrev_table_find(walk->table, code);

	if (!cur.fault)
		skip_attributes(&cur, walk, step);
	return ic_fail_at(err, ".debug_info", (uint64_t)(walk->pos - info),
			  "entry with abbreviation %" PRIu64 ": %s", code,
			  cur.fault ? cur.fault : "data ends too early");
}
