// The text format of call frame information entries: a line each, and below it one per instruction
// (docs/formats/text.md).
#include "report/rows/words.h"
#include "report/text/texts.h"

static void write_pointer(struct ic_output *output, const char *what, const char *pointer)
{
	if (!pointer)
		return;
	ic_output_text(output, what);
	ic_output_text(output, pointer);
}

static void write_signed(struct ic_output *output, int64_t number)
{
	if (number < 0)
		ic_output_char(output, '-');
	ic_output_decimal(output, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

static void write_cie(struct ic_output *output, const struct ic_call_frame_item_row *row)
{
	ic_output_text(output, "\tCIE\tversion=");
	ic_output_decimal(output, row->version);
	ic_output_text(output, " augmentation=\"");
	ic_output_printable(output, row->augmentation);
	ic_output_text(output, "\" code_align=");
	ic_output_decimal(output, row->code_align);
	ic_output_text(output, " data_align=");
	write_signed(output, row->data_align);
	ic_output_text(output, " return=");
	ic_output_text(output, row->return_register);
	write_pointer(output, " personality=", row->personality);
	if (row->is_signal)
		ic_output_text(output, " signal");
}

static void write_fde(struct ic_output *output, const struct ic_call_frame_item_row *row)
{
	ic_output_text(output, "\tFDE\t");
	ic_words_address(output, row->section, row->start);
	ic_output_char(output, '-');
	ic_output_hex(output, row->end);
	ic_output_char(output, ' ');
	ic_output_printable(output, row->function ? row->function : "??");
	if (row->cie != IC_NO_ADDR) {
		ic_output_text(output, " cie=");
		ic_output_hex(output, row->cie);
	}
	write_pointer(output, " lsda=", row->lsda);
}

static void write_row(struct ic_writer *writer, const void *data)
{
	struct ic_output *output = &writer->output;
	const struct ic_call_frame_item_row *row = data;
	bool is_entry = row->kind != IC_CALL_FRAME_INSTRUCTION;

	ic_writer_begin_line(writer);
	if (is_entry)
		ic_words_address(output, row->table, row->offset);
	switch (row->kind) {
	case IC_CALL_FRAME_CIE: write_cie(output, row); break;
	case IC_CALL_FRAME_FDE: write_fde(output, row); break;
	case IC_CALL_FRAME_TERMINATOR: ic_output_text(output, "\tterminator"); break;
	case IC_CALL_FRAME_INSTRUCTION:
		ic_output_text(output, "  ");
		ic_output_printable(output, row->text);
		break;
	}
	ic_output_char(output, '\n');
}

void ic_writer_init_call_frame_item_text(struct ic_writer *writer)
{
	writer->write = write_row;
}
