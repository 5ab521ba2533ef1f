// DWARF to model: reads units, several at a time on each of several threads; all of them at once,
// or some by some as they are asked for.
#ifndef SCAN_SCAN_H
#define SCAN_SCAN_H

#include "scan/scan_debug.h"
#include "scan/scan_stream.h"

struct ic_scan { // an open scan; zero-initialised is closed
	struct ic_scan_context context;
	const struct ic_scan_split *split; // where split units are
	// Of a scan that was opened for one unit.
	bool is_single;
	struct ic_scan_units own_units;
	struct ic_scan_split own_split;
	struct ic_scan_worker *workers;
	uint32_t worker_count;
};

struct ic_scan_request { // what a call wants of the units that it has read
	// By unit: those whose `count` is not 0 are read as far as these addresses need it. NULL if
	// all of every unit is wanted.
	const struct ic_scan_wanted *wanted;
	// As in struct ic_index_options; may be NULL.
	bool (*progress)(void *context, unsigned long long done, unsigned long long total);
	void *progress_context;
};

// Fills in the units, their problems and the arena of an index that has its `code` already: ranges
// outside it are of functions that the linker threw away. The order of everything is that of the
// file, whatever the number of threads. False only where memory is out or `progress` says so: what
// cannot be read is a
// problem of the index, after `problems`, which this takes over.
bool ic_scan(struct ic_index *index, struct ic_debug *debug, const struct ic_index_options *options,
	     struct ic_problems *problems, struct ic_error *err) IC_CHECKED;

// Lists the units of what is loaded, and makes models of them that say where they are and no more.
// The index needs its `code`, and must stay, like the debug information, until the
// scan is closed. What cannot be read is a problem. False where memory is out; then too it must be
// closed.
bool ic_scan_open(struct ic_scan *scan, struct ic_index *index, struct ic_debug *debug,
		  const struct ic_scan_want *want, struct ic_problems *problems,
		  struct ic_error *err) IC_CHECKED;

// The same for one unit alone, whose header is at an offset of the main section, and, where it is a
// skeleton, its split unit: what it refers to in others is not found. False also where there is no
// unit.
bool ic_scan_open_unit(struct ic_scan *scan, struct ic_index *index, const struct ic_debug *debug,
		       uint64_t off, const struct ic_scan_want *want, struct ic_problems *problems,
		       struct ic_error *err) IC_CHECKED;

// The number of that unit, or of its split unit.
uint32_t ic_scan_single(const struct ic_scan *scan);

// Makes the workers ready for one more thing to do.
void ic_scan_prepare(struct ic_scan *scan);

// Reads units by their numbers in the list, each whole at most once in the life of the scan; they
// are sorted, the largest first. `request` may be NULL. `problems` gets what is wrong between
// units; the rest is in the models. False where memory is out, or the request's progress says so
// (IC_ERROR_STOPPED), which costs the models of the units that were to be read.
bool ic_scan_units(struct ic_scan *scan, uint32_t *numbers, uint32_t count,
		   const struct ic_scan_request *request, struct ic_problems *problems,
		   struct ic_error *err) IC_CHECKED;

// Whether units that were read refer to others that the scan was not opened for.
bool ic_scan_needs_others(const struct ic_scan *scan);

// Adds that no code which the file's debug information describes is in the file; `addr` is where
// some of it should be.
void ic_scan_report_outside(struct ic_problems *problems, uint64_t addr);

// Gives back what only reading needs; what was read belongs to the index.
void ic_scan_close(struct ic_scan *scan);

#endif
