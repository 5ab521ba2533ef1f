// What rows of calls and of their counts have in common: the copy that was called.
#ifndef REPORT_RUNS_HIT_H
#define REPORT_RUNS_HIT_H

#include "report/rows/chain.h"
#include "report/rows/entry.h"
#include "report/rows/rows.h"
#include "report/runs/thread.h"

#include <inlinecall/extra/trace.h>

extern const struct ic_schema ic_row_counted_copy_schema;

// Why nothing is known of a copy by itself.
extern const char ic_copy_counted_elsewhere[];

// The columns of a copy that is in the field `row.copy` of `type`.
#define IC_COPY_COLUMN(type, row, key, kind)                                 \
	{                                                                    \
#key, IC_FIELD_##kind, offsetof(type, row copy.key), 0, NULL \
	}
#define IC_COPY_COLUMNS(type, row)                                                           \
	IC_COPY_COLUMN(type, row, entry, ADDRESS), IC_COPY_COLUMN(type, row, inlined, FLAG), \
		IC_COPY_COLUMN(type, row, call_file, TEXT),                                  \
		IC_COPY_COLUMN(type, row, call_line, COUNT),                                 \
		IC_COPY_COLUMN(type, row, call_column, COUNT),                               \
		IC_COPY_COLUMN(type, row, host, TEXT)

struct ic_copy_rows {        // rows of the copies of a trace, one for all entries of a site
	struct ic_rows rows; // first: these are rows
	const struct ic_trace *trace;
	ic_row_doubts doubts;
	size_t next; // the number of the copy that the next row is of
	struct ic_row_chain chain;
};

// Makes such rows, of `size` bytes, which begin with them. NULL if memory is out.
struct ic_rows *ic_copy_rows_new(size_t size, const struct ic_row_type *type,
				 const struct ic_trace *trace, const struct ic_row_options *options,
				 struct ic_error *err,
				 const void *(*row_of)(struct ic_rows *rows, size_t number));

// The first copy of the next site, and what was counted at all of it. False, and the rows are over,
// if there is none.
bool ic_copy_rows_next(struct ic_copy_rows *rows, struct ic_trace_copy *copy,
		       struct ic_trace_counts *counts);

// Fills in a copy, and the names of its function. False if memory is out.
bool ic_copy_rows_fill(struct ic_copy_rows *rows, const struct ic_trace_copy *of,
		       struct ic_row_copy *copy, const char **function, const char **linkage_name)
	IC_CHECKED;

#endif
