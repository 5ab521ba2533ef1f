// The rows of probes.
#include "probe/probes.h"
#include "query/find/sites.h"
#include "report/rows/chain.h"
#include "report/rows/parameter.h"
#include "report/rows/rows.h"

#include <inlinecall/extra/probe.h>

// clang-format off
#define FIELD(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_probe_row, key), 0, NULL }

static const struct ic_field probe_fields[] = {
	FIELD(type,         TEXT),
	FIELD(file,         TEXT),
	FIELD(tracer,       TEXT),
	FIELD(group,        TEXT),
	FIELD(event,        TEXT),
	FIELD(definition,   TEXT),
	FIELD(why_not,      TEXT),
	FIELD(left_out,     TEXT),
	FIELD(at,           TEXT),
	FIELD(doubt,        TEXT),
	FIELD(function,     TEXT),
	FIELD(linkage_name, TEXT),
	FIELD(inlined,      FLAG),
	FIELD(call_file,    TEXT),
	FIELD(call_line,    COUNT),
	FIELD(call_column,  COUNT),
	FIELD(host,         TEXT),
	FIELD(section,      TEXT),
	FIELD(address,      ADDRESS),
	FIELD(file_offset,  ADDRESS),
	FIELD(symbol,       TEXT),
	FIELD(offset,       BYTES),
	FIELD(ambiguous,    FLAG),
	FIELD(die,          ADDRESS),
	FIELD(die_file,     TEXT),
	FIELD(source,       TEXT),
	FIELD(line,         COUNT),
	FIELD(column,       COUNT),
	{ "chain", IC_FIELD_OPTIONAL_LIST, offsetof(struct ic_probe_row, chain),
	  offsetof(struct ic_probe_row, chain_count), &ic_chain_schema },
	{ "frames", IC_FIELD_OPTIONAL_LIST, offsetof(struct ic_probe_row, frames),
	  offsetof(struct ic_probe_row, frame_count), &ic_frame_schema },
	FIELD(variadic,     FLAG),
	{ "params", IC_FIELD_OPTIONAL_LIST, offsetof(struct ic_probe_row, params),
	  offsetof(struct ic_probe_row, param_count), &ic_parameter_schema },
};
// clang-format on

enum { PROBE_FIELDS = sizeof(probe_fields) / sizeof(*probe_fields) };

static const struct ic_schema probe_schema = { probe_fields, PROBE_FIELDS,
					       sizeof(struct ic_probe_row) };
static const struct ic_schema flat_schema = { probe_fields, PROBE_FIELDS - 4,
					      sizeof(struct ic_probe_row) };

static void split_row(const void *row, ic_line_function *line, void *context)
{
	line(context, &flat_schema, row);
}

static const struct ic_schema *const probe_schemas[] = { &probe_schema, NULL };

const struct ic_row_type ic_probe_row_type = { IC_ROWS_PROBES, &flat_schema, probe_schemas, NULL,
					       split_row };

struct probe_rows {
	struct ic_rows rows; // must be first
	const struct ic_probes *probes;
	struct ic_probe_row row;
	struct ic_parameter_rows parameters;
	IC_ARRAY(struct ic_frame) frames;
	struct ic_row_chain chain;
};

static bool fill_parameters(struct probe_rows *rows, const struct ic_probe *probe,
			    const struct ic_site *site)
{
	struct ic_parameters *parameters = rows->rows.filler.options.parameters;
	bool ok;

	if (!parameters)
		return true;
	if (probe->kind == IC_PROBE_ENTRY)
		ok = ic_parameters_find(parameters, site,
					probe->addr == site->entry ? IC_NO_ADDR : probe->addr,
					NULL);
	else if (probe->kind == IC_PROBE_LINE && probe->frame != IC_NO_ADDR)
		ok = ic_parameters_find_frame(parameters, probe->addr, (size_t)probe->frame, NULL);
	else
		return true;
	if (!ok || !ic_parameter_rows_fill(&rows->parameters, &rows->rows.filler, probe->addr))
		return false;
	if (!ic_parameters_is_known(parameters))
		return true;
	rows->row.params = rows->parameters.list.items;
	rows->row.param_count = rows->parameters.list.count;
	rows->row.variadic = ic_parameters_is_variadic(parameters);
	return true;
}

static const char *at_of(const struct ic_probe *probe)
{
	if (probe->kind == IC_PROBE_ENTRY)
		return "entry";
	if (probe->kind == IC_PROBE_LINE)
		return "line";
	if (probe->kind == IC_PROBE_RETURN)
		return "returned";
	if (probe->kind == IC_PROBE_ELSEWHERE)
		return "elsewhere";
	return probe->addr != IC_NO_ADDR ? ic_exit_kind_name(probe->exit_kind) : "exit";
}

