// Units that are decoded when an address in them is asked for. The public half is
// inlinecall/symbolizer.h.
//
// A look-up reads maps that never change, and models that are published by an atomic store; what
// makes them holds the lock.
#ifndef SYMBOLIZE_SYMBOLIZER_H
#define SYMBOLIZE_SYMBOLIZER_H

#include <pthread.h>

#include "scan/scan_image.h"
#include "symbolize/unit_table.h"

#include <inlinecall/symbolizer.h>

struct ic_symbolizer {
	struct ic_index_options options, single_options; // for all units, and for one
	struct ic_index index; // its code and sections; the rest is under the lock
	struct ic_scan_image files;
	struct ic_unit_table listed;               // by .debug_aranges
	_Atomic(const struct ic_unit_table *) all; // NULL until some address needs it
	atomic_bool has_symbols;

	pthread_mutex_t lock; // of what follows, and of whatever decodes
	struct ic_unit_table own_all;
	struct ic_scan scan;             // of all units
	bool all_failed, symbols_failed; // not to be tried again
	struct ic_problems problems;
};

// The table of all units, made when it is first asked for; NULL where memory is out.
const struct ic_unit_table *ic_symbolizer_all(struct ic_symbolizer *symbolizer);

// Decodes those units of the table of all that are not decoded yet, on several threads; sorts the
// numbers. What cannot be read is a problem.
void ic_symbolizer_decode(struct ic_symbolizer *symbolizer, uint32_t *units, uint32_t count);

#endif
