// A page in one self-contained file: its script and style are source files next to this one, and
// its data is JSON (docs/formats/page.md).
#ifndef PAGES_PAGE_H
#define PAGES_PAGE_H

#include "base/array.h"
#include "base/byte_pool.h"
#include "base/output.h"

enum ic_page_flag { // of a node
	IC_PAGE_INLINED = 1,
	IC_PAGE_KERNEL = 2,
	IC_PAGE_SMALL = 4, // represents nodes that are too small to show
};

struct ic_page_text { // the texts of a page, each written once; empty if zero-initialised
	struct ic_byte_pool pool;
	bool out_of_memory;
};

// Returns the number of a text; -1 for NULL, or if memory runs out.
int64_t ic_page_text_number(struct ic_page_text *texts, const char *text);

void ic_page_text_free(struct ic_page_text *texts);

// Writes what precedes the data, and what follows it.
void ic_page_begin(struct ic_output *output);
void ic_page_end(struct ic_output *output);

// Writes the texts as a list.
void ic_page_texts(struct ic_output *output, const struct ic_page_text *texts);

// Writes a number that may be negative.
void ic_page_number(struct ic_output *output, int64_t number);

// Generated from the source files by the build.
extern const unsigned char ic_page_before[], ic_page_behind[];
extern const size_t ic_page_before_size, ic_page_behind_size;

#endif
