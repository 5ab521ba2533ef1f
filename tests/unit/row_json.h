// Lines of JSON that are written by hand from rows.
#ifndef TESTS_UNIT_ROW_JSON_H
#define TESTS_UNIT_ROW_JSON_H

#include <stdio.h>

#include <inlinecall/rows.h>

struct text { // that is being made; to be freed once `out` is closed
	FILE *out;
	char *text;
	size_t size;
};

FILE *text_begin(struct text *text);

// Writes the line of a row, of any kind but IC_ROWS_BTF_SITES, without parameters.
void put_row(FILE *out, const struct ic_row *row);

#endif
