// The schemas that describe rows to writers.
//
// An analysis fills plain structs (inlinecall/extra/row.h); it knows no format. A writer walks the
// schema of a row; it knows no analysis. So N reports and M formats cost N + M files.
#ifndef REPORT_ROWS_ROW_H
#define REPORT_ROWS_ROW_H

#include <inlinecall/extra/fields.h>

#include "base/bytes.h"

typedef void ic_line_function(void *context, const struct ic_schema *schema, const void *line);

// The description of a kind of rows, for writers.
struct ic_row_type {
	enum ic_rows_kind kind;
	const struct ic_schema *columns;        // for a table of such rows
	const struct ic_schema *const *schemas; // of the rows, terminated by NULL
	// Which of them is that of a row; NULL if there is only one.
	const struct ic_schema *(*schema_of)(const void *row);
	// Calls `line` for every line that the row takes in a table, with a schema that has no more
	// fields than there are columns. NULL if each row is one line.
	void (*split)(const void *row, ic_line_function *line, void *context);
};

static inline const struct ic_schema *ic_row_schema(const struct ic_row_type *type, const void *row)
{
	return type->schema_of ? type->schema_of(row) : type->schemas[0];
}

extern const struct ic_schema ic_frame_schema; // of struct ic_frame
extern const struct ic_schema ic_limit_schema; // of struct ic_limit_row

// Ends the rows of a file, of any kind, of which a limit left some out.
struct ic_limit_row {
	const char *type, *file;
	uint64_t left_out; // rows
};

#define ROW(kind, name) extern const struct ic_row_type ic_##name##_row_type;
#include "report/rows/kinds.def"
#undef ROW

#endif
