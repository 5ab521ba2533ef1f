// The text format of sites: a heading per function, a line per range of code
// (docs/formats/text.md).
#include "report/rows/parameters_text.h"
#include "report/rows/words.h"
#include "report/text/texts.h"

static void begin_paint(struct ic_writer *writer, const char *paint)
{
	ic_words_begin_paint(&writer->output, writer->options.colors, paint);
}

static void end_paint(struct ic_writer *writer)
{
	ic_words_end_paint(&writer->output, writer->options.colors);
}

static void write_address(struct ic_output *output, const char *section, uint64_t addr)
{
	if (addr == IC_NO_ADDR)
		ic_output_char(output, '?');
	else
		ic_words_address(output, section, addr);
}

static void write_range(struct ic_writer *writer, const char *section, struct ic_range range)
{
	struct ic_output *output = &writer->output;

	ic_output_char(output, '\t');
	begin_paint(writer, IC_PAINT_ADDRESS);
	ic_output_char(output, '[');
	write_address(output, section, range.start);
	ic_output_text(output, " - ");
	write_address(output, section, range.end);
	ic_output_char(output, ']');
	end_paint(writer);
}

// Each caller after the first is followed by the position at which it called the previous one. The
// first one's position is the call itself, in the previous field.
static void write_callers(struct ic_writer *writer, const struct ic_site_row *row,
			  const char *symbol)
{
	const struct ic_site_caller *chain = row->chain;
	size_t count = writer->options.chain ? row->chain_count : 0;

	for (size_t i = 0; i <= count; i++) {
		if (i < count) {
			ic_words_function(&writer->output, chain[i].function);
		} else {
			begin_paint(writer, IC_PAINT_CALLER);
			ic_words_function(&writer->output, symbol ? symbol : row->host);
			end_paint(writer);
		}
		if (i > 0) {
			ic_output_char(&writer->output, ' ');
			ic_words_place(&writer->output, chain[i - 1].call_file,
				       chain[i - 1].call_line, chain[i - 1].call_column);
		}
		if (i < count)
			ic_output_text(&writer->output, " < ");
	}
}

static void write_call(struct ic_writer *writer, const struct ic_site_row *row, const char *symbol)
{
	struct ic_output *output = &writer->output;

	ic_output_char(output, '\t');
	if (row->kind == IC_SITE_OUT_OF_LINE)
		ic_output_char(output, '-');
	else
		ic_words_place(output, row->call_file, row->call_line, row->call_column);
	ic_output_char(output, '\t');
	write_callers(writer, row, symbol);
	if (row->kind == IC_SITE_OUT_OF_LINE)
		ic_output_text(output, "\tout of line");
	else if (row->kind == IC_SITE_CALL)
		ic_output_text(output, row->tail ? "\ttail call" : "\tcall");
	if (row->part)
		ic_output_text(output, row->kind == IC_SITE_INLINED ? "\tpart" : ", part");
}

// The index of the range whose line shows where the copy is entered: the range that contains the
// entry, or the first if none does. The number of ranges, so that no line shows it, if the entry is
// the start of the first range, as readers expect.
static size_t entry_line(const struct ic_site_row *row)
{
	for (size_t i = 0; i < row->range_count; i++) {
		const struct ic_row_range *range = &row->ranges[i];
		if (range->section || row->entry < range->range.start ||
		    row->entry >= range->range.end)
			continue;
		return i > 0 || row->entry > range->range.start ? i : row->range_count;
	}
	return 0;
}

static void write_remarks(struct ic_writer *writer, const struct ic_site_row *row, bool is_first,
			  bool has_entry)
{
	struct ic_output *output = &writer->output;
	bool is_remarked = row->kind == IC_SITE_OUT_OF_LINE || row->part;

	if (!is_first)
		ic_output_text(output, is_remarked ? ", same copy" : "\tsame copy");
	if (has_entry) {
		ic_output_text(output, is_remarked || !is_first ? ", entry " : "\tentry ");
		write_address(output, row->section, row->entry);
	}
}

static void write_ranges(struct ic_writer *writer, const struct ic_site_row *row)
{
	size_t stated = entry_line(row);

	for (size_t i = 0; i < row->range_count; i++) {
		const struct ic_row_range *range = &row->ranges[i];

		write_range(writer, range->section ? range->section : row->section, range->range);
		write_call(writer, row, range->symbol);
		write_remarks(writer, row, i == 0, i == stated);
		ic_output_char(&writer->output, '\n');
	}
}

static void write_entry(struct ic_writer *writer, const struct ic_site_row *row,
			const struct ic_row_entry *entry, bool is_first)
{
	struct ic_output *output = &writer->output;

	ic_output_char(output, '\t');
	begin_paint(writer, IC_PAINT_ADDRESS);
	write_address(output, row->section, entry->address);
	end_paint(writer);
	ic_output_char(output, '\t');
	ic_output_printable(output, entry->symbol ? entry->symbol : "?");
	if (entry->symbol) {
		ic_output_char(output, '+');
		ic_output_hex(output, entry->offset);
	}
	write_call(writer, row, NULL);
	if (entry->address == IC_NO_ADDR && row->return_addr != IC_NO_ADDR) {
		ic_output_text(output, ", returns to ");
		write_address(output, row->section, row->return_addr);
	}
	write_remarks(writer, row, is_first, false);
	if (row->counted_elsewhere)
		ic_output_text(output, row->part || row->kind == IC_SITE_OUT_OF_LINE
					       ? ", counted at another copy"
					       : "	counted at another copy");
	ic_output_char(output, '\n');
}

// A line for each entry of the copy; one if none is known, or another copy leads to it.
static void write_entries(struct ic_writer *writer, const struct ic_site_row *row)
{
	const struct ic_row_entry first = { row->entry, row->entry_symbol, row->entry_offset };

	if (row->entry_count == 0)
		write_entry(writer, row, &first, true);
	for (size_t i = 0; i < row->entry_count; i++)
		write_entry(writer, row, &row->entries[i], i == 0);
}

static void write_heading(struct ic_writer *writer, const struct ic_site_row *row)
{
	if (!ic_writer_begin_line(writer) && writer->last_function_off == row->function_off)
		return;
	writer->last_function_off = row->function_off;
	begin_paint(writer, IC_PAINT_HEADING);
	ic_words_position(&writer->output, row->decl_file, row->decl_line);
	end_paint(writer);
	if (writer->options.names) {
		ic_output_char(&writer->output, '\t');
		ic_words_function(&writer->output, row->function);
	}
	ic_output_char(&writer->output, '\n');
}

static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_site_row *row = data;

	if (row->kind != IC_SITE_CALL && row->range_count == 0 && !row->has_only_entry)
		return;
	write_heading(writer, row);
	if (writer->options.entries) {
		write_entries(writer, row);
	} else if (row->kind == IC_SITE_CALL || row->has_only_entry) {
		write_range(writer, row->section,
			    (struct ic_range){ row->entry, row->return_addr });
		write_call(writer, row, row->symbol);
		ic_output_char(&writer->output, '\n');
	} else {
		write_ranges(writer, row);
	}
	const struct ic_parameters_shown shown = { row->params,    row->param_count, row->variadic,
						   row->has_lists, row->section,     row->entry };
	if (row->params || row->is_undescribed)
		ic_parameters_write(&writer->output, &shown);
}

void ic_writer_init_site_text(struct ic_writer *writer)
{
	writer->write = write_row;
	writer->without_entry_symbols = !writer->options.entries;
}
