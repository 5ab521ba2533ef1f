// The schemas that describe rows to writers.
//
// An analysis fills plain structs (inlinecall/extra/row.h); it knows no format. A writer walks the
// schema of a row; it knows no analysis. So N reports and M formats cost N + M files.
#ifndef REPORT_ROWS_ROW_H
#define REPORT_ROWS_ROW_H

#include <inlinecall/extra/rows.h>

#include "base/bytes.h"

enum ic_field_type {
	IC_FIELD_TEXT,          // const char *; NULL if unknown
	IC_FIELD_ADDRESS,       // uint64_t; IC_NO_ADDR if unknown
	IC_FIELD_OFFSET,        // uint64_t, always known
	IC_FIELD_COUNT,         // uint32_t; 0 if unknown
	IC_FIELD_NUMBER,        // uint32_t, where 0 is valid
	IC_FIELD_BYTES,         // uint64_t, a size; IC_NO_ADDR if unknown
	IC_FIELD_SIGNED,        // int64_t; INT64_MIN if unknown
	IC_FIELD_FLAG,          // bool
	IC_FIELD_RANGES,        // const struct ic_row_range *
	IC_FIELD_LIST,          // const void *, items of another schema
	IC_FIELD_OPTIONAL_LIST, // the same; NULL if unknown
	IC_FIELD_OBJECT,        // a struct embedded in the row, of another schema
	IC_FIELD_NONE,          // unknown in every row
};

struct ic_schema;

struct ic_field {
	const char *key; // name in JSON and CSV; part of the documented schema: never renamed
	enum ic_field_type type;
	size_t at;       // offsetof the field in its row
	size_t count_at; // offsetof the size_t with the count of IC_FIELD_RANGES and IC_FIELD_LIST
	const struct ic_schema *items; // for IC_FIELD_LIST and IC_FIELD_OBJECT
};

struct ic_schema {
	const struct ic_field *fields;
	size_t field_count;
	size_t row_size;
};

typedef void ic_line_function(void *context, const struct ic_schema *schema, const void *line);

// The description of a kind of rows, for writers.
struct ic_row_type {
	enum ic_rows_kind kind;
	const struct ic_schema *columns;                       // for a table of such rows
	const struct ic_schema *schema;                        // of each row; NULL if they differ
	const struct ic_schema *(*schema_of)(const void *row); // NULL if they do not
	// Calls `line` for every line that the row takes in a table, with a schema that has no more
	// fields than there are columns. NULL if each row is one line.
	void (*split)(const void *row, ic_line_function *line, void *context);
};

static inline const struct ic_schema *ic_row_schema(const struct ic_row_type *type, const void *row)
{
	return type->schema ? type->schema : type->schema_of(row);
}

extern const struct ic_schema ic_frame_schema; // of struct ic_frame

#define ROW(kind, name) extern const struct ic_row_type ic_##name##_row_type;
#include "report/rows/kinds.def"
#undef ROW

#endif
