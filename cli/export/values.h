// Rows of tables as values for databases and CSV.
#ifndef CLI_EXPORT_VALUES_H
#define CLI_EXPORT_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <inlinecall/extra/fields.h>
#include <inlinecall/extra/tables.h>

enum cli_value_type { CLI_VALUE_TEXT, CLI_VALUE_INTEGER, CLI_VALUE_FLAG };

struct cli_value {
	enum cli_value_type type;
	bool is_null;
	const char *text; // of a TEXT: in UTF-8
	int64_t number;   // of others: a 64-bit number in two's complement; 0 or 1
};

enum {
	CLI_VALUES_MOST = 24,  // columns of a table
	CLI_VALUES_SKIPPED = 2 // fields that are no columns: the type of the row, and its file
};

struct cli_values { // of one row
	struct cli_value items[CLI_VALUES_MOST];
	size_t count;
	char *mended[CLI_VALUES_MOST]; // texts that are not UTF-8 in the file; freed with the row
	size_t mended_count;
};

// The type of a column.
enum cli_value_type cli_value_type_of(const struct ic_field *field);

// Empties the values, or initialises them if they are zeroed.
void cli_values_clear(struct cli_values *values);

void cli_values_add_number(struct cli_values *values, int64_t number);

// NULL for none. Prints an error and returns false if memory runs out.
bool cli_values_add_text(struct cli_values *values, const char *text);

// Adds the fields of a row after the first CLI_VALUES_SKIPPED. Prints an error and returns false if
// memory runs out.
bool cli_values_add_row(struct cli_values *values, const struct ic_row_fields *row);

#endif
