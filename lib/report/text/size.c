// The text format of sizes: what the code consists of, and a table (docs/formats/text.md).
#include "report/rows/words.h"
#include "report/text/texts.h"

// "28.3": rounded to one decimal.
static void write_share(struct ic_output *output, uint64_t part, uint64_t whole)
{
	uint64_t tenths = whole == 0 || whole == UINT64_MAX
				  ? 0
				  : (uint64_t)(1000 * (double)part / (double)whole + 0.5);

	ic_output_text(output, tenths < 100 ? "  " : tenths < 1000 ? " " : "");
	ic_output_decimal(output, tenths / 10);
	ic_output_char(output, '.');
	ic_output_decimal(output, tenths % 10);
	ic_output_char(output, '\t');
}

static void write_bytes(struct ic_output *output, uint64_t bytes, const char *what)
{
	if (bytes == 0)
		return;
	ic_output_text(output, "; ");
	ic_output_decimal(output, bytes);
	ic_output_text(output, what);
}

static void write_all(struct ic_output *output, const struct ic_size_row *row)
{
	ic_output_text(output, "code\t");
	if (row->code == UINT64_MAX)
		ic_output_char(output, '?');
	else
		ic_output_decimal(output, row->code);
	ic_output_text(output, " bytes\nfunctions\t");
	ic_output_decimal(output, row->functions);
	ic_output_text(output, row->functions == 1 ? " function, " : " functions, ");
	ic_output_decimal(output, row->self);
	ic_output_text(output, " bytes, of which ");
	ic_output_decimal(output, row->self_inlined);
	ic_output_text(output, " inlined");
	write_bytes(output, row->symbols, " without debugging information");
	write_bytes(output, row->linkage, " of linkage");
	write_bytes(output, row->padding, " of padding");
	write_bytes(output, row->unnamed, " without a name");
	ic_output_char(output, '\n');
}

static void write_heading(struct ic_output *output, enum ic_sizes_by by)
{
	static const char *const titles[] = {
		[IC_SIZES_BY_TEMPLATE] = "TEMPLATE",   [IC_SIZES_BY_NAMESPACE] = "NAMESPACE",
		[IC_SIZES_BY_CRATE] = "CRATE",         [IC_SIZES_BY_SOURCE] = "SOURCE",
		[IC_SIZES_BY_DIRECTORY] = "DIRECTORY", [IC_SIZES_BY_UNIT] = "UNIT",
		[IC_SIZES_BY_SECTION] = "SECTION",
	};

	ic_output_text(output, "   SELF\t    %\tINLINED\t  TOTAL\t COPIES\t");
	if (by == IC_SIZES_BY_FUNCTION) {
		ic_output_text(output, "   EACH\t  SAVES\tFUNCTION\tPLACE\n");
	} else {
		ic_output_text(output, titles[by]);
		ic_output_char(output, '\n');
	}
}

// Blanks if not applicable.
static void write_saving(struct ic_output *output, int64_t saving)
{
	if (saving == IC_SIZE_NONE)
		ic_output_text(output, "       \t");
	else
		ic_words_signed(output, saving, "");
}

static void write_function(struct ic_writer *writer, const struct ic_size_row *row)
{
	struct ic_output *output = &writer->output;
	uint64_t count = row->copies > 0 ? row->copies : row->out_of_line;
	uint64_t bytes = row->copies > 0 ? row->total_inlined : row->total;
	uint64_t each = count > 0 ? (bytes + count / 2) / count : bytes;

	ic_words_number(output, each);
	write_saving(output, row->saving);
	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_CALLER);
	ic_words_function(output, row->function);
	ic_words_end_paint(output, writer->options.colors);
	ic_output_char(output, '\t');
	if (row->which == IC_SIZE_SYMBOL)
		ic_output_text(output, "(no debugging information)");
	else
		ic_words_position(output, row->decl_file, row->decl_line);
}

static const char *name_of(const struct ic_size_row *row)
{
	if (row->which == IC_SIZE_SYMBOL)
		return "(no debugging information)";
	if (row->group)
		return row->group;
	if (row->decl_file)
		return row->decl_file;
	return row->what == IC_SIZES_BY_NAMESPACE || row->what == IC_SIZES_BY_CRATE ? "(none)"
										    : "??";
}

static void write_group(struct ic_writer *writer, const struct ic_size_row *row)
{
	struct ic_output *output = &writer->output;

	ic_words_number(output, row->self);
	write_share(output, row->self, row->code);
	ic_words_number(output, row->self_inlined);
	ic_words_number(output, row->total);
	ic_words_number(output, row->copies);
	if (row->what == IC_SIZES_BY_FUNCTION)
		write_function(writer, row);
	else
		ic_output_printable(output, name_of(row));
	ic_output_char(output, '\n');
}

// From linkage on, code has no name of its own: it is in the lines above the table.
static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_size_row *row = data;

	if (row->what == IC_SIZES_OF_ALL) {
		ic_writer_begin_line(writer);
		write_all(&writer->output, row);
		writer->is_new_table = true;
		return;
	}
	if (row->which >= IC_SIZE_LINKAGE)
		return;
	if (ic_writer_begin_line(writer) || writer->is_new_table)
		write_heading(&writer->output, row->what);
	writer->is_new_table = false;
	write_group(writer, row);
}

void ic_writer_init_size_text(struct ic_writer *writer)
{
	writer->write = write_row;
}
