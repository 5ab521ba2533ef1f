// The default form: a heading a function, a line a range of code (docs/formats/text.md).
#include "report/site_row.h"
#include "report/writers.h"

#include <string.h>

// What the pieces of a line look like on a terminal.
static const char heading_paint[] = "\033[35m";
static const char address_paint[] = "\033[32m";
static const char caller_paint[] = "\033[1m";

static void begin_paint(struct ic_writer *writer, const char *paint)
{
	if (writer->options->colors)
		ic_output_text(&writer->output, paint);
}

static void end_paint(struct ic_writer *writer)
{
	if (writer->options->colors)
		ic_output_text(&writer->output, "\033[m");
}

static void write_position(struct ic_output *output, const char *file, uint32_t line)
{
	ic_output_printable(output, file ? file : "??");
	ic_output_char(output, ':');
	ic_output_decimal(output, line);
}

// Whether a name ends with its parameters, as "ns::f(int) const [clone .cold]" does and
// "(anonymous namespace)::f", "operator()" and "f<void (int)>" do not.
static bool has_params(const char *name)
{
	const char *close = strrchr(name, ')'), *open = close;
	int depth = 0;

	if (!close || strpbrk(close, ">:") || close[1] == '.') // "sync.(*Map).Load", in Go
		return false;
	do {
		depth += (*open == ')') - (*open == '(');
	} while (depth > 0 && open-- > name);
	return open > name &&
	       !(close == open + 1 && open - name >= 8 && strncmp(open - 8, "operator", 8) == 0);
}

static void write_function(struct ic_output *output, const char *name)
{
	ic_output_printable(output, name ? name : "??");
	if (!name || !has_params(name))
		ic_output_text(output, "()");
}

static void write_address(struct ic_output *output, const char *section, uint64_t addr)
{
	if (addr == IC_NO_ADDR) {
		ic_output_char(output, '?');
		return;
	}
	if (section) {
		ic_output_printable(output, section);
		ic_output_char(output, '+');
	}
	ic_output_hex(output, addr);
}

static void write_range(struct ic_writer *writer, const char *section, struct ic_range range)
{
	struct ic_output *output = &writer->output;

	ic_output_char(output, '\t');
	begin_paint(writer, address_paint);
	ic_output_char(output, '[');
	write_address(output, section, range.start);
	ic_output_text(output, " - ");
	write_address(output, section, range.end);
	ic_output_char(output, ']');
	end_paint(writer);
}

static void write_callers(struct ic_writer *writer, const struct ic_site_row *row,
			  const char *symbol)
{
	const struct ic_chain_row *chain = row->chain.rows;

	for (size_t i = 0; writer->options->chain && i < row->chain.count; i++) {
		write_function(&writer->output, chain[i].function);
		ic_output_text(&writer->output, " < ");
	}
	begin_paint(writer, caller_paint);
	write_function(&writer->output, symbol ? symbol : row->host);
	end_paint(writer);
}

static void write_line(struct ic_writer *writer, const struct ic_site_row *row, const char *section,
		       struct ic_range range, const char *symbol)
{
	struct ic_output *output = &writer->output;

	write_range(writer, section, range);
	ic_output_char(output, '\t');
	if (row->kind == IC_SITE_OUT_OF_LINE)
		ic_output_char(output, '-');
	else
		write_position(output, row->call_file, row->call_line);
	ic_output_char(output, '\t');
	write_callers(writer, row, symbol);
	if (row->kind == IC_SITE_OUT_OF_LINE)
		ic_output_text(output, "\tout of line");
	else if (row->kind == IC_SITE_CALL)
		ic_output_text(output, row->tail ? "\ttail call" : "\tcall");
	ic_output_char(output, '\n');
}

static void write_heading(struct ic_writer *writer, const struct ic_site_row *row)
{
	if (writer->any_heading && writer->last_function_off == row->function_off)
		return;
	writer->any_heading = true;
	writer->last_function_off = row->function_off;
	begin_paint(writer, heading_paint);
	write_position(&writer->output, row->decl_file, row->decl_line);
	end_paint(writer);
	if (writer->options->names) {
		ic_output_char(&writer->output, '\t');
		write_function(&writer->output, row->function);
	}
	ic_output_char(&writer->output, '\n');
}

static bool begin_text(struct ic_row_sink *sink, const struct ic_schema *schema,
		       struct ic_error *err)
{
	(void)sink, (void)schema, (void)err;
	return true;
}

static bool text_row(struct ic_row_sink *sink, const struct ic_schema *schema, const void *data,
		     struct ic_error *err)
{
	struct ic_writer *writer = (struct ic_writer *)sink;
	const struct ic_site_row *row = data;
	(void)schema, (void)err;

	if (row->kind == IC_SITE_CALL) {
		write_heading(writer, row);
		write_line(writer, row, row->section,
			   (struct ic_range){ row->entry, row->return_addr }, row->symbol);
		return true;
	}
	for (size_t i = 0; i < row->ranges.count; i++) {
		const struct ic_row_range *range = &row->ranges.ranges[i];

		write_heading(writer, row);
		write_line(writer, row, range->section ? range->section : row->section,
			   range->range, range->symbol);
	}
	return true;
}

static bool end_text(struct ic_row_sink *sink, struct ic_error *err)
{
	return ic_output_finish(&((struct ic_writer *)sink)->output, err);
}

void ic_writer_init_text(struct ic_writer *writer)
{
	writer->sink = (struct ic_row_sink){ begin_text, text_row, end_text };
}
