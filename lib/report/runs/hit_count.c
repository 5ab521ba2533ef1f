// The rows of counts: how many calls were traced at each copy.
#include "report/runs/hit.h"

// clang-format off
#define FIELD(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_hit_count_row, key), 0, NULL }

static const struct ic_field fields[] = {
	FIELD(type,         TEXT),
	FIELD(function,     TEXT),
	FIELD(linkage_name, TEXT),
	{ "copy", IC_FIELD_OBJECT, offsetof(struct ic_hit_count_row, copy), 0,
	  &ic_row_counted_copy_schema },
	FIELD(hits,         BYTES),
	FIELD(lost,         BYTES),
	FIELD(why_not,      TEXT),
};

static const struct ic_field flat_fields[] = {
	FIELD(type,         TEXT),
	FIELD(function,     TEXT),
	FIELD(linkage_name, TEXT),
	IC_COPY_COLUMNS(struct ic_hit_count_row, ),
	FIELD(hits,         BYTES),
	FIELD(lost,         BYTES),
	FIELD(why_not,      TEXT),
};
// clang-format on

#define SCHEMA(fields)                                                                    \
	{                                                                                 \
		fields, sizeof(fields) / sizeof(*fields), sizeof(struct ic_hit_count_row) \
	}

static const struct ic_schema schema = SCHEMA(fields), flat_schema = SCHEMA(flat_fields);

static const struct ic_schema *schema_of(const void *row)
{
	(void)row;
	return &schema;
}

static void split(const void *row, ic_line_function *line, void *context)
{
	line(context, &flat_schema, row);
}

const struct ic_row_type ic_hit_count_row_type = { IC_ROWS_HIT_COUNTS, &flat_schema, schema_of,
						   split };

struct hit_count_rows {
	struct ic_copy_rows copies; // first: these are rows
	struct ic_hit_count_row row;
};

static const void *make(struct ic_rows *common, size_t number)
{
	struct hit_count_rows *rows = (struct hit_count_rows *)common;
	struct ic_trace_counts counts;
	struct ic_trace_copy copy;

	(void)number;
	if (!ic_copy_rows_next(&rows->copies, &copy, &counts))
		return NULL;
	rows->row = (struct ic_hit_count_row){
		.type = "hits", .hits = counts.hits, .lost = counts.lost, .why_not = copy.why_not
	};
	return ic_copy_rows_fill(&rows->copies, &copy, &rows->row.copy, &rows->row.function,
				 &rows->row.linkage_name)
		       ? &rows->row
		       : NULL;
}

struct ic_rows *ic_rows_of_hit_counts(const struct ic_trace *trace,
				      const struct ic_row_options *options, struct ic_error *err)
{
	return ic_copy_rows_new(sizeof(struct hit_count_rows), &ic_hit_count_row_type, trace,
				options, err, make);
}
