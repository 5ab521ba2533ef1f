// Rows, the schemas that describe them, and the sinks that take them.
//
// An analysis fills plain structs and hands them to a sink; it knows no format. A writer is a sink
// that walks the schema; it knows no analysis. So N reports and M formats cost N + M files.
#ifndef REPORT_ROW_H
#define REPORT_ROW_H

#include "base/bytes.h"
#include "base/error.h"

#include <inlinecall/range.h>

enum ic_field_type {
	IC_FIELD_TEXT,    // const char *; NULL where unknown
	IC_FIELD_ADDRESS, // uint64_t; IC_NO_ADDR where unknown
	IC_FIELD_OFFSET,  // uint64_t, always known
	IC_FIELD_COUNT,   // uint32_t; 0 where unknown
	IC_FIELD_NUMBER,  // uint32_t, where 0 is a number too
	IC_FIELD_BYTES,   // uint64_t: how many; IC_NO_ADDR where unknown
	IC_FIELD_FLAG,    // bool
	IC_FIELD_RANGES,  // struct ic_row_ranges
	IC_FIELD_LIST,    // struct ic_row_list, of rows of another schema
};

struct ic_schema;

struct ic_field {
	const char *key; // name in JSON and CSV; part of the documented schema: never renamed
	enum ic_field_type type;
	size_t at;                     // offsetof the field in its row
	const struct ic_schema *items; // of IC_FIELD_LIST
};

struct ic_schema {
	const struct ic_field *fields;
	size_t field_count;
};

struct ic_row_range {
	struct ic_range range;
	const char *section; // where it is not the row's own section; NULL
	const char *symbol;  // the function symbol that holds it; NULL
};

struct ic_row_ranges {
	const struct ic_row_range *ranges;
	size_t count;
};

struct ic_row_list {
	const void *rows;
	size_t count, row_size;
};

struct ic_row_sink {
	bool (*begin)(struct ic_row_sink *, const struct ic_schema *, struct ic_error *);
	bool (*row)(struct ic_row_sink *, const struct ic_schema *, const void *row,
		    struct ic_error *);
	bool (*end)(struct ic_row_sink *, struct ic_error *);
};

#endif
