#include "style/llvm_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "style/file.h"

// Demangles the name of a clone in LLVM's format, "f() (.isra.0.cold)"; libiberty's is "f() [clone
// .isra.0] [clone .cold]".
static char *demangle_clone(const char *symbol, const char *suffix)
{
	char *base = strndup(symbol, (size_t)(suffix - symbol)), *name = NULL, *whole = NULL;

	if (base && ic_demangle(base, IC_DEMANGLE_FULL, &name) && name &&
	    asprintf(&whole, "%s (%s)", name, suffix) < 0)
		whole = NULL;
	free(name);
	free(base);
	return whole;
}

// LLVM 15 and later write "a<b<c>>"; older versions and libiberty "a<b<c> >".
static void close_brackets_together(char *name)
{
	char *to = name;

	for (const char *from = name; *from; from++)
		if (!(from[0] == ' ' && from[1] == '>' && to > name && to[-1] == '>'))
			*to++ = *from;
	*to = 0;
}

char *llvm_demangled(const struct llvm_printer *printer, const char *symbol)
{
	char *name = NULL;

	if (!printer->demangle || !symbol || symbol[0] != '_' ||
	    (symbol[1] != 'Z' && symbol[1] != 'R'))
		return NULL;
	const char *suffix = strchr(symbol, '.');
	if ((!suffix || !(name = demangle_clone(symbol, suffix))) &&
	    !ic_demangle(symbol, IC_DEMANGLE_FULL, &name))
		return NULL;
	if (name && !printer->of_14)
		close_brackets_together(name);
	return name;
}

const char *llvm_shown_file(const struct llvm_printer *printer, const char *file)
{
	return file && printer->base_names ? cli_base_name(file) : file;
}

static int digits_of_last_line(uint64_t last)
{
	int digits = 0; // of last - 1, as in LLVM

	for (uint64_t power = 1; power < last; power *= 10)
		digits++;
	return digits;
}

static FILE *open_source(const struct llvm_frame *frame)
{
	if (frame->source)
		return fmemopen((char *)frame->source, strlen(frame->source), "r");
	return frame->file ? fopen(frame->file, "r") : NULL;
}

char *llvm_source_context(const struct llvm_printer *printer, const struct llvm_frame *frame)
{
	uint32_t line = frame->line;
	uint32_t half = printer->context / 2, first = line > half + 1 ? line - half : 1;
	uint64_t last = (uint64_t)first + printer->context - 1;
	char *text = NULL, *source = NULL;
	size_t size, capacity = 0;
	ssize_t length;
	FILE *file = printer->context > 0 ? open_source(frame) : NULL;
	FILE *stream = file ? open_memstream(&text, &size) : NULL;

	for (uint64_t number = 1;
	     stream && number <= last && (length = getline(&source, &capacity, file)) >= 0;
	     number++) {
		if (number < first)
			continue;
		if (length > 0 && source[length - 1] == '\n')
			source[--length] = 0;
		if (length > 0 && source[length - 1] == '\r')
			source[--length] = 0;
		fprintf(stream, "%*" PRIu64 "%s%s\n", digits_of_last_line(last), number,
			number == line ? " >: " : "  : ", source);
	}
	free(source);
	if (file)
		fclose(file);
	if (stream)
		fclose(stream);
	return text;
}

static void put_name(const struct llvm_printer *printer, const char *name)
{
	char *demangled = llvm_demangled(printer, name);

	cli_style_put(demangled ? demangled : name ? name : "??");
	free(demangled);
}

static void put_verbose(const struct llvm_printer *printer, const struct llvm_frame *frame)
{
	const char *file = llvm_shown_file(printer, frame->file);
	const char *start_file = llvm_shown_file(printer, frame->start_file);

	fputs("  Filename: ", stdout);
	cli_style_put(file ? file : "??");
	if (frame->start_line > 0) {
		fputs("\n  Function start filename: ", stdout);
		cli_style_put(start_file ? start_file : "<invalid>");
		printf("\n  Function start line: %u", frame->start_line);
	}
	if (frame->has_start && printer->output == LLVM_OUTPUT_LLVM)
		printf("\n  Function start address: 0x%" PRIx64, frame->start);
	printf("\n  Line: %u\n  Column: %u\n", frame->line, frame->column);
	if (frame->discriminator > 0)
		printf("  Discriminator: %u\n", frame->discriminator);
	if (frame->is_approximate)
		puts("  Approximate: true");
}

static void put_location(const struct llvm_printer *printer, const struct llvm_frame *frame)
{
	const char *file = llvm_shown_file(printer, frame->file);
	char *source = llvm_source_context(printer, frame);

	cli_style_put(file ? file : "??");
	printf(":%u", frame->line);
	if (printer->output == LLVM_OUTPUT_LLVM)
		printf(":%u", frame->column);
	else if (frame->discriminator > 0)
		printf(" (discriminator %u)", frame->discriminator);
	puts(frame->is_approximate ? " (approximate)" : "");
	if (source)
		fputs(source, stdout);
	free(source);
}