static bool fill_site(struct probe_rows *rows, const struct ic_probe *probe,
		      const struct ic_site *site)
{
	struct ic_filler *filler = &rows->rows.filler;
	const struct ic_sites *sites = ic_probes_sites(rows->probes);
	const struct ic_site_place *place = &sites->places.items[probe->site];
	struct ic_probe_row *row = &rows->row;

	row->function = ic_filler_name(filler, ic_site_function(sites->index, place));
	row->linkage_name = site->linkage_name;
	row->inlined = site->kind == IC_SITE_INLINED;
	row->call_file = ic_filler_path(filler, site->call_file);
	row->call_line = site->call_line;
	row->call_column = site->call_column;
	row->host = ic_filler_name(filler, ic_site_host(sites->index, place));
	row->die = site->die_off;
	row->die_file = site->die_file;
	rows->chain.callers.count = 0;
	if (site->has_only_entry || !row->inlined)
		return true;
	if (!ic_row_chain_fill(&rows->chain, filler, sites, place) ||
	    !IC_ARRAY_RESERVE(&rows->chain.callers, 1)) // an empty list is not NULL
		return false;
	row->chain = rows->chain.callers.items;
	row->chain_count = rows->chain.callers.count;
	return true;
}

static bool fill_line(struct probe_rows *rows, const struct ic_probe *probe)
{
	struct ic_filler *filler = &rows->rows.filler;
	struct ic_probe_row *row = &rows->row;

	// An empty list is not NULL.
	if (!IC_ARRAY_RESERVE(&rows->frames, probe->frame_count + 1ull))
		return false;
	for (size_t i = 0; i < probe->frame_count; i++) {
		struct ic_frame *frame = &rows->frames.items[i];
		*frame = probe->frames[i];
		frame->function = ic_filler_frame_name(filler, frame);
		frame->file = ic_filler_path(filler, frame->file);
	}
	const struct ic_frame *frames = rows->frames.items;
	row->frames = frames;
	row->frame_count = probe->frame_count;
	if (row->frame_count == 0)
		return true;
	row->function = frames[0].function;
	row->linkage_name = frames[0].linkage_name;
	row->source = frames[0].file;
	row->line = frames[0].line;
	row->column = frames[0].column;
	row->host = frames[row->frame_count - 1].function;
	row->inlined = frames[0].inlined && row->frame_count > 1;
	if (row->inlined) {
		row->call_file = frames[1].file;
		row->call_line = frames[1].line;
		row->call_column = frames[1].column;
	}
	return true;
}

static const void *make_row(struct ic_rows *common, size_t number)
{
	struct probe_rows *rows = (struct probe_rows *)common;
	struct ic_filler *filler = &common->filler;
	struct ic_probe probe;
	struct ic_site site;

	ic_probes_get(rows->probes, number, &probe);
	enum ic_tracer tracer = ic_probes_tracer(rows->probes);
	rows->row = (struct ic_probe_row){
		.type = "probe",
		.file = filler->options.file,
		.tracer = ic_tracer_name(tracer),
		.group = probe.group,
		.event = probe.event,
		.definition = probe.definition,
		.why_not = probe.why_not,
		.left_out = probe.left_out,
		.at = at_of(&probe),
		.doubt = probe.doubt,
		.file_offset = probe.file_off,
		.symbol = ic_filler_symbol_name(filler, probe.symbol),
		.offset = probe.symbol_off,
		.ambiguous = probe.is_ambiguous,
		.address = probe.addr,
		.die = IC_NO_ADDR,
		.for_tracer = tracer,
	};
	if (probe.addr != IC_NO_ADDR)
		rows->row.address -= ic_filler_section(filler, probe.addr, &rows->row.section);
	if (probe.kind == IC_PROBE_LINE && !fill_line(rows, &probe))
		return NULL;
	if (probe.kind != IC_PROBE_LINE) {
		ic_sites_get(ic_probes_sites(rows->probes), probe.site, &site);
		if (!fill_site(rows, &probe, &site))
			return NULL;
	}
	return fill_parameters(rows, &probe, &site) ? &rows->row : NULL;
}

static void free_rows(struct ic_rows *common)
{
	struct probe_rows *rows = (struct probe_rows *)common;

	ic_parameter_rows_free(&rows->parameters);
	IC_ARRAY_FREE(&rows->chain.callers);
	IC_ARRAY_FREE(&rows->frames);
}

struct ic_rows *ic_rows_of_probes(const struct ic_probes *probes,
				  const struct ic_row_options *options, struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct probe_rows), &ic_probe_row_type, options, err);

	if (!common)
		return NULL;
	((struct probe_rows *)common)->probes = probes;
	common->make = make_row;
	common->deinit = free_rows;
	common->count = ic_probes_count(probes);
	common->filler.names.index = ic_probes_index(probes);
	return common;
}
