#include "style_llvm_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "style.h"

// The name of a clone: libiberty has "f() [clone .isra.0] [clone .cold]", LLVM "f()
// (.isra.0.cold)".
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

// The name as the source has it, to be freed; NULL where the symbol is its name.
static char *demangle(const char *symbol)
{
	const char *suffix = strchr(symbol, '.');
	char *name = NULL;

	if (symbol[0] != '_' || (symbol[1] != 'Z' && symbol[1] != 'R'))
		return NULL;
	if (suffix && (name = demangle_clone(symbol, suffix)))
		return name;
	return ic_demangle(symbol, IC_DEMANGLE_FULL, &name) ? name : NULL;
}

// A string of JSON. What is not UTF-8 becomes the replacement character, a byte at a time.
static size_t utf8_length(const unsigned char *at)
{
	static const struct {
		unsigned char mask, bits, least; // least: of the second byte, or of the first
	} forms[] = {
		{ 0x80, 0, 0 }, { 0xe0, 0xc0, 0xc2 }, { 0xf0, 0xe0, 0xe0 }, { 0xf8, 0xf0, 0xf0 }
	};

	for (size_t i = 0; i < 4; i++) {
		if ((at[0] & forms[i].mask) != forms[i].bits || at[0] < forms[i].least)
			continue;
		for (size_t j = 1; j <= i; j++)
			if ((at[j] & 0xc0) != 0x80)
				return 0;
		bool overlong = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xf0 && at[1] < 0x90);
		bool beyond = (at[0] == 0xed && at[1] > 0x9f) || at[0] > 0xf4 ||
			      (at[0] == 0xf4 && at[1] > 0x8f);
		return overlong || beyond ? 0 : i + 1;
	}
	return 0;
}

static void put_json(const char *text)
{
	putchar('"');
	for (const unsigned char *at = (const unsigned char *)text; *at;) {
		size_t length = utf8_length(at);
		if (*at == '"' || *at == '\\')
			printf("\\%c", *at);
		else if (*at == '\t' || *at == '\n' || *at == '\r')
			fputs(*at == '\t' ? "\\t" : *at == '\n' ? "\\n" : "\\r", stdout);
		else if (*at < ' ')
			printf("\\u%04x", *at);
		else if (length == 0)
			fputs("\xef\xbf\xbd", stdout);
		else
			fwrite(at, 1, length, stdout);
		at += length > 0 ? length : 1;
	}
	putchar('"');
}

static void put_json_field(const char *key, const char *text)
{
	printf("\"%s\":", key);
	put_json(text ? text : "");
}

// An answer's object, to its keys that come before those of the answer itself.
static void begin_object(struct llvm_printer *printer, const struct llvm_request *request)
{
	if (printer->in_list && printer->has_items)
		putchar(',');
	printer->has_items = true;
	printf("{\"Address\":\"0x%" PRIx64 "\"", request->address);
}

static void end_object(const struct llvm_printer *printer)
{
	fputs(printer->in_list ? "}" : "}\n", stdout);
}

static const char *shown_file(const struct llvm_printer *printer, const char *file)
{
	return file && printer->base_names ? cli_style_base_name(file) : file;
}

static int digits_of_last_line(uint64_t last)
{
	int digits = 0; // as LLVM has it: those of one less

	for (uint64_t power = 1; power < last; power *= 10)
		digits++;
	return digits;
}

// The lines of the source around one, each behind its number; NULL where there are none.
static char *source_context(const struct llvm_printer *printer, const char *path, uint32_t line)
{
	uint32_t half = printer->context / 2, first = line > half + 1 ? line - half : 1;
	uint64_t last = (uint64_t)first + printer->context - 1;
	char *text = NULL, *source = NULL;
	size_t size, capacity = 0;
	ssize_t length;
	FILE *file = printer->context > 0 && path ? fopen(path, "r") : NULL;
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

static void put_json_frame(const struct llvm_printer *printer, const struct llvm_frame *frame)
{
	char *demangled = printer->demangle && frame->function ? demangle(frame->function) : NULL;
	char *source = source_context(printer, frame->file, frame->line);

	printf("{\"Column\":%u,\"Discriminator\":%u,", frame->column, frame->discriminator);
	put_json_field("FileName", shown_file(printer, frame->file));
	putchar(',');
	put_json_field("FunctionName", demangled ? demangled : frame->function);
	printf(",\"Line\":%u,", frame->line);
	if (source && *source) {
		put_json_field("Source", source);
		putchar(',');
	}
	if (frame->has_start)
		printf("\"StartAddress\":\"0x%" PRIx64 "\",", frame->start);
	else
		fputs("\"StartAddress\":\"\",", stdout);
	put_json_field("StartFileName", shown_file(printer, frame->start_file));
	printf(",\"StartLine\":%u}", frame->start_line);
	free(source);
	free(demangled);
}

static void put_json_frames(struct llvm_printer *printer, const struct llvm_request *request,
			    const struct llvm_frame *frames, size_t count)
{
	begin_object(printer, request);
	putchar(',');
	put_json_field("ModuleName", request->module);
	fputs(",\"Symbol\":[", stdout);
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			putchar(',');
		put_json_frame(printer, &frames[i]);
	}
	putchar(']');
	end_object(printer);
}

