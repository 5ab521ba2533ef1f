#include "report/writers/writer.h"

void ic_writer_begin_part(struct ic_writer *writer, const char *name)
{
	writer->part = name;
	writer->is_new_part = true;
}

bool ic_writer_begin_line(struct ic_writer *writer)
{
	bool is_first = writer->is_new_part;

	writer->is_new_part = false;
	if (is_first && writer->part) {
		ic_output_printable(&writer->output, writer->part);
		ic_output_text(&writer->output, ":\n");
	}
	return is_first;
}

void ic_writer_write_left_out(struct ic_writer *writer, const char *file, uint64_t count)
{
	(void)file; // is in a heading
	ic_writer_begin_line(writer);
	ic_output_text(&writer->output, "... ");
	ic_output_decimal(&writer->output, count);
	ic_output_text(&writer->output, " more (--limit=all)\n");
}
