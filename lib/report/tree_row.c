#include "report/tree_row.h"

#include <string.h>

#include "query/tree.h"
#include "report/filler.h"

// clang-format off
#define FIELD(key, type) { #key, IC_FIELD_##type, offsetof(struct ic_tree_row, key), NULL }

static const struct ic_field tree_fields[] = {
	FIELD(type,         TEXT),
	FIELD(file,         TEXT),
	FIELD(depth,        NUMBER),
	FIELD(function,     TEXT),
	FIELD(linkage_name, TEXT),
	FIELD(inlined,      FLAG),
	FIELD(decl_file,    TEXT),
	FIELD(decl_line,    COUNT),
	FIELD(call_file,    TEXT),
	FIELD(call_line,    COUNT),
	FIELD(call_column,  COUNT),
	FIELD(bytes,        BYTES),
	FIELD(own_bytes,    BYTES),
	FIELD(ranges,       RANGES),
	FIELD(section,      TEXT),
	FIELD(entry,        ADDRESS),
	FIELD(host,         TEXT),
	FIELD(symbol,       TEXT),
	FIELD(unit,         TEXT),
	FIELD(die,          OFFSET),
	FIELD(parent,       ADDRESS),
	FIELD(die_file,     TEXT),
};
// clang-format on

static const struct ic_schema tree_schema = { tree_fields,
					      sizeof(tree_fields) / sizeof(*tree_fields) };

// An address of the instance, for the section that the row's addresses are offsets in.
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
	if (!ic_filler_ranges(filler, node->ranges, node->range_count, start, host, &row->ranges))
		return false;
	if (node->range_count > 0) {
		row->symbol = row->ranges.ranges[0].symbol;
		row->is_clone =
			is_clone(node, ic_index_symbol(filler->names.index, node->ranges[0], host));
	}
	return true;
}

static bool fill_row(struct ic_filler *filler, const struct ic_trees *trees, size_t number,
		     struct ic_tree_row *row)
{
	const struct ic_tree_place *place = &trees->places.items[number];
	struct ic_tree_node node;

	ic_trees_get(trees, number, &node);
	*row = (struct ic_tree_row){
		.type = "instance",
		.file = filler->options->file,
		.depth = node.depth,
		.function = ic_filler_name(filler, ic_tree_function(trees->index, place)),
		.linkage_name = node.linkage_name,
		.inlined = node.is_inlined,
		.decl_file = ic_filler_path(filler, node.decl_file),
		.decl_line = node.decl_line,
		.call_file = ic_filler_path(filler, node.call_file),
		.call_line = node.call_line,
		.call_column = node.call_column,
		.bytes = node.size,
		.own_bytes = node.own_size,
		.entry = node.entry,
		.host = ic_filler_name(filler, ic_tree_host(trees->index, place)),
		.unit = node.unit,
		.die = node.die_off,
		.parent = node.parent_off,
		.die_file = node.die_file,
		.is_last = node.is_last,
	};
	return fill_places(filler, &node, row);
}

bool ic_tree_rows(const struct ic_trees *trees, const struct ic_report_options *options,
		  struct ic_row_sink *sink, struct ic_error *err)
{
	struct ic_filler filler = { .options = options, .names = { .index = trees->index } };
	struct ic_tree_row row;
	bool ok = sink->begin(sink, &tree_schema, err);

	ic_index_expect_symbols(trees->index, trees->places.count);

	for (size_t i = 0; ok && i < trees->places.count; i++) {
		if (!fill_row(&filler, trees, i, &row) || filler.names.out_of_memory)
			ok = ic_fail_memory(err);
		else
			ok = sink->row(sink, &tree_schema, &row, err);
	}
	ic_filler_deinit(&filler);
	return ok && sink->end(sink, err);
}
