// The code of the lines of a source file, by the line tables.
#ifndef LINES_PLACES_H
#define LINES_PLACES_H

#include "lines/sources.h"

struct ic_place_row {
	struct ic_range range; // empty if another row at its address has the code
	const char *file;      // path, in the arena of the places; NULL if it is too long
	uint32_t line, column, discriminator;
	bool is_stmt;
};

struct ic_place_rows { // zero-initialised is empty
	// Sorted by ic_place_row_compare(): of each row one, but no empty place at code of its
	// line.
	IC_ARRAY(struct ic_place_row) list;
	struct ic_arena arena;
};

// Finds the code of all lines of the files whose paths are `file` or end with it, on several
// threads. Problems are reported once in the life of `sources`. False if memory runs out.
bool ic_place_rows_find(struct ic_place_rows *places, struct ic_scan *scan,
			struct ic_line_sources *sources, const char *file,
			struct ic_problems *problems, struct ic_error *err) IC_CHECKED;

// The first place of the line or, if it has none, of a later one; the count of the list if there is
// none.
uint32_t ic_place_rows_from(const struct ic_place_rows *places, uint32_t line);

// By line, then by address, the empty ones last; for qsort().
int ic_place_row_compare(const void *left, const void *right);

// Whether `place`, which is not empty, goes on with the code of `last`, which is before it in that
// order: a breakpoint that is recommended within code begins another place.
bool ic_place_row_continues(const struct ic_place_row *last, const struct ic_place_row *place);

void ic_place_rows_free(struct ic_place_rows *places);

#endif
