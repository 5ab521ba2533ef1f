// Parameters, as part of rows.
#ifndef REPORT_ROWS_PARAMETER_H
#define REPORT_ROWS_PARAMETER_H

#include "report/rows/filler.h"
#include "report/rows/row.h"

struct ic_parameter_rows { // zero-initialised is empty
	IC_ARRAY(struct ic_row_parameter) list;
	IC_ARRAY(struct ic_row_parameter_entry) entries;
	IC_ARRAY(char) text;
};

// Schemas for a list of struct ic_row_parameter: with the complete location list of each, or only
// its location.
extern const struct ic_schema ic_parameter_schema, ic_parameter_list_schema;

// The name of a location kind, in all rows that have one (docs/formats/json.md).
const char *ic_location_kind_word(enum ic_location_kind kind);

// Empties rows, and ensures that an empty list is not NULL. False if memory runs out.
bool ic_parameter_rows_begin(struct ic_parameter_rows *rows) IC_CHECKED;

// Appends rows for the latest results of the filler's parameters. `start` is subtracted from
// addresses, unless they are in a different section than `addr`. False if memory runs out.
bool ic_parameter_rows_add(struct ic_parameter_rows *rows, struct ic_filler *filler, uint64_t addr,
			   uint64_t start) IC_CHECKED;

// Completes the rows, which do not move until they are emptied.
void ic_parameter_rows_end(struct ic_parameter_rows *rows);

// All of the above for one instance, in the section of `addr`. False if memory runs out.
bool ic_parameter_rows_fill(struct ic_parameter_rows *rows, struct ic_filler *filler, uint64_t addr)
	IC_CHECKED;

void ic_parameter_rows_free(struct ic_parameter_rows *rows);

#endif
