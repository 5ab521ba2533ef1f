// The rows of DIEs that break rules.
#include "report/rows/rows.h"

#include <inlinecall/extra/lint.h>

// clang-format off
#define FIELD(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_lint_row, key), 0, NULL }

static const struct ic_field lint_fields[] = {
	FIELD(type,      TEXT),
	FIELD(file,      TEXT),
	FIELD(rule,      TEXT),
	FIELD(severity,  TEXT),
	FIELD(paragraph, TEXT),
	FIELD(producer,  TEXT),
	FIELD(count,     BYTES),
	FIELD(section,   TEXT),
	FIELD(die,       ADDRESS),
	FIELD(die_file,  TEXT),
	FIELD(unit,      TEXT),
	FIELD(function,  TEXT),
	FIELD(source,    TEXT),
	FIELD(line,      COUNT),
	FIELD(text,      TEXT),
};
// clang-format on

static const struct ic_schema lint_schema = { lint_fields,
					      sizeof(lint_fields) / sizeof(*lint_fields),
					      sizeof(struct ic_lint_row) };

static const struct ic_schema *const lint_schemas[] = { &lint_schema, NULL };

const struct ic_row_type ic_lint_row_type = { IC_ROWS_LINT, &lint_schema, lint_schemas, NULL,
					      NULL };

struct lint_rows {
	struct ic_rows rows; // must be first
	const struct ic_lint *lint;
	struct ic_lint_count count; // currently being output
	size_t next_count;
	size_t told; // number of its findings already output
	bool in_count;
	struct ic_lint_row row;
};

static const char *severity_name(enum ic_lint_severity severity)
{
	switch (severity) {
	case IC_LINT_ERROR: return "error";
	case IC_LINT_WARNING: return "warning";
	case IC_LINT_NOTE: break;
	}
	return "note";
}

static void fill_finding(struct lint_rows *rows)
{
	const struct ic_filler *filler = &rows->rows.filler;
	struct ic_lint_row *row = &rows->row;
	struct ic_lint_finding finding;

	row->type = "finding";
	row->count = UINT64_MAX;
	if (!ic_lint_finding_get(rows->lint, rows->count.first + rows->told++, &finding))
		return;
	row->section = finding.section;
	row->die = finding.die_off;
	row->die_file = finding.file;
	row->unit = ic_filler_path(filler, finding.unit);
	row->function = finding.function;
	row->source = ic_filler_path(filler, finding.source);
	row->line = finding.line;
	row->text = finding.text;
}

static const void *make_row(struct ic_rows *common, size_t number)
{
	struct lint_rows *rows = (struct lint_rows *)common;
	bool is_finding = rows->in_count && rows->told < rows->count.kept;

	(void)number;
	if (!is_finding) {
		rows->in_count = ic_lint_count_get(rows->lint, rows->next_count++, &rows->count);
		rows->told = 0;
	}
	if (!rows->in_count) {
		common->is_over = true;
		return NULL;
	}
	const struct ic_lint_rule *rule = rows->count.rule;
	rows->row = (struct ic_lint_row){ .type = "count",
					  .file = common->filler.options.file,
					  .rule = rule->name,
					  .severity = severity_name(rule->severity),
					  .paragraph = rule->paragraph,
					  .producer = rows->count.producer,
					  .count = rows->count.count,
					  .die = UINT64_MAX,
					  .summary = rule->summary };
	if (is_finding)
		fill_finding(rows);
	return &rows->row;
}

struct ic_rows *ic_rows_of_lint(const struct ic_lint *lint, const struct ic_row_options *options,
				struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct lint_rows), &ic_lint_row_type, options, err);
	struct ic_lint_count count;

	if (!common)
		return NULL;
	common->make = make_row;
	common->count = SIZE_MAX;
	for (size_t i = 0; ic_lint_count_get(lint, i, &count); i++)
		common->left_out += count.count - count.kept;
	((struct lint_rows *)common)->lint = lint;
	return common;
}
