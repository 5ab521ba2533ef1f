// The report of sites: its row, its schema, and the filling of it.
#ifndef REPORT_SITE_ROW_H
#define REPORT_SITE_ROW_H

#include "report/row.h"

#include <inlinecall/report.h>

struct ic_chain_row {
	const char *function;
	const char *call_file;
	uint32_t call_line, call_column;
};

struct ic_site_row {
	const char *type; // "site", "copy" or "call"
	const char *file;
	const char *function, *linkage_name;
	const char *decl_file;
	uint32_t decl_line;
	const char *call_file;
	uint32_t call_line, call_column;
	struct ic_row_ranges ranges; // addresses are offsets where `section` is known
	const char *section;
	uint64_t entry, return_addr;
	const char *entry_symbol; // that holds the entry
	uint64_t entry_offset;    // of the entry in it; IC_NO_ADDR if unknown
	bool tail;                // of a call: a jump that does not come back
	const char *host, *symbol;
	struct ic_row_list chain; // of struct ic_chain_row
	const char *unit;
	uint64_t die;
	const char *die_file;  // NULL for the file itself, or its debug file
	uint64_t function_off; // not reported: tells functions apart
	enum ic_site_kind kind;
};

extern const struct ic_schema ic_site_schema, ic_call_schema;

// Hands every site of the selection to the sink.
bool ic_site_rows(const struct ic_sites *sites, const struct ic_report_options *options,
		  struct ic_row_sink *sink, struct ic_error *err) IC_CHECKED;

#endif
