// The text format of profiles: totals, and a table of shares (docs/formats/text.md).
#include "report/rows/words.h"
#include "report/text/texts.h"

static uint64_t tenths_of(uint64_t part, uint64_t whole) // of a percent
{
	return whole == 0 ? 0 : (uint64_t)(1000 * (double)part / (double)whole + 0.5);
}

// "7.3%"; "<0.1%" if it would round to 0 without being 0.
static void write_percent(struct ic_output *output, uint64_t part, uint64_t whole)
{
	uint64_t tenths = tenths_of(part, whole);

	if (tenths == 0 && part > 0) {
		ic_output_text(output, "<0.1%");
		return;
	}
	ic_output_decimal(output, tenths / 10);
	ic_output_char(output, '.');
	ic_output_decimal(output, tenths % 10);
	ic_output_char(output, '%');
}

// The same, right-aligned in seven characters.
static void write_share(struct ic_output *output, uint64_t part, uint64_t whole)
{
	uint64_t tenths = tenths_of(part, whole);
	bool is_short = tenths < 100 && (tenths > 0 || part == 0);

	ic_output_text(output, is_short ? "   " : tenths < 1000 ? "  " : " ");
	write_percent(output, part, whole);
	ic_output_char(output, '\t');
}

// "1.234 s", from nanoseconds.
static void write_seconds(struct ic_output *output, uint64_t weight)
{
	uint64_t milliseconds = weight / 1000000;

	ic_output_decimal(output, milliseconds / 1000);
	ic_output_char(output, '.');
	ic_output_decimal(output, milliseconds / 100 % 10);
	ic_output_decimal(output, milliseconds / 10 % 10);
	ic_output_decimal(output, milliseconds % 10);
	ic_output_text(output, " s");
}

static void write_whole(struct ic_output *output, const struct ic_profile_row *row)
{
	if (!row->unit && row->whole == row->self_samples) // each sample counts once
		return;
	ic_output_text(output, ", ");
	if (row->unit && strcmp(row->unit, "nanoseconds") == 0) {
		write_seconds(output, row->whole);
		return;
	}
	ic_output_decimal(output, row->whole);
	if (row->unit) {
		ic_output_char(output, ' ');
		ic_output_printable(output, row->unit);
	}
}

static void write_all(struct ic_output *output, const struct ic_profile_row *row)
{
	ic_output_decimal(output, row->self_samples);
	ic_output_text(output, row->self_samples == 1 ? " sample" : " samples");
	if (row->event) {
		ic_output_text(output, " of ");
		ic_output_printable(output, row->event);
	}
	write_whole(output, row);
	if (row->unknown > 0) {
		ic_output_text(output, "; ");
		write_percent(output, row->unknown, row->whole);
		ic_output_text(output, " in unknown functions");
	}
	if (row->no_debug > 0) {
		ic_output_text(output, "; ");
		write_percent(output, row->no_debug, row->whole);
		ic_output_text(output, " without debug information");
	}
	ic_output_char(output, '\n');
}

static void write_heading(struct ic_output *output, enum ic_profile_by by)
{
	switch (by) {
	case IC_PROFILE_BY_FUNCTION:
		ic_output_text(output,
			       "   SELF\t  TOTAL\tINLINED\tFUNCTION\tPLACE\tINLINED INTO\n");
		break;
	case IC_PROFILE_BY_CALL:
		ic_output_text(output, "   SELF\t  TOTAL\tINLINED\tFUNCTION\tCALL\tCALLER\n");
		break;
	case IC_PROFILE_BY_HOST:
		ic_output_text(output, "   SELF\t  TOTAL\tFUNCTION\tPLACE\tFILE\n");
		break;
	case IC_PROFILE_BY_LINE: ic_output_text(output, "   SELF\t  TOTAL\tLINE\n"); break;
	case IC_PROFILE_BY_SOURCE: ic_output_text(output, "   SELF\t  TOTAL\tSOURCE\n"); break;
	case IC_PROFILE_BY_FILE: ic_output_text(output, "   SELF\t  TOTAL\tFILE\n"); break;
	case IC_PROFILE_BY_THREAD: ic_output_text(output, "   SELF\tTHREAD\n"); break;
	case IC_PROFILE_BY_CALLER:
		ic_output_text(output, "  TOTAL\tINLINED\tCALLER\tPLACE\n");
		break;
	case IC_PROFILE_BY_CALLEE:
		ic_output_text(output, "  TOTAL\tINLINED\tCALLEE\tPLACE\n");
		break;
	}
}

