// The making of rows: what all kinds have in common. The public half is inlinecall/extra/rows.h.
#ifndef REPORT_ROWS_ROWS_H
#define REPORT_ROWS_ROWS_H

#include "base/error.h"
#include "report/rows/filler.h"
#include "report/rows/row.h"

struct ic_rows { // the first field of what a kind has
	const struct ic_row_type *type;
	// Makes row number `number`, which stays until the next call. NULL if memory runs out, and
	// if there is none any more, having set `is_over`: not all kinds know their number
	// beforehand.
	const void *(*make)(struct ic_rows *rows, size_t number);
	void (*deinit)(struct ic_rows *rows); // frees what only this kind has; NULL if it has none
	struct ic_filler filler;
	size_t next, count; // SIZE_MAX if the number is not known
	bool is_over;
	bool without_entry_symbols; // of sites, for those who need none: they cost a search each
};

// Zeroed memory for rows, of `size` bytes, with what all kinds have. NULL if memory runs out.
struct ic_rows *ic_rows_alloc(size_t size, const struct ic_row_type *type,
			      const struct ic_row_options *options, struct ic_error *err);

// The next row, of the kind that the rows are of; NULL as ic_rows_next() is false.
const void *ic_rows_take(struct ic_rows *rows, struct ic_error *err);

#endif
