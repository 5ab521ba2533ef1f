#include "report/site_row.h"

#include <stdlib.h>

#include "query/sites.h"
#include "report/filler.h"

// clang-format off
#define FIELD(row, key, type) { #key, IC_FIELD_##type, offsetof(struct row, key), NULL }

static const struct ic_field chain_fields[] = {
	FIELD(ic_chain_row, function,    TEXT),
	FIELD(ic_chain_row, call_file,   TEXT),
	FIELD(ic_chain_row, call_line,   COUNT),
	FIELD(ic_chain_row, call_column, COUNT),
};

static const struct ic_schema chain_schema = {
	chain_fields, sizeof(chain_fields) / sizeof(*chain_fields)
};

static const struct ic_field site_fields[] = {
	FIELD(ic_site_row, type,         TEXT),
	FIELD(ic_site_row, file,         TEXT),
	FIELD(ic_site_row, function,     TEXT),
	FIELD(ic_site_row, linkage_name, TEXT),
	FIELD(ic_site_row, decl_file,    TEXT),
	FIELD(ic_site_row, decl_line,    COUNT),
	FIELD(ic_site_row, call_file,    TEXT),
	FIELD(ic_site_row, call_line,    COUNT),
	FIELD(ic_site_row, call_column,  COUNT),
	FIELD(ic_site_row, ranges,       RANGES),
	FIELD(ic_site_row, section,      TEXT),
	FIELD(ic_site_row, entry,        ADDRESS),
	FIELD(ic_site_row, host,         TEXT),
	FIELD(ic_site_row, symbol,       TEXT),
	{ "chain", IC_FIELD_LIST, offsetof(struct ic_site_row, chain), &chain_schema },
	FIELD(ic_site_row, unit,         TEXT),
	FIELD(ic_site_row, die,          OFFSET),
	FIELD(ic_site_row, die_file,     TEXT),
	FIELD(ic_site_row, entry_symbol, TEXT),
	FIELD(ic_site_row, entry_offset, BYTES),
	{ "return", IC_FIELD_ADDRESS, offsetof(struct ic_site_row, return_addr), NULL },
	FIELD(ic_site_row, tail,         FLAG),
};
// clang-format on

enum { FIELD_COUNT = sizeof(site_fields) / sizeof(*site_fields) };

// Only calls return to somewhere, or do not: the last two fields are theirs alone.
const struct ic_schema ic_site_schema = { site_fields, FIELD_COUNT - 2 };
const struct ic_schema ic_call_schema = { site_fields, FIELD_COUNT };

struct filler { // what it takes to make a row of a site
	const struct ic_sites *sites;
	struct ic_filler common;
	IC_ARRAY(struct ic_chain_row) chain;
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

// An address of the site, for the section that the row's addresses are offsets in.
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

static bool fill_chain(struct filler *filler, const struct ic_site_place *place,
		       struct ic_site_row *row)
{
	const struct ic_index *index = filler->sites->index;
	const struct ic_unit_model *unit = &index->units[place->unit];

	filler->chain.count = 0;
	for (uint32_t i = ic_site_parent(index, place);
	     i != IC_NONE && unit->instances[i].kind == IC_INSTANCE_INLINED;
	     i = unit->instances[i].parent) {
		const struct ic_instance *around = &unit->instances[i];
		struct ic_chain_row *link = IC_ARRAY_PUSH(&filler->chain);
		if (!link)
			return false;
		*link = (struct ic_chain_row){ .call_line = around->call_line,
					       .call_column = around->call_column };
		if (around->function != IC_NONE)
			link->function =
				ic_filler_name(&filler->common, &unit->functions[around->function]);
		if (around->call_file != IC_NONE)
			link->call_file =
				ic_filler_path(&filler->common, unit->files[around->call_file]);
	}
	row->chain = (struct ic_row_list){ filler->chain.items, filler->chain.count,
					   sizeof(struct ic_chain_row) };
	return true;
}

// The symbol of a site as a whole: that of its first range, or of the call.
static const char *find_symbol(struct filler *filler, const struct ic_site *site)
{
	uint64_t addr = site->entry;

	if (site->range_count > 0)
		return filler->common.ranges.items[0].symbol;
	if (addr == IC_NO_ADDR && site->return_addr != IC_NO_ADDR)
		addr = site->return_addr - 1; // within the call
	return addr == IC_NO_ADDR
		       ? NULL
		       : ic_filler_symbol(&filler->common, (struct ic_range){ addr, addr + 1 },
					  host_symbol(site));
}

// What a probe takes: the entry as an offset in its symbol. Text has it only if asked.
static void fill_entry_symbol(struct filler *filler, const struct ic_site *site,
			      struct ic_site_row *row)
{
	const struct ic_report_options *options = filler->common.options;
	const struct ic_range entry = { site->entry, site->entry + 1 };
	struct ic_symbol symbol;

