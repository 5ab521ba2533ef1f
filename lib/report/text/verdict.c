// The text format of verdicts: for each function some sentences, and the places to probe
// (docs/formats/text.md).
#include <string.h>

#include "report/rows/parameters_text.h"
#include "report/rows/words.h"
#include "report/text/texts.h"

enum { MOST_LISTED = 5 }; // to fit on one screen

static void write_count(struct ic_output *output, uint64_t number, const char *one,
			const char *many)
{
	ic_output_decimal(output, number);
	ic_output_char(output, ' ');
	ic_output_text(output, number == 1 ? one : many);
}

static const char *title_of(enum ic_verdict_kind kind)
{
	switch (kind) {
	case IC_VERDICT_PARTLY: return "partly inlined";
	case IC_VERDICT_FULLY: return "fully inlined";
	case IC_VERDICT_NO_COPY_LEFT: return "not inlined in the remaining code";
	case IC_VERDICT_NEVER: return "never inlined";
	case IC_VERDICT_RESOLVER: return "selected at run time";
	case IC_VERDICT_ALIAS: return "an alias, or folded";
	case IC_VERDICT_SYMBOL_ONLY: return "known only by its symbol";
	case IC_VERDICT_LEFT_OUT: return "left out of this file";
	case IC_VERDICT_DECLARED: return "only declared";
	case IC_VERDICT_OPTIMISED_AWAY: return "inlined, but optimised away";
	case IC_VERDICT_UNUSED: break;
	}
	return "declared, but neither defined nor called";
}

static void write_title(struct ic_writer *writer, const struct ic_verdict_row *row)
{
	struct ic_output *output = &writer->output;

	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_CALLER);
	ic_words_function(output, row->function);
	ic_words_end_paint(output, writer->options.colors);
	if (row->linkage_name && row->function && strcmp(row->linkage_name, row->function) != 0) {
		ic_output_text(output, " [");
		ic_output_printable(output, row->linkage_name);
		ic_output_char(output, ']');
	}
	if (row->decl_file) {
		ic_output_text(output, " at ");
		if (row->decl_line > 0)
			ic_words_position(output, row->decl_file, row->decl_line);
		else
			ic_output_printable(output, row->decl_file);
	}
	ic_output_text(output, ": ");
	ic_output_text(output, title_of(row->kind));
	if (row->declared_inline &&
	    (row->kind == IC_VERDICT_NEVER || row->kind == IC_VERDICT_NO_COPY_LEFT))
		ic_output_text(output, ", though declared inline");
	ic_output_char(output, '\n');
}

static void write_copies(struct ic_output *output, const struct ic_verdict_row *row)
{
	if (row->copies > 0) {
		ic_output_text(output, "  ");
		write_count(output, row->copies, "inlined copy", "inlined copies");
		ic_output_text(output, " in ");
		write_count(output, row->callers, "function", "functions");
		ic_output_text(output, ", ");
		write_count(output, row->bytes, "byte", "bytes");
		if (row->without_code > 0) {
			ic_output_text(output, "; ");
			ic_output_decimal(output, row->without_code);
			ic_output_text(output, " more without code");
		}
		ic_output_text(output, ".\n");
	} else if (row->without_code > 0) {
		ic_output_text(output, "  No code is left of ");
		write_count(output, row->without_code, "inlined copy", "inlined copies");
		ic_output_text(output, ".\n");
	}
}

static void write_place(struct ic_writer *writer, const struct ic_row_place *place)
{
	struct ic_output *output = &writer->output;

	ic_output_char(output, '\t');
	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_ADDRESS);
	ic_words_address(output, place->section, place->address);
	ic_words_end_paint(output, writer->options.colors);
	ic_output_char(output, '\t');
	ic_output_printable(output, place->symbol ? place->symbol : "?");
	if (place->symbol && place->place == IC_VERDICT_COPY) {
		ic_output_char(output, '+');
		ic_output_hex(output, place->offset);
	}
	if (place->place == IC_VERDICT_COPY) {
		ic_output_char(output, '\t');
		ic_words_place(output, place->call_file, place->call_line, place->call_column);
	}
}

static void write_remarks(struct ic_output *output, const struct ic_row_place *place)
{
	const char *const remarks[] = {
		place->place == IC_VERDICT_CLONE      ? "a clone"
		: place->place == IC_VERDICT_PART     ? "a part that is not called"
		: place->place == IC_VERDICT_CHOOSING ? "selects the function to call"
		: place->place == IC_VERDICT_BYPASSED ? "its symbol is elsewhere"
						      : NULL,
		place->described ? NULL : "not described",
		place->ambiguous ? "symbol name is not unique" : NULL,
	};
	const char *between = "\t";

	for (size_t i = 0; i < sizeof(remarks) / sizeof(*remarks); i++) {
		if (!remarks[i])
			continue;
		ic_output_text(output, between);
		ic_output_text(output, remarks[i]);
		between = ", ";
	}
}

