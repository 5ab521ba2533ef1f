#include "row_json.h"

#include <inttypes.h>
#include <stdlib.h>

#include "unit_test.h"

FILE *text_begin(struct text *text)
{
	text->out = open_memstream(&text->text, &text->size);
	assert_non_null(text->out);
	return text->out;
}

// An object whose fields, each with a comma before it, were put into the text, which it frees.
static void put_object(FILE *out, struct text *fields, bool is_next)
{
	fclose(fields->out);
	fprintf(out, "%s{%s}", is_next ? "," : "", fields->text + 1);
	free(fields->text);
}

static void put_text(FILE *out, const char *key, const char *text)
{
	fprintf(out, ",\"%s\":", key);
	if (!text) {
		fputs("null", out);
		return;
	}
	putc('"', out);
	for (; *text; text++)
		fprintf(out, *text == '"' ? "\\%c" : "%c", *text);
	putc('"', out);
}

static void put_addr(FILE *out, const char *key, uint64_t addr)
{
	if (addr == IC_SITE_NO_ADDR)
		fprintf(out, ",\"%s\":null", key);
	else
		fprintf(out, ",\"%s\":\"0x%" PRIx64 "\"", key, addr);
}

static void put_number(FILE *out, const char *key, bool is_known, uint64_t number)
{
	if (is_known)
		fprintf(out, ",\"%s\":%" PRIu64, key, number);
	else
		fprintf(out, ",\"%s\":null", key);
}

static void put_line(FILE *out, const char *key, uint32_t line)
{
	put_number(out, key, line > 0, line);
}

static void put_flag(FILE *out, const char *key, bool flag)
{
	fprintf(out, ",\"%s\":%s", key, flag ? "true" : "false");
}

static void put_ranges(FILE *out, const struct ic_row_range *row_ranges, size_t count)
{
	fputs(",\"ranges\":[", out);
	for (size_t i = 0; i < count; i++) {
		const struct ic_row_range *range = &row_ranges[i];
		fprintf(out, "%s[\"0x%" PRIx64 "\",\"0x%" PRIx64 "\"", i > 0 ? "," : "",
			range->range.start, range->range.end);
		if (range->section)
			fprintf(out, ",\"%s\"", range->section);
		putc(']', out);
	}
	putc(']', out);
}

static void put_chain(FILE *out, const struct ic_site_row *row)
{
	struct text link;

	fputs(",\"chain\":[", out);
	for (size_t i = 0; i < row->chain_count; i++) {
		text_begin(&link);
		put_text(link.out, "function", row->chain[i].function);
		put_text(link.out, "call_file", row->chain[i].call_file);
		put_line(link.out, "call_line", row->chain[i].call_line);
		put_line(link.out, "call_column", row->chain[i].call_column);
		put_object(out, &link, i > 0);
	}
	putc(']', out);
}

static void put_site(FILE *out, const struct ic_site_row *row)
{
	put_text(out, "type", row->type);
	put_text(out, "file", row->file);
	put_text(out, "function", row->function);
	put_text(out, "linkage_name", row->linkage_name);
	put_text(out, "decl_file", row->decl_file);
	put_line(out, "decl_line", row->decl_line);
	put_text(out, "call_file", row->call_file);
	put_line(out, "call_line", row->call_line);
	put_line(out, "call_column", row->call_column);
	put_ranges(out, row->ranges, row->range_count);
	put_text(out, "section", row->section);
	put_addr(out, "entry", row->entry);
	put_text(out, "host", row->host);
	put_text(out, "symbol", row->symbol);
	put_chain(out, row);
	put_text(out, "unit", row->unit);
	put_addr(out, "die", row->die);
	put_text(out, "die_file", row->die_file);
	put_text(out, "entry_symbol", row->entry_symbol);
	put_number(out, "entry_offset", row->entry_offset != IC_SITE_NO_ADDR, row->entry_offset);
	put_flag(out, "part", row->part);
	if (row->kind != IC_SITE_CALL)
		return;
	put_addr(out, "return", row->return_addr);
	put_flag(out, "tail", row->tail);
}

