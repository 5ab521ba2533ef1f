// The rows of durations: how long each copy was under way.
#include "report/runs/hit.h"

// clang-format off
#define FIELD(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_latency_row, key), 0, NULL }
#define BUCKET(key) { #key, IC_FIELD_BYTES, offsetof(struct ic_latency_bucket, key), 0, NULL }

static const struct ic_field bucket_fields[] = { BUCKET(from), BUCKET(to), BUCKET(count) };

static const struct ic_schema bucket_schema = {
	bucket_fields, sizeof(bucket_fields) / sizeof(*bucket_fields),
	sizeof(struct ic_latency_bucket)
};

static const struct ic_field fields[] = {
	FIELD(type,         TEXT),
	FIELD(function,     TEXT),
	FIELD(linkage_name, TEXT),
	{ "copy", IC_FIELD_OBJECT, offsetof(struct ic_latency_row, copy), 0, &ic_row_counted_copy_schema },
	FIELD(count,        BYTES),
	FIELD(least,        BYTES),
	FIELD(most,         BYTES),
	FIELD(mean,         BYTES),
	{ "buckets", IC_FIELD_LIST, offsetof(struct ic_latency_row, buckets),
	  offsetof(struct ic_latency_row, bucket_count), &bucket_schema },
	FIELD(why_not,      TEXT),
	FIELD(doubt,        TEXT),
};

static const struct ic_schema schema = {
	fields, sizeof(fields) / sizeof(*fields), sizeof(struct ic_latency_row)
};

struct flat_row { // of a table: one a bucket, or one for a copy without any
	struct ic_latency_row latency;
	struct ic_latency_bucket bucket;
};

#define FLAT(key, type, field) { key, IC_FIELD_##type, offsetof(struct flat_row, field), 0, NULL }

static const struct ic_field flat_fields[] = {
	FLAT("type",         TEXT,    latency.type),
	FLAT("function",     TEXT,    latency.function),
	FLAT("linkage_name", TEXT,    latency.linkage_name),
	IC_COPY_COLUMNS(struct flat_row, latency.),
	FLAT("from",         BYTES,   bucket.from),
	FLAT("to",           BYTES,   bucket.to),
	FLAT("count",        BYTES,   bucket.count),
	FLAT("why_not",      TEXT,    latency.why_not),
	FLAT("doubt",        TEXT,    latency.doubt),
};
// clang-format on

static const struct ic_schema flat_schema = { flat_fields,
					      sizeof(flat_fields) / sizeof(*flat_fields),
					      sizeof(struct flat_row) };

static const struct ic_schema *schema_of(const void *row)
{
	(void)row;
	return &schema;
}

static void split(const void *data, ic_line_function *line, void *context)
{
	const struct ic_latency_row *latency = data;
	struct flat_row row = { .latency = *latency };
	size_t number = 0;

	do {
		if (number < latency->bucket_count)
			row.bucket = latency->buckets[number];
		line(context, &flat_schema, &row);
	} while (++number < latency->bucket_count);
}

const struct ic_row_type ic_latency_row_type = { IC_ROWS_LATENCIES, &flat_schema, schema_of,
						 split };

enum { BUCKETS = sizeof(((struct ic_trace_durations *)NULL)->counts) / sizeof(uint64_t) };

struct latency_rows {
	struct ic_copy_rows copies; // first: these are rows
	const struct ic_trace_durations *durations;
	struct ic_latency_row row;
	struct ic_latency_bucket buckets[BUCKETS];
};

static void fill_durations(struct latency_rows *rows, const struct ic_trace_durations *durations)
{
	struct ic_latency_row *row = &rows->row;

	row->buckets = rows->buckets;
	row->count = durations->count;
	if (durations->count == 0)
		return;
	row->least = durations->least;
	row->most = durations->most;
	row->mean = durations->sum / durations->count;
	for (unsigned i = 0; i < BUCKETS; i++)
		if (durations->counts[i] > 0)
			rows->buckets[row->bucket_count++] =
				(struct ic_latency_bucket){ .from = i > 0 ? 1ull << (i - 1) : 0,
							    .to = i > 0 ? UINT64_MAX >> (64 - i)
									: 0,
							    .count = durations->counts[i] };
}

static const void *make(struct ic_rows *common, size_t number)
{
	struct latency_rows *rows = (struct latency_rows *)common;
	struct ic_trace_counts counts;
	struct ic_trace_copy copy;

	(void)number;
	if (!ic_copy_rows_next(&rows->copies, &copy, &counts))
		return NULL;
	rows->row = (struct ic_latency_row){ .type = "latency",
					     .why_not = copy.is_counted_elsewhere
								? ic_copy_counted_elsewhere
							: copy.why_not ? copy.why_not
								       : copy.exits_why_not,
					     .doubt = copy.exits_doubt };
	fill_durations(rows, &rows->durations[copy.first]);
	return ic_copy_rows_fill(&rows->copies, &copy, &rows->row.copy, &rows->row.function,
				 &rows->row.linkage_name)
		       ? &rows->row
		       : NULL;
}

struct ic_rows *ic_rows_of_latencies(const struct ic_trace *trace,
				     const struct ic_trace_durations *durations,
				     const struct ic_row_options *options, struct ic_error *err)
{
	struct latency_rows *rows = (struct latency_rows *)ic_copy_rows_new(
		sizeof(*rows), &ic_latency_row_type, trace, options, err, make);

	if (rows)
		rows->durations = durations;
	return rows ? &rows->copies.rows : NULL;
}
