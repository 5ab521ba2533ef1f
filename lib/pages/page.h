// A page that is one file, and needs nothing else to be shown: its script and style are sources
// beside this, its data is JSON (docs/formats/page.md).
#ifndef PAGES_PAGE_H
#define PAGES_PAGE_H

#include "base/array.h"
#include "base/byte_pool.h"
#include "base/output.h"

enum ic_page_flag { // of a node
	IC_PAGE_INLINED = 1,
	IC_PAGE_KERNEL = 2,
	IC_PAGE_SMALL = 4, // stands for what is too small to be there
};

struct ic_page_text { // of a page, written once; zero-initialised is none
	struct ic_byte_pool pool;
	bool out_of_memory;
};

// The number of a text; -1 for NULL, or if memory runs out.
int64_t ic_page_text_number(struct ic_page_text *texts, const char *text);

void ic_page_text_free(struct ic_page_text *texts);

// Writes what is before the data, and what is behind.
void ic_page_begin(struct ic_output *output);
void ic_page_end(struct ic_output *output);

// Writes the texts, as a list.
void ic_page_texts(struct ic_output *output, const struct ic_page_text *texts);

// Writes a number that may be negative.
void ic_page_number(struct ic_output *output, int64_t number);

// Made of the sources by the build.
extern const unsigned char ic_page_before[], ic_page_behind[];
extern const size_t ic_page_before_size, ic_page_behind_size;

#endif
