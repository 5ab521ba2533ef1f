// The writers: one a format, and of text one for each kind of rows.
#ifndef REPORT_WRITERS_H
#define REPORT_WRITERS_H

#include "base/output.h"
#include "report/row.h"

#include <inlinecall/report.h>

enum { IC_WRITER_MOST_LEVELS = 64 };

struct ic_writer {
	void (*begin)(struct ic_writer *writer); // before the first row; NULL if it writes nothing
	// Behind the last row; NULL likewise. False if memory is out, now or before.
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

// Text is a form of its own for each kind: headings and lines, not fields.
void ic_writer_init_site_text(struct ic_writer *writer);
void ic_writer_init_count_text(struct ic_writer *writer);
void ic_writer_init_stack_text(struct ic_writer *writer);
void ic_writer_init_tree_text(struct ic_writer *writer);
void ic_writer_init_statistic_text(struct ic_writer *writer);
void ic_writer_init_argument_text(struct ic_writer *writer);
void ic_writer_init_verdict_text(struct ic_writer *writer);
void ic_writer_init_btf_site_text(struct ic_writer *writer);
void ic_writer_init_btf_tally_text(struct ic_writer *writer);
void ic_writer_init_call_frame_text(struct ic_writer *writer);
void ic_writer_init_call_frame_item_text(struct ic_writer *writer);
void ic_writer_init_thread_text(struct ic_writer *writer);
void ic_writer_init_lint_text(struct ic_writer *writer);
void ic_writer_init_probe_text(struct ic_writer *writer);
void ic_writer_init_hit_text(struct ic_writer *writer);
void ic_writer_init_hit_count_text(struct ic_writer *writer);
void ic_writer_init_latency_text(struct ic_writer *writer);
void ic_writer_init_histogram_text(struct ic_writer *writer);
void ic_writer_init_profile_text(struct ic_writer *writer);
void ic_writer_init_size_text(struct ic_writer *writer);
void ic_writer_init_json(struct ic_writer *writer);
void ic_writer_init_csv(struct ic_writer *writer);

// False if memory is out.
bool ic_writer_init_page(struct ic_writer *writer) IC_CHECKED;
void ic_writer_free_page(struct ic_writer *writer);

// Whether it is one of the formats, and rows of the kind can be in it.
bool ic_writer_has_format(enum ic_report_format format, enum ic_rows_kind kind);

// A writer of `type` in the format of the options. False if memory is out.
bool ic_writer_init(struct ic_writer *writer, const struct ic_row_type *type,
		    const struct ic_report_options *options, FILE *out) IC_CHECKED;

void ic_writer_begin_part(struct ic_writer *writer, const char *name);

// Before a line of text: writes the name of the part if the line is its first; whether it is.
bool ic_writer_begin_line(struct ic_writer *writer);

// Writes a frame of a stack as a line of text, which begins with its number.
void ic_write_frame(struct ic_writer *writer, const struct ic_row_thread_frame *frame,
		    size_t number);

#endif
