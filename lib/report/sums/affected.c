// The rows of affected functions.
#include "query/affected/affected.h"
#include "report/rows/rows.h"

// clang-format off
#define FIELD(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_affected_row, key), 0, NULL }

static const struct ic_field word_fields[] = {
	{ "name", IC_FIELD_TEXT, offsetof(struct ic_row_word, name), 0, NULL },
};
static const struct ic_schema word_schema = { word_fields, 1, sizeof(struct ic_row_word) };

#define AFFECTED_FIELDS                 \
	FIELD(type,              TEXT),    \
	FIELD(of,                TEXT),    \
	FIELD(build,             TEXT),    \
	FIELD(file,              TEXT),    \
	FIELD(package,           TEXT),    \
	FIELD(package_version,   TEXT),    \
	FIELD(function,          TEXT),    \
	FIELD(linkage_name,      TEXT),    \
	FIELD(decl_file,         TEXT),    \
	FIELD(decl_line,         COUNT),   \
	FIELD(state,             TEXT),    \
	FIELD(reason,            TEXT),    \
	FIELD(copies,            BYTES),   \
	FIELD(without_code,      BYTES),   \
	FIELD(hosts,             BYTES),   \
	FIELD(host,              TEXT),    \
	FIELD(host_linkage_name, TEXT),    \
	FIELD(own,               FLAG),    \
	FIELD(section,           TEXT),    \
	FIELD(address,           ADDRESS), \
	FIELD(end,               ADDRESS), \
	FIELD(in_section,        TEXT),    \
	FIELD(bytes,             BYTES),   \
	FIELD(files,             BYTES),   \
	FIELD(present,           BYTES),   \
	FIELD(inlined_only,      BYTES),   \
	FIELD(folded,            BYTES),   \
	FIELD(unknown,           BYTES)

static const struct ic_field flat_fields[] = { AFFECTED_FIELDS };
static const struct ic_field fields[] = {
	AFFECTED_FIELDS,
	{ "symbols", IC_FIELD_LIST, offsetof(struct ic_affected_row, symbols),
	  offsetof(struct ic_affected_row, symbol_count), &word_schema },
};
#define SCHEMA(fields) { fields, sizeof(fields) / sizeof(*(fields)), sizeof(struct ic_affected_row) }
static const struct ic_schema flat_schema = SCHEMA(flat_fields), schema = SCHEMA(fields);
// clang-format on

// Tables have no lists.
static void split_row(const void *row, ic_line_function *line, void *context)
{
	line(context, &flat_schema, row);
}

static const struct ic_schema *const affected_schemas[] = { &schema, NULL };

const struct ic_row_type ic_affected_row_type = { IC_ROWS_AFFECTED, &flat_schema, affected_schemas,
						  NULL, split_row };

struct affected_rows {
	struct ic_rows rows; // must be first
	const struct ic_affected *affected;
	struct ic_affected_row row;
	uint32_t item; // of the latest row
	size_t first;  // the number of the item's own row
	IC_ARRAY(struct ic_row_word) symbols;
};

static const char *state_word(enum ic_affected_state state)
{
	switch (state) {
	case IC_AFFECTED_PRESENT: return "present";
	case IC_AFFECTED_INLINED_ONLY: return "inlined_only";
	case IC_AFFECTED_FOLDED: return "folded";
	case IC_AFFECTED_UNKNOWN: return "unknown";
	case IC_AFFECTED_ABSENT: break;
	}
	return "absent";
}

static const char *reason_of(enum ic_verdict_kind verdict)
{
	switch (verdict) {
	case IC_VERDICT_OPTIMISED_AWAY: return "no copy has code left";
	case IC_VERDICT_RESOLVER: return "its symbol selects the implementation to call";
	case IC_VERDICT_ALIAS: return "its symbol is at the code of another function";
	case IC_VERDICT_SYMBOL_ONLY: return "its code has no debugging information";
	case IC_VERDICT_LEFT_OUT: return "its code is not in the file";
	case IC_VERDICT_DECLARED: return "it is called, but not defined here";
	case IC_VERDICT_UNUSED: return "it is neither defined nor called here";
	case IC_VERDICT_PARTLY:
	case IC_VERDICT_FULLY:
	case IC_VERDICT_NO_COPY_LEFT:
	case IC_VERDICT_NEVER: break;
	}
	return NULL;
}