static void put_name(const struct llvm_printer *printer, const char *name)
{
	char *demangled = printer->demangle && name ? demangle(name) : NULL;

	cli_style_put(demangled ? demangled : name ? name : "??");
	free(demangled);
}

static void put_verbose(const struct llvm_printer *printer, const struct llvm_frame *frame)
{
	const char *file = shown_file(printer, frame->file);
	const char *start_file = shown_file(printer, frame->start_file);

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
}

static void put_location(const struct llvm_printer *printer, const struct llvm_frame *frame)
{
	const char *file = shown_file(printer, frame->file);
	char *source = source_context(printer, frame->file, frame->line);

	cli_style_put(file ? file : "??");
	printf(":%u", frame->line);
	if (printer->output == LLVM_OUTPUT_LLVM)
		printf(":%u", frame->column);
	else if (frame->discriminator > 0)
		printf(" (discriminator %u)", frame->discriminator);
	putchar('\n');
	if (source)
		fputs(source, stdout);
	free(source);
}

static void put_head(const struct llvm_printer *printer, const struct llvm_request *request)
{
	if (printer->addresses)
		printf("0x%" PRIx64 "%s", request->address, printer->pretty ? ": " : "\n");
}

static void put_foot(const struct llvm_printer *printer)
{
	if (printer->output == LLVM_OUTPUT_LLVM)
		putchar('\n');
}

void llvm_print_begin(struct llvm_printer *printer)
{
	if (printer->output == LLVM_OUTPUT_JSON && printer->in_list)
		putchar('[');
}

void llvm_print_frames(struct llvm_printer *printer, const struct llvm_request *request,
		       const struct llvm_frame *frames, size_t count)
{
	static const struct llvm_frame unknown = { .function = NULL };

	if (printer->output == LLVM_OUTPUT_JSON) {
		put_json_frames(printer, request, frames, count);
		return;
	}
	put_head(printer, request);
	for (size_t i = 0; i < count || i == 0; i++) {
		const struct llvm_frame *frame = count > 0 ? &frames[i] : &unknown;
		if (printer->functions) {
			if (printer->pretty && i > 0)
				fputs(" (inlined by) ", stdout);
			put_name(printer, frame->function);
			fputs(printer->pretty ? " at " : "\n", stdout);
		}
		if (printer->verbose)
			put_verbose(printer, frame);
		else
			put_location(printer, frame);
	}
	put_foot(printer);
}

void llvm_print_data(struct llvm_printer *printer, const struct llvm_request *request,
		     const char *name, uint64_t start, uint64_t size)
{
	if (printer->output != LLVM_OUTPUT_JSON) {
		put_head(printer, request);
		put_name(printer, name);
		printf("\n%" PRIu64 " %" PRIu64 "\n", start, size);
		put_foot(printer);
		return;
	}
	char *demangled = printer->demangle && name ? demangle(name) : NULL;

	begin_object(printer, request);
	fputs(",\"Data\":{", stdout);
	put_json_field("Name", demangled ? demangled : name);
	printf(",\"Size\":\"0x%" PRIx64 "\",\"Start\":\"0x%" PRIx64 "\"},", size, start);
	put_json_field("ModuleName", request->module);
	end_object(printer);
	free(demangled);
}

void llvm_print_variables(struct llvm_printer *printer, const struct llvm_request *request)
{
	if (printer->output != LLVM_OUTPUT_JSON) {
		put_head(printer, request);
		fputs("??\n", stdout);
		put_foot(printer);
		return;
	}
	begin_object(printer, request);
	fputs(",\"Frame\":[],", stdout);
	put_json_field("ModuleName", request->module);
	end_object(printer);
}

void llvm_print_error(struct llvm_printer *printer, const struct llvm_request *request,
		      const char *message)
{
	begin_object(printer, request);
	fputs(",\"Error\":{", stdout);
	put_json_field("Message", message);
	fputs("},", stdout);
	put_json_field("ModuleName", request->module);
	end_object(printer);
}

void llvm_print_invalid(struct llvm_printer *printer, const char *module, const char *line)
{
	char *message = NULL;

	if (printer->output != LLVM_OUTPUT_JSON) {
		puts(line);
		return;
	}
	if (asprintf(&message, "unable to parse arguments: %s", line) < 0)
		message = NULL;
	if (printer->in_list && printer->has_items)
		putchar(',');
	printer->has_items = true;
	fputs("{\"Error\":{", stdout);
	put_json_field("Message", message ? message : "unable to parse arguments");
	fputs("},", stdout);
	put_json_field("ModuleName", module);
	end_object(printer);
	free(message);
}

void llvm_print_end(struct llvm_printer *printer)
{
	if (printer->output == LLVM_OUTPUT_JSON && printer->in_list)
		puts("]");
}
