// The text format of comparisons: what changed in all functions, and a table
// (docs/formats/text.md).
#include "report/rows/words.h"
#include "report/text/change_totals.h"
#include "report/text/texts.h"

enum { MOST_PATHS = 8 }; // of a function, in lines

// Of the fields after the kinds.
static const char *const headings[] = {
	[IC_COMPARISON_BY_FUNCTION] = "FUNCTION\tPLACE\n",
	[IC_COMPARISON_BY_SOURCE] = "FUNCTIONS\tSOURCE\n",
	[IC_COMPARISON_BY_DIRECTORY] = "FUNCTIONS\tDIRECTORY\n",
	[IC_COMPARISON_BY_TEMPLATE] = "FUNCTIONS\tTEMPLATE\tPLACE\n",
};

static void write_total(struct ic_output *output, const struct ic_change_row *row)
{
	ic_output_text(output, "code\t");
	ic_write_changed_code(output, row);
	ic_output_text(output, "\ncopies\t");
	ic_write_changed_copies(output, row);
	if (row->readable != UINT64_MAX) {
		ic_output_text(output, "\narguments\t");
		ic_write_changed_arguments(output, row);
	}
	ic_output_text(output, "\nchanged\t");
	ic_write_changed_functions(output, row);
	ic_output_char(output, '\n');
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
	ic_write_change(output, row->old_copies, row->new_copies);
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
	ic_write_change(output, path->old_copies, path->new_copies);
	if (path->old_calls != path->new_calls) {
		ic_output_text(output, ", calls ");
		ic_write_change(output, path->old_calls, path->new_calls);
	}
	ic_output_text(output, ", ");
	ic_write_signed(output, (int64_t)(path->new_bytes - path->old_bytes));
	ic_output_text(output, " bytes\n");
}

static void write_argument(struct ic_output *output, const struct ic_change_argument_row *argument)
{
	ic_output_text(output, "\targument ");
	ic_output_printable(output, argument->name);
	ic_output_text(output, "\treadable in ");
	ic_write_change(output, argument->old_readable, argument->new_readable);
	ic_output_text(output, " of ");
	ic_write_change(output, argument->old_copies, argument->new_copies);
	ic_output_text(output, " copies\n");
}

static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_change_row *row = data;
	bool is_first = ic_writer_begin_line(writer);

	if (row->is_total) {
		write_total(&writer->output, row);
		writer->is_new_table = true;
		return;
	}
	if (is_first || writer->is_new_table) {
		ic_output_text(&writer->output, "  BYTES\tCOPIES\tCHANGE\t");
		ic_output_text(&writer->output, headings[row->by]);
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
	for (size_t i = 0; i < row->argument_count; i++)
		write_argument(&writer->output, &row->arguments[i]);
}

void ic_writer_init_change_text(struct ic_writer *writer)
{
	writer->write = write_row;
}