static void fill_function(struct affected_rows *rows, const struct ic_affected_item *item)
{
	const struct ic_affected_function *function = &item->function;
	struct ic_filler *filler = &rows->rows.filler;

	rows->row = (struct ic_affected_row){
		.type = "affected",
		.of = "function",
		.file = filler->options.file,
		.function = item->source ? ic_filler_name(filler, item->source)
					 : ic_filler_symbol_name(filler, function->function),
		.linkage_name = function->linkage_name,
		.decl_file = ic_filler_path(filler, function->decl_file),
		.decl_line = function->decl_line,
		.state = state_word(function->state),
		.reason = reason_of(function->verdict),
		.copies = function->copies,
		.without_code = function->without_code,
		.hosts = function->host_count,
		.address = IC_NO_ADDR,
		.end = IC_NO_ADDR,
		.bytes = UINT64_MAX,
		.files = UINT64_MAX,
		.present = UINT64_MAX,
		.inlined_only = UINT64_MAX,
		.folded = UINT64_MAX,
		.unknown = UINT64_MAX,
	};
}

static bool fill_symbols(struct affected_rows *rows, const struct ic_affected_host *host)
{
	rows->symbols.count = 0;
	if (!IC_ARRAY_RESERVE(&rows->symbols, host->symbol_count + 1)) // an empty list is not NULL
		return false;
	for (size_t i = 0; i < host->symbol_count; i++)
		rows->symbols.items[i].name =
			ic_filler_symbol_name(&rows->rows.filler, host->symbols[i]);
	rows->row.symbols = rows->symbols.items;
	rows->row.symbol_count = host->symbol_count;
	return true;
}

static bool fill_host(struct affected_rows *rows, uint32_t number)
{
	const struct ic_affected_item *item = &rows->affected->items.items[rows->item];
	const struct ic_function *holder = ic_affected_holder(
		rows->affected, &rows->affected->holdings.items[item->first_holding + number]);
	struct ic_filler *filler = &rows->rows.filler;
	struct ic_affected_row *row = &rows->row;
	struct ic_affected_host host;

	fill_function(rows, item);
	if (!ic_affected_host(rows->affected, rows->item, number, &host))
		return false;
	uint64_t start = ic_filler_section(filler, host.range.start, &row->section);
	row->in_section = host.section;
	row->of = "host";
	row->is_host = true;
	row->copies = host.copies;
	row->without_code = host.without_code;
	row->hosts = UINT64_MAX;
	row->host = holder ? ic_filler_name(filler, holder) : NULL;
	row->host_linkage_name = host.linkage_name;
	row->own = host.is_function;
	row->address = host.range.start - start;
	row->end = host.range.end - start;
	row->bytes = host.size;
	return fill_symbols(rows, &host);
}

static const void *make_row(struct ic_rows *common, size_t number)
{
	struct affected_rows *rows = (struct affected_rows *)common;
	const struct ic_affected_item *items = rows->affected->items.items;

	while (number - rows->first > items[rows->item].function.host_count)
		rows->first += items[rows->item++].function.host_count + 1;
	if (number == rows->first)
		fill_function(rows, &items[rows->item]);
	else if (!fill_host(rows, (uint32_t)(number - rows->first - 1)))
		return NULL;
	return &rows->row;
}

static void free_rows(struct ic_rows *common)
{
	IC_ARRAY_FREE(&((struct affected_rows *)common)->symbols);
}

struct ic_rows *ic_rows_of_affected(const struct ic_affected *affected,
				    const struct ic_row_options *options, struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct affected_rows), &ic_affected_row_type, options, err);
	struct affected_rows *rows = (struct affected_rows *)common;

	if (!rows)
		return NULL;
	rows->affected = affected;
	common->make = make_row;
	common->deinit = free_rows;
	common->count = affected->items.count + (size_t)affected->holdings.count;
	common->filler.names.index = affected->index;
	return common;
}
