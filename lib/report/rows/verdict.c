// The rows of verdicts.
#include <stdlib.h>

#include "query/verdicts/verdict.h"
#include "report/rows/parameter.h"
#include "report/rows/rows.h"
#include "report/rows/words.h"

#include <inlinecall/extra/parameters.h>

// clang-format off
#define FIELD(row, key, type) { #key, IC_FIELD_##type, offsetof(struct row, key), 0, NULL }
#define SCHEMA(fields, row) { fields, sizeof(fields) / sizeof(*fields), sizeof(struct row) }
#define LIST(key, array, count, items) \
	{ key, IC_FIELD_LIST, offsetof(struct ic_verdict_row, array), \
	  offsetof(struct ic_verdict_row, count), items }

#define PLACE_FIELDS                           \
	FIELD(ic_row_place, kind,        TEXT),    \
	FIELD(ic_row_place, address,     OFFSET),  \
	FIELD(ic_row_place, section,     TEXT),    \
	FIELD(ic_row_place, symbol,      TEXT),    \
	FIELD(ic_row_place, offset,      BYTES),   \
	FIELD(ic_row_place, bytes,       BYTES),   \
	FIELD(ic_row_place, ambiguous,   FLAG),    \
	FIELD(ic_row_place, described,   FLAG),    \
	FIELD(ic_row_place, call_file,   TEXT),    \
	FIELD(ic_row_place, call_line,   COUNT),   \
	FIELD(ic_row_place, call_column, COUNT)

static const struct ic_field place_fields[] = { PLACE_FIELDS };
static const struct ic_field parameter_fields[] = {
	PLACE_FIELDS,
	FIELD(ic_row_place, variadic,    FLAG),
	{ "params", IC_FIELD_OPTIONAL_LIST, offsetof(struct ic_row_place, params),
	  offsetof(struct ic_row_place, param_count), &ic_parameter_schema },
};
static const struct ic_schema place_schema = SCHEMA(place_fields, ic_row_place),
			      parameter_schema = SCHEMA(parameter_fields, ic_row_place);

static const struct ic_field name_fields[] = {
	FIELD(ic_row_name, name, TEXT),
};
static const struct ic_schema name_schema = SCHEMA(name_fields, ic_row_name);

#define VERDICT_FIELDS                                 \
	FIELD(ic_verdict_row, type,            TEXT),  \
	FIELD(ic_verdict_row, file,            TEXT),  \
	FIELD(ic_verdict_row, function,        TEXT),  \
	FIELD(ic_verdict_row, linkage_name,    TEXT),  \
	FIELD(ic_verdict_row, decl_file,       TEXT),  \
	FIELD(ic_verdict_row, decl_line,       COUNT), \
	FIELD(ic_verdict_row, verdict,         TEXT),  \
	FIELD(ic_verdict_row, inlined,         TEXT),  \
	FIELD(ic_verdict_row, declared_inline, FLAG),  \
	FIELD(ic_verdict_row, copies,          BYTES), \
	FIELD(ic_verdict_row, without_code,    BYTES), \
	FIELD(ic_verdict_row, callers,         BYTES), \
	FIELD(ic_verdict_row, bytes,           BYTES), \
	FIELD(ic_verdict_row, left_out,        BYTES), \
	FIELD(ic_verdict_row, calls,           BYTES), \
	FIELD(ic_verdict_row, entered,         BYTES), \
	FIELD(ic_verdict_row, doubtful,        BYTES), \
	FIELD(ic_verdict_row, doubts_why_not,  TEXT)
#define VERDICT_LISTS(places)                             \
	LIST("code",    code,    code_count,  &(places)), \
	LIST("entries", entries, entry_count, &(places)), \
	LIST("others",  others,  other_count, &name_schema)

static const struct ic_field flat_fields[] = { VERDICT_FIELDS };
static const struct ic_field verdict_fields[] = {
	VERDICT_FIELDS, VERDICT_LISTS(place_schema),
};
static const struct ic_field verdict_parameter_fields[] = {
	VERDICT_FIELDS, VERDICT_LISTS(parameter_schema),
};
static const struct ic_schema flat_schema = SCHEMA(flat_fields, ic_verdict_row),
			      verdict_schema = SCHEMA(verdict_fields, ic_verdict_row),
			      verdict_parameter_schema =
				      SCHEMA(verdict_parameter_fields, ic_verdict_row);
// clang-format on

static const struct ic_schema *schema_of(const void *data)
{
	const struct ic_verdict_row *row = data;

	return row->has_params ? &verdict_parameter_schema : &verdict_schema;
}

// Tables have no places: 'sites' lists them.
static void split_row(const void *row, ic_line_function *line, void *context)
{
	line(context, &flat_schema, row);
}

static const struct ic_schema *const verdict_schemas[] = { &verdict_schema,
							   &verdict_parameter_schema, NULL };

const struct ic_row_type ic_verdict_row_type = { IC_ROWS_VERDICTS, &flat_schema, verdict_schemas,
						 schema_of, split_row };