static void put_head(const struct llvm_printer *printer, const struct llvm_request *request)
{
	if (printer->addresses && request->has_address)
		printf("0x%" PRIx64 "%s", request->address, printer->pretty ? ": " : "\n");
}

static void put_foot(const struct llvm_printer *printer)
{
	if (printer->output == LLVM_OUTPUT_LLVM)
		putchar('\n');
}

void llvm_print_begin(struct llvm_printer *printer)
{
	if (printer->output == LLVM_OUTPUT_JSON)
		llvm_json_begin(printer);
}

static void put_frame(const struct llvm_printer *printer, const struct llvm_frame *frame,
		      bool is_caller)
{
	if (printer->functions) {
		if (printer->pretty && is_caller)
			fputs(" (inlined by) ", stdout);
		put_name(printer, frame->function);
		fputs(printer->pretty ? " at " : "\n", stdout);
	}
	if (printer->verbose)
		put_verbose(printer, frame);
	else
		put_location(printer, frame);
}

static void put_frames(struct llvm_printer *printer, const struct llvm_request *request,
		       const struct llvm_frame *frames, size_t count, bool is_chain)
{
	static const struct llvm_frame unknown = { .function = NULL };

	put_head(printer, request);
	for (size_t i = 0; i < count || i == 0; i++)
		put_frame(printer, count > 0 ? &frames[i] : &unknown, is_chain && i > 0);
	put_foot(printer);
}

void llvm_print_frames(struct llvm_printer *printer, const struct llvm_request *request,
		       const struct llvm_frame *frames, size_t count)
{
	if (printer->output == LLVM_OUTPUT_JSON)
		llvm_json_frames(printer, request, "Symbol", frames, count);
	else
		put_frames(printer, request, frames, count, true);
}

void llvm_print_places(struct llvm_printer *printer, const struct llvm_request *request,
		       const struct llvm_frame *frames, size_t count)
{
	if (printer->output == LLVM_OUTPUT_JSON)
		llvm_json_frames(printer, request, "Loc", frames, count);
	else
		put_frames(printer, request, frames, count, false);
}

void llvm_print_data(struct llvm_printer *printer, const struct llvm_request *request,
		     const struct llvm_data *data)
{
	if (printer->output == LLVM_OUTPUT_JSON) {
		llvm_json_data(printer, request, data);
		return;
	}
	put_head(printer, request);
	put_name(printer, data->name);
	printf("\n%" PRIu64 " %" PRIu64 "\n", data->start, data->size);
	if (!printer->of_14 && data->file) {
		cli_style_put(data->file);
		printf(":%u\n", data->line);
	} else if (!printer->of_14) {
		fputs("??:?\n", stdout);
	}
	put_foot(printer);
}

static void put_text(const char *text)
{
	cli_style_put(text ? text : "??");
}

static void put_local(const struct ic_local *local)
{
	put_text(local->function);
	putchar('\n');
	put_text(local->name);
	putchar('\n');
	put_text(local->decl_file);
	printf(":%u\n", local->decl_line);
	if (local->has_frame_offset)
		printf("%" PRId64 " ", local->frame_offset);
	else
		fputs("?? ", stdout);
	if (local->has_size)
		printf("%" PRIu64 " ", local->size);
	else
		fputs("?? ", stdout);
	if (local->has_tag_offset)
		printf("%" PRIu64 "\n", local->tag_offset);
	else
		fputs("??\n", stdout);
}

void llvm_print_variables(struct llvm_printer *printer, const struct llvm_request *request,
			  const struct ic_local *locals, size_t count)
{
	if (printer->output == LLVM_OUTPUT_JSON) {
		llvm_json_variables(printer, request, locals, count);
		return;
	}
	put_head(printer, request);
	for (size_t i = 0; i < count; i++)
		put_local(&locals[i]);
	if (count == 0)
		fputs("??\n", stdout);
	put_foot(printer);
}

void llvm_print_error(struct llvm_printer *printer, const struct llvm_request *request,
		      const char *message)
{
	llvm_json_error(printer, request, message);
}

void llvm_print_invalid(struct llvm_printer *printer, const char *module, const char *line)
{
	const struct llvm_request request = { .module = module };
	char *message = NULL;

	if (printer->output != LLVM_OUTPUT_JSON) {
		puts(line);
		return;
	}
	if (asprintf(&message, "unable to parse arguments: %s", line) < 0)
		message = NULL;
	llvm_json_error(printer, &request, message ? message : "unable to parse arguments");
	free(message);
}

void llvm_print_end(struct llvm_printer *printer)
{
	if (printer->output == LLVM_OUTPUT_JSON)
		llvm_json_end(printer);
}
