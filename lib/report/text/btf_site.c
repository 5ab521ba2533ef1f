// The text format of calls in a .BTF.inline table: a line per call (docs/formats/text.md).
#include "report/rows/words.h"
#include "report/text/texts.h"

// A type without a name is identified by its number.
static void write_name(struct ic_output *output, const char *name, uint32_t id)
{
	if (name && *name) {
		ic_output_printable(output, name);
		return;
	}
	ic_output_char(output, '[');
	ic_output_decimal(output, id);
	ic_output_char(output, ']');
}

static void write_place(struct ic_output *output, const struct ic_btf_site_row *row)
{
	if (row->section)
		ic_output_printable(output, row->section);
	else if (row->host_id != 0)
		write_name(output, row->host, row->host_id);
	ic_output_char(output, '+');
	ic_output_hex(output, row->offset);
}

static void write_parameter(struct ic_output *output, const struct ic_btf_row_parameter *parameter)
{
	if (parameter->type) {
		ic_output_printable(output, parameter->type);
		ic_output_char(output, ' ');
	}
	ic_output_printable(output, parameter->name ? parameter->name : "_");
	ic_output_char(output, '=');
	ic_output_printable(output, parameter->location.text);
}

static void write_row(struct ic_writer *writer, const void *data)
{
	struct ic_output *output = &writer->output;
	const struct ic_btf_site_row *row = data;

	ic_writer_begin_line(writer);
	write_place(output, row);
	ic_output_char(output, '\t');
	write_name(output, row->function, row->function_id);
	ic_output_char(output, '(');
	for (size_t i = 0; i < row->param_count; i++) {
		if (i > 0)
			ic_output_text(output, ", ");
		write_parameter(output, &row->params[i]);
	}
	ic_output_text(output, ")\n");
}

void ic_writer_init_btf_site_text(struct ic_writer *writer)
{
	writer->write = write_row;
}
