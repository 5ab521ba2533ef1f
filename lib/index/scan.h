// Turns DWARF into the model: reads units, several at a time on each of several threads, all at
// once or on demand.
#ifndef INDEX_SCAN_H
#define INDEX_SCAN_H

#include "debug/debug.h"
#include "read/stream.h"

struct ic_scan { // an open scan; closed if zero-initialised
	struct ic_read_context context;
	const struct ic_split *split; // finds split units
	// If the scan was opened for one unit:
	bool is_single;
	struct ic_units own_units;
	struct ic_split own_split;
	struct ic_read_worker *workers;
	uint32_t worker_count;
};

struct ic_scan_request { // what a call needs from the units that it reads
	// By unit: those with a `count` other than 0 are read only as far as these addresses
	// require. NULL if all units are needed completely.
	const struct ic_requested_addrs *wanted;
	// As in struct ic_index_options; may be NULL.
	bool (*progress)(void *context, unsigned long long done, unsigned long long total);
	void *progress_context;
};

// Sets the units, their problems and the arena of an index that already has its `code`: functions
// with ranges outside that were discarded by the linker. Everything is in the file's order,
// whatever the number of threads. Takes over `problems`, which come first among those of the index,
// and adds unreadable DWARF to them. Returns false only if memory runs out, or `progress` stops it.
bool ic_scan_all(struct ic_index *index, struct ic_debug *debug,
		 const struct ic_index_options *options, struct ic_problems *problems,
		 struct ic_error *err) IC_CHECKED;

// Lists the units of the loaded debug information, and makes models that contain only their
// offsets. The index needs its `code`; it and the debug information must outlive the scan.
// Unreadable units become problems. Returns false if memory runs out; the scan must be closed in
// either case.
bool ic_scan_open(struct ic_scan *scan, struct ic_index *index, struct ic_debug *debug,
		  const struct ic_read_options *want, struct ic_problems *problems,
		  struct ic_error *err) IC_CHECKED;

struct ic_scanned_unit { // the one with its header at an offset in the main section
	const struct ic_debug *debug;
	uint64_t off;
};

// The same for one unit and, if it is a skeleton, its split unit. References to other units are not
// resolved. Returns false also if there is no unit there.
bool ic_scan_open_unit(struct ic_scan *scan, struct ic_index *index,
		       const struct ic_scanned_unit *unit, const struct ic_read_options *want,
		       struct ic_problems *problems, struct ic_error *err) IC_CHECKED;

// The number of that unit or, for a skeleton, of its split unit.
uint32_t ic_scan_single(const struct ic_scan *scan);

// Prepares the workers for another task.
void ic_scan_prepare(struct ic_scan *scan);

// A stream with which other tasks can let a worker read units one after another.
struct ic_stream *ic_scan_stream(struct ic_scan *scan, uint32_t worker);

// Opens a unit for a query about its DIEs. Problems on opening were reported when the unit was
// listed. Returns false if it has no readable DIEs; *reader must be ended in either case.
bool ic_scan_begin_unit(struct ic_scan *scan, uint32_t unit, struct ic_reader **reader) IC_CHECKED;

// Ends the query, moving the reader's problems to `problems`, which may be NULL. Returns false if
// memory ran out.
bool ic_scan_end_unit(struct ic_reader *reader, struct ic_problems *problems, struct ic_error *err)
	IC_CHECKED;

// Reads units by their numbers in the list; a unit is read whole at most once in the life of the
// scan. Sorts the numbers, the largest unit first. `request` may be NULL. `problems` gets those
// between units; the rest are in the models, except what ic_scan_report() adds. False if memory is
// out, or if the request's progress callback stops it (IC_ERROR_STOPPED): the models of the units
// that were to be read are then lost.
bool ic_scan_read(struct ic_scan *scan, uint32_t *numbers, uint32_t count,
		  const struct ic_scan_request *request, struct ic_problems *problems,
		  struct ic_error *err) IC_CHECKED;

// Adds the sections that could not be made readable, each once.
void ic_scan_report(struct ic_scan *scan, struct ic_problems *problems);

// Whether units that were read refer to others, for which the scan was not opened.
bool ic_scan_needs_others(const struct ic_scan *scan);

// Adds the problem that none of the code that the debug information describes is in the file;
// `addr` is where some of it should be.
void ic_scan_report_outside(struct ic_problems *problems, uint64_t addr);

// Frees what is needed only for reading; the models belong to the index.
void ic_scan_close(struct ic_scan *scan);

#endif
