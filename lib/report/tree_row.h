// The report of trees: its row, its schema, and the filling of it.
#ifndef REPORT_TREE_ROW_H
#define REPORT_TREE_ROW_H

#include "report/row.h"

#include <inlinecall/report.h>

struct ic_tree_row {
	const char *type; // "instance"
	const char *file;
	uint32_t depth;
	const char *function, *linkage_name;
	bool inlined;
	const char *decl_file;
	uint32_t decl_line;
	const char *call_file;
	uint32_t call_line, call_column;
	uint64_t bytes, own_bytes;
	struct ic_row_ranges ranges; // addresses are offsets where `section` is known
	const char *section;
	uint64_t entry;
	const char *host, *symbol;
	const char *unit;
	uint64_t die, parent;
	const char *die_file;
	bool is_last;  // not reported: of its siblings
	bool is_clone; // likewise: the symbol is neither its name nor its linkage name
};

// Hands every instance of the selection to the sink.
bool ic_tree_rows(const struct ic_trees *trees, const struct ic_report_options *options,
		  struct ic_row_sink *sink, struct ic_error *err) IC_CHECKED;

#endif
