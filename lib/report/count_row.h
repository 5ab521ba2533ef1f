// The report of counts: its row, its schema, and the filling of it.
#ifndef REPORT_COUNT_ROW_H
#define REPORT_COUNT_ROW_H

#include "report/row.h"

#include <inlinecall/report.h>

struct ic_count_row {
	const char *type; // "function"
	const char *file;
	const char *function, *linkage_name;
	const char *decl_file;
	uint32_t decl_line;
	uint64_t inlined, without_code, out_of_line, calls, bytes;
};

// Hands the count of every function to the sink.
bool ic_count_rows(const struct ic_counts *counts, const struct ic_report_options *options,
		   struct ic_row_sink *sink, struct ic_error *err) IC_CHECKED;

#endif