static void write_function(struct ic_writer *writer, const struct ic_profile_row *row)
{
	struct ic_output *output = &writer->output;

	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_CALLER);
	ic_words_function(output, row->function);
	ic_words_end_paint(output, writer->options.colors);
	if (!row->function && row->file) {
		ic_output_text(output, " in ");
		ic_output_printable(output, row->file);
	}
}

static void write_place(struct ic_output *output, const struct ic_profile_row *row)
{
	ic_output_char(output, '\t');
	ic_words_position(output, row->decl_file, row->decl_line);
}

// The most important hosts, each with its share.
static void write_hosts(struct ic_output *output, const struct ic_profile_row *row)
{
	enum { MOST = 3 };

	for (size_t i = 0; i < row->host_count && i < MOST; i++) {
		ic_output_text(output, i == 0 ? "\t" : ", ");
		ic_words_function(output, row->hosts[i].function);
		ic_output_char(output, ' ');
		write_percent(output, row->hosts[i].total, row->whole);
	}
	if (row->host_count > MOST) {
		ic_output_text(output, " and ");
		ic_output_decimal(output, row->host_count - MOST);
		ic_output_text(output, " more");
	}
}

static void write_thread(struct ic_output *output, const struct ic_profile_row *row)
{
	ic_output_printable(output, row->thread ? row->thread : "??");
	ic_output_char(output, ' ');
	ic_output_decimal(output, row->pid);
	ic_output_char(output, '/');
	ic_output_decimal(output, row->tid);
}

static void write_what(struct ic_writer *writer, const struct ic_profile_row *row)
{
	struct ic_output *output = &writer->output;

	switch (row->group) {
	case IC_PROFILE_BY_FUNCTION:
		write_function(writer, row);
		write_place(output, row);
		write_hosts(output, row);
		break;
	case IC_PROFILE_BY_CALL:
		write_function(writer, row);
		ic_output_char(output, '\t');
		ic_words_position(output, row->call_file, row->call_line);
		ic_output_char(output, '\t');
		ic_words_function(output, row->caller);
		break;
	case IC_PROFILE_BY_HOST:
		write_function(writer, row);
		write_place(output, row);
		ic_output_char(output, '\t');
		ic_output_printable(output, row->file ? row->file : "??");
		break;
	case IC_PROFILE_BY_LINE: ic_words_position(output, row->source, row->line); break;
	case IC_PROFILE_BY_SOURCE:
		ic_output_printable(output, row->source ? row->source : "??");
		break;
	case IC_PROFILE_BY_FILE: ic_output_printable(output, row->file ? row->file : "??"); break;
	case IC_PROFILE_BY_THREAD: write_thread(output, row); break;
	case IC_PROFILE_BY_CALLER:
	case IC_PROFILE_BY_CALLEE:
		if (row->function || row->file)
			write_function(writer, row);
		else
			ic_output_text(output, row->group == IC_PROFILE_BY_CALLER ? "(unknown)"
										  : "(itself)");
		write_place(output, row);
		break;
	}
}

static void write_shares(struct ic_output *output, const struct ic_profile_row *row)
{
	bool is_neighbour = row->group == IC_PROFILE_BY_CALLER ||
			    row->group == IC_PROFILE_BY_CALLEE;

	if (!is_neighbour)
		write_share(output, row->self, row->whole);
	if (row->group != IC_PROFILE_BY_THREAD)
		write_share(output, row->total, row->whole);
	if (row->group == IC_PROFILE_BY_FUNCTION || row->group == IC_PROFILE_BY_CALL ||
	    is_neighbour)
		write_share(output, row->total_inlined, row->whole);
}

static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_profile_row *row = data;

	if (row->unknown != UINT64_MAX) { // the row for all samples
		ic_writer_begin_line(writer);
		write_all(&writer->output, row);
		writer->is_new_table = true;
		return;
	}
	if (ic_writer_begin_line(writer) || writer->is_new_table)
		write_heading(&writer->output, row->group);
	writer->is_new_table = false;
	write_shares(&writer->output, row);
	write_what(writer, row);
	ic_output_char(&writer->output, '\n');
}

void ic_writer_init_profile_text(struct ic_writer *writer)
{
	writer->write = write_row;
}
