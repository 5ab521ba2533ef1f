// The parameters in rows.
#ifndef REPORT_ROWS_PARAMETER_H
#define REPORT_ROWS_PARAMETER_H

#include "report/rows/filler.h"
#include "report/rows/row.h"

struct ic_parameter_rows { // zero-initialised is empty
	IC_ARRAY(struct ic_row_parameter) list;
	IC_ARRAY(struct ic_row_parameter_entry) entries;
	IC_ARRAY(char) text;
};

// A list of struct ic_row_parameter: with all that is said of each, or only with its location.
extern const struct ic_schema ic_parameter_schema, ic_parameter_list_schema;

// The word for a kind of location, in every row that has one (docs/formats/json.md).
const char *ic_location_kind_word(enum ic_location_kind kind);

// Empties rows, and makes sure that a list of none is not NULL. False if memory runs out.
bool ic_parameter_rows_begin(struct ic_parameter_rows *rows) IC_CHECKED;

// Appends rows for what the filler's parameters found last. Addresses are less by `start`, unless
// they are in another section than `addr`. False if memory runs out.
bool ic_parameter_rows_add(struct ic_parameter_rows *rows, struct ic_filler *filler, uint64_t addr,
			   uint64_t start) IC_CHECKED;

// Completes the rows, which stay where they are until they are emptied.
void ic_parameter_rows_end(struct ic_parameter_rows *rows);

// All of these for one instance, whose section that of `addr` is. False if memory runs out.
bool ic_parameter_rows_fill(struct ic_parameter_rows *rows, struct ic_filler *filler, uint64_t addr)
	IC_CHECKED;

void ic_parameter_rows_free(struct ic_parameter_rows *rows);

#endif
