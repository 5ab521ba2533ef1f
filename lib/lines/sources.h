// Finds the line tables that have a file with a given name; or the units, if these have their own
// rows.
#ifndef LINES_SOURCES_H
#define LINES_SOURCES_H

#include "index/scan.h"

struct ic_line_source {       // a line table, or a unit with its own rows
	const uint8_t *table; // its address, which identifies it
	uint32_t unit;        // the unit for which to read it
	bool has_own_rows;
	const uint32_t *names; // hashes of the last parts of its files' names, in a worker's arena
	uint32_t name_count;
	bool was_run; // the problems of its program have been reported
};

struct ic_line_sources { // empty if zero-initialised
	struct ic_line_source *tables;
	uint32_t count;
};

// Reads the headers of all line tables, using several threads; a table that units share is read
// once. Unreadable ones become problems. Returns false if memory runs out.
bool ic_line_sources_read(struct ic_line_sources *sources, struct ic_scan *scan,
			  struct ic_problems *problems, struct ic_error *err) IC_CHECKED;

// Whether a table may have a file whose path is, or ends with, `file`.
bool ic_line_source_may_have(const struct ic_line_source *source, const char *file);

void ic_line_sources_free(struct ic_line_sources *sources);

#endif
