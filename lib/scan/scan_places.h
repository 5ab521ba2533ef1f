// Where line tables have the code of the lines of a source file.
#ifndef SCAN_SCAN_PLACES_H
#define SCAN_SCAN_PLACES_H

#include "scan/scan_sources.h"

struct ic_scan_place {
	struct ic_range range; // empty where another row at its address took its code
	const char *file;      // path, in the arena of the places; NULL if it is too long
	uint32_t line, column, discriminator;
	bool is_stmt;
};

struct ic_scan_places { // zero-initialised is empty
	// By line, then by address. What is one run of code is one place, unless a breakpoint is
	// recommended within it; and where a line has code, it has no empty place.
	IC_ARRAY(struct ic_scan_place) list;
	struct ic_arena arena;
};

// Finds the code of all lines of the files of which the paths are, or end with, `file`, on several
// threads. What cannot be read is a problem, once in the life of `sources`. False where memory is
// out.
bool ic_scan_places_find(struct ic_scan_places *places, struct ic_scan *scan,
			 struct ic_scan_sources *sources, const char *file,
			 struct ic_problems *problems, struct ic_error *err) IC_CHECKED;

// The first place of a line or, where it has none, of one behind it; the count of the list where
// there is none.
uint32_t ic_scan_places_from(const struct ic_scan_places *places, uint32_t line);

void ic_scan_places_free(struct ic_scan_places *places);

#endif
