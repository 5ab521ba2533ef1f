// The rows of counts.
#include "query/counts/statistics.h"
#include "report/rows/rows.h"

// clang-format off
#define FIELD(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_count_row, key), 0, NULL }

static const struct ic_field count_fields[] = {
	FIELD(type,         TEXT),
	FIELD(file,         TEXT),
	FIELD(function,     TEXT),
	FIELD(linkage_name, TEXT),
	FIELD(decl_file,    TEXT),
	FIELD(decl_line,    COUNT),
	FIELD(inlined,      BYTES),
	FIELD(without_code, BYTES),
	FIELD(out_of_line,  BYTES),
	FIELD(calls,        BYTES),
	FIELD(bytes,        BYTES),
};
// clang-format on

static const struct ic_schema count_schema = { count_fields,
					       sizeof(count_fields) / sizeof(*count_fields),
					       sizeof(struct ic_count_row) };

static const struct ic_schema *const count_schemas[] = { &count_schema, NULL };

const struct ic_row_type ic_count_row_type = { IC_ROWS_COUNTS, &count_schema, count_schemas, NULL,
					       NULL };

struct count_rows {
	struct ic_rows rows; // must be first
	const struct ic_statistics *counts;
	struct ic_count_row row;
};

static const void *make_row(struct ic_rows *common, size_t number)
{
	struct count_rows *rows = (struct count_rows *)common;
	struct ic_filler *filler = &common->filler;
	const struct ic_statistics_group *group = &rows->counts->groups.items[number];
	const struct ic_statistic *numbers = &group->numbers;

	rows->row = (struct ic_count_row){
		.type = "function",
		.file = filler->options.file,
		.function = ic_filler_name(filler, group->function),
		.linkage_name = numbers->linkage_name,
		.decl_file = ic_filler_path(filler, numbers->decl_file),
		.decl_line = numbers->decl_line,
		.inlined = numbers->copies,
		.without_code = numbers->without_code,
		.out_of_line = numbers->out_of_line,
		.calls = numbers->calls,
		.bytes = numbers->size,
	};
	return &rows->row;
}

struct ic_rows *ic_rows_of_counts(const struct ic_statistics *counts,
				  const struct ic_row_options *options, struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct count_rows), &ic_count_row_type, options, err);
	struct count_rows *rows = (struct count_rows *)common;

	if (!rows)
		return NULL;
	rows->counts = counts;
	common->make = make_row;
	common->count = counts->groups.count;
	common->filler.names.index = counts->index;
	return common;
}
