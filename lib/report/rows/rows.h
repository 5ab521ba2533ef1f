// Making rows: what all kinds share. The public part is inlinecall/extra/rows.h.
#ifndef REPORT_ROWS_ROWS_H
#define REPORT_ROWS_ROWS_H

#include "base/error.h"
#include "report/rows/filler.h"
#include "report/rows/row.h"

struct ic_rows { // the first member of each kind's own struct
	const struct ic_row_type *type;
	// Makes row number `number`, valid until the next call. NULL if memory runs out, and, with
	// `is_over` set, if there are no more: some kinds do not know their number beforehand.
	const void *(*make)(struct ic_rows *rows, size_t number);
	void (*deinit)(struct ic_rows *rows); // frees what is specific to this kind; NULL if there
					      // is nothing
	struct ic_filler filler;
	size_t next, count; // `count` is SIZE_MAX if unknown
	uint64_t left_out;  // rows beyond the limit of the query
	bool is_over;
	bool may_go_on;             // there may be more later: `is_over` is for this time only
	bool without_entry_symbols; // for sites: skip them if they are not needed, as each costs a
				    // search
};

// Allocates zeroed memory of `size` bytes for rows, and initializes the common part. NULL if memory
// runs out.
struct ic_rows *ic_rows_alloc(size_t size, const struct ic_row_type *type,
			      const struct ic_row_options *options, struct ic_error *err);

// The next row, in the struct of its kind; NULL if ic_rows_next() would return false.
const void *ic_rows_take(struct ic_rows *rows, struct ic_error *err);

#endif
