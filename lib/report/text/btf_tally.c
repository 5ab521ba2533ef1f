// The text format of counts about .BTF.inline tables: a line each (docs/formats/text.md).
#include "report/rows/words.h"
#include "report/text/texts.h"

static void write_row(struct ic_writer *writer, const void *data)
{
	struct ic_output *output = &writer->output;
	const struct ic_btf_tally_row *row = data;
	const uint64_t places[] = { row->first, row->second, row->third };
	enum { PLACES = sizeof(places) / sizeof(*places) };

	ic_writer_begin_line(writer);
	ic_output_decimal(output, row->count);
	ic_output_char(output, '\t');
	ic_output_printable(output, row->what);
	if (row->first != IC_NO_ADDR)
		ic_output_text(output, "\tat");
	for (size_t i = 0; i < PLACES && places[i] != IC_NO_ADDR; i++) {
		ic_output_char(output, ' ');
		ic_output_hex(output, places[i]);
	}
	if (row->first != IC_NO_ADDR && row->count > PLACES)
		ic_output_text(output, " ...");
	ic_output_char(output, '\n');
}

void ic_writer_init_btf_tally_text(struct ic_writer *writer)
{
	writer->write = write_row;
}
