// The rows of the number of calls at each copy of a trace.
#include <stdlib.h>

#include "report/rows/entry.h"
#include "report/runs/hit.h"

// clang-format off
#define FIELD(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_hit_count_row, key), 0, NULL }
#define NAMES FIELD(type, TEXT), FIELD(file, TEXT), FIELD(function, TEXT), FIELD(linkage_name, TEXT)
#define COUNTS FIELD(hits, BYTES), FIELD(lost, BYTES), FIELD(why_not, TEXT)
#define COPY(key, type) \
	{ #key, IC_FIELD_##type, offsetof(struct ic_hit_count_row, copy.key), 0, NULL }

static const struct ic_field fields[] = {
	NAMES,
	{ "copy", IC_FIELD_OBJECT, offsetof(struct ic_hit_count_row, copy), 0,
	  &ic_row_counted_copy_schema },
	COUNTS,
};
static const struct ic_field columns[] = {
	NAMES,
	COPY(entry, ADDRESS), COPY(source, TEXT), COPY(line, COUNT), COPY(column, COUNT),
	COPY(inlined, FLAG), COPY(call_file, TEXT), COPY(call_line, COUNT),
	COPY(call_column, COUNT), COPY(host, TEXT),
	COUNTS,
};
// clang-format on

static const struct ic_schema schema = { fields, sizeof(fields) / sizeof(*fields),
					 sizeof(struct ic_hit_count_row) };
static const struct ic_schema table = { columns, sizeof(columns) / sizeof(*columns),
					sizeof(struct ic_hit_count_row) };

static void split_row(const void *row, ic_line_function *write, void *context)
{
	write(context, &table, row);
}

static const struct ic_schema *const hit_count_schemas[] = { &schema, NULL };

const struct ic_row_type ic_hit_count_row_type = { IC_ROWS_HIT_COUNTS, &table, hit_count_schemas,
						   NULL, split_row };

struct counted {      // a site: all entries of a copy
	size_t first; // its first copy
	uint64_t hits, lost;
	const char *why_not;
};

struct count_rows {
	struct ic_rows rows; // must be first
	const struct ic_trace *trace;
	ic_row_doubts doubts;
	struct ic_row_chain chain;
	struct ic_hit_count_row row;
	IC_ARRAY(struct counted) sites;
};

static const void *make_row(struct ic_rows *common, size_t number)
{
	struct count_rows *rows = (struct count_rows *)common;
	const struct counted *site = &rows->sites.items[number];
	const struct ic_sites *sites = ic_trace_sites(rows->trace);
	struct ic_hit_count_row *row = &rows->row;
	struct ic_trace_copy copy;

	ic_trace_copy_get(rows->trace, site->first, &copy);
	*row = (struct ic_hit_count_row){ .type = "hits",
					  .file = common->filler.options.file,
					  .hits = site->hits,
					  .lost = site->lost,
					  .why_not = site->why_not };
	ic_row_copy_names_fill(&common->filler, sites, &copy, &row->function, &row->linkage_name);
	return ic_row_copy_fill(&row->copy, &rows->chain, &common->filler, sites, &copy) &&
			       ic_row_doubts_fill(&rows->doubts, common->filler.options.entries,
						  copy.site, &row->copy.doubts,
						  &row->copy.doubt_count, &row->copy.doubts_why_not)
		       ? row
		       : NULL;
}

static void free_rows(struct ic_rows *common)
{
	struct count_rows *rows = (struct count_rows *)common;

	IC_ARRAY_FREE(&rows->chain.callers);
	IC_ARRAY_FREE(&rows->doubts);
	IC_ARRAY_FREE(&rows->sites);
}

static int compare_counts(const void *a, const void *b)
{
	const struct counted *left = a, *right = b;

	if (left->hits != right->hits)
		return left->hits > right->hits ? -1 : 1;
	return left->first < right->first ? -1 : 1;
}

// Adds up the counts of a site's copies, which follow each other.
static bool count_sites(struct count_rows *rows)
{
	struct ic_trace_counts counts;
	struct ic_trace_copy copy;

	for (size_t i = 0; ic_trace_copy_get(rows->trace, i, &copy); i++) {
		ic_trace_counts_get(rows->trace, i, &counts);
		if (copy.first == i && !IC_ARRAY_ADD(&rows->sites, (struct counted){ .first = i }))
			return false;
		struct counted *site = &rows->sites.items[rows->sites.count - 1];
		site->hits += counts.hits;
		site->lost += counts.lost;
		if (!site->why_not)
			site->why_not = copy.why_not;
	}
	if (rows->sites.count > 0)
		qsort(rows->sites.items, rows->sites.count, sizeof(*rows->sites.items),
		      compare_counts);
	return true;
}

struct ic_rows *ic_rows_of_hit_counts(const struct ic_trace *trace,
				      const struct ic_row_options *options, struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct count_rows), &ic_hit_count_row_type, options, err);
	struct count_rows *rows = (struct count_rows *)common;

	if (!common)
		return NULL;
	rows->trace = trace;
	common->make = make_row;
	common->deinit = free_rows;
	common->filler.names.index = ic_trace_sites(trace)->index;
	if (!count_sites(rows)) {
		ic_rows_free(common);
		ic_fail_memory(err);
		return NULL;
	}
	common->count = rows->sites.count;
	return common;
}
