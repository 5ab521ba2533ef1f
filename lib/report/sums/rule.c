// The rows of rules.
#include "report/rows/rows.h"
#include "rules/rules.h"

#include <inlinecall/extra/rule_row.h>

// clang-format off
#define FIELD(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_rule_row, key), 0, NULL }

static const struct ic_field fields[] = {
	FIELD(type,        TEXT),
	FIELD(of,          TEXT),
	FIELD(rule_file,   TEXT),
	FIELD(rule_line,   COUNT),
	FIELD(rule,        TEXT),
	FIELD(reason,      TEXT),
	FIELD(state,       TEXT),
	FIELD(why,         TEXT),
	FIELD(limit,       BYTES),
	FIELD(found,       BYTES),
	FIELD(functions,   BYTES),
	FIELD(breaks,      BYTES),
	FIELD(what,        TEXT),
	FIELD(file,        TEXT),
	FIELD(function,    TEXT),
	FIELD(host,        TEXT),
	FIELD(call_file,   TEXT),
	FIELD(call_line,   COUNT),
	FIELD(call_column, COUNT),
	FIELD(section,     TEXT),
	FIELD(address,     ADDRESS),
	FIELD(probes,      TEXT),
	FIELD(rules,       BYTES),
	FIELD(kept,        BYTES),
	FIELD(broken,      BYTES),
	FIELD(unmatched,   BYTES),
	FIELD(unknown,     BYTES),
};
// clang-format on

static const struct ic_schema schema = { fields, sizeof(fields) / sizeof(*fields),
					 sizeof(struct ic_rule_row) };

static const struct ic_schema *const rule_schemas[] = { &schema, NULL };

const struct ic_row_type ic_rule_row_type = { IC_ROWS_RULES, &schema, rule_schemas, NULL, NULL };

struct rule_rows {
	struct ic_rows rows; // must be first
	const struct ic_rules *rules;
	struct ic_rule_row row;
	size_t rule;  // of the latest row
	size_t first; // the number of the rule's own row
};

static const char *state_word(enum ic_rule_state state)
{
	switch (state) {
	case IC_RULE_BROKEN: return "broken";
	case IC_RULE_UNMATCHED: return "unmatched";
	case IC_RULE_UNKNOWN: return "unknown";
	case IC_RULE_KEPT: break;
	}
	return "kept";
}

static void fill_total(struct rule_rows *rows)
{
	uint64_t counts[IC_RULE_UNKNOWN + 1] = { 0 };
	struct ic_rule rule;

	for (size_t i = 0; ic_rules_get(rows->rules, i, &rule); i++)
		counts[rule.state]++;
	rows->row = (struct ic_rule_row){ .type = "rule",
					  .of = "all",
					  .is_total = true,
					  .limit = UINT64_MAX,
					  .found = UINT64_MAX,
					  .functions = UINT64_MAX,
					  .breaks = UINT64_MAX,
					  .address = IC_NO_ADDR,
					  .rules = ic_rules_count(rows->rules),
					  .kept = counts[IC_RULE_KEPT],
					  .broken = counts[IC_RULE_BROKEN],
					  .unmatched = counts[IC_RULE_UNMATCHED],
					  .unknown = counts[IC_RULE_UNKNOWN] };
}

static void fill_rule(struct rule_rows *rows, const struct ic_rule *rule)
{
	rows->row = (struct ic_rule_row){ .type = "rule",
					  .of = "rule",
					  .rule_file = rule->file,
					  .rule_line = rule->line,
					  .rule = rule->text,
					  .reason = rule->reason,
					  .state = state_word(rule->state),
					  .why = rule->why,
					  .which = rule->state,
					  .is_about_line = rule->is_about_line,
					  .number = rows->rule + 1,
					  .limit = rule->limit,
					  .found = rule->found,
					  .functions = rule->functions,
					  .breaks = rule->break_count,
					  .address = IC_NO_ADDR,
					  .rules = UINT64_MAX,
					  .kept = UINT64_MAX,
					  .broken = UINT64_MAX,
					  .unmatched = UINT64_MAX,
					  .unknown = UINT64_MAX };
}

static void fill_place(struct rule_rows *rows, const struct ic_rule_break *broken)
{
	const struct ic_filler *filler = &rows->rows.filler;
	struct ic_rule_row *row = &rows->row;

	row->of = "place";
	row->is_place = true;
	row->what = broken->what;
	row->file = broken->file;
	row->function = broken->function;
	row->host = broken->host;
	row->call_file = ic_filler_path(filler, broken->call_file);
	row->call_line = broken->call_line;
	row->call_column = broken->call_column;
	row->section = broken->section;
	row->address = broken->address;
	row->probes = broken->probes;
}

// Row 0 is for all rules.
static const void *make_row(struct ic_rows *common, size_t number)
{
	struct rule_rows *rows = (struct rule_rows *)common;
	struct ic_rule_break broken;
	struct ic_rule rule;

	if (number == 0) {
		fill_total(rows);
		return &rows->row;
	}
	while (ic_rules_get(rows->rules, rows->rule, &rule) &&
	       number - rows->first > rule.listed_count) {
		rows->first += rule.listed_count + 1;
		rows->rule++;
	}
	if (!ic_rules_get(rows->rules, rows->rule, &rule)) {
		common->is_over = true;
		return NULL;
	}
	fill_rule(rows, &rule);
	if (number > rows->first &&
	    ic_rules_break(rows->rules, rows->rule, number - rows->first - 1, &broken))
		fill_place(rows, &broken);
	return &rows->row;
}

struct ic_rows *ic_rows_of_rules(const struct ic_rules *rules, const struct ic_row_options *options,
				 struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct rule_rows), &ic_rule_row_type, options, err);

	if (!common)
		return NULL;
	((struct rule_rows *)common)->rules = rules;
	((struct rule_rows *)common)->first = 1;
	common->make = make_row;
	common->count = SIZE_MAX;
	return common;
}
