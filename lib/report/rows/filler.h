// What all kinds of rows share, and how it is formatted.
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

// The path in the form that the options select; NULL for NULL.
const char *ic_filler_path(const struct ic_filler *filler, const char *path);

// A function's name in the form that the options select; NULL for NULL, and if there is none.
const char *ic_filler_name(struct ic_filler *filler, const struct ic_function *function);

// The same for the function of a frame.
const char *ic_filler_frame_name(struct ic_filler *filler, const struct ic_frame *frame);

// The section that an address is an offset in, and where it starts: 0 in a linked file, and *name
// is then unchanged.
uint64_t ic_filler_section(const struct ic_filler *filler, uint64_t addr, const char **name);

// A symbol's name in the form that the options select; NULL for NULL.
const char *ic_filler_symbol_name(struct ic_filler *filler, const char *symbol);

// The name to search for among a function's symbols: its linkage name, or if that is a library's
// internal alias, such as __GI_getaddrinfo in glibc, its own name, which may be NULL.
const char *ic_filler_symbol_of(const char *function, const char *linkage_name);

// The symbol that contains the range; of several at one address, that of the function, which may be
// NULL.
const char *ic_filler_symbol(struct ic_filler *filler, struct ic_range range, const char *function);

// The ranges of a row whose own section starts at `start`, with their symbols as above; valid until
// the next call. NULL if memory runs out.
const struct ic_row_range *ic_filler_ranges(struct ic_filler *filler, const struct ic_range *ranges,
					    size_t count, uint64_t start, const char *function);

void ic_filler_deinit(struct ic_filler *filler);

#endif
