// The rows of counts: how many calls were traced at each copy.
#include "report/hit_row.h"

// clang-format off
#define FIELD(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_hit_count_row, key), 0, NULL }
#define COPY(key, type) \
	{ #key, IC_FIELD_##type, offsetof(struct ic_hit_count_row, copy.key), 0, NULL }

static const struct ic_field fields[] = {
	FIELD(type,         TEXT),
	FIELD(function,     TEXT),
	FIELD(linkage_name, TEXT),
	{ "copy", IC_FIELD_OBJECT, offsetof(struct ic_hit_count_row, copy), 0,
	  &ic_row_copy_schema },
	FIELD(hits,         BYTES),
	FIELD(lost,         BYTES),
	FIELD(why_not,      TEXT),
};

static const struct ic_field flat_fields[] = {
	FIELD(type,         TEXT),
	FIELD(function,     TEXT),
	FIELD(linkage_name, TEXT),
	COPY(entry,         ADDRESS),
	COPY(inlined,       FLAG),
	COPY(call_file,     TEXT),
	COPY(call_line,     COUNT),
	COPY(call_column,   COUNT),
	COPY(host,          TEXT),
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
	struct ic_rows rows; // first: these are rows
	const struct ic_trace *trace;
	struct ic_hit_count_row row;
	struct ic_row_chain chain;
};

static const void *make(struct ic_rows *common, size_t number)
{
	struct hit_count_rows *rows = (struct hit_count_rows *)common;
	const struct ic_sites *sites = ic_trace_sites(rows->trace);
	struct ic_trace_counts counts;
	struct ic_trace_copy copy;

	if (!ic_trace_copy_get(rows->trace, number, &copy)) {
		common->is_over = true;
		return NULL;
	}
	ic_trace_counts_get(rows->trace, number, &counts);
	rows->row = (struct ic_hit_count_row){
		.type = "hits", .hits = counts.hits, .lost = counts.lost, .why_not = copy.why_not
	};
	if (!ic_row_copy_fill(&rows->row.copy, &rows->chain, &common->filler, sites, &copy,
			      &rows->row.function, &rows->row.linkage_name))
		return NULL;
	return &rows->row;
}

static void deinit(struct ic_rows *common)
{
	IC_ARRAY_FREE(&((struct hit_count_rows *)common)->chain.callers);
}

struct ic_rows *ic_rows_of_hit_counts(const struct ic_trace *trace,
				      const struct ic_row_options *options, struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct hit_count_rows), &ic_hit_count_row_type, options, err);

	if (!common)
		return NULL;
	((struct hit_count_rows *)common)->trace = trace;
	common->make = make;
	common->deinit = deinit;
	common->count = SIZE_MAX;
	common->filler.names.index = ic_trace_sites(trace)->index;
	return common;
}
