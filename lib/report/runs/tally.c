// The rows of counts for each copy of a trace: of calls, of their durations, and of an argument's
// values.
#include "report/runs/hit.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "report/rows/entry.h"

union row { // all start with the names of the function, and the copy
	struct ic_hit_count_row hits;
	struct ic_latency_row latency;
	struct ic_histogram_row histogram;
};
static_assert(offsetof(struct ic_latency_row, copy) == offsetof(struct ic_hit_count_row, copy) &&
		      offsetof(struct ic_histogram_row, copy) ==
			      offsetof(struct ic_hit_count_row, copy),
	      "they are filled in as those of a count");

struct line { // a line of a table: one per bucket, or one for a copy without buckets
	union row row;
	union {
		struct ic_latency_bucket latency;
		struct ic_histogram_bucket histogram;
	} bucket;
};

// clang-format off
#define FIELD(row, key, type) { #key, IC_FIELD_##type, offsetof(struct row, key), 0, NULL }
#define COLUMN(key, type, field) { #key, IC_FIELD_##type, offsetof(struct line, field.key), 0, NULL }
#define NAMES \
	COLUMN(type, TEXT, row.hits), COLUMN(function, TEXT, row.hits), \
	COLUMN(linkage_name, TEXT, row.hits)
#define HEAD \
	NAMES, { "copy", IC_FIELD_OBJECT, offsetof(union row, hits.copy), 0, &ic_row_counted_copy_schema }
#define HEAD_COLUMNS \
	NAMES, COLUMN(entry, ADDRESS, row.hits.copy), COLUMN(inlined, FLAG, row.hits.copy), \
	COLUMN(call_file, TEXT, row.hits.copy), COLUMN(call_line, COUNT, row.hits.copy), \
	COLUMN(call_column, COUNT, row.hits.copy), COLUMN(host, TEXT, row.hits.copy)
#define BUCKETS(row, schema) \
	{ "buckets", IC_FIELD_LIST, offsetof(struct row, buckets), offsetof(struct row, bucket_count), &schema }
#define SCHEMA(fields, row) { fields, sizeof(fields) / sizeof(*fields), sizeof(row) }

static const struct ic_field count_fields[] = {
	HEAD,
	FIELD(ic_hit_count_row, hits,    BYTES),
	FIELD(ic_hit_count_row, lost,    BYTES),
	FIELD(ic_hit_count_row, why_not, TEXT),
};
static const struct ic_field count_columns[] = {
	HEAD_COLUMNS,
	FIELD(ic_hit_count_row, hits,    BYTES),
	FIELD(ic_hit_count_row, lost,    BYTES),
	FIELD(ic_hit_count_row, why_not, TEXT),
};

static const struct ic_field latency_bucket_fields[] = {
	FIELD(ic_latency_bucket, from,  BYTES),
	FIELD(ic_latency_bucket, to,    BYTES),
	FIELD(ic_latency_bucket, count, BYTES),
};
static const struct ic_schema latency_bucket_schema =
	SCHEMA(latency_bucket_fields, struct ic_latency_bucket);
static const struct ic_field latency_fields[] = {
	HEAD,
	FIELD(ic_latency_row, count, BYTES),
	FIELD(ic_latency_row, least, BYTES),
	FIELD(ic_latency_row, most,  BYTES),
	FIELD(ic_latency_row, mean,  BYTES),
	BUCKETS(ic_latency_row, latency_bucket_schema),
	FIELD(ic_latency_row, why_not, TEXT),
	FIELD(ic_latency_row, doubt,   TEXT),
};
static const struct ic_field latency_columns[] = {
	HEAD_COLUMNS,
	COLUMN(from,    BYTES, bucket.latency),
	COLUMN(to,      BYTES, bucket.latency),
	COLUMN(count,   BYTES, bucket.latency),
	FIELD(ic_latency_row, why_not, TEXT),
	FIELD(ic_latency_row, doubt,   TEXT),
};

