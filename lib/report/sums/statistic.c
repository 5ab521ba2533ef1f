// The rows of statistics.
#include "query/counts/statistics.h"
#include "report/rows/rows.h"
#include "report/rows/words.h"

// clang-format off
#define FIELD(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_statistic_row, key), 0, NULL }

static const struct ic_field statistic_fields[] = {
	FIELD(type,              TEXT),
	FIELD(file,              TEXT),
	FIELD(by,                TEXT),
	FIELD(function,          TEXT),
	FIELD(linkage_name,      TEXT),
	FIELD(decl_file,         TEXT),
	FIELD(decl_line,         COUNT),
	FIELD(unit,              TEXT),
	FIELD(inlined,           TEXT),
	FIELD(copies,            BYTES),
	FIELD(without_code,      BYTES),
	FIELD(functions,         BYTES),
	FIELD(callers,           BYTES),
	FIELD(self_bytes,        BYTES),
	FIELD(bytes,             BYTES),
	FIELD(never,             BYTES),
	FIELD(partly,            BYTES),
	FIELD(fully,             BYTES),
	FIELD(out_of_line,       BYTES),
	FIELD(out_of_line_bytes, BYTES),
	FIELD(code_bytes,        BYTES),
};
// clang-format on

static const struct ic_schema statistic_schema = { statistic_fields,
						   sizeof(statistic_fields) /
							   sizeof(*statistic_fields),
						   sizeof(struct ic_statistic_row) };

static const struct ic_schema *const statistic_schemas[] = { &statistic_schema, NULL };

const struct ic_row_type ic_statistic_row_type = { IC_ROWS_STATISTICS, &statistic_schema,
						   statistic_schemas, NULL, NULL };

struct statistic_rows {
	struct ic_rows rows; // must be first
	const struct ic_statistics *statistics;
	struct ic_statistic_row row;
};

static const char *by_name(enum ic_statistics_by by)
{
	switch (by) {
	case IC_STATISTICS_BY_FUNCTION: return "function";
	case IC_STATISTICS_BY_CALLER: return "caller";
	case IC_STATISTICS_BY_FILE: return "file";
	case IC_STATISTICS_BY_UNIT: return "unit";
	case IC_STATISTICS_OF_ALL: break;
	}
	return "all";
}

// Row 0 is for all groups.
static const void *make_row(struct ic_rows *common, size_t number)
{
	struct statistic_rows *rows = (struct statistic_rows *)common;
	struct ic_filler *filler = &common->filler;
	const struct ic_statistics *statistics = rows->statistics;
	const struct ic_statistics_group *group =
		number == 0 ? &statistics->total : &statistics->groups.items[number - 1];
	const struct ic_statistic *numbers = &group->numbers;

	rows->row = (struct ic_statistic_row){
		.type = "statistic",
		.file = filler->options.file,
		.by = by_name(numbers->by),
		.function = ic_filler_name(filler, group->function),
		.linkage_name = numbers->linkage_name,
		.decl_file = ic_filler_path(filler, numbers->decl_file),
		.decl_line = numbers->decl_line,
		.unit = numbers->unit,
		.inlined = ic_inlined_word(numbers->inlined),
		.copies = numbers->copies,
		.without_code = numbers->without_code,
		.functions = numbers->functions,
		.callers = numbers->callers,
		.self_bytes = numbers->self_size,
		.bytes = numbers->size,
		.never = numbers->never,
		.partly = numbers->partly,
		.fully = numbers->fully,
		.out_of_line = numbers->out_of_line,
		.out_of_line_bytes = numbers->out_of_line_size,
		.code_bytes = numbers->code_size,
		.group = numbers->by,
	};
	return &rows->row;
}

struct ic_rows *ic_rows_of_statistics(const struct ic_statistics *statistics,
				      const struct ic_row_options *options, struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct statistic_rows), &ic_statistic_row_type, options, err);
	struct statistic_rows *rows = (struct statistic_rows *)common;

	if (!rows)
		return NULL;
	rows->statistics = statistics;
	common->make = make_row;
	common->count = statistics->groups.count + (size_t)1;
	common->left_out = statistics->left_out;
	common->filler.names.index = statistics->index;
	return common;
}
