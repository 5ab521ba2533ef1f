// The text format of thread stacks: a heading per thread, and a line per frame
// (docs/formats/text.md).
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/rows/words.h"
#include "report/text/texts.h"

// Signals that write cores (signal(7)), with the numbers of most machines.
static const char *signal_name(uint64_t number)
{
	static const char *const names[] = {
		[3] = "QUIT", [4] = "ILL",   [5] = "TRAP",  [6] = "ABRT",  [7] = "BUS",
		[8] = "FPE",  [11] = "SEGV", [24] = "XCPU", [25] = "XFSZ", [31] = "SYS"
	};

	return number < sizeof(names) / sizeof(*names) ? names[number] : NULL;
}

// The number of a thread, or of a goroutine.
static void write_number(struct ic_output *output, uint64_t tid, uint64_t goroutine)
{
	ic_output_decimal(output, goroutine != IC_NO_ADDR ? goroutine : tid);
}

static void write_heading(struct ic_writer *writer, const struct ic_thread_row *row)
{
	struct ic_output *output = &writer->output;

	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_HEADING);
	ic_output_text(output, row->is_processor ? "cpu" : row->type);
	ic_output_char(output, ' ');
	write_number(output, row->tid, row->goroutine);
	for (size_t i = 0; i < row->other_count && !row->has_cores; i++) {
		ic_output_char(output, ' ');
		write_number(output, row->others[i].tid, row->others[i].goroutine);
	}
	ic_words_end_paint(output, writer->options.colors);
	if (row->is_processor && row->pid != 0) {
		ic_output_text(output, ", process ");
		ic_output_decimal(output, row->pid);
	} else if ((row->name || row->state) && !row->is_processor) {
		ic_output_text(output, " (");
		ic_output_printable(output, row->state ? row->state : row->name);
		ic_output_char(output, ')');
	}
	if (row->signal != IC_NO_ADDR) {
		const char *name = signal_name(row->signal);

		ic_output_text(output, ", signal ");
		ic_output_decimal(output, row->signal);
		ic_output_text(output, name ? " SIG" : "");
		ic_output_text(output, name ? name : "");
	}
	if (row->other_count > 0) {
		ic_output_text(output, ", ");
		ic_output_decimal(output, row->other_count + 1);
		ic_output_char(output, ' ');
		ic_output_text(output, row->is_processor ? "cpu" : row->type);
		ic_output_char(output, 's');
	}
	ic_output_char(output, '\n');
}

// The threads of each core, if there are several: those of one core are adjacent.
static void write_cores(struct ic_output *output, const struct ic_thread_row *row)
{
	const char *last = NULL;

	for (size_t i = 0; row->has_cores && i <= row->other_count; i++) {
		const char *core = i > 0 ? row->others[i - 1].core : row->core;
		if (!core)
			core = "process";
		if (!last || strcmp(core, last) != 0) {
			ic_output_text(output, last ? "\n     " : "     ");
			ic_output_printable(output, core);
			ic_output_char(output, ':');
			last = core;
		}
		ic_output_char(output, ' ');
		write_number(output, i > 0 ? row->others[i - 1].tid : row->tid,
			     i > 0 ? row->others[i - 1].goroutine : row->goroutine);
	}
	if (last)
		ic_output_char(output, '\n');
}

// A function's name with its arguments, "f (n=3, p=<unavailable>)", or in the usual form if they
// are unknown.
static void write_function(struct ic_output *output, const struct ic_row_thread_frame *frame)
{
	if (frame->argument_count == 0) {
		ic_words_function(output, frame->function);
		return;
	}
	ic_output_printable(output, frame->function ? frame->function : "??");
	for (size_t i = 0; i < frame->argument_count; i++) {
		const struct ic_row_argument *argument = &frame->arguments[i];

		ic_output_text(output, i > 0 ? ", " : " (");
		ic_output_printable(output, argument->name ? argument->name : "?");
		ic_output_char(output, '=');
		if (argument->is_entry_value) { // marked as in GDB: the value comes from the caller
			ic_output_printable(output, argument->name ? argument->name : "?");
			ic_output_text(output, "@entry=");
		}
		ic_output_printable(output, argument->value ? argument->value : "<unavailable>");
	}
	ic_output_char(output, ')');
}

void ic_write_frame(struct ic_writer *writer, const struct ic_row_thread_frame *frame,
		    size_t number)
{
	struct ic_output *output = &writer->output;
	char text[64];

	snprintf(text, sizeof(text), "#%-3zu ", number);
	ic_output_text(output, text);
	snprintf(text, sizeof(text), "0x%016" PRIx64, frame->address);
	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_ADDRESS);
	ic_output_text(output, text);
	ic_words_end_paint(output, writer->options.colors);
	ic_output_char(output, ' ');
	if (frame->signal && !frame->inlined) {
		ic_output_text(output, "<signal handler called>\n");
		return;
	}
	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_CALLER);
	write_function(output, frame);
	ic_words_end_paint(output, writer->options.colors);
	if (frame->file) {
		ic_output_text(output, " at ");
		ic_words_place(output, frame->file, frame->line, frame->column);
	} else if (frame->module) {
		ic_output_text(output, " in ");
		ic_output_printable(output, frame->module);
		if (frame->module_addr != IC_NO_ADDR) {
			ic_output_char(output, '+');
			ic_output_hex(output, frame->module_addr);
		}
	}
	if (frame->inlined)
		ic_output_text(output, " (inlined)");
	if (frame->jit)
		ic_output_text(output, " (JIT)");
	if (frame->how == IC_UNWIND_FRAME_POINTER)
		ic_output_text(output, " (found by frame pointer)");
	if (frame->how == IC_UNWIND_CALL)
		ic_output_text(output, " (found by return address)");
	if (frame->how == IC_UNWIND_TAIL_CALL)
		ic_output_text(output, " (tail call)");
	if (frame->callee) {
		ic_output_text(output, " (calls ");
		ic_words_function(output, frame->callee);
		ic_output_char(output, ')');
	}
	ic_output_char(output, '\n');
}

static void write_variables(struct ic_output *output, const struct ic_row_thread_frame *frame)
{
	for (size_t i = 0; i < frame->variable_count; i++) {
		const struct ic_row_argument *variable = &frame->variables[i];

		ic_output_text(output, "        ");
		ic_output_printable(output, variable->name ? variable->name : "?");
		ic_output_text(output, " = ");
		ic_output_printable(output, variable->value ? variable->value : "<unavailable>");
		ic_output_char(output, '\n');
	}
}

static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_thread_row *row = data;
	struct ic_output *output = &writer->output;

	if (!writer->is_new_table)
		ic_output_char(output, '\n');
	writer->is_new_table = false;
	ic_writer_begin_line(writer);
	write_heading(writer, row);
	write_cores(output, row);
	for (size_t i = 0; i < row->frame_count; i++) {
		ic_write_frame(writer, &row->frames[i], i);
		write_variables(output, &row->frames[i]);
	}
	if (row->end_kind == IC_UNWIND_OUTERMOST)
		return;
	ic_output_text(output, "     no more frames: ");
	ic_output_printable(output, row->end);
	ic_output_char(output, '\n');
}

void ic_writer_init_thread_text(struct ic_writer *writer)
{
	writer->write = write_row;
	writer->is_new_table = true;
}