static const struct ic_field histogram_bucket_fields[] = {
	FIELD(ic_histogram_bucket, from,  TEXT),
	FIELD(ic_histogram_bucket, to,    TEXT),
	FIELD(ic_histogram_bucket, count, BYTES),
};
static const struct ic_schema histogram_bucket_schema =
	SCHEMA(histogram_bucket_fields, struct ic_histogram_bucket);
static const struct ic_field histogram_fields[] = {
	HEAD,
	FIELD(ic_histogram_row, argument,    TEXT),
	FIELD(ic_histogram_row, count,       BYTES),
	FIELD(ic_histogram_row, unavailable, BYTES),
	BUCKETS(ic_histogram_row, histogram_bucket_schema),
	FIELD(ic_histogram_row, why_not, TEXT),
};
static const struct ic_field histogram_columns[] = {
	HEAD_COLUMNS,
	FIELD(ic_histogram_row, argument, TEXT),
	COLUMN(from,  TEXT,  bucket.histogram),
	COLUMN(to,    TEXT,  bucket.histogram),
	COLUMN(count, BYTES, bucket.histogram),
	FIELD(ic_histogram_row, why_not, TEXT),
};

static const struct ic_schema count_schema = SCHEMA(count_fields, struct ic_hit_count_row);
static const struct ic_schema count_table = SCHEMA(count_columns, struct ic_hit_count_row);
static const struct ic_schema latency_schema = SCHEMA(latency_fields, struct ic_latency_row);
static const struct ic_schema latency_table = SCHEMA(latency_columns, struct line);
static const struct ic_schema histogram_schema = SCHEMA(histogram_fields, struct ic_histogram_row);
static const struct ic_schema histogram_table = SCHEMA(histogram_columns, struct line);
// clang-format on

static void split_count(const void *row, ic_line_function *write, void *context)
{
	write(context, &count_table, row);
}

static void split_latency(const void *data, ic_line_function *write, void *context)
{
	const struct ic_latency_row *row = data;
	struct line line = { .row.latency = *row };
	size_t number = 0;

	do {
		if (number < row->bucket_count)
			line.bucket.latency = row->buckets[number];
		write(context, &latency_table, &line);
	} while (++number < row->bucket_count);
}

static void split_histogram(const void *data, ic_line_function *write, void *context)
{
	const struct ic_histogram_row *row = data;
	struct line line = { .row.histogram = *row };
	size_t number = 0;

	do {
		if (number < row->bucket_count)
			line.bucket.histogram = row->buckets[number];
		write(context, &histogram_table, &line);
	} while (++number < row->bucket_count);
}

const struct ic_row_type ic_hit_count_row_type = { IC_ROWS_HIT_COUNTS, &count_table, &count_schema,
						   NULL, split_count };
const struct ic_row_type ic_latency_row_type = { IC_ROWS_LATENCIES, &latency_table, &latency_schema,
						 NULL, split_latency };
const struct ic_row_type ic_histogram_row_type = { IC_ROWS_HISTOGRAMS, &histogram_table,
						   &histogram_schema, NULL, split_histogram };

// ---- Rows

enum { POWERS = sizeof(((struct ic_trace_distribution *)NULL)->counts) / sizeof(uint64_t) };

struct limits { // of a bucket, as text
	char from[24], to[24];
};

struct tally_rows;

// Fills in the row of a copy, except its names and its place.
typedef void fill_row(struct tally_rows *rows, const struct ic_trace_copy *copy,
		      const struct ic_trace_counts *counts);

struct tally_rows {          // one for all entries of a site
	struct ic_rows rows; // must be first
	const struct ic_trace *trace;
	fill_row *fill;
	ic_row_doubts doubts;
	size_t next; // index of the next row's copy
	struct ic_row_chain chain;
	union row row;
	const struct ic_trace_durations *durations; // for latencies, indexed by copy
	struct ic_latency_bucket latency_buckets[POWERS];
	const struct ic_trace_distribution *distributions; // for histograms, indexed by copy
	const char *argument;                              // for histograms
	struct ic_histogram_bucket histogram_buckets[2 * POWERS];
	struct limits limits[2 * POWERS];
};

