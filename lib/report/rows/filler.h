// What rows have in common, and how it is made for a reader.
#ifndef REPORT_ROWS_FILLER_H
#define REPORT_ROWS_FILLER_H

#include "base/array.h"
#include "query/find/names.h"

#include <inlinecall/extra/rows.h>

struct ic_filler {
	struct ic_row_options options;
	struct ic_names names; // with the index, if there is one
	IC_ARRAY(struct ic_row_range) ranges;
};

// The path as the options want it; NULL for NULL.
const char *ic_filler_path(const struct ic_filler *filler, const char *path);

// The name of a function as the options want it; NULL for NULL, and where there is none.
const char *ic_filler_name(struct ic_filler *filler, const struct ic_function *function);

// The name of the function of a frame, likewise.
const char *ic_filler_frame_name(struct ic_filler *filler, const struct ic_frame *frame);

// The section that an address is an offset in, and where it starts: 0 in a linked file, for which
// *name is left alone.
uint64_t ic_filler_section(const struct ic_filler *filler, uint64_t addr, const char **name);

// The name of a symbol as the options want it; NULL for NULL.
const char *ic_filler_symbol_name(struct ic_filler *filler, const char *symbol);

// The name to look for among the symbols of a function: its linkage name, or its own name, which
// may be NULL, if the former is an alias that a library made for itself, as __GI_getaddrinfo in
// glibc.
const char *ic_filler_symbol_of(const char *function, const char *linkage_name);

// The symbol that holds the range; of several at one place that of the function, which may be NULL.
const char *ic_filler_symbol(struct ic_filler *filler, struct ic_range range, const char *function);

// The ranges of a row whose own section starts at `start`, until the next call; their symbols are
// as above. NULL if memory runs out.
const struct ic_row_range *ic_filler_ranges(struct ic_filler *filler, const struct ic_range *ranges,
					    size_t count, uint64_t start, const char *function);

void ic_filler_deinit(struct ic_filler *filler);

#endif
