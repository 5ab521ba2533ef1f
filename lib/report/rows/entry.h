// Entries of copies and the doubts about them, as part of several kinds of rows.
#ifndef REPORT_ROWS_ENTRY_H
#define REPORT_ROWS_ENTRY_H

#include "base/array.h"
#include "report/rows/row.h"

#include <inlinecall/extra/entries.h>

extern const struct ic_schema ic_entry_schema, ic_doubt_schema;

// The fields for doubts in a row.
#define IC_DOUBT_FIELDS(row)                                                                   \
	{ "doubts", IC_FIELD_OPTIONAL_LIST, offsetof(struct row, doubts),                      \
	  offsetof(struct row, doubt_count), &ic_doubt_schema },                               \
	{                                                                                      \
		"doubts_why_not", IC_FIELD_TEXT, offsetof(struct row, doubts_why_not), 0, NULL \
	}

typedef IC_ARRAY(struct ic_row_doubt) ic_row_doubts; // of one row; zero-initialised is empty

// Fills in the doubts of a site, valid in `doubts` until the next call. If they are unknown, their
// list is NULL and *why_not the reason; if `entries` is NULL, both are NULL. False if memory runs
// out.
bool ic_row_doubts_fill(ic_row_doubts *doubts, const struct ic_entries *entries, size_t site,
			const struct ic_row_doubt **list, size_t *count, const char **why_not)
	IC_CHECKED;

#endif