static void write_arguments(struct ic_output *output, const struct ic_row_place *place)
{
	const struct ic_parameters_shown shown = { .params = place->params,
						   .count = place->param_count,
						   .variadic = place->variadic,
						   .section = place->section,
						   .addr = place->address };

	if ((place->params || place->is_undescribed) && place->place != IC_VERDICT_PART)
		ic_parameters_write(output, &shown);
}

static void write_places(struct ic_writer *writer, const struct ic_row_place *places, size_t count)
{
	struct ic_output *output = &writer->output;

	for (size_t i = 0; i < count && i < MOST_LISTED; i++) {
		write_place(writer, &places[i]);
		write_remarks(output, &places[i]);
		ic_output_char(output, '\n');
		write_arguments(output, &places[i]);
	}
}

static size_t count_arrivals(const struct ic_verdict_row *row)
{
	size_t count = 0;

	for (size_t i = 0; i < row->code_count; i++)
		count += row->code[i].place == IC_VERDICT_ENTRY ||
			 row->code[i].place == IC_VERDICT_CLONE;
	return count;
}

static void write_calls(struct ic_output *output, uint64_t calls)
{
	if (calls == 0 || calls == IC_STATISTIC_NONE)
		return;
	ic_output_text(output, " (");
	write_count(output, calls, "known", "known");
	ic_output_char(output, ')');
}

static void write_code(struct ic_writer *writer, const struct ic_verdict_row *row)
{
	struct ic_output *output = &writer->output;

	if (row->code_count == 0)
		return;
	if (count_arrivals(row) == 0) {
		ic_output_text(output, "  This code is not reached by calls");
	} else {
		ic_output_text(output, "  Probe here for calls");
		if (row->copies > 0)
			ic_output_text(output, " that were not inlined");
		write_calls(output, row->calls);
	}
	if (row->code_count > MOST_LISTED) {
		ic_output_text(output, ", and at ");
		write_count(output, row->code_count - MOST_LISTED, "more place", "more places");
		ic_output_text(output, ", which 'inlinecall sites -o' lists");
	}
	ic_output_text(output, ":\n");
	write_places(writer, row->code, row->code_count);
}

// "a(), b() and 3 more"
static void write_others(struct ic_output *output, const struct ic_verdict_row *row)
{
	if (row->other_count == 0)
		return;
	ic_output_text(output, "  This code is also named ");
	for (size_t i = 0; i < row->other_count && i < MOST_LISTED; i++) {
		if (i > 0)
			ic_output_text(output, ", ");
		ic_words_function(output, row->others[i].name);
	}
	if (row->other_count > MOST_LISTED) {
		ic_output_text(output, " and ");
		ic_output_decimal(output, row->other_count - MOST_LISTED);
		ic_output_text(output, row->other_count == IC_VERDICT_MOST_OTHERS
					       ? " or more others"
					       : " more");
	}
	ic_output_text(output, ": a probe there sees these calls too.\n");
}

static void write_entries(struct ic_writer *writer, const struct ic_verdict_row *row)
{
	struct ic_output *output = &writer->output;

	if (row->entry_count == 0)
		return;
	ic_output_text(output, row->entered > row->copies
				       ? "  Probe all of these for the inlined copies"
				       : "  Probe here for the inlined copies");
	if (row->entered > row->entry_count) {
		ic_output_text(output, ", and at ");
		write_count(output, row->entered - row->entry_count, "more place", "more places");
		ic_output_text(output, ", which 'inlinecall sites -e' lists");
	}
	ic_output_text(output, ":\n");
	write_places(writer, row->entries, row->entry_count);
}

static bool has_described_code(const struct ic_verdict_row *row)
{
	for (size_t i = 0; i < row->code_count; i++)
		if (row->code[i].described)
			return true;
	return false;
}

// Suggests what to do if there is no place to probe.
static void write_advice(struct ic_output *output, const struct ic_verdict_row *row)
{
	bool is_called = row->calls > 0 && row->calls != IC_STATISTIC_NONE;

	if (row->left_out > 0 && !has_described_code(row))
		ic_output_text(output, "  Its own code is described, but is not in this file.\n");
	else if (row->kind == IC_VERDICT_FULLY && row->code_count == 0)
		ic_output_text(output, "  It has no code of its own.\n");
	if (row->code_count > 0)
		return;
	if (row->kind == IC_VERDICT_OPTIMISED_AWAY || row->kind == IC_VERDICT_UNUSED ||
	    row->kind == IC_VERDICT_LEFT_OUT)
		ic_output_text(output, "  There is nothing to probe in this file.\n");
	if (is_called) {
		ic_output_text(output, "  ");
		write_count(output, row->calls, "call to it is known", "calls to it are known");
		ic_output_text(output, "; to probe it, find the file that defines it.\n");
	}
}

static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_verdict_row *row = data;

	ic_writer_begin_line(writer);
	write_title(writer, row);
	write_copies(&writer->output, row);
	write_advice(&writer->output, row);
	write_code(writer, row);
	write_others(&writer->output, row);
	write_entries(writer, row);
}

void ic_writer_init_verdict_text(struct ic_writer *writer)
{
	writer->write = write_row;
}
