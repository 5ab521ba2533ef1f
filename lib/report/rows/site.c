// The rows of sites.
#include "query/find/sites.h"
#include "report/rows/chain.h"
#include "report/rows/entry.h"
#include "report/rows/parameter.h"
#include "report/rows/rows.h"

#include <inlinecall/extra/parameters.h>

// clang-format off
#define FIELD(row, key, type) { #key, IC_FIELD_##type, offsetof(struct row, key), 0, NULL }

// Fields of all kinds of sites. Ranges and chain may be unknown.
#define SITE_FIELDS(ranges_type, chain_type)                                               \
	FIELD(ic_site_row, type,         TEXT),                                            \
	FIELD(ic_site_row, file,         TEXT),                                            \
	FIELD(ic_site_row, function,     TEXT),                                            \
	FIELD(ic_site_row, linkage_name, TEXT),                                            \
	FIELD(ic_site_row, decl_file,    TEXT),                                            \
	FIELD(ic_site_row, decl_line,    COUNT),                                           \
	FIELD(ic_site_row, call_file,    TEXT),                                            \
	FIELD(ic_site_row, call_line,    COUNT),                                           \
	FIELD(ic_site_row, call_column,  COUNT),                                           \
	{ "ranges", ranges_type, offsetof(struct ic_site_row, ranges),                     \
	  offsetof(struct ic_site_row, range_count), NULL },                               \
	FIELD(ic_site_row, section,      TEXT),                                            \
	FIELD(ic_site_row, entry,        ADDRESS),                                         \
	FIELD(ic_site_row, host,         TEXT),                                            \
	FIELD(ic_site_row, symbol,       TEXT),                                            \
	{ "chain", chain_type, offsetof(struct ic_site_row, chain),                        \
	  offsetof(struct ic_site_row, chain_count), &ic_chain_schema },                      \
	FIELD(ic_site_row, unit,         TEXT),                                            \
	FIELD(ic_site_row, die,          OFFSET),                                          \
	FIELD(ic_site_row, die_file,     TEXT),                                            \
	FIELD(ic_site_row, entry_symbol, TEXT),                                            \
	FIELD(ic_site_row, entry_offset, BYTES),                                           \
	FIELD(ic_site_row, part,         FLAG)
#define KNOWN_FIELDS SITE_FIELDS(IC_FIELD_RANGES, IC_FIELD_LIST)
#define ENTRY_FIELDS SITE_FIELDS(IC_FIELD_NONE, IC_FIELD_NONE)

#define PARAMETER_FIELDS(schema)                                                           \
	FIELD(ic_site_row, variadic,     FLAG),                                            \
	{ "params", IC_FIELD_LIST, offsetof(struct ic_site_row, params),                   \
	  offsetof(struct ic_site_row, param_count), &(schema) }

#define ENTRIES_FIELDS                                                                     \
	{ "entries", IC_FIELD_LIST, offsetof(struct ic_site_row, entries),                 \
	  offsetof(struct ic_site_row, entry_count), &ic_entry_schema },                   \
	FIELD(ic_site_row, counted_elsewhere, FLAG),                                            \
	IC_DOUBT_FIELDS(ic_site_row)

static const struct ic_field call_fields[] = {
	KNOWN_FIELDS,
	{ "return", IC_FIELD_ADDRESS, offsetof(struct ic_site_row, return_addr), 0, NULL },
	FIELD(ic_site_row, tail,         FLAG),
};
static const struct ic_field known_fields[] = { KNOWN_FIELDS, ENTRIES_FIELDS };
static const struct ic_field known_parameter_fields[] = {
	KNOWN_FIELDS, PARAMETER_FIELDS(ic_parameter_schema), ENTRIES_FIELDS
};
static const struct ic_field known_list_fields[] = {
	KNOWN_FIELDS, PARAMETER_FIELDS(ic_parameter_list_schema), ENTRIES_FIELDS
};
static const struct ic_field entry_fields[] = { ENTRY_FIELDS, ENTRIES_FIELDS };
static const struct ic_field entry_parameter_fields[] = {
	ENTRY_FIELDS, PARAMETER_FIELDS(ic_parameter_schema), ENTRIES_FIELDS
};
static const struct ic_field entry_list_fields[] = {
	ENTRY_FIELDS, PARAMETER_FIELDS(ic_parameter_list_schema), ENTRIES_FIELDS
};

enum {
	CALL_FIELDS = sizeof(call_fields) / sizeof(*call_fields),
	ENTRIES = 4 // the number of ENTRIES_FIELDS
};

// The schemas of such fields, without and with those for entries.
#define SCHEMAS(fields)                                                                    \
	{ { fields, sizeof(fields) / sizeof(*fields) - ENTRIES, sizeof(struct ic_site_row) }, \
	  { fields, sizeof(fields) / sizeof(*fields), sizeof(struct ic_site_row) } }

