// Where line tables have the code of a line of the source.
#ifndef SCAN_SCAN_PLACES_H
#define SCAN_SCAN_PLACES_H

#include "scan/scan.h"

struct ic_scan_place {
	struct ic_range range; // empty where another row at its address took its code
	const char *file;      // path, in the arena of a worker
	uint32_t line, column, discriminator;
	bool is_stmt;
};

struct ic_scan_places {                      // zero-initialised is empty
	IC_ARRAY(struct ic_scan_place) list; // sorted by address; none is there twice
	bool has_file;                       // a line table has rows of such a file
	uint32_t next_line;                  // above the line, that has code; 0 where there is none
};

// Finds the code of a line in the files of which the paths are, or end with, `file`, on several
// threads. What cannot be read is a problem. False where memory is out.
bool ic_scan_places_find(struct ic_scan_places *places, struct ic_scan *scan, const char *file,
			 uint32_t line, struct ic_problems *problems, struct ic_error *err)
	IC_CHECKED;

void ic_scan_places_free(struct ic_scan_places *places);

#endif
