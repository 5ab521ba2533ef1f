// What rows of calls and of their counts have in common: the copy that was called.
#ifndef REPORT_HIT_ROW_H
#define REPORT_HIT_ROW_H

#include "report/chain_row.h"
#include "report/rows.h"
#include "report/thread_row.h"

#include <inlinecall/trace.h>

extern const struct ic_schema ic_row_copy_schema;

// Fills in a copy of a trace, and the names of its function. False if memory is out.
bool ic_row_copy_fill(struct ic_row_copy *copy, struct ic_row_chain *chain,
		      struct ic_filler *filler, const struct ic_sites *sites,
		      const struct ic_trace_copy *of, const char **function,
		      const char **linkage_name) IC_CHECKED;

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

struct ic_copy_rows {        // rows of the copies of a trace, one each
	struct ic_rows rows; // first: these are rows
	const struct ic_trace *trace;
	struct ic_row_chain chain;
};

// Makes such rows, of `size` bytes, which begin with them. NULL if memory is out.
struct ic_rows *ic_copy_rows_new(size_t size, const struct ic_row_type *type,
				 const struct ic_trace *trace, const struct ic_row_options *options,
				 struct ic_error *err,
				 const void *(*row_of)(struct ic_rows *rows, size_t number));

// Copy number `number`. False, and the rows are over, if there are not so many.
bool ic_copy_rows_get(struct ic_copy_rows *rows, size_t number, struct ic_trace_copy *copy);

#endif
