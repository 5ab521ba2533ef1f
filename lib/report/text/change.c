// The text format of comparisons: what changed in all functions, and a table
// (docs/formats/text.md).
#include <inttypes.h>
#include <stdio.h>

#include "report/rows/words.h"
#include "report/text/texts.h"

#include <inlinecall/extra/change_row.h>

enum { MOST_PATHS = 8 }; // of a function, in lines

static void write_some(struct ic_output *output, const char **before, uint64_t number,
		       const char *what)
{
	if (number == 0)
		return;
	ic_output_text(output, *before);
	ic_output_decimal(output, number);
	ic_output_text(output, what);
	*before = ", ";
}

static void write_copies(struct ic_output *output, const struct ic_change_row *row)
{
	const char *before = ": ";

	ic_output_text(output, "copies\t");
	ic_output_decimal(output, row->old_copies);
	ic_output_text(output, " -> ");
	ic_output_decimal(output, row->new_copies);
	write_some(output, &before, row->inlined, " inlined");
	write_some(output, &before, row->outlined, " outlined");
	write_some(output, &before, row->added, " added");
	write_some(output, &before, row->removed, " removed");
	write_some(output, &before, row->came, " came with their callers");
	write_some(output, &before, row->went, " went with theirs");
	write_some(output, &before, row->emptied, " lost their code");
	write_some(output, &before, row->filled, " have code again");
	ic_output_char(output, '\n');
}

// The number with its sign.
static void write_signed(struct ic_output *output, int64_t number, const char *what)
{
	char text[32];

	snprintf(text, sizeof(text), "%+" PRId64, number);
	ic_output_text(output, text);
	ic_output_text(output, what);
}

static void write_code(struct ic_output *output, const struct ic_change_row *row)
{
	bool is_known = row->old_code != UINT64_MAX && row->new_code != UINT64_MAX;

	ic_output_text(output, "code\t");
	if (is_known) {
		ic_output_decimal(output, row->old_code);
		ic_output_text(output, " -> ");
		ic_output_decimal(output, row->new_code);
		ic_output_text(output, " bytes: ");
	}
	write_signed(output, row->explained, " in copies and functions that came or went, ");
	write_signed(output, row->grown, " in others");
	if (is_known) {
		int64_t rest =
			(int64_t)(row->new_code - row->old_code) - row->explained - row->grown;
		ic_output_text(output, ", ");
		write_signed(output, rest, " outside of functions");
	}
	ic_output_char(output, '\n');
}

static const struct {
	const char *heading;    // of the fields after the kinds
	const char *one, *many; // how many are listed
} titles[] = {
	[IC_COMPARISON_BY_FUNCTION] = { "FUNCTION\tPLACE\n", NULL, NULL },
	[IC_COMPARISON_BY_SOURCE] = { "FUNCTIONS\tSOURCE\n", " source file selected",
				      " source files selected" },
	[IC_COMPARISON_BY_DIRECTORY] = { "FUNCTIONS\tDIRECTORY\n", " directory selected",
					 " directories selected" },
	[IC_COMPARISON_BY_TEMPLATE] = { "FUNCTIONS\tTEMPLATE\tPLACE\n", " group selected",
					" groups selected" },
};

static void write_total(struct ic_writer *writer, const struct ic_change_row *row)
{
	struct ic_output *output = &writer->output;
	const char *before = ", ";

	write_code(output, row);
	write_copies(output, row);
	ic_output_text(output, "changed\t");
	ic_output_decimal(output, row->functions);
	ic_output_text(output, row->functions == 1 ? " function" : " functions");
	write_some(output, &before, row->small,
		   " of these only by a few bytes, or with their callers (--min-bytes)");
	if (row->by != IC_COMPARISON_BY_FUNCTION)
		write_some(output, &before, row->selected,
			   row->selected == 1 ? titles[row->by].one : titles[row->by].many);
	else if (row->selected != row->functions - row->small)
		write_some(output, &before, row->selected, " selected");
	ic_output_char(output, '\n');
}

