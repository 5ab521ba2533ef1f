// The rows of the calls in a table of .BTF.inline.
#include <stdio.h>
#include <string.h>

#include "report/rows/parameter.h"
#include "report/rows/rows.h"

// clang-format off
#define FIELD(row, key, type) { #key, IC_FIELD_##type, offsetof(struct row, key), 0, NULL }

static const struct ic_field location_fields[] = {
	FIELD(ic_btf_row_location, kind, TEXT),
	FIELD(ic_btf_row_location, text, TEXT),
};

static const struct ic_schema location_schema = {
	location_fields, sizeof(location_fields) / sizeof(*location_fields),
	sizeof(struct ic_btf_row_location)
};

static const struct ic_field parameter_fields[] = {
	FIELD(ic_btf_row_parameter, name, TEXT),
	FIELD(ic_btf_row_parameter, type, TEXT),
	FIELD(ic_btf_row_parameter, size, BYTES),
	{ "location", IC_FIELD_OBJECT, offsetof(struct ic_btf_row_parameter, location), 0,
	  &location_schema },
};

static const struct ic_schema parameter_schema = {
	parameter_fields, sizeof(parameter_fields) / sizeof(*parameter_fields),
	sizeof(struct ic_btf_row_parameter)
};

static const struct ic_field fields[] = {
	FIELD(ic_btf_site_row, type,        TEXT),
	FIELD(ic_btf_site_row, file,        TEXT),
	FIELD(ic_btf_site_row, function,    TEXT),
	FIELD(ic_btf_site_row, function_id, NUMBER),
	FIELD(ic_btf_site_row, host,        TEXT),
	FIELD(ic_btf_site_row, host_id,     COUNT),
	FIELD(ic_btf_site_row, section,     TEXT),
	FIELD(ic_btf_site_row, offset,      OFFSET),
	{ "params", IC_FIELD_LIST, offsetof(struct ic_btf_site_row, params),
	  offsetof(struct ic_btf_site_row, param_count), &parameter_schema },
};

static const struct ic_schema schema = { fields, sizeof(fields) / sizeof(*fields),
					 sizeof(struct ic_btf_site_row) };

struct flat_row { // a line of a table: one per parameter, or one for a call without any
	struct ic_btf_site_row site;
	uint32_t number; // of the parameter, from 1
	struct ic_btf_row_parameter parameter;
};

#define FLAT(key, type, field) { key, IC_FIELD_##type, offsetof(struct flat_row, field), 0, NULL }

static const struct ic_field flat_fields[] = {
	FLAT("type",        TEXT,   site.type),
	FLAT("file",        TEXT,   site.file),
	FLAT("function",    TEXT,   site.function),
	FLAT("function_id", NUMBER, site.function_id),
	FLAT("host",        TEXT,   site.host),
	FLAT("host_id",     COUNT,  site.host_id),
	FLAT("section",     TEXT,   site.section),
	FLAT("offset",      OFFSET, site.offset),
	FLAT("param",       COUNT,  number),
	FLAT("name",        TEXT,   parameter.name),
	FLAT("param_type",  TEXT,   parameter.type),
	FLAT("size",        BYTES,  parameter.size),
	FLAT("kind",        TEXT,   parameter.location.kind),
	FLAT("location",    TEXT,   parameter.location.text),
};
// clang-format on

static const struct ic_schema flat_schema = { flat_fields,
					      sizeof(flat_fields) / sizeof(*flat_fields),
					      sizeof(struct flat_row) };

static void split_row(const void *data, ic_line_function *line, void *context)
{
	const struct ic_btf_site_row *site = data;
	struct flat_row row = { .site = *site, .parameter = { .size = IC_NO_ADDR } };

	do {
		if (row.number < site->param_count)
			row.parameter = site->params[row.number++];
		line(context, &flat_schema, &row);
	} while (row.number < site->param_count);
}

static const struct ic_schema *const btf_site_schemas[] = { &schema, NULL };

const struct ic_row_type ic_btf_site_row_type = { IC_ROWS_BTF_SITES, &flat_schema, btf_site_schemas,
						  NULL, split_row };

struct btf_site_rows {
	struct ic_rows rows; // must be first
	const struct ic_btf_inline *table;
	unsigned machine;
	struct ic_btf_site_row row;
	IC_ARRAY(struct ic_btf_row_parameter) params;
	struct ic_arena texts; // of the row
};

static const char *keep_text(struct btf_site_rows *rows, const char *text)
{
	return ic_arena_copy(&rows->texts, text, strlen(text) + 1, 1);
}

static const char *location_text(struct btf_site_rows *rows,
				 const struct ic_btf_inline_parameter *parameter, const char *type)
{
	char frame[32], text[1024];
	const struct ic_location_text_options options = {
		.type = type,
		.size = parameter->size,
		.is_signed = parameter->is_signed,
		.machine = rows->machine,
		.expression = parameter->is_on_frame ? frame : NULL,
	};

	snprintf(frame, sizeof(frame), "fbreg%+d", (int)parameter->location.offset);
	ic_location_text(&parameter->location, &options, text, sizeof(text));
	return keep_text(rows, text);
}

static bool fill_parameter(struct btf_site_rows *rows, size_t number, uint32_t which)
{
	struct ic_btf_row_parameter *row = IC_ARRAY_PUSH(&rows->params);
	const struct ic_btf *types = ic_btf_inline_types(rows->table);
	struct ic_btf_inline_parameter parameter;
	char type[512];

	if (!row)
		return false;
	ic_btf_inline_parameter(rows->table, number, which, &parameter);
	*row = (struct ic_btf_row_parameter){ .name = parameter.name,
					      .size = parameter.size ? parameter.size
								     : IC_NO_ADDR };
	if (parameter.type != 0) {
		ic_btf_type_text(types, parameter.type, type, sizeof(type));
		row->type = keep_text(rows, type);
		if (!row->type)
			return false;
	}
	row->location.kind = ic_location_kind_word(parameter.location.kind);
	row->location.text = location_text(rows, &parameter, row->type);
	return row->location.text;
}

static const void *make_row(struct ic_rows *common, size_t number)
{
	struct btf_site_rows *rows = (struct btf_site_rows *)common;
	struct ic_btf_inline_site site;

	ic_btf_inline_get(rows->table, number, &site);
	ic_arena_free(&rows->texts);
	rows->params.count = 0;
	for (uint32_t i = 0; i < site.parameter_count; i++)
		if (!fill_parameter(rows, number, i))
			return NULL;
	rows->row = (struct ic_btf_site_row){
		.type = "site",
		.file = common->filler.options.file,
		.function = site.callee_name,
		.function_id = site.callee,
		.host = site.caller_name,
		.host_id = site.caller,
		.section = site.section,
		.offset = site.offset,
		.params = rows->params.items,
		.param_count = rows->params.count,
	};
	return &rows->row;
}

static void free_rows(struct ic_rows *common)
{
	struct btf_site_rows *rows = (struct btf_site_rows *)common;

	IC_ARRAY_FREE(&rows->params);
	ic_arena_free(&rows->texts);
}

struct ic_rows *ic_rows_of_btf_sites(const struct ic_btf_inline *table, unsigned machine,
				     const struct ic_row_options *options, struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct btf_site_rows), &ic_btf_site_row_type, options, err);
	struct btf_site_rows *rows = (struct btf_site_rows *)common;

	if (!rows)
		return NULL;
	rows->table = table;
	rows->machine = machine;
	common->make = make_row;
	common->deinit = free_rows;
	common->count = ic_btf_inline_count(table);
	return common;
}