// Only calls have a return address and a tail flag, and only instances have parameters and entries.
static const struct ic_schema call_schema = { call_fields, CALL_FIELDS,
					      sizeof(struct ic_site_row) };
static const struct ic_schema schemas[2][3][2] = { // indexed by what is known
	{ SCHEMAS(known_fields), SCHEMAS(known_parameter_fields), SCHEMAS(known_list_fields) },
	{ SCHEMAS(entry_fields), SCHEMAS(entry_parameter_fields), SCHEMAS(entry_list_fields) },
};
// clang-format on

static const struct ic_schema *schema_of(const void *data)
{
	const struct ic_site_row *row = data;

	if (row->kind == IC_SITE_CALL)
		return &call_schema;
	return &schemas[row->has_only_entry][!row->params ? 0 : 1 + row->has_lists]
		       [row->entries != NULL];
}

static const struct ic_schema *const site_schemas[] = { &schemas[0][0][0], &schemas[0][0][1],
							&schemas[0][1][0], &schemas[0][1][1],
							&schemas[0][2][0], &schemas[0][2][1],
							&schemas[1][0][0], &schemas[1][0][1],
							&schemas[1][1][0], &schemas[1][1][1],
							&schemas[1][2][0], &schemas[1][2][1],
							&call_schema,      NULL };

const struct ic_row_type ic_site_row_type = { IC_ROWS_SITES, &call_schema, site_schemas, schema_of,
					      NULL };

struct site_rows {
	struct ic_rows rows; // must be first
	const struct ic_sites *sites;
	struct ic_site_row row;
	struct ic_row_chain chain;
	struct ic_parameter_rows parameters;
	IC_ARRAY(struct ic_row_entry) entries;
	ic_row_doubts doubts;
};

static const char *type_of(enum ic_site_kind kind)
{
	switch (kind) {
	case IC_SITE_INLINED: return "site";
	case IC_SITE_OUT_OF_LINE: return "copy";
	case IC_SITE_CALL: return "call";
	}
	return NULL;
}

// An address of the site, to find the section that the row's addresses are offsets in.
static uint64_t some_addr(const struct ic_site *site)
{
	return site->entry != IC_NO_ADDR         ? site->entry
	       : site->range_count > 0           ? site->ranges[0].start
	       : site->return_addr != IC_NO_ADDR ? site->return_addr
						 : 0;
}

static const char *host_symbol(const struct ic_site *site)
{
	return ic_filler_symbol_of(site->host, site->host_linkage_name);
}

// The symbol of a site: that of its first range, or of the call.
static const char *find_symbol(struct ic_filler *filler, const struct ic_site *site)
{
	uint64_t addr = site->entry;

	if (site->range_count > 0)
		return filler->ranges.items[0].symbol;
	if (addr == IC_NO_ADDR && site->return_addr != IC_NO_ADDR)
		addr = site->return_addr - 1; // within the call
	return addr == IC_NO_ADDR ? NULL
				  : ic_filler_symbol(filler, (struct ic_range){ addr, addr + 1 },
						     host_symbol(site));
}

// An entry as a symbol and offset, in the form that probes take. NULL, and *offset unknown, if it
// has no symbol.
static const char *find_entry_symbol(struct site_rows *rows, const struct ic_site *site,
				     uint64_t entry, uint64_t *offset)
{
	struct ic_symbol symbol;

	*offset = IC_NO_ADDR;
	if (entry == IC_NO_ADDR || rows->rows.without_entry_symbols ||
	    !ic_index_symbol_of(rows->sites->index, (struct ic_range){ entry, entry + 1 },
				host_symbol(site), &symbol))
		return NULL;
	*offset = entry - symbol.start;
	return ic_filler_symbol_name(&rows->rows.filler, symbol.name);
}

static bool fill_entries(struct site_rows *rows, const struct ic_site *site, size_t number,
			 uint64_t start)
{
	const struct ic_entries *all = rows->rows.filler.options.entries;
	struct ic_site_row *row = &rows->row;

	if (!all || site->kind == IC_SITE_CALL)
		return true;
	struct ic_site_entries found = ic_entries_of(all, number);
	rows->entries.count = 0;
	if (!IC_ARRAY_RESERVE(&rows->entries, found.count + 1)) // an empty list is not NULL
		return false;
	for (size_t i = 0; i < found.count; i++) {
		struct ic_row_entry *entry = IC_ARRAY_PUSH(&rows->entries);
		entry->address = found.addrs[i] - start;
		entry->symbol = find_entry_symbol(rows, site, found.addrs[i], &entry->offset);
	}
	row->entries = rows->entries.items;
	row->entry_count = found.count;
	row->counted_elsewhere = found.is_counted_elsewhere;
	return ic_row_doubts_fill(&rows->doubts, all, number, &row->doubts, &row->doubt_count,
				  &row->doubts_why_not);
}