struct verdict_rows {
	struct ic_rows rows; // must be first
	const struct ic_verdicts *verdicts;
	struct ic_verdict_row row;
	IC_ARRAY(struct ic_row_place) places; // code, then copies
	IC_ARRAY(uint64_t) entered;
	IC_ARRAY(struct ic_row_name) others;
	struct ic_parameter_rows parameters;
};

static const char *kind_word(enum ic_verdict_kind kind)
{
	switch (kind) {
	case IC_VERDICT_PARTLY: return "partly";
	case IC_VERDICT_FULLY: return "fully";
	case IC_VERDICT_NO_COPY_LEFT: return "no_copy_left";
	case IC_VERDICT_NEVER: return "never";
	case IC_VERDICT_RESOLVER: return "resolver";
	case IC_VERDICT_ALIAS: return "alias";
	case IC_VERDICT_SYMBOL_ONLY: return "symbol_only";
	case IC_VERDICT_LEFT_OUT: return "left_out";
	case IC_VERDICT_DECLARED: return "declared";
	case IC_VERDICT_OPTIMISED_AWAY: return "optimised_away";
	case IC_VERDICT_UNUSED: break;
	}
	return "unused";
}

static const char *place_word(enum ic_verdict_place_kind kind)
{
	switch (kind) {
	case IC_VERDICT_ENTRY: return "entry";
	case IC_VERDICT_CLONE: return "clone";
	case IC_VERDICT_PART: return "part";
	case IC_VERDICT_CHOOSING: return "choosing";
	case IC_VERDICT_BYPASSED: return "bypassed";
	case IC_VERDICT_COPY: break;
	}
	return "copy";
}

static bool fill_parameters(struct verdict_rows *rows, const struct ic_verdict_place *place,
			    const struct ic_site *site, struct ic_row_place *row)
{
	struct ic_filler *filler = &rows->rows.filler;
	struct ic_parameters *parameters = filler->options.parameters;
	size_t before = rows->parameters.list.count;
	const char *section;
	uint64_t start = ic_filler_section(filler, place->addr, &section);

	if (!ic_parameters_find(parameters, site,
				place->addr == site->entry ? IC_NO_ADDR : place->addr, NULL) ||
	    !ic_parameter_rows_add(&rows->parameters, filler, place->addr, start))
		return false;
	row->param_count = rows->parameters.list.count - before;
	row->variadic = ic_parameters_is_variadic(parameters);
	row->is_undescribed = ic_parameters_is_undescribed(parameters);
	if (ic_parameters_is_known(parameters)) // set again later, as the list may still move
		row->params = rows->parameters.list.items;
	return true;
}

static bool fill_place(struct verdict_rows *rows, const struct ic_verdict_place *place,
		       struct ic_row_place *row)
{
	struct ic_filler *filler = &rows->rows.filler;
	struct ic_site site;

	*row = (struct ic_row_place){ .kind = place_word(place->kind),
				      .symbol = ic_filler_symbol_name(filler, place->symbol),
				      .offset = place->symbol ? place->offset : IC_NO_ADDR,
				      .bytes = place->size > 0 ? place->size : IC_NO_ADDR,
				      .ambiguous = place->is_ambiguous,
				      .described = place->site != IC_VERDICT_NO_SITE,
				      .place = place->kind };
	row->address = place->addr - ic_filler_section(filler, place->addr, &row->section);
	if (place->site == IC_VERDICT_NO_SITE ||
	    !ic_sites_get(&rows->verdicts->sites, place->site, &site))
		return true;
	row->call_file = ic_filler_path(filler, site.call_file);
	row->call_line = site.call_line;
	row->call_column = site.call_column;
	return !filler->options.parameters || fill_parameters(rows, place, &site, row);
}

// Adds the entries of a place's copy: the place itself, unless more are known.
static bool add_entries(struct verdict_rows *rows, const struct ic_verdict_place *place)
{
	const struct ic_entries *entries = rows->rows.filler.options.entries;
	struct ic_site_entries found = { .addrs = &place->addr, .count = 1 };

	if (entries)
		found = ic_entries_of(entries, place->site);
	for (size_t i = 0; i < found.count; i++) {
		struct ic_verdict_place entry = *place;
		struct ic_row_place *added = IC_ARRAY_PUSH(&rows->places);
		entry.addr = found.addrs[i];
		entry.offset += entry.addr - place->addr;
		if (!added || !fill_place(rows, &entry, added))
			return false;
	}
	return true;
}

