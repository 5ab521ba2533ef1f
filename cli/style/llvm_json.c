// JSON in LLVM's layout: on one line, or indented; keys in alphabetical order.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "style/llvm_print.h"

// The size of the UTF-8 character; 0 if it is invalid.
static size_t utf8_length(const unsigned char *at)
{
	static const struct {
		unsigned char mask, bits, least; // all for the first byte
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

// Writes a string; each byte that is not UTF-8 becomes the replacement character.
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

// ---- Structure

static void put_new_line(const struct llvm_printer *printer)
{
	if (printer->pretty)
		printf("\n%*s", (int)(2 * printer->depth), "");
}

// Starts an item of an array, or a value with its key.
static void put_key(struct llvm_printer *printer, const char *key)
{
	if (printer->has_items)
		putchar(',');
	if (printer->depth > 0)
		put_new_line(printer);
	printer->has_items = true;
	if (key)
		printf(printer->pretty ? "\"%s\": " : "\"%s\":", key);
}

static void begin_value(struct llvm_printer *printer, const char *key, char bracket)
{
	put_key(printer, key);
	putchar(bracket);
	printer->depth++;
	printer->has_items = false;
}

static void end_value(struct llvm_printer *printer, char bracket)
{
	printer->depth--;
	if (printer->has_items)
		put_new_line(printer);
	putchar(bracket);
	printer->has_items = true;
	if (printer->depth == 0) {
		putchar('\n');
		printer->has_items = false;
	}
}

static void put_text(struct llvm_printer *printer, const char *key, const char *text)
{
	put_key(printer, key);
	put_json(text ? text : "");
}

static void put_number(struct llvm_printer *printer, const char *key, int64_t number)
{
	put_key(printer, key);
	printf("%" PRId64, number);
}

static void put_hex(struct llvm_printer *printer, const char *key, uint64_t number)
{
	put_key(printer, key);
	printf("\"0x%" PRIx64 "\"", number);
}

// ---- Answers

// Starts the object of an answer, with the keys that precede the answer's own.
static void begin_object(struct llvm_printer *printer, const struct llvm_request *request)
{
	begin_value(printer, NULL, '{');
	if (request->has_address)
		put_hex(printer, "Address", request->address);
}

static void end_request(struct llvm_printer *printer, const struct llvm_request *request)
{
	put_text(printer, "ModuleName", request->module);
	if (request->symbol)
		put_text(printer, "SymName", request->symbol);
}

static void put_frame(struct llvm_printer *printer, const struct llvm_frame *frame, bool has_source)
{
	char *demangled = llvm_demangled(printer, frame->function);
	char *source = has_source ? llvm_source_context(printer, frame) : NULL;

	begin_value(printer, NULL, '{');
	if (frame->is_approximate) {
		put_key(printer, "Approximate");
		fputs("true", stdout);
	}
	put_number(printer, "Column", frame->column);
	put_number(printer, "Discriminator", frame->discriminator);
	put_text(printer, "FileName", llvm_shown_file(printer, frame->file));
	put_text(printer, "FunctionName", demangled ? demangled : frame->function);
	put_number(printer, "Line", frame->line);
	if (source && *source)
		put_text(printer, "Source", source);
	if (frame->has_start)
		put_hex(printer, "StartAddress", frame->start);
	else
		put_text(printer, "StartAddress", NULL);
	put_text(printer, "StartFileName", llvm_shown_file(printer, frame->start_file));
	put_number(printer, "StartLine", frame->start_line);
	end_value(printer, '}');
	free(source);
	free(demangled);
}

void llvm_json_begin(struct llvm_printer *printer)
{
	if (printer->in_list)
		begin_value(printer, NULL, '[');
}

void llvm_json_frames(struct llvm_printer *printer, const struct llvm_request *request,
		      const char *key, const struct llvm_frame *frames, size_t count)
{
	bool is_chain = strcmp(key, "Symbol") == 0;

	begin_object(printer, request);
	if (is_chain)
		end_request(printer, request);
	begin_value(printer, key, '[');
	for (size_t i = 0; i < count; i++)
		put_frame(printer, &frames[i], is_chain);
	end_value(printer, ']');
	if (!is_chain)
		end_request(printer, request);
	end_value(printer, '}');
}

void llvm_json_data(struct llvm_printer *printer, const struct llvm_request *request,
		    const struct llvm_data *data)
{
	char *demangled = llvm_demangled(printer, data->name);

	begin_object(printer, request);
	begin_value(printer, "Data", '{');
	put_text(printer, "Name", demangled ? demangled : data->name);
	put_hex(printer, "Size", data->size);
	put_hex(printer, "Start", data->start);
	end_value(printer, '}');
	end_request(printer, request);
	end_value(printer, '}');
	free(demangled);
}

static void put_optional(struct llvm_printer *printer, const char *key, bool is_known,
			 uint64_t number)
{
	if (is_known)
		put_hex(printer, key, number);
	else
		put_text(printer, key, NULL);
}

static void put_local(struct llvm_printer *printer, const struct ic_local *local)
{
	begin_value(printer, NULL, '{');
	put_text(printer, "DeclFile", local->decl_file);
	put_number(printer, "DeclLine", local->decl_line);
	if (local->has_frame_offset)
		put_number(printer, "FrameOffset", local->frame_offset);
	put_text(printer, "FunctionName", local->function);
	put_text(printer, "Name", local->name);
	put_optional(printer, "Size", local->has_size, local->size);
	put_optional(printer, "TagOffset", local->has_tag_offset, local->tag_offset);
	end_value(printer, '}');
}

void llvm_json_variables(struct llvm_printer *printer, const struct llvm_request *request,
			 const struct ic_local *locals, size_t count)
{
	begin_object(printer, request);
	begin_value(printer, "Frame", '[');
	for (size_t i = 0; i < count; i++)
		put_local(printer, &locals[i]);
	end_value(printer, ']');
	end_request(printer, request);
	end_value(printer, '}');
}

void llvm_json_error(struct llvm_printer *printer, const struct llvm_request *request,
		     const char *message)
{
	begin_object(printer, request);
	begin_value(printer, "Error", '{');
	put_text(printer, "Message", message);
	end_value(printer, '}');
	end_request(printer, request);
	end_value(printer, '}');
}

void llvm_json_end(struct llvm_printer *printer)
{
	if (printer->in_list)
		end_value(printer, ']');
}
