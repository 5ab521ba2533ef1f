// The rows of trees.
#include <string.h>

#include "query/counts/tree.h"
#include "report/rows/parameter.h"
#include "report/rows/rows.h"

#include <inlinecall/extra/parameters.h>
#include <inlinecall/extra/sites.h>

// clang-format off
#define FIELD(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_tree_row, key), 0, NULL }

#define TREE_FIELDS                                                        \
	FIELD(type,         TEXT),                                         \
	FIELD(file,         TEXT),                                         \
	FIELD(depth,        NUMBER),                                       \
	FIELD(function,     TEXT),                                         \
	FIELD(linkage_name, TEXT),                                         \
	FIELD(inlined,      FLAG),                                         \
	FIELD(part,         FLAG),                                         \
	FIELD(decl_file,    TEXT),                                         \
	FIELD(decl_line,    COUNT),                                        \
	FIELD(call_file,    TEXT),                                         \
	FIELD(call_line,    COUNT),                                        \
	FIELD(call_column,  COUNT),                                        \
	FIELD(bytes,        BYTES),                                        \
	FIELD(own_bytes,    BYTES),                                        \
	{ "ranges", IC_FIELD_RANGES, offsetof(struct ic_tree_row, ranges), \
	  offsetof(struct ic_tree_row, range_count), NULL },               \
	FIELD(section,      TEXT),                                         \
	FIELD(entry,        ADDRESS),                                      \
	FIELD(host,         TEXT),                                         \
	FIELD(symbol,       TEXT),                                         \
	FIELD(unit,         TEXT),                                         \
	FIELD(die,          OFFSET),                                       \
	FIELD(parent,       ADDRESS),                                      \
	FIELD(die_file,     TEXT)

#define PARAMETER_FIELDS(schema)                                         \
	FIELD(variadic,     FLAG),                                       \
	{ "params", IC_FIELD_LIST, offsetof(struct ic_tree_row, params), \
	  offsetof(struct ic_tree_row, param_count), &(schema) }

static const struct ic_field tree_fields[] = { TREE_FIELDS };
static const struct ic_field parameter_fields[] = {
	TREE_FIELDS, PARAMETER_FIELDS(ic_parameter_schema)
};
static const struct ic_field list_fields[] = {
	TREE_FIELDS, PARAMETER_FIELDS(ic_parameter_list_schema)
};

#define SCHEMA(fields) { fields, sizeof(fields) / sizeof(*fields), sizeof(struct ic_tree_row) }

static const struct ic_schema tree_schema = SCHEMA(tree_fields),
			      parameter_schema = SCHEMA(parameter_fields),
			      list_schema = SCHEMA(list_fields);
// clang-format on

static const struct ic_schema *schema_of(const void *data)
{
	const struct ic_tree_row *row = data;

	return !row->params ? &tree_schema : row->has_lists ? &list_schema : &parameter_schema;
}

static const struct ic_schema *const tree_schemas[] = { &tree_schema, &parameter_schema,
							&list_schema, NULL };

const struct ic_row_type ic_tree_row_type = { IC_ROWS_TREES, &tree_schema, tree_schemas, schema_of,
					      NULL };

struct tree_rows {
	struct ic_rows rows; // must be first
	const struct ic_trees *trees;
	struct ic_tree_row row;
	struct ic_parameter_rows parameters;
};

// An address of the instance, to find the section that the row's addresses are offsets in.
static uint64_t some_addr(const struct ic_tree_node *node)
{
	return node->entry != IC_NO_ADDR ? node->entry
	       : node->range_count > 0   ? node->ranges[0].start
					 : 0;
}

static bool is_clone(const struct ic_tree_node *node, const char *symbol)
{
	return symbol && (!node->function || strcmp(symbol, node->function) != 0) &&
	       (!node->linkage_name || strcmp(symbol, node->linkage_name) != 0);
}

static bool fill_places(struct ic_filler *filler, const struct ic_tree_node *node,
			struct ic_tree_row *row)
{
	uint64_t start = ic_filler_section(filler, some_addr(node), &row->section);
	const char *host = ic_filler_symbol_of(node->host, node->host_linkage_name);

	if (row->entry != IC_NO_ADDR)
		row->entry -= start;
	row->range_count = node->range_count;
	row->ranges = ic_filler_ranges(filler, node->ranges, node->range_count, start, host);
	if (!row->ranges)
		return false;
	if (node->range_count > 0) {
		row->symbol = row->ranges[0].symbol;
		row->is_clone =
			is_clone(node, ic_index_symbol(filler->names.index, node->ranges[0], host));
	}
	return true;
}

static bool fill_parameters(struct tree_rows *rows, const struct ic_tree_place *place,
			    const struct ic_tree_node *node)
{
	struct ic_parameters *parameters = rows->rows.filler.options.parameters;
	const struct ic_site site = { .kind = IC_SITE_INLINED, // either kind of instance will do
				      .unit_number = place->unit,
				      .instance_number = place->number };

	if (!parameters)
		return true;
	if (!ic_parameters_find(parameters, &site, IC_NO_ADDR, NULL) ||
	    !ic_parameter_rows_fill(&rows->parameters, &rows->rows.filler, some_addr(node)))
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

static const void *make_row(struct ic_rows *common, size_t number)
{
	struct tree_rows *rows = (struct tree_rows *)common;
	struct ic_filler *filler = &common->filler;
	const struct ic_index *index = rows->trees->index;
	const struct ic_tree_place *place = &rows->trees->places.items[number];
	struct ic_tree_node node;

	ic_trees_get(rows->trees, number, &node);
	rows->row = (struct ic_tree_row){
		.type = "instance",
		.file = filler->options.file,
		.depth = node.depth,
		.function = ic_filler_name(filler, ic_tree_function(index, place)),
		.linkage_name = node.linkage_name,
		.inlined = node.is_inlined,
		.part = node.is_part,
		.decl_file = ic_filler_path(filler, node.decl_file),
		.decl_line = node.decl_line,
		.call_file = ic_filler_path(filler, node.call_file),
		.call_line = node.call_line,
		.call_column = node.call_column,
		.bytes = node.size,
		.own_bytes = node.own_size,
		.entry = node.entry,
		.host = ic_filler_name(filler, ic_tree_host(index, place)),
		.unit = node.unit,
		.die = node.die_off,
		.parent = node.parent_off,
		.die_file = node.die_file,
		.is_last = node.is_last,
	};
	return fill_places(filler, &node, &rows->row) && fill_parameters(rows, place, &node)
		       ? &rows->row
		       : NULL;
}

static void free_rows(struct ic_rows *common)
{
	ic_parameter_rows_free(&((struct tree_rows *)common)->parameters);
}

struct ic_rows *ic_rows_of_trees(const struct ic_trees *trees, const struct ic_row_options *options,
				 struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct tree_rows), &ic_tree_row_type, options, err);
	struct tree_rows *rows = (struct tree_rows *)common;

	if (!rows)
		return NULL;
	rows->trees = trees;
	common->make = make_row;
	common->deinit = free_rows;
	common->count = trees->places.count;
	common->left_out = trees->left_out;
	common->filler.names.index = trees->index;
	ic_index_expect_symbols(trees->index, common->count);
	return common;
}