static bool fill_places(struct verdict_rows *rows, const struct ic_verdict *verdict)
{
	size_t first = 0;

	rows->places.count = 0;
	// An empty list is not NULL.
	if (!IC_ARRAY_RESERVE(&rows->places, verdict->code_count + 1) ||
	    !ic_parameter_rows_begin(&rows->parameters))
		return false;
	for (size_t i = 0; i < verdict->code_count; i++)
		if (!fill_place(rows, &verdict->code[i], IC_ARRAY_PUSH(&rows->places)))
			return false;
	for (size_t i = 0; i < verdict->entry_count; i++)
		if (!add_entries(rows, &verdict->entries[i]))
			return false;
	ic_parameter_rows_end(&rows->parameters);
	for (size_t i = 0; i < rows->places.count; i++) {
		struct ic_row_place *place = &rows->places.items[i];
		if (place->params)
			place->params = rows->parameters.list.items + first;
		first += place->param_count;
	}
	rows->row.code = rows->places.items;
	rows->row.code_count = verdict->code_count;
	rows->row.entries = rows->places.items + verdict->code_count;
	rows->row.entry_count = rows->places.count - verdict->code_count;
	return true;
}

static int compare_addrs(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

// Counts the entry addresses of all copies, and the copies with doubts.
static bool count_entries(struct verdict_rows *rows, const struct ic_verdict *verdict)
{
	const struct ic_entries *entries = rows->rows.filler.options.entries;
	struct ic_verdict_row *row = &rows->row;

	if (!entries)
		return true;
	rows->entered.count = 0;
	row->entered = row->doubtful = 0;
	for (size_t i = 0; i < verdict->copy_count; i++) {
		struct ic_site_entries found = ic_entries_of(entries, verdict->first_copy + i);
		for (size_t j = 0; j < found.count; j++) {
			if (!IC_ARRAY_ADD(&rows->entered, found.addrs[j]))
				return false;
		}
		row->doubtful += found.doubt_count > 0;
		if (found.why_not)
			row->doubts_why_not = found.why_not;
	}
	if (rows->entered.count > 1)
		qsort(rows->entered.items, rows->entered.count, sizeof(uint64_t), compare_addrs);
	for (uint32_t i = 0; i < rows->entered.count; i++)
		row->entered += i == 0 || rows->entered.items[i] != rows->entered.items[i - 1];
	if (row->doubts_why_not && row->doubtful == 0)
		row->doubtful = IC_STATISTIC_NONE;
	return true;
}

static bool fill_others(struct verdict_rows *rows, const struct ic_verdict *verdict)
{
	if (!IC_ARRAY_RESERVE(&rows->others, verdict->other_count + 1)) // an empty list is not NULL
		return false;
	for (size_t i = 0; i < verdict->other_count; i++)
		rows->others.items[i].name =
			ic_filler_symbol_name(&rows->rows.filler, verdict->others[i]);
	rows->row.others = rows->others.items;
	rows->row.other_count = verdict->other_count;
	return true;
}

static const void *make_row(struct ic_rows *common, size_t number)
{
	struct verdict_rows *rows = (struct verdict_rows *)common;
	struct ic_filler *filler = &common->filler;
	const struct ic_verdict_item *item = &rows->verdicts->items.items[number];
	const struct ic_verdict *verdict = &item->verdict;

	rows->row = (struct ic_verdict_row){
		.type = "verdict",
		.file = filler->options.file,
		.function = item->function ? ic_filler_name(filler, item->function)
					   : ic_filler_symbol_name(filler, verdict->function),
		.linkage_name = verdict->linkage_name,
		.decl_file = ic_filler_path(filler, verdict->decl_file),
		.decl_line = verdict->decl_line,
		.verdict = kind_word(verdict->kind),
		.inlined = ic_inlined_word(verdict->inlined),
		.declared_inline = verdict->inlining == IC_INLINING_DECLARED_INLINED ||
				   verdict->inlining == IC_INLINING_DECLARED_NOT_INLINED,
		.copies = verdict->copies,
		.without_code = verdict->without_code,
		.callers = verdict->callers,
		.bytes = verdict->size,
		.left_out = verdict->left_out,
		.calls = verdict->calls,
		.entered = verdict->entered,
		.doubtful = IC_STATISTIC_NONE,
		.asked = verdict->asked,
		.kind = verdict->kind,
		.has_params = filler->options.parameters,
	};
	return fill_places(rows, verdict) && count_entries(rows, verdict) &&
			       fill_others(rows, verdict)
		       ? &rows->row
		       : NULL;
}

static void free_rows(struct ic_rows *common)
{
	struct verdict_rows *rows = (struct verdict_rows *)common;

	IC_ARRAY_FREE(&rows->places);
	IC_ARRAY_FREE(&rows->entered);
	IC_ARRAY_FREE(&rows->others);
	ic_parameter_rows_free(&rows->parameters);
}

struct ic_rows *ic_rows_of_verdicts(const struct ic_verdicts *verdicts,
				    const struct ic_row_options *options, struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct verdict_rows), &ic_verdict_row_type, options, err);
	struct verdict_rows *rows = (struct verdict_rows *)common;

	if (!rows)
		return NULL;
	rows->verdicts = verdicts;
	common->make = make_row;
	common->deinit = free_rows;
	common->count = verdicts->items.count;
	common->filler.names.index = verdicts->index;
	return common;
}
