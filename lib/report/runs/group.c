// The rows of groups of traced calls.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/runs/hit.h"

#include <inlinecall/extra/trace_groups.h>

// clang-format off
#define FIELD(row, key, type) { #key, IC_FIELD_##type, offsetof(struct row, key), 0, NULL }
#define SCHEMA(fields, row) { fields, sizeof(fields) / sizeof(*fields), sizeof(row) }

static const struct ic_field key_fields[] = {
	FIELD(ic_row_group_key, name,  TEXT),
	FIELD(ic_row_group_key, value, TEXT),
	FIELD(ic_row_group_key, text,  TEXT),
	FIELD(ic_row_group_key, why,   TEXT),
};
static const struct ic_schema key_schema = SCHEMA(key_fields, struct ic_row_group_key);

static const struct ic_field bucket_fields[] = {
	FIELD(ic_row_bucket, from,  TEXT),
	FIELD(ic_row_bucket, to,    TEXT),
	FIELD(ic_row_bucket, count, BYTES),
};
static const struct ic_schema bucket_schema = SCHEMA(bucket_fields, struct ic_row_bucket);

#define NUMBERS \
	FIELD(ic_group_row, count,    BYTES), \
	FIELD(ic_group_row, measure,  TEXT), \
	FIELD(ic_group_row, measured, BYTES), \
	FIELD(ic_group_row, sum,      TEXT), \
	FIELD(ic_group_row, mean,     TEXT), \
	FIELD(ic_group_row, least,    TEXT), \
	FIELD(ic_group_row, most,     TEXT)

static const struct ic_field fields[] = {
	FIELD(ic_group_row, type, TEXT),
	FIELD(ic_group_row, file, TEXT),
	FIELD(ic_group_row, time, BYTES),
	{ "keys", IC_FIELD_LIST, offsetof(struct ic_group_row, keys),
	  offsetof(struct ic_group_row, key_count), &key_schema },
	NUMBERS,
	{ "buckets", IC_FIELD_LIST, offsetof(struct ic_group_row, buckets),
	  offsetof(struct ic_group_row, bucket_count), &bucket_schema },
	FIELD(ic_group_row, groups,   BYTES),
	FIELD(ic_group_row, left_out, BYTES),
};

enum { OF_TOTALS = 2 }; // the number of fields that only the row for all has

struct line { // of a table: a bucket, or a group without buckets
	struct ic_group_row row;
	const char *keys; // NAME=TEXT, separated by semicolons
	struct ic_row_bucket bucket;
};

#define COLUMN(key, type, field) { key, IC_FIELD_##type, offsetof(struct line, field), 0, NULL }

static const struct ic_field columns[] = {
	FIELD(ic_group_row, type, TEXT),
	FIELD(ic_group_row, file, TEXT),
	FIELD(ic_group_row, time, BYTES),
	COLUMN("keys",         TEXT,  keys),
	NUMBERS,
	COLUMN("from",         TEXT,  bucket.from),
	COLUMN("to",           TEXT,  bucket.to),
	COLUMN("bucket_count", BYTES, bucket.count),
};
// clang-format on

static const struct ic_schema schema = { fields, sizeof(fields) / sizeof(*fields) - OF_TOTALS,
					 sizeof(struct ic_group_row) };
static const struct ic_schema total_schema = SCHEMA(fields, struct ic_group_row);
static const struct ic_schema table = SCHEMA(columns, struct line);

static const struct ic_schema *schema_of(const void *row)
{
	return ((const struct ic_group_row *)row)->key_count > 0 ? &schema : &total_schema;
}

static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (strchr(";=\\", *text))
			fputc('\\', out);
		fputc(*text, out);
	}
}

// All keys in one text, to be freed; NULL if memory runs out.
static char *join_keys(const struct ic_group_row *row)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < row->key_count; i++) {
		const struct ic_row_group_key *key = &row->keys[i];
		fprintf(out, "%s%s=", i > 0 ? ";" : "", key->name);
		if (key->text)
			put_escaped(out, key->text);
		else
			fprintf(out, "<%s>", key->why ? key->why : "unknown");
	}
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

static void split_row(const void *data, ic_line_function *write, void *context)
{
	const struct ic_group_row *row = data;
	char *keys = join_keys(row);
	struct line line = { .row = *row, .keys = keys };
	size_t number = 0;

	do {
		if (number < row->bucket_count)
			line.bucket = row->buckets[number];
		write(context, &table, &line);
	} while (++number < row->bucket_count);
	free(keys);
}

static const struct ic_schema *const group_schemas[] = { &schema, &total_schema, NULL };

const struct ic_row_type ic_group_row_type = { IC_ROWS_GROUPS, &table, group_schemas, schema_of,
					       split_row };

// ---- Rows

struct limits { // of a bucket, as text
	char from[24], to[24];
};

struct group_rows {
	struct ic_rows rows; // must be first
	struct ic_trace *trace;
	struct ic_rows_groups shown;
	struct ic_trace_totals totals;
	struct ic_group_row row;
	struct ic_row_copy copy;
	struct ic_row_chain chain;
	IC_ARRAY(struct ic_row_group_key) keys;
	IC_ARRAY(char) place; // text of one
	char entry[24];
	struct ic_row_bucket buckets[2 * IC_TRACE_BUCKETS];
	struct limits limits[2 * IC_TRACE_BUCKETS];
};

// Adds the bucket for values with this number of bits.
static void add_bucket(struct group_rows *rows, unsigned bits, bool is_negative, uint64_t count)
{
	struct ic_group_row *row = &rows->row;
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
	rows->buckets[row->bucket_count++] =
		(struct ic_row_bucket){ .from = limits->from, .to = limits->to, .count = count };
}