	row->entry_offset = IC_NO_ADDR;
	if (site->entry == IC_NO_ADDR || (options->format == IC_REPORT_TEXT && !options->entries))
		return;
	if (!ic_index_symbol_of(filler->sites->index, entry, host_symbol(site), &symbol))
		return;
	row->entry_symbol = ic_filler_symbol_name(&filler->common, symbol.name);
	row->entry_offset = site->entry - symbol.start;
}

static bool fill_row(struct filler *filler, size_t number, struct ic_site_row *row)
{
	const struct ic_site_place *place = &filler->sites->places.items[number];
	struct ic_site site;

	ic_sites_get(filler->sites, number, &site);
	*row = (struct ic_site_row){ .type = type_of(site.kind),
				     .kind = site.kind,
				     .file = filler->common.options->file,
				     .linkage_name = site.linkage_name,
				     .decl_file = ic_filler_path(&filler->common, site.decl_file),
				     .decl_line = site.decl_line,
				     .call_file = ic_filler_path(&filler->common, site.call_file),
				     .call_line = site.call_line,
				     .call_column = site.call_column,
				     .entry = site.entry,
				     .return_addr = site.return_addr,
				     .tail = site.is_tail_call,
				     .unit = site.unit,
				     .die = site.die_off,
				     .die_file = site.die_file,
				     .function_off = site.function_off };
	row->function =
		ic_filler_name(&filler->common, ic_site_function(filler->sites->index, place));
	row->host = ic_filler_name(&filler->common, ic_site_host(filler->sites->index, place));

	uint64_t start = ic_filler_section(&filler->common, some_addr(&site), &row->section);
	if (row->entry != IC_NO_ADDR)
		row->entry -= start;
	if (row->return_addr != IC_NO_ADDR)
		row->return_addr -= start;
	if (!ic_filler_ranges(&filler->common, site.ranges, site.range_count, start,
			      host_symbol(&site), &row->ranges) ||
	    !fill_chain(filler, place, row))
		return false;
	row->symbol = find_symbol(filler, &site);
	fill_entry_symbol(filler, &site, row);
	return true;
}

bool ic_site_rows(const struct ic_sites *sites, const struct ic_report_options *options,
		  struct ic_row_sink *sink, struct ic_error *err)
{
	struct filler filler = {
		.sites = sites, .common = { .options = options, .names = { .index = sites->index } }
	};
	struct ic_site_row row;
	bool ok = sink->begin(sink, &ic_call_schema, err);

	ic_index_expect_symbols(sites->index, sites->places.count); // one each, or more
	for (size_t i = 0; ok && i < sites->places.count; i++) {
		if (!fill_row(&filler, i, &row) || filler.common.names.out_of_memory) {
			ok = ic_fail_memory(err);
			break;
		}
		ok = sink->row(sink, row.kind == IC_SITE_CALL ? &ic_call_schema : &ic_site_schema,
			       &row, err);
	}
	IC_ARRAY_FREE(&filler.chain);
	ic_filler_deinit(&filler.common);
	return ok && sink->end(sink, err);
}