// "2 -> 0"; only one number if both are the same.
static void write_numbers(struct ic_output *output, uint64_t before, uint64_t after)
{
	char text[48];

	if (before == after)
		snprintf(text, sizeof(text), "%" PRIu64, before);
	else
		snprintf(text, sizeof(text), "%" PRIu64 " -> %" PRIu64, before, after);
	ic_output_text(output, text);
}

static void write_function(struct ic_writer *writer, const struct ic_change_row *row)
{
	struct ic_output *output = &writer->output;
	uint32_t line;
	const char *file = ic_words_change_position(row, &line);

	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_CALLER);
	ic_words_function(output, row->function);
	ic_words_end_paint(output, writer->options.colors);
	ic_output_char(output, '\t');
	ic_words_position(output, file, line);
	if (row->old_inlined && row->new_inlined && row->old_inlined != row->new_inlined) {
		ic_output_text(output, "\t");
		ic_output_text(output, row->old_inlined);
		ic_output_text(output, " -> ");
		ic_output_text(output, row->new_inlined);
		ic_output_text(output, " inlined");
	}
	ic_output_char(output, '\n');
}

static void write_group(struct ic_writer *writer, const struct ic_change_row *row)
{
	struct ic_output *output = &writer->output;
	uint32_t line;
	const char *file = ic_words_change_position(row, &line);

	ic_output_printable(output, row->group ? row->group : "??");
	if (row->by == IC_COMPARISON_BY_TEMPLATE) {
		ic_output_char(output, '\t');
		ic_words_position(output, file, line);
	}
	ic_output_char(output, '\n');
}

static void write_change(struct ic_writer *writer, const struct ic_change_row *row)
{
	struct ic_output *output = &writer->output;

	ic_words_signed(output, row->explained + row->grown, "+");
	write_numbers(output, row->old_copies, row->new_copies);
	ic_output_char(output, '\t');
	ic_output_text(output, row->kinds);
	ic_output_char(output, '\t');
	if (row->by != IC_COMPARISON_BY_FUNCTION) {
		ic_output_decimal(output, row->functions);
		ic_output_char(output, '\t');
	}
	if (row->by == IC_COMPARISON_BY_FUNCTION || row->function)
		write_function(writer, row);
	else
		write_group(writer, row);
}

static void write_path(struct ic_output *output, const struct ic_change_path_row *path)
{
	ic_output_text(output, "\tin ");
	for (size_t i = 0; i < path->caller_count; i++) {
		ic_output_printable(output, path->callers[i].name ? path->callers[i].name : "??");
		ic_output_text(output, " in ");
	}
	ic_words_function(output, path->host);
	ic_output_text(output, "\tcopies ");
	write_numbers(output, path->old_copies, path->new_copies);
	if (path->old_calls != path->new_calls) {
		ic_output_text(output, ", calls ");
		write_numbers(output, path->old_calls, path->new_calls);
	}
	ic_output_text(output, ", ");
	write_signed(output, (int64_t)(path->new_bytes - path->old_bytes), " bytes\n");
}

static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_change_row *row = data;
	bool is_first = ic_writer_begin_line(writer);

	if (row->is_total) {
		write_total(writer, row);
		writer->is_new_table = true;
		return;
	}
	if (is_first || writer->is_new_table) {
		ic_output_text(&writer->output, "  BYTES\tCOPIES\tCHANGE\t");
		ic_output_text(&writer->output, titles[row->by].heading);
	}
	writer->is_new_table = false;
	write_change(writer, row);
	for (size_t i = 0; i < row->path_count && i < MOST_PATHS; i++)
		write_path(&writer->output, &row->paths[i]);
	if (row->path_count > MOST_PATHS) {
		ic_output_text(&writer->output, "\tin ");
		ic_output_decimal(&writer->output, row->path_count - MOST_PATHS);
		ic_output_text(&writer->output, " more call paths (--json lists them)\n");
	}
}

void ic_writer_init_change_text(struct ic_writer *writer)
{
	writer->write = write_row;
}