static void fill_numbers(struct group_rows *rows, const struct ic_trace_group *group)
{
	struct ic_group_row *row = &rows->row;

	row->time = rows->shown.time;
	row->count = group->count;
	row->is_duration = rows->totals.are_durations;
	row->has_buckets = group->buckets != NULL;
	row->measure = row->is_duration ? "duration" : rows->totals.measure;
	row->measured = group->measured;
	row->sum = group->sum;
	row->mean = group->mean;
	row->least = group->least;
	row->most = group->most;
	row->order = rows->totals.order;
	row->buckets = rows->buckets;
	for (unsigned i = IC_TRACE_BUCKETS; group->buckets && i-- > 0;)
		add_bucket(rows, i, true, group->negative_buckets[i]);
	for (unsigned i = 0; group->buckets && i < IC_TRACE_BUCKETS; i++)
		add_bucket(rows, i, false, group->buckets[i]);
}

// The place of a call as text: "a.c:5:2", or NULL.
static bool put_call(struct group_rows *rows, const char **text)
{
	const struct ic_row_copy *copy = &rows->copy;
	const char *file = copy->call_file ? copy->call_file : "?";
	uint64_t size = strlen(file) + 24;

	*text = copy->inlined ? NULL : "out of line";
	if (!copy->inlined)
		return true;
	if (!IC_ARRAY_RESERVE(&rows->place, size))
		return false;
	int added = snprintf(rows->place.items, size, "%s:%u", file, copy->call_line);
	if (copy->call_column > 0 && added > 0)
		snprintf(rows->place.items + added, size - (size_t)added, ":%u", copy->call_column);
	*text = rows->place.items;
	return true;
}

static bool fill_key(struct group_rows *rows, const struct ic_trace_key *key,
		     const struct ic_trace_value *value)
{
	struct ic_row_group_key *row = IC_ARRAY_PUSH(&rows->keys);

	if (!row)
		return false;
	*row = (struct ic_row_group_key){ .name = key->name, .kind = key->kind };
	switch (key->kind) {
	case IC_TRACE_KEY_FUNCTION: row->text = rows->row.function; break;
	case IC_TRACE_KEY_HOST: row->text = rows->copy.host; break;
	case IC_TRACE_KEY_CALL: return put_call(rows, &row->text);
	case IC_TRACE_KEY_COPY:
		snprintf(rows->entry, sizeof(rows->entry), "0x%" PRIx64, rows->copy.entry);
		row->value = row->text = rows->entry;
		rows->row.copy = &rows->copy;
		break;
	default:
		row->value = value->number;
		row->text = value->text;
		row->why = value->why;
		break;
	}
	return true;
}

static bool fill_group(struct group_rows *rows, const struct ic_trace_group *group)
{
	struct ic_filler *filler = &rows->rows.filler;
	const struct ic_sites *sites = ic_trace_sites(rows->trace);
	struct ic_trace_copy copy;
	size_t count;
	const struct ic_trace_key *keys = ic_trace_keys(rows->trace, &count);

	ic_trace_copy_get(rows->trace, group->copy, &copy);
	if (copy.first != group->copy)
		ic_trace_copy_get(rows->trace, copy.first, &copy);
	ic_row_copy_names_fill(filler, sites, &copy, &rows->row.function, &rows->row.linkage_name);
	if (!ic_row_copy_fill(&rows->copy, &rows->chain, filler, sites, &copy))
		return false;
	rows->keys.count = 0;
	for (size_t i = 0; i < count; i++)
		if (!fill_key(rows, &keys[i], &group->keys[i]))
			return false;
	rows->row.keys = rows->keys.items;
	rows->row.key_count = rows->keys.count;
	return true;
}

static const void *make_row(struct ic_rows *common, size_t number)
{
	struct group_rows *rows = (struct group_rows *)common;
	struct ic_trace_group group;

	if (number + 1 == common->count) {
		rows->totals = ic_trace_groups_totals(rows->trace);
		rows->row = (struct ic_group_row){ .type = "total",
						   .file = common->filler.options.file,
						   .groups = rows->totals.groups,
						   .left_out = rows->totals.left_out };
		fill_numbers(rows, &rows->totals.all);
		return &rows->row;
	}
	rows->row = (struct ic_group_row){ .type = "group", .file = common->filler.options.file };
	if (!ic_trace_group_get(rows->trace, number, &group) || !fill_group(rows, &group))
		return NULL;
	fill_numbers(rows, &group);
	return &rows->row;
}

static void free_rows(struct ic_rows *common)
{
	struct group_rows *rows = (struct group_rows *)common;

	IC_ARRAY_FREE(&rows->chain.callers);
	IC_ARRAY_FREE(&rows->keys);
	IC_ARRAY_FREE(&rows->place);
}

struct ic_rows *ic_rows_of_groups(struct ic_trace *trace, const struct ic_rows_groups *groups,
				  const struct ic_row_options *options, struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct group_rows), &ic_group_row_type, options, err);
	struct group_rows *rows = (struct group_rows *)common;

	if (!common)
		return NULL;
	rows->trace = trace;
	rows->shown = *groups;
	rows->totals = ic_trace_groups_totals(trace);
	common->make = make_row;
	common->deinit = free_rows;
	common->count = 1 + rows->totals.groups;
	if (groups->limit && groups->limit < rows->totals.groups) {
		common->left_out = rows->totals.groups - groups->limit;
		common->count = 1 + groups->limit;
	}
	common->filler.names.index = ic_trace_sites(trace)->index;
	return common;
}