static void fill_count(struct tally_rows *rows, const struct ic_trace_copy *copy,
		       const struct ic_trace_counts *counts)
{
	rows->row.hits = (struct ic_hit_count_row){
		.type = "hits", .hits = counts->hits, .lost = counts->lost, .why_not = copy->why_not
	};
}

static const char counted_elsewhere[] = "its calls are attributed to another copy";

static void fill_latency(struct tally_rows *rows, const struct ic_trace_copy *copy,
			 const struct ic_trace_counts *counts)
{
	const struct ic_trace_durations *durations = &rows->durations[copy->first];
	struct ic_latency_row *row = &rows->row.latency;

	(void)counts;
	*row = (struct ic_latency_row){ .type = "latency",
					.count = durations->count,
					.buckets = rows->latency_buckets,
					.why_not = copy->is_counted_elsewhere ? counted_elsewhere
						   : copy->why_not            ? copy->why_not
									      : copy->exits_why_not,
					.doubt = copy->exits_doubt };
	if (durations->count == 0)
		return;
	row->least = durations->least;
	row->most = durations->most;
	row->mean = durations->sum / durations->count;
	for (unsigned i = 0; i < POWERS; i++)
		if (durations->counts[i] > 0)
			rows->latency_buckets[row->bucket_count++] =
				(struct ic_latency_bucket){ .from = i > 0 ? 1ull << (i - 1) : 0,
							    .to = i > 0 ? UINT64_MAX >> (64 - i)
									: 0,
							    .count = durations->counts[i] };
}

// Adds the bucket for values with this number of bits.
static void add_bucket(struct tally_rows *rows, unsigned bits, bool is_negative, uint64_t count)
{
	struct ic_histogram_row *row = &rows->row.histogram;
	struct limits *limits = &rows->limits[row->bucket_count];
	const char *sign = is_negative ? "-" : "";
	uint64_t least = bits > 0 ? 1ull << (bits - 1) : 0;
	uint64_t most = bits > 0 ? UINT64_MAX >> (64 - bits) : 0;

	if (count == 0)
		return;
	if (is_negative && bits == 64)
		most = least; // the least 64-bit number
	snprintf(limits->from, sizeof(limits->from), "%s%" PRIu64, sign,
		 is_negative ? most : least);
	snprintf(limits->to, sizeof(limits->to), "%s%" PRIu64, sign, is_negative ? least : most);
	rows->histogram_buckets[row->bucket_count++] = (struct ic_histogram_bucket){
		.from = limits->from, .to = limits->to, .count = count
	};
}

static const char *why_no_value(const struct ic_trace_copy *copy, const char *argument)
{
	size_t number = ic_trace_argument_find(copy, argument);

	if (copy->is_counted_elsewhere)
		return counted_elsewhere;
	if (copy->why_not)
		return copy->why_not;
	return number < copy->argument_count ? copy->arguments[number].why : "no such argument";
}

static void fill_histogram(struct tally_rows *rows, const struct ic_trace_copy *copy,
			   const struct ic_trace_counts *counts)
{
	const struct ic_trace_distribution *distribution = &rows->distributions[copy->first];

	(void)counts;
	rows->row.histogram =
		(struct ic_histogram_row){ .type = "histogram",
					   .argument = rows->argument,
					   .count = distribution->count,
					   .unavailable = distribution->unavailable,
					   .buckets = rows->histogram_buckets,
					   .why_not = why_no_value(copy, rows->argument) };
	for (unsigned i = POWERS; i-- > 0;)
		add_bucket(rows, i, true, distribution->negative[i]);
	for (unsigned i = 0; i < POWERS; i++)
		add_bucket(rows, i, false, distribution->counts[i]);
}

