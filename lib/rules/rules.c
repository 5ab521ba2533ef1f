#include "rules/rules.h"

#include <stdlib.h>

#include "base/error.h"

struct ic_rules *ic_rules_new(struct ic_error *err)
{
	struct ic_rules *rules = calloc(1, sizeof(*rules));

	if (!rules)
		ic_fail_memory(err);
	return rules;
}

void ic_rules_free(struct ic_rules *rules)
{
	if (!rules)
		return;
	for (uint32_t i = 0; i < rules->items.count; i++)
		IC_ARRAY_FREE(&rules->items.items[i].breaks);
	IC_ARRAY_FREE(&rules->items);
	IC_ARRAY_FREE(&rules->subjects);
	ic_byte_map_free(&rules->by_word);
	IC_ARRAY_FREE(&rules->unless);
	IC_ARRAY_FREE(&rules->files);
	ic_arena_free(&rules->arena);
	free(rules);
}

struct ic_rule_needs ic_rules_need(const struct ic_rules *rules, struct ic_index_options *options)
{
	struct ic_rule_needs needs = { .parameters = false };

	for (uint32_t i = 0; i < rules->items.count; i++) {
		enum ic_rule_kind kind = rules->items.items[i].kind;
		options->calls |= kind == IC_RULE_NO_CALL || kind == IC_RULE_ALWAYS_INLINE;
		options->entries |= kind == IC_RULE_PROBE || kind == IC_RULE_START_PROBE;
		needs.parameters |= kind == IC_RULE_ARGUMENT;
		needs.call_frames |= kind == IC_RULE_STACK;
		needs.symbolizer |= kind == IC_RULE_LINE_PROBE || kind == IC_RULE_NO_CALL ||
				    kind == IC_RULE_ALWAYS_INLINE;
	}
	options->parameters |= needs.parameters;
	return needs;
}

// Whether a function that the rule is about is known.
static bool is_matched(const struct ic_rule_item *item)
{
	switch (item->kind) {
	case IC_RULE_NOT_INTO: return item->hosts > 0 && item->rule.functions > 0;
	case IC_RULE_NO_CALL: // without a function to call, it is kept
	case IC_RULE_INTO:
	case IC_RULE_STACK: return item->hosts > 0;
	case IC_RULE_ARGUMENT: return item->copies > 0;
	default: return item->rule.functions > 0;
	}
}

static bool is_broken(const struct ic_rule_item *item)
{
	const struct ic_rule *rule = &item->rule;

	switch (item->kind) {
	case IC_RULE_MOST_COPIES:
	case IC_RULE_MOST_BYTES:
	case IC_RULE_STACK: return rule->found > rule->limit;
	case IC_RULE_ARGUMENT: return item->readable * 100 < rule->limit * rule->found;
	case IC_RULE_ALWAYS_INLINE: return rule->break_count > 0 || item->copies == 0;
	default: return rule->break_count > 0;
	}
}

// What has no code of its own is not called, even if call sites are unknown.
static bool is_unknown(const struct ic_rule_item *item)
{
	return item->rule.why && (item->kind != IC_RULE_ALWAYS_INLINE || item->has_own_code);
}

size_t ic_rules_count(const struct ic_rules *rules)
{
	return rules->items.count;
}

bool ic_rules_get(const struct ic_rules *rules, size_t number, struct ic_rule *rule)
{
	if (number >= rules->items.count)
		return false;
	const struct ic_rule_item *item = &rules->items.items[number];
	*rule = item->rule;
	rule->state = !is_matched(item)  ? IC_RULE_UNMATCHED
		      : is_broken(item)  ? IC_RULE_BROKEN
		      : is_unknown(item) ? IC_RULE_UNKNOWN
					 : IC_RULE_KEPT;
	if (item->kind == IC_RULE_ARGUMENT)
		rule->found = item->rule.found > 0 ? item->readable * 100 / item->rule.found : 0;
	rule->is_about_line = item->kind == IC_RULE_LINE_PROBE;
	if (item->kind == IC_RULE_STACK)
		rule->functions = item->hosts;
	if (rule->state != IC_RULE_UNKNOWN)
		rule->why = NULL;
	// Of a function that is there, but has no copies, the arguments cannot be checked.
	if (rule->state == IC_RULE_UNMATCHED && item->kind != IC_RULE_ARGUMENT)
		rule->functions = 0;
	// The places of a limit that is not reached break nothing.
	if (rule->state != IC_RULE_BROKEN)
		rule->break_count = 0;
	rule->listed_count = rule->break_count > 0 ? item->breaks.count : 0;
	if (rule->limit == IC_RULE_NO_NUMBER ||
	    (item->kind == IC_RULE_STACK && rule->state == IC_RULE_UNKNOWN))
		rule->found = IC_RULE_NO_NUMBER;
	return true;
}

bool ic_rules_break(const struct ic_rules *rules, size_t rule, size_t number,
		    struct ic_rule_break *broken)
{
	struct ic_rule result;

	if (!ic_rules_get(rules, rule, &result) || number >= result.listed_count)
		return false;
	*broken = rules->items.items[rule].breaks.items[number];
	return true;
}
