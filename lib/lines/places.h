// Finds the code of a source file's lines in the line tables.
#ifndef LINES_PLACES_H
#define LINES_PLACES_H

#include "lines/sources.h"

struct ic_place_row {
	struct ic_range range; // empty if another row at its address has the code
	const char *file;      // path, in the arena of the places; NULL if too long
	uint32_t line, column, discriminator;
	bool is_stmt;
};

struct ic_place_rows { // empty if zero-initialised
	// Sorted by ic_place_row_compare(), without duplicates, and without empty places at code of
	// their own line.
	IC_ARRAY(struct ic_place_row) list;
	struct ic_arena arena;
};

// Finds the code of all lines of the files whose path is or ends with `file`, using several
// threads. Problems are reported once in the life of `sources`. Returns false if memory runs out.
bool ic_place_rows_find(struct ic_place_rows *places, struct ic_scan *scan,
			struct ic_line_sources *sources, const char *file,
			struct ic_problems *problems, struct ic_error *err) IC_CHECKED;

// The index of the first place of the line or, if it has none, of a later line; the number of
// places if there is none.
uint32_t ic_place_rows_from(const struct ic_place_rows *places, uint32_t line);

// Compares by line, then by address, with empty ones last; for qsort().
int ic_place_row_compare(const void *left, const void *right);

// Whether `place`, which must not be empty, continues the code of `last`, its predecessor in that
// order: a breakpoint recommended inside code starts another place.
bool ic_place_row_continues(const struct ic_place_row *last, const struct ic_place_row *place);

void ic_place_rows_free(struct ic_place_rows *places);

#endif
