// Writers of rows: the state that writers of all formats share.
#ifndef REPORT_WRITERS_WRITER_H
#define REPORT_WRITERS_WRITER_H

#include "base/output.h"
#include "report/rows/row.h"

#include <inlinecall/extra/report.h>

enum { IC_WRITER_MOST_LEVELS = 64 };

struct ic_writer {
	void (*begin)(struct ic_writer *writer); // called before the first row; NULL if there is
						 // nothing to write
	// Called after the last row; may be NULL. False if memory runs out, now or earlier.
	bool (*end)(struct ic_writer *writer);
	struct ic_page_writer *page; // for pages; otherwise NULL
	void (*write)(struct ic_writer *writer, const void *row);
	// Says that a limit left out rows of a file; NULL if the format has no place for that.
	void (*write_left_out)(struct ic_writer *writer, const char *file, uint64_t count);
	const struct ic_row_type *type;
	struct ic_report_options options;
	struct ic_output output;
	// Text: name of the current part, and whether it has no line yet.
	const char *part;
	bool is_new_part;
	bool without_entry_symbols; // text of sites: they are not printed
	uint64_t last_function_off; // text of sites: of the last heading printed
	uint64_t last_fde;          // text of call frames: of the last heading printed
	const char *last_table;
	bool is_new_table; // text of statistics and arguments: it has no heading yet; of threads:
			   // nothing has been written yet
	// Markdown: number of changes that have not been written yet, and what they are. Text of
	// counts: number of copies that are not written.
	uint64_t left_out;
	uint64_t total, line_count; // text of counts and groups: calls, and lines so far
	enum ic_comparison_by by;
	// Text of trees: whether the last line at each level was the last of its siblings.
	bool last[IC_WRITER_MOST_LEVELS];
};

void ic_writer_begin_part(struct ic_writer *writer, const char *name);

// Called before a line of text: writes the name of the part if the line is its first, and returns
// whether it is.
bool ic_writer_begin_line(struct ic_writer *writer);

// In text: "... 294 more (--limit=all)".
void ic_writer_write_left_out(struct ic_writer *writer, const char *file, uint64_t count);

void ic_writer_init_json(struct ic_writer *writer);
void ic_writer_init_csv(struct ic_writer *writer);

// False if memory runs out.
bool ic_writer_init_page(struct ic_writer *writer) IC_CHECKED;
void ic_writer_free_page(struct ic_writer *writer);

#endif
