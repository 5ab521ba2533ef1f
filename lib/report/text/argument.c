// The text format of arguments: two lines of sums, and two tables (docs/formats/text.md).
#include <string.h>

#include "report/rows/words.h"
#include "report/text/texts.h"

static void write_count(struct ic_output *output, uint64_t number, const char *words)
{
	ic_output_decimal(output, number);
	ic_output_text(output, words);
	if (number != 1)
		ic_output_char(output, 's');
}

static void write_sum(struct ic_output *output, uint64_t arguments, uint64_t copies,
		      uint64_t functions)
{
	write_count(output, arguments, " argument");
	ic_output_text(output, " of ");
	ic_output_decimal(output, copies);
	ic_output_text(output, copies == 1 ? " copy" : " copies");
	ic_output_text(output, " of ");
	write_count(output, functions, " function");
}

static void write_sums(struct ic_output *output, const struct ic_argument_row *row)
{
	ic_output_text(output, "all\t");
	write_sum(output, row->arguments, row->copies, row->functions);
	ic_output_text(output, "\nfew\t");
	write_sum(output, row->few_arguments, row->few_copies, row->few_functions);
	ic_output_text(output, " with at most ");
	ic_output_decimal(output, IC_ARGUMENTS_FEW);
	ic_output_text(output, " copies each\n");
}

// " 87.14 %", rounded to two decimals, as in the RFC.
static void write_share(struct ic_output *output, uint64_t part, uint64_t whole)
{
	uint64_t hundredths = whole == 0 ? 0 : (part * 10000 + whole / 2) / whole;

	for (uint64_t least = 10000; least >= 1000 && hundredths < least; least /= 10)
		ic_output_char(output, ' ');
	ic_output_decimal(output, hundredths / 100);
	ic_output_char(output, '.');
	ic_output_decimal(output, hundredths / 10 % 10);
	ic_output_decimal(output, hundredths % 10);
	ic_output_text(output, " %\t");
}

static void write_line(struct ic_output *output, const struct ic_argument_row *row, uint64_t count,
		       uint64_t few_count)
{
	ic_words_number(output, count);
	write_share(output, count, row->whole);
	ic_words_number(output, few_count);
	write_share(output, few_count, row->few_whole);
}

static void write_category(struct ic_output *output, const struct ic_argument_row *row)
{
	bool is_first = strcmp(row->name, "literal") == 0;
	bool is_last = strcmp(row->name, "empty") == 0;

	if (is_first)
		ic_output_text(output, "    ALL\t   SHARE\t    FEW\t   SHARE\tCATEGORY\n");
	write_line(output, row, row->up_to, row->few_up_to);
	ic_output_text(output, row->name);
	ic_output_text(output, is_first || is_last ? "\n" : "+above\n");
}

static void write_shape(struct ic_writer *writer, const struct ic_argument_row *row)
{
	struct ic_output *output = &writer->output;

	if (row->arguments == 0)
		return;
	if (writer->is_new_table)
		ic_output_text(output, "    ALL\t   SHARE\t    FEW\t   SHARE\tSHAPE\n");
	writer->is_new_table = false;
	write_line(output, row, row->arguments, row->few_arguments);
	ic_output_text(output, row->name);
	ic_output_char(output, '\n');
}

static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_argument_row *row = data;

	ic_writer_begin_line(writer);
	switch (row->group) {
	case IC_ARGUMENTS_OF_ALL:
		write_sums(&writer->output, row);
		writer->is_new_table = true;
		break;
	case IC_ARGUMENTS_BY_CATEGORY: write_category(&writer->output, row); break;
	case IC_ARGUMENTS_BY_SHAPE: write_shape(writer, row); break;
	}
}

void ic_writer_init_argument_text(struct ic_writer *writer)
{
	writer->write = write_row;
}
