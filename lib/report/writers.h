// The writers: a sink a format.
#ifndef REPORT_WRITERS_H
#define REPORT_WRITERS_H

#include "report/output.h"
#include "report/row.h"

#include <inlinecall/report.h>

enum { IC_WRITER_MOST_LEVELS = 64 };

struct ic_writer {
	struct ic_row_sink sink; // first: a writer is a sink
	const struct ic_report_options *options;
	struct ic_output output;
	uint64_t last_function_off; // text: of the heading that was printed last
	bool any_heading;
	size_t columns; // CSV: of every row
	// Text of a tree: whether what was written last at a level is the last of its siblings.
	bool last[IC_WRITER_MOST_LEVELS];
};

// A text is the form of one report alone, here of sites: headings and lines, not fields.
void ic_writer_init_text(struct ic_writer *writer);
void ic_writer_init_count_text(struct ic_writer *writer);
void ic_writer_init_stack_text(struct ic_writer *writer);
void ic_writer_init_tree_text(struct ic_writer *writer);
void ic_writer_init_json(struct ic_writer *writer);
void ic_writer_init_csv(struct ic_writer *writer);

#endif
