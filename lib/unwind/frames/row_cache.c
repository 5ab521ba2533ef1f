#include "unwind/frames/row_cache.h"

#include <assert.h>

static_assert(sizeof(struct ic_unwind_row) <= 64, "a cache line");
static_assert(IC_ORC_MOST_BYTES == sizeof(struct ic_register_rule), "kept as if they were a rule");

void ic_row_cache_forget(struct ic_row_cache *cache)
{
	cache->period++;
	cache->rule_count = 0;
}

// Finds room for the rules of a row: reuses that of the replaced row, if it is large enough.
static struct ic_register_rule *find_room(struct ic_row_cache *cache,
					  const struct ic_unwind_row *place, uint16_t *count)
{
	if (place->found_in == cache->period && place->room >= *count) {
		*count = place->room;
		return &cache->rules[place->rules - cache->rules];
	}
	if (*count > IC_CACHED_RULES - cache->rule_count)
		ic_row_cache_forget(cache);
	cache->rule_count += *count;
	return &cache->rules[cache->rule_count - *count];
}

// Makes a rule use the copy of its expression, if it has one: those of ORC are in the draft.
static void move_expression(const struct ic_unwind_row_draft *draft, const uint8_t *copy,
			    struct ic_register_rule *rule)
{
	if (rule->kind == IC_RULE_EXPRESSION || rule->kind == IC_RULE_VAL_EXPRESSION)
		rule->at.expression = copy + (rule->at.expression - draft->bytes);
}

const struct ic_unwind_row *ic_row_cache_keep(struct ic_row_cache *cache,
					      const struct ic_unwind_row_draft *draft)
{
	struct ic_unwind_row *row = &cache->rows[ic_row_cache_slot(draft->row.addr)];
	uint16_t count = draft->row.rule_count, room = count + draft->row.is_orc;
	struct ic_register_rule *rules = find_room(cache, row, &room);
	uint8_t *bytes = (uint8_t *)(rules + count);

	*row = draft->row;
	row->found_in = cache->period;
	row->rules = rules;
	row->room = room;
	memcpy(rules, draft->rules, count * sizeof(*rules));
	if (!row->is_orc)
		return row;
	memcpy(bytes, draft->bytes, IC_ORC_MOST_BYTES);
	move_expression(draft, bytes, &row->cfa);
	for (uint16_t i = 0; i < count; i++)
		move_expression(draft, bytes, &rules[i]);
	return row;
}
