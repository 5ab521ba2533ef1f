// The rows of probes.
#include "query/sites.h"
#include "report/parameter_row.h"
#include "report/rows.h"

#include <inlinecall/probe.h>

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
	FIELD(die,          OFFSET),
	FIELD(die_file,     TEXT),
	FIELD(variadic,     FLAG),
	{ "params", IC_FIELD_OPTIONAL_LIST, offsetof(struct ic_probe_row, params),
	  offsetof(struct ic_probe_row, param_count), &ic_parameter_schema },
};
// clang-format on

enum { PROBE_FIELDS = sizeof(probe_fields) / sizeof(*probe_fields) };

static const struct ic_schema probe_schema = { probe_fields, PROBE_FIELDS,
					       sizeof(struct ic_probe_row) };
static const struct ic_schema flat_schema = { probe_fields, PROBE_FIELDS - 2,
					      sizeof(struct ic_probe_row) };

static const struct ic_schema *schema_of(const void *row)
{
	(void)row;
	return &probe_schema;
}

static void split(const void *row, ic_line_function *line, void *context)
{
	line(context, &flat_schema, row);
}

const struct ic_row_type ic_probe_row_type = { IC_ROWS_PROBES, &flat_schema, schema_of, split };

struct probe_rows {
	struct ic_rows rows; // first: these are rows
	const struct ic_probes *probes;
	struct ic_probe_row row;
	struct ic_parameter_rows parameters;
};

static bool fill_parameters(struct probe_rows *rows, const struct ic_site *site, uint64_t addr)
{
	struct ic_parameters *parameters = rows->rows.filler.options.parameters;

	if (!parameters)
		return true;
	if (!ic_parameters_find(parameters, site, IC_NO_ADDR, NULL) ||
	    !ic_parameter_rows_fill(&rows->parameters, &rows->rows.filler, addr))
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
	if (probe->kind == IC_PROBE_RETURN)
		return "returned";
	return probe->addr != IC_NO_ADDR ? ic_exit_kind_name(probe->exit_kind) : "exit";
}

static const void *make(struct ic_rows *common, size_t number)
{
	struct probe_rows *rows = (struct probe_rows *)common;
	struct ic_filler *filler = &common->filler;
	const struct ic_sites *sites = ic_probes_sites(rows->probes);
	struct ic_probe probe;
	struct ic_site site;

	ic_probes_get(rows->probes, number, &probe);
	ic_sites_get(sites, probe.site, &site);
	const struct ic_site_place *place = &sites->places.items[probe.site];
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
		.function = ic_filler_name(filler, ic_site_function(sites->index, place)),
		.linkage_name = site.linkage_name,
		.inlined = site.kind == IC_SITE_INLINED,
		.call_file = ic_filler_path(filler, site.call_file),
		.call_line = site.call_line,
		.call_column = site.call_column,
		.host = ic_filler_name(filler, ic_site_host(sites->index, place)),
		.file_offset = probe.file_off,
		.symbol = ic_filler_symbol_name(filler, probe.symbol),
		.offset = probe.symbol_off,
		.ambiguous = probe.is_ambiguous,
		.die = site.die_off,
		.die_file = site.die_file,
		.for_tracer = tracer,
	};
	rows->row.address = probe.addr;
	if (probe.addr != IC_NO_ADDR)
		rows->row.address -= ic_filler_section(filler, probe.addr, &rows->row.section);
	return probe.kind != IC_PROBE_ENTRY || fill_parameters(rows, &site, probe.addr) ? &rows->row
											: NULL;
}

static void deinit(struct ic_rows *common)
{
	ic_parameter_rows_free(&((struct probe_rows *)common)->parameters);
}

struct ic_rows *ic_rows_of_probes(const struct ic_probes *probes,
				  const struct ic_row_options *options, struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct probe_rows), &ic_probe_row_type, options, err);

	if (!common)
		return NULL;
	((struct probe_rows *)common)->probes = probes;
	common->make = make;
	common->deinit = deinit;
	common->count = ic_probes_count(probes);
	common->filler.names.index = ic_probes_sites(probes)->index;
	return common;
}