// Gets the first copy of the next site, and the counts of all its copies. False, and the rows are
// over, if there is none.
static bool next_copy(struct tally_rows *rows, struct ic_trace_copy *copy,
		      struct ic_trace_counts *counts)
{
	struct ic_trace_copy other;
	struct ic_trace_counts at_other;

	*counts = (struct ic_trace_counts){ .hits = 0 };
	rows->rows.is_over = !ic_trace_copy_get(rows->trace, rows->next, copy);
	if (rows->rows.is_over)
		return false;
	for (; ic_trace_copy_get(rows->trace, rows->next, &other) && other.first == copy->first;
	     rows->next++) {
		ic_trace_counts_get(rows->trace, rows->next, &at_other);
		counts->hits += at_other.hits;
		counts->lost += at_other.lost;
		if (!copy->why_not)
			copy->why_not = other.why_not;
	}
	return true;
}

static const void *make_row(struct ic_rows *common, size_t number)
{
	struct tally_rows *rows = (struct tally_rows *)common;
	const struct ic_sites *sites = ic_trace_sites(rows->trace);
	struct ic_hit_count_row *head = &rows->row.hits;
	struct ic_trace_counts counts;
	struct ic_trace_copy copy;

	(void)number;
	if (!next_copy(rows, &copy, &counts))
		return NULL;
	rows->fill(rows, &copy, &counts);
	ic_row_copy_names_fill(&common->filler, sites, &copy, &head->function, &head->linkage_name);
	return ic_row_copy_fill(&head->copy, &rows->chain, &common->filler, sites, &copy) &&
			       ic_row_doubts_fill(&rows->doubts, common->filler.options.entries,
						  copy.site, &head->copy.doubts,
						  &head->copy.doubt_count,
						  &head->copy.doubts_why_not)
		       ? &rows->row
		       : NULL;
}

static void free_rows(struct ic_rows *common)
{
	struct tally_rows *rows = (struct tally_rows *)common;

	IC_ARRAY_FREE(&rows->chain.callers);
	IC_ARRAY_FREE(&rows->doubts);
}

static struct tally_rows *new_rows(const struct ic_trace *trace, const struct ic_row_type *type,
				   fill_row *fill, const struct ic_row_options *options,
				   struct ic_error *err)
{
	struct ic_rows *common = ic_rows_alloc(sizeof(struct tally_rows), type, options, err);
	struct tally_rows *rows = (struct tally_rows *)common;

	if (!rows)
		return NULL;
	rows->trace = trace;
	rows->fill = fill;
	common->make = make_row;
	common->deinit = free_rows;
	common->count = SIZE_MAX;
	common->filler.names.index = ic_trace_sites(trace)->index;
	return rows;
}

struct ic_rows *ic_rows_of_hit_counts(const struct ic_trace *trace,
				      const struct ic_row_options *options, struct ic_error *err)
{
	struct tally_rows *rows = new_rows(trace, &ic_hit_count_row_type, fill_count, options, err);

	return rows ? &rows->rows : NULL;
}

struct ic_rows *ic_rows_of_latencies(const struct ic_trace *trace,
				     const struct ic_trace_durations *durations,
				     const struct ic_row_options *options, struct ic_error *err)
{
	struct tally_rows *rows = new_rows(trace, &ic_latency_row_type, fill_latency, options, err);

	if (!rows)
		return NULL;
	rows->durations = durations;
	return &rows->rows;
}

struct ic_rows *ic_rows_of_histograms(const struct ic_trace *trace, const char *argument,
				      const struct ic_trace_distribution *distributions,
				      const struct ic_row_options *options, struct ic_error *err)
{
	struct tally_rows *rows =
		new_rows(trace, &ic_histogram_row_type, fill_histogram, options, err);

	if (!rows)
		return NULL;
	rows->argument = argument;
	rows->distributions = distributions;
	return &rows->rows;
}