// Fills in the addresses in the row's own section, and symbols.
static bool fill_places(struct site_rows *rows, const struct ic_site *site, size_t number)
{
	struct ic_filler *filler = &rows->rows.filler;
	struct ic_site_row *row = &rows->row;
	uint64_t start = ic_filler_section(filler, some_addr(site), &row->section);

	if (row->entry != IC_NO_ADDR)
		row->entry -= start;
	if (row->return_addr != IC_NO_ADDR)
		row->return_addr -= start;
	row->range_count = site->range_count;
	row->ranges =
		ic_filler_ranges(filler, site->ranges, site->range_count, start, host_symbol(site));
	if (!row->ranges)
		return false;
	row->symbol = find_symbol(filler, site);
	row->entry_symbol = find_entry_symbol(rows, site, site->entry, &row->entry_offset);
	return fill_entries(rows, site, number, start);
}

static bool fill_parameters(struct site_rows *rows, const struct ic_site *site)
{
	struct ic_parameters *parameters = rows->rows.filler.options.parameters;

	if (!parameters || site->kind == IC_SITE_CALL)
		return true;
	if (!ic_parameters_find(parameters, site, IC_NO_ADDR, NULL) ||
	    !ic_parameter_rows_fill(&rows->parameters, &rows->rows.filler, some_addr(site)))
		return false;
	rows->row.is_undescribed = ic_parameters_is_undescribed(parameters);
	if (!ic_parameters_is_known(parameters))
		return true;
	rows->row.params = rows->parameters.list.items;
	rows->row.param_count = rows->parameters.list.count;
	rows->row.variadic = ic_parameters_is_variadic(parameters);
	rows->row.has_lists = ic_parameters_has_lists(parameters);
	return true;
}

static bool fill_chain(struct site_rows *rows, const struct ic_site_place *place)
{
	if (rows->row.has_only_entry)
		rows->chain.callers.count = 0;
	else if (!ic_row_chain_fill(&rows->chain, &rows->rows.filler, rows->sites, place))
		return false;
	rows->row.chain = rows->chain.callers.items;
	rows->row.chain_count = rows->chain.callers.count;
	return true;
}

static const void *make_row(struct ic_rows *common, size_t number)
{
	struct site_rows *rows = (struct site_rows *)common;
	struct ic_filler *filler = &common->filler;
	const struct ic_index *index = rows->sites->index;
	const struct ic_site_place *place = &rows->sites->places.items[number];
	struct ic_site site;

	ic_sites_get(rows->sites, number, &site);
	rows->row = (struct ic_site_row){
		.type = type_of(site.kind),
		.kind = site.kind,
		.file = filler->options.file,
		.function = ic_filler_name(filler, ic_site_function(index, place)),
		.linkage_name = site.linkage_name,
		.decl_file = ic_filler_path(filler, site.decl_file),
		.decl_line = site.decl_line,
		.call_file = ic_filler_path(filler, site.call_file),
		.call_line = site.call_line,
		.call_column = site.call_column,
		.entry = site.entry,
		.return_addr = site.return_addr,
		.part = site.is_part,
		.tail = site.is_tail_call,
		.host = ic_filler_name(filler, ic_site_host(index, place)),
		.unit = site.unit,
		.die = site.die_off,
		.die_file = site.die_file,
		.function_off = site.function_off,
		.has_only_entry = site.has_only_entry,
	};
	return fill_places(rows, &site, number) && fill_chain(rows, place) &&
			       fill_parameters(rows, &site)
		       ? &rows->row
		       : NULL;
}

static void free_rows(struct ic_rows *common)
{
	struct site_rows *rows = (struct site_rows *)common;

	IC_ARRAY_FREE(&rows->chain.callers);
	ic_parameter_rows_free(&rows->parameters);
	IC_ARRAY_FREE(&rows->entries);
	IC_ARRAY_FREE(&rows->doubts);
}

struct ic_rows *ic_rows_of_sites(const struct ic_sites *sites, const struct ic_row_options *options,
				 struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct site_rows), &ic_site_row_type, options, err);
	struct site_rows *rows = (struct site_rows *)common;

	if (!rows)
		return NULL;
	rows->sites = sites;
	common->make = make_row;
	common->deinit = free_rows;
	common->count = sites->places.count;
	common->filler.names.index = sites->index;
	ic_index_expect_symbols(sites->index, common->count); // at least one each
	return common;
}
