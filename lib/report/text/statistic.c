// The text format of statistics: three lines of sums, and a table (docs/formats/text.md).
#include "report/rows/words.h"
#include "report/text/texts.h"

static void write_count(struct ic_output *output, uint64_t number, const char *words)
{
	if (number == IC_STATISTIC_NONE)
		ic_output_char(output, '?');
	else
		ic_output_decimal(output, number);
	ic_output_text(output, words);
	if (number != 1)
		ic_output_char(output, 's');
}

// "28.3 %", if the numbers are known: rounded down, so that only the whole is 100.0.
static void write_share(struct ic_output *output, uint64_t part, uint64_t whole)
{
	// Code sizes are far below 2^54, but a file can claim anything.
	uint64_t tenths = whole == 0                  ? 0
			  : part <= UINT64_MAX / 1000 ? part * 1000 / whole
						      : part / (whole / 1000 + 1);

	ic_output_decimal(output, tenths / 10);
	ic_output_char(output, '.');
	ic_output_decimal(output, tenths % 10);
	ic_output_text(output, " %");
}

static void write_sums(struct ic_output *output, const struct ic_statistic_row *row)
{
	ic_output_text(output, "inlined\t");
	write_count(output, row->functions, " function");
	ic_output_text(output, ", in ");
	ic_output_decimal(output, row->copies);
	ic_output_text(output, row->copies == 1 ? " copy" : " copies");
	ic_output_text(output, " and ");
	write_count(output, row->callers, " caller");
	if (row->without_code > 0 && row->without_code != IC_STATISTIC_NONE) {
		ic_output_text(output, "; ");
		ic_output_decimal(output, row->without_code);
		ic_output_text(output, " more without code");
	}
	ic_output_text(output, "\ncode\t");
	write_count(output, row->bytes, " byte");
	if (row->code_bytes != IC_STATISTIC_NONE) {
		ic_output_text(output, " of ");
		ic_output_decimal(output, row->code_bytes);
		if (row->bytes != IC_STATISTIC_NONE) {
			ic_output_text(output, ", ");
			write_share(output, row->bytes, row->code_bytes);
		}
	}
	ic_output_text(output, "\nfunctions\t");
	ic_output_decimal(output, row->never);
	ic_output_text(output, " never inlined, ");
	ic_output_decimal(output, row->partly);
	ic_output_text(output, " partly, ");
	ic_output_decimal(output, row->fully);
	ic_output_text(output, " fully\n");
}

static void write_heading(struct ic_output *output, enum ic_statistics_by by)
{
	switch (by) {
	case IC_STATISTICS_BY_FUNCTION:
		ic_output_text(output,
			       " COPIES\t   SELF\t  BYTES\tCALLERS\tINLINED\tFUNCTION\tPLACE\n");
		break;
	case IC_STATISTICS_BY_CALLER:
		ic_output_text(output, " COPIES\t  FUNCS\t  BYTES\t   CODE\tCALLER\tPLACE\n");
		break;
	case IC_STATISTICS_BY_FILE:
		ic_output_text(output, " COPIES\t   SELF\t  BYTES\tCALLERS\t  FUNCS\tFILE\n");
		break;
	case IC_STATISTICS_BY_UNIT:
		ic_output_text(output, " COPIES\t  FUNCS\t  BYTES\t   CODE\tUNIT\n");
		break;
	case IC_STATISTICS_OF_ALL: break;
	}
}

static void write_name(struct ic_writer *writer, const char *name)
{
	struct ic_output *output = &writer->output;

	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_CALLER);
	ic_output_printable(output, name && *name ? name : "??");
	ic_words_end_paint(output, writer->options.colors);
}

static void write_function(struct ic_writer *writer, const struct ic_statistic_row *row)
{
	struct ic_output *output = &writer->output;

	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_CALLER);
	ic_words_function(output, row->function);
	ic_words_end_paint(output, writer->options.colors);
	ic_output_char(output, '\t');
	if (row->decl_line > 0)
		ic_words_position(output, row->decl_file, row->decl_line);
	else
		ic_output_printable(output, row->decl_file ? row->decl_file : "??");
}

static void write_own_numbers(struct ic_output *output, const struct ic_statistic_row *row)
{
	ic_words_number(output, row->copies);
	ic_words_number(output, row->self_bytes);
	ic_words_number(output, row->bytes);
	ic_words_number(output, row->callers);
}

static void write_place_numbers(struct ic_output *output, const struct ic_statistic_row *row)
{
	ic_words_number(output, row->copies);
	ic_words_number(output, row->functions);
	ic_words_number(output, row->bytes);
	ic_words_number(output, row->out_of_line_bytes);
}

static void write_group(struct ic_writer *writer, const struct ic_statistic_row *row)
{
	struct ic_output *output = &writer->output;

	switch (row->group) {
	case IC_STATISTICS_BY_FUNCTION:
		write_own_numbers(output, row);
		ic_output_text(output, row->inlined ? row->inlined : "?");
		ic_output_char(output, '\t');
		write_function(writer, row);
		break;
	case IC_STATISTICS_BY_CALLER:
		write_place_numbers(output, row);
		write_function(writer, row);
		break;
	case IC_STATISTICS_BY_FILE:
		write_own_numbers(output, row);
		ic_words_number(output, row->functions);
		write_name(writer, row->decl_file);
		break;
	case IC_STATISTICS_BY_UNIT:
		write_place_numbers(output, row);
		write_name(writer, row->unit);
		break;
	case IC_STATISTICS_OF_ALL: break;
	}
	ic_output_char(output, '\n');
}

static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_statistic_row *row = data;
	bool is_first;

	if (row->group == IC_STATISTICS_OF_ALL) {
		ic_writer_begin_line(writer);
		write_sums(&writer->output, row);
		writer->is_new_table = true;
		return;
	}
	is_first = ic_writer_begin_line(writer);
	if (is_first || writer->is_new_table)
		write_heading(&writer->output, row->group);
	writer->is_new_table = false;
	write_group(writer, row);
}

void ic_writer_init_statistic_text(struct ic_writer *writer)
{
	writer->write = write_row;
}
