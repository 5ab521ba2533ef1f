// The rows of histograms: how the values of an argument are distributed at each copy.
#include "report/runs/hit.h"

#include <inttypes.h>
#include <stdio.h>

// clang-format off
#define FIELD(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_histogram_row, key), 0, NULL }
#define BUCKET(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_histogram_bucket, key), 0, NULL }

static const struct ic_field bucket_fields[] = {
	BUCKET(from, TEXT), BUCKET(to, TEXT), BUCKET(count, BYTES)
};

static const struct ic_schema bucket_schema = {
	bucket_fields, sizeof(bucket_fields) / sizeof(*bucket_fields),
	sizeof(struct ic_histogram_bucket)
};

static const struct ic_field fields[] = {
	FIELD(type,         TEXT),
	FIELD(function,     TEXT),
	FIELD(linkage_name, TEXT),
	{ "copy", IC_FIELD_OBJECT, offsetof(struct ic_histogram_row, copy), 0, &ic_row_counted_copy_schema },
	FIELD(argument,     TEXT),
	FIELD(count,        BYTES),
	FIELD(unavailable,  BYTES),
	{ "buckets", IC_FIELD_LIST, offsetof(struct ic_histogram_row, buckets),
	  offsetof(struct ic_histogram_row, bucket_count), &bucket_schema },
	FIELD(why_not,      TEXT),
};

static const struct ic_schema schema = {
	fields, sizeof(fields) / sizeof(*fields), sizeof(struct ic_histogram_row)
};

struct flat_row { // of a table: one a bucket, or one for a copy without any
	struct ic_histogram_row histogram;
	struct ic_histogram_bucket bucket;
};

#define FLAT(key, type, field) { key, IC_FIELD_##type, offsetof(struct flat_row, field), 0, NULL }

static const struct ic_field flat_fields[] = {
	FLAT("type",         TEXT,    histogram.type),
	FLAT("function",     TEXT,    histogram.function),
	FLAT("linkage_name", TEXT,    histogram.linkage_name),
	IC_COPY_COLUMNS(struct flat_row, histogram.),
	FLAT("argument",     TEXT,    histogram.argument),
	FLAT("from",         TEXT,    bucket.from),
	FLAT("to",           TEXT,    bucket.to),
	FLAT("count",        BYTES,   bucket.count),
	FLAT("why_not",      TEXT,    histogram.why_not),
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
	const struct ic_histogram_row *histogram = data;
	struct flat_row row = { .histogram = *histogram };
	size_t number = 0;

	do {
		if (number < histogram->bucket_count)
			row.bucket = histogram->buckets[number];
		line(context, &flat_schema, &row);
	} while (++number < histogram->bucket_count);
}

const struct ic_row_type ic_histogram_row_type = { IC_ROWS_HISTOGRAMS, &flat_schema, schema_of,
						   split };

enum { POWERS = sizeof(((struct ic_trace_distribution *)NULL)->counts) / sizeof(uint64_t) };

struct limits { // of a bucket, as text
	char from[24], to[24];
};

struct histogram_rows {
	struct ic_copy_rows copies; // first: these are rows
	const char *argument;
	const struct ic_trace_distribution *distributions;
	struct ic_histogram_row row;
	struct ic_histogram_bucket buckets[2 * POWERS];
	struct limits limits[2 * POWERS];
};

// The values that need so many bits.
static void add_bucket(struct histogram_rows *rows, unsigned bits, bool is_negative, uint64_t count)
{
	struct limits *limits = &rows->limits[rows->row.bucket_count];
	const char *sign = is_negative ? "-" : "";
	uint64_t least = bits > 0 ? 1ull << (bits - 1) : 0;
	uint64_t most = bits > 0 ? UINT64_MAX >> (64 - bits) : 0;

	if (count == 0)
		return;
	if (is_negative && bits == 64)
		most = least; // no number of 64 bits is less
	snprintf(limits->from, sizeof(limits->from), "%s%" PRIu64, sign,
		 is_negative ? most : least);
	snprintf(limits->to, sizeof(limits->to), "%s%" PRIu64, sign, is_negative ? least : most);
	rows->buckets[rows->row.bucket_count++] = (struct ic_histogram_bucket){
		.from = limits->from, .to = limits->to, .count = count
	};
}

static void fill(struct histogram_rows *rows, const struct ic_trace_distribution *distribution)
{
	rows->row.buckets = rows->buckets;
	rows->row.count = distribution->count;
	rows->row.unavailable = distribution->unavailable;
	for (unsigned i = POWERS; i-- > 0;)
		add_bucket(rows, i, true, distribution->negative[i]);
	for (unsigned i = 0; i < POWERS; i++)
		add_bucket(rows, i, false, distribution->counts[i]);
}

static const char *why_not(const struct ic_trace_copy *copy, const char *name)
{
	size_t number = ic_trace_argument_find(copy, name);

	if (copy->is_counted_elsewhere)
		return ic_copy_counted_elsewhere;
	if (copy->why_not)
		return copy->why_not;
	return number < copy->argument_count ? copy->arguments[number].why
					     : "it has no such argument";
}

static const void *make(struct ic_rows *common, size_t number)
{
	struct histogram_rows *rows = (struct histogram_rows *)common;
	struct ic_trace_counts counts;
	struct ic_trace_copy copy;

	(void)number;
	if (!ic_copy_rows_next(&rows->copies, &copy, &counts))
		return NULL;
	rows->row = (struct ic_histogram_row){ .type = "histogram",
					       .argument = rows->argument,
					       .why_not = why_not(&copy, rows->argument) };
	fill(rows, &rows->distributions[copy.first]);
	return ic_copy_rows_fill(&rows->copies, &copy, &rows->row.copy, &rows->row.function,
				 &rows->row.linkage_name)
		       ? &rows->row
		       : NULL;
}

struct ic_rows *ic_rows_of_histograms(const struct ic_trace *trace, const char *argument,
				      const struct ic_trace_distribution *distributions,
				      const struct ic_row_options *options, struct ic_error *err)
{
	struct histogram_rows *rows = (struct histogram_rows *)ic_copy_rows_new(
		sizeof(*rows), &ic_histogram_row_type, trace, options, err, make);

	if (!rows)
		return NULL;
	rows->argument = argument;
	rows->distributions = distributions;
	return &rows->copies.rows;
}