static void put_count(FILE *out, const struct ic_count_row *row)
{
	put_text(out, "type", row->type);
	put_text(out, "file", row->file);
	put_text(out, "function", row->function);
	put_text(out, "linkage_name", row->linkage_name);
	put_text(out, "decl_file", row->decl_file);
	put_line(out, "decl_line", row->decl_line);
	put_number(out, "inlined", true, row->inlined);
	put_number(out, "without_code", true, row->without_code);
	put_number(out, "out_of_line", true, row->out_of_line);
	put_number(out, "calls", true, row->calls);
	put_number(out, "bytes", true, row->bytes);
}

static void put_node(FILE *out, const struct ic_tree_row *row)
{
	put_text(out, "type", row->type);
	put_text(out, "file", row->file);
	put_number(out, "depth", true, row->depth);
	put_text(out, "function", row->function);
	put_text(out, "linkage_name", row->linkage_name);
	put_flag(out, "inlined", row->inlined);
	put_flag(out, "part", row->part);
	put_text(out, "decl_file", row->decl_file);
	put_line(out, "decl_line", row->decl_line);
	put_text(out, "call_file", row->call_file);
	put_line(out, "call_line", row->call_line);
	put_line(out, "call_column", row->call_column);
	put_number(out, "bytes", true, row->bytes);
	put_number(out, "own_bytes", true, row->own_bytes);
	put_ranges(out, row->ranges, row->range_count);
	put_text(out, "section", row->section);
	put_addr(out, "entry", row->entry);
	put_text(out, "host", row->host);
	put_text(out, "symbol", row->symbol);
	put_text(out, "unit", row->unit);
	put_addr(out, "die", row->die);
	put_addr(out, "parent", row->parent);
	put_text(out, "die_file", row->die_file);
}

static void put_known(FILE *out, const char *key, uint64_t number)
{
	put_number(out, key, number != IC_STATISTIC_NONE, number);
}

static void put_statistic(FILE *out, const struct ic_statistic_row *row)
{
	put_text(out, "type", row->type);
	put_text(out, "file", row->file);
	put_text(out, "by", row->by);
	put_text(out, "function", row->function);
	put_text(out, "linkage_name", row->linkage_name);
	put_text(out, "decl_file", row->decl_file);
	put_line(out, "decl_line", row->decl_line);
	put_text(out, "unit", row->unit);
	put_text(out, "inlined", row->inlined);
	put_known(out, "copies", row->copies);
	put_known(out, "without_code", row->without_code);
	put_known(out, "functions", row->functions);
	put_known(out, "callers", row->callers);
	put_known(out, "self_bytes", row->self_bytes);
	put_known(out, "bytes", row->bytes);
	put_known(out, "never", row->never);
	put_known(out, "partly", row->partly);
	put_known(out, "fully", row->fully);
	put_known(out, "out_of_line", row->out_of_line);
	put_known(out, "out_of_line_bytes", row->out_of_line_bytes);
	put_known(out, "code_bytes", row->code_bytes);
}

static void put_argument(FILE *out, const struct ic_argument_row *row)
{
	put_text(out, "type", row->type);
	put_text(out, "file", row->file);
	put_text(out, "by", row->by);
	put_text(out, "name", row->name);
	put_known(out, "functions", row->functions);
	put_known(out, "copies", row->copies);
	put_known(out, "arguments", row->arguments);
	put_known(out, "up_to", row->up_to);
	put_known(out, "few_functions", row->few_functions);
	put_known(out, "few_copies", row->few_copies);
	put_known(out, "few_arguments", row->few_arguments);
	put_known(out, "few_up_to", row->few_up_to);
}

