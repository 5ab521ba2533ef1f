// What writes rows: the state that writers of all formats share.
#ifndef REPORT_WRITERS_WRITER_H
#define REPORT_WRITERS_WRITER_H

#include "base/output.h"
#include "report/rows/row.h"

#include <inlinecall/extra/report.h>

enum { IC_WRITER_MOST_LEVELS = 64 };

struct ic_writer {
	void (*begin)(struct ic_writer *writer); // before the first row; NULL if it writes nothing
	// Behind the last row; NULL likewise. False if memory runs out, now or before.
	bool (*end)(struct ic_writer *writer);
	struct ic_page_writer *page; // of pages; NULL of others
	void (*write)(struct ic_writer *writer, const void *row);
	const struct ic_row_type *type;
	struct ic_report_options options;
	struct ic_output output;
	// Text: of the part that was begun last, and whether it has no line yet.
	const char *part;
	bool is_new_part;
	bool without_entry_symbols; // text of sites: they are not printed
	uint64_t last_function_off; // text of sites: of the heading that was printed last
	uint64_t last_fde;          // text of call frames: likewise
	const char *last_table;
	bool is_new_table; // text of statistics and arguments: it has no heading yet; of threads:
			   // nothing is written yet
	// Text of a tree: whether what was written last at a level is the last of its siblings.
	bool last[IC_WRITER_MOST_LEVELS];
};

void ic_writer_begin_part(struct ic_writer *writer, const char *name);

// Before a line of text: writes the name of the part if the line is its first; whether it is.
bool ic_writer_begin_line(struct ic_writer *writer);

void ic_writer_init_json(struct ic_writer *writer);
void ic_writer_init_csv(struct ic_writer *writer);

// False if memory runs out.
bool ic_writer_init_page(struct ic_writer *writer) IC_CHECKED;
void ic_writer_free_page(struct ic_writer *writer);

#endif
