// Which line tables have a file of which name.
#ifndef SCAN_SCAN_SOURCES_H
#define SCAN_SCAN_SOURCES_H

#include "scan/scan.h"

struct ic_scan_source {        // a line table
	const uint8_t *table;  // where it is, for telling it from others
	uint32_t unit;         // that it is read for
	const uint32_t *names; // hashes of the last parts of its files' names, in a worker's arena
	uint32_t name_count;
	bool was_run; // what is wrong with its program has been said
};

struct ic_scan_sources { // zero-initialised is empty
	struct ic_scan_source *tables;
	uint32_t count;
};

// Reads the headers of all line tables, on several threads, each table once, whatever the number of
// units that share it. What cannot be read is a problem. False where memory is out.
bool ic_scan_sources_read(struct ic_scan_sources *sources, struct ic_scan *scan,
			  struct ic_problems *problems, struct ic_error *err) IC_CHECKED;

// Whether a table may have a file that a path, or the last parts of one, names.
bool ic_scan_source_may_have(const struct ic_scan_source *source, const char *file);

void ic_scan_sources_free(struct ic_scan_sources *sources);

#endif