static void put_places(FILE *out, const char *key, const struct ic_row_place *places, size_t count)
{
	struct text place;

	fprintf(out, ",\"%s\":[", key);
	for (size_t i = 0; i < count; i++) {
		text_begin(&place);
		put_text(place.out, "kind", places[i].kind);
		put_addr(place.out, "address", places[i].address);
		put_text(place.out, "section", places[i].section);
		put_text(place.out, "symbol", places[i].symbol);
		put_known(place.out, "offset", places[i].offset);
		put_known(place.out, "bytes", places[i].bytes);
		put_flag(place.out, "ambiguous", places[i].ambiguous);
		put_flag(place.out, "described", places[i].described);
		put_text(place.out, "call_file", places[i].call_file);
		put_line(place.out, "call_line", places[i].call_line);
		put_line(place.out, "call_column", places[i].call_column);
		put_object(out, &place, i > 0);
	}
	putc(']', out);
}

static void put_verdict(FILE *out, const struct ic_verdict_row *row)
{
	put_text(out, "type", row->type);
	put_text(out, "file", row->file);
	put_text(out, "function", row->function);
	put_text(out, "linkage_name", row->linkage_name);
	put_text(out, "decl_file", row->decl_file);
	put_line(out, "decl_line", row->decl_line);
	put_text(out, "verdict", row->verdict);
	put_text(out, "inlined", row->inlined);
	put_flag(out, "declared_inline", row->declared_inline);
	put_known(out, "copies", row->copies);
	put_known(out, "without_code", row->without_code);
	put_known(out, "callers", row->callers);
	put_known(out, "bytes", row->bytes);
	put_known(out, "left_out", row->left_out);
	put_known(out, "calls", row->calls);
	put_known(out, "entered", row->entered);
	put_known(out, "doubtful", row->doubtful);
	put_text(out, "doubts_why_not", row->doubts_why_not);
	put_places(out, "code", row->code, row->code_count);
	put_places(out, "entries", row->entries, row->entry_count);
	fputs(",\"others\":[", out);
	for (size_t i = 0; i < row->other_count; i++)
		fprintf(out, "%s{\"name\":\"%s\"}", i > 0 ? "," : "", row->others[i].name);
	putc(']', out);
}

static void put_frames(FILE *out, const struct ic_stack_row *row)
{
	struct text frame;

	fputs(",\"frames\":[", out);
	for (size_t i = 0; i < row->frame_count; i++) {
		text_begin(&frame);
		put_text(frame.out, "function", row->frames[i].function);
		put_text(frame.out, "linkage_name", row->frames[i].linkage_name);
		put_text(frame.out, "file", row->frames[i].file);
		put_number(frame.out, "line", true, row->frames[i].line);
		put_number(frame.out, "column", true, row->frames[i].column);
		put_number(frame.out, "discriminator", true, row->frames[i].discriminator);
		put_flag(frame.out, "inlined", row->frames[i].inlined);
		put_object(out, &frame, i > 0);
	}
	putc(']', out);
}

static void put_stack(FILE *out, const struct ic_stack_row *row)
{
	put_text(out, "type", row->type);
	put_text(out, "file", row->file);
	if (row->input)
		fputs(",\"address\":null", out);
	else
		fprintf(out, ",\"address\":\"0x%" PRIx64 "\"", row->address);
	if (row->is_line)
		put_addr(out, "end", row->end);
	put_text(out, "section", row->section);
	if (row->is_line)
		put_flag(out, "is_stmt", row->is_stmt);
	put_frames(out, row);
	if (row->is_line)
		return;
	put_text(out, "symbol", row->symbol);
	put_number(out, "symbol_offset", row->symbol_offset != IC_SITE_NO_ADDR, row->symbol_offset);
	put_number(out, "symbol_size", row->symbol_size != IC_SITE_NO_ADDR, row->symbol_size);
	put_text(out, "input", row->input);
}

void put_row(FILE *out, const struct ic_row *row)
{
	struct text line;

	text_begin(&line);
	if (row->site)
		put_site(line.out, row->site);
	else if (row->count)
		put_count(line.out, row->count);
	else if (row->stack)
		put_stack(line.out, row->stack);
	else if (row->tree)
		put_node(line.out, row->tree);
	else if (row->statistic)
		put_statistic(line.out, row->statistic);
	else if (row->argument)
		put_argument(line.out, row->argument);
	else
		put_verdict(line.out, row->verdict);
	put_object(out, &line, false);
	putc('\n', out);
}
