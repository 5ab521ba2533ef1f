// Reads single units for the first lookups, and forgets them.
#include <stdlib.h>

#include "symbolize/symbolizer.h"
#include "units/units.h"

// For a single-unit lookup a package lists its units each time. If there are more than these, only
// one such lookup is made.
enum { MOST_LISTED_ALONE = 1024 };

// Relocates only the bytes of the unit at an offset. False for a draft of DWARF too: that it is one
// is said where all units are listed.
static bool need_unit(const struct ic_symbolizer *symbolizer, uint64_t off, struct ic_error *err)
{
	const struct ic_dwarf_file *file = &symbolizer->debug->main;
	struct ic_unit_list list = { .cut_count = 0 };

	bool ok = ic_dwarf_file_need(file, off, off + IC_UNIT_MOST_HEADER, err) &&
		  ic_unit_list_parse_one(&list, symbolizer->debug->main_dwarf, off, err) &&
		  !list.units.items[0].is_draft &&
		  ic_dwarf_file_need(file, off, list.units.items[0].end_off, err);
	IC_ARRAY_FREE(&list.units);
	return ok;
}

// Reads the unit of a scan of one unit, as far as an address needs it.
static bool read_single(struct ic_scan *scan, uint64_t addr, struct ic_error *err)
{
	uint32_t count = scan->context.units.units.count, number = ic_scan_single(scan);
	struct ic_requested_addrs *wanted = calloc(count, sizeof(*wanted));
	const struct ic_scan_request request = { .wanted = wanted };
	struct ic_problems none = { .arena = NULL }; // between units

	if (!wanted)
		return ic_fail_memory(err);
	wanted[number] = (struct ic_requested_addrs){ &addr, 1 };
	bool ok = ic_scan_read(scan, &number, 1, &request, &none, err) &&
		  !ic_scan_needs_others(scan) &&
		  !ic_units_lack_sections(
			  scan->context.listed); // otherwise read again, to be reported
	free(wanted);
	return ok;
}

bool ic_symbolizer_read_alone(struct ic_symbolizer *symbolizer, uint64_t off, uint64_t addr,
			      struct ic_unit_model *model)
{
	// A separate table of units, which shares the file's part of the index.
	struct ic_index index = { .code = symbolizer->index.code,
				  .arena.memory = symbolizer->index.arena.memory };
	struct ic_problems problems = { .arena = &index.arena };
	struct ic_read_options single = symbolizer->want;
	struct ic_scan scan = { .worker_count = 0 };
	struct ic_error err;

	const struct ic_scanned_unit unit = { symbolizer->debug, off };

	single.jobs = 1;
	bool ok = need_unit(symbolizer, off, &err) &&
		  ic_scan_open_unit(&scan, &index, &unit, &single, &problems, &err) &&
		  problems.list.count == 0 && !problems.out_of_memory &&
		  read_single(&scan, addr, &err);
	if (ok)
		*model = index.units[ic_scan_single(&scan)];
	if (scan.context.units.units.count > MOST_LISTED_ALONE)
		atomic_store(&symbolizer->units.alone, IC_MOST_ALONE);
	if (scan.context.index)
		ic_scan_close(&scan);
	IC_ARRAY_FREE(&problems.list);
	pthread_mutex_lock(&symbolizer->lock);
	ic_arena_adopt(&symbolizer->index.arena, &index.arena);
	pthread_mutex_unlock(&symbolizer->lock);
	return ok && model->problem_count == 0; // otherwise read whole, which reports the problem
}
