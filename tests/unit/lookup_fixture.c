#include "lookup_fixture.h"

#include "unit_test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <inlinecall/image.h>

#include "elf_fixture.h"

#include "dwarf_constants.h"

static struct elf_builder *program_of(struct dwarf_builder *dw)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	return elf;
}

static struct ic_image *open_image(const char *path)
{
	struct ic_error err = { .message = "" };
	struct ic_image *image = ic_image_open(path, NULL, &err);

	if (!image)
		fail_msg("%s", err.message);
	return image;
}

// The end of a text that open_memstream() began.
static const char *close_text(FILE *out, char **text)
{
	assert_int_equal(fclose(out), 0);
	return *text;
}

static FILE *open_text(char **text, size_t *size)
{
	free(*text);
	FILE *out = open_memstream(text, size);
	assert_non_null(out);
	return out;
}

static void put_place(FILE *out, const char *file, const struct ic_frame *at)
{
	fprintf(out, " %s:%" PRIu32, file ? file : "?", at->line);
	if (at->column > 0 || at->discriminator > 0)
		fprintf(out, ":%" PRIu32, at->column);
	if (at->discriminator > 0)
		fprintf(out, ".%" PRIu32, at->discriminator);
}

// ---- Units that are read by hand

void unit_scan_open_path(struct unit_scan *of, const char *path)
{
	struct ic_error err = { .message = "" };

	*of = (struct unit_scan){ .image = open_image(path),
				  .want = { .jobs = 2, .code_map = true } };
	of->problems.arena = &of->index.arena;
	of->debug = ic_debug_hold(of->image, &err);
	bool ok = of->debug && ic_scan_image_begin(&of->index, of->image, &of->problems, &err) &&
		  ic_debug_load(of->debug, 1, &of->problems, &err) &&
		  ic_scan_file_need_all(&of->debug->main, 1, &err) &&
		  ic_scan_open(&of->scan, &of->index, of->debug, &of->want, &of->problems, &err);
	if (!ok)
		fail_msg("%s", err.message);
}

void unit_scan_open(struct unit_scan *of, struct dwarf_builder *dw)
{
	unit_scan_open_path(of, elf_end_at(program_of(dw), "a.out"));
}

void unit_scan_close(struct unit_scan *of)
{
	ic_scan_close(&of->scan);
	ic_debug_release(of->debug);
	IC_ARRAY_FREE(&of->problems.list);
	ic_arena_free(&of->index.arena);
	ic_image_close(of->image);
	free(of->text);
}

void unit_scan_read(struct unit_scan *of)
{
	uint32_t count = of->scan.context.units.units.count;
	uint32_t *numbers = calloc(count + 1, sizeof(*numbers));
	struct ic_error err;

	for (uint32_t i = 0; i < count; i++)
		numbers[i] = i;
	const struct ic_scan_request request = { .wanted = of->wanted };
	assert_true(ic_scan_units(&of->scan, numbers, count, &request, &of->problems, &err));
	free(numbers);
}

static void put_rows(FILE *out, const struct ic_unit_model *unit)
{
	const struct ic_code_map *map = &unit->code_map;

	for (uint32_t i = 0; i < map->sequence_count; i++) {
		const struct ic_code_sequence *sequence = &map->sequences[i];
		fprintf(out, "0x%" PRIx64 "-0x%" PRIx64 "\n", sequence->range.start,
			sequence->range.end);
		for (uint32_t j = 0; j < sequence->row_count; j++) {
			const struct ic_code_row *row = &map->rows[sequence->first_row + j];
			const struct ic_frame at = { .line = row->line,
						     .column = row->column,
						     .discriminator = row->discriminator };
			fprintf(out, " +0x%" PRIx32, row->addr_off);
			put_place(out, row->file == IC_NONE ? NULL : unit->files[row->file], &at);
			fputs(row->is_approximate ? " approximate" : "", out);
			fputc('\n', out);
		}
	}
}

const char *unit_scan_rows(struct unit_scan *of)
{
	size_t size;
	FILE *out = open_text(&of->text, &size);

	for (uint32_t i = 0; i < of->index.unit_count; i++) {
		const struct ic_unit_model *unit = &of->index.units[i];
		fprintf(out, "unit %s\n", unit->name ? unit->name : "?");
		put_rows(out, unit);
		for (uint32_t j = 0; j < unit->problem_count; j++)
			fprintf(out, "problem %s\n", unit->problems[j].message);
	}
	return close_text(out, &of->text);
}

// ---- Symbolizers

void lookup_open_path(struct lookup *lookup, const char *path)
{
	struct ic_error err = { .message = "" };

	*lookup = (struct lookup){ .image = open_image(path) };
	lookup->symbolizer = ic_symbolizer_new(lookup->image, NULL, &err);
	if (!lookup->symbolizer)
		fail_msg("%s", err.message);
}

void lookup_open_elf(struct lookup *lookup, struct elf_builder *elf)
{
	lookup_open_path(lookup, elf_end_at(elf, "a.out"));
}

void lookup_open(struct lookup *lookup, struct dwarf_builder *dw)
{
	lookup_open_elf(lookup, program_of(dw));
}

void lookup_close(struct lookup *lookup)
{
	ic_symbolizer_free(lookup->symbolizer);
	ic_image_close(lookup->image);
	free(lookup->text);
}

static const char *put_frames(struct lookup *lookup, const struct ic_frame *frames, size_t count)
{
	size_t size;
	FILE *out = open_text(&lookup->text, &size);

	for (size_t i = 0; i < count; i++) {
		const char *name = frames[i].function ? frames[i].function : "?";
		if (i > 0)
			fputc(' ', out);
		fprintf(out, frames[i].is_symbol ? "[%s]" : "%s", name);
		put_place(out, frames[i].file, &frames[i]);
		if (frames[i].inlined)
			fprintf(out, " in");
	}
	return close_text(out, &lookup->text);
}

const char *lookup_text(struct lookup *lookup, uint64_t addr)
{
	size_t count = ic_symbolizer_frames_at(lookup->symbolizer, addr, NULL, 0);
	struct ic_frame *frames = calloc(count + 1, sizeof(*frames));

	assert_int_equal(ic_symbolizer_frames_at(lookup->symbolizer, addr, frames, count), count);
	put_frames(lookup, frames, count);
	free(frames);
	return lookup->text;
}

const char *lookup_stack(struct lookup *lookup, const struct ic_stacks *stacks, size_t number)
{
	const struct ic_frame *frames;
	size_t count = ic_stacks_get(stacks, number, &frames);

	return put_frames(lookup, frames, count);
}

const char *lookup_problems(struct lookup *lookup)
{
	size_t size;
	FILE *out = open_text(&lookup->text, &size);
	struct ic_index_problem problem;

	for (uint64_t i = 0; ic_symbolizer_problem_get(lookup->symbolizer, i, &problem); i++)
		fprintf(out, "%s\n", problem.message);
	return close_text(out, &lookup->text);
}

// ---- Programs

static void put_lines(struct dwarf_builder *dw, const struct program_unit *unit, const char *label)
{
	const char *const dirs[] = { "/src", NULL };
	const struct dw_line_file files[] = { { .path = unit->name },
					      { .path = unit->name },
					      { 0 } };
	bool is_old = dw_format(dw).version < 5;
	struct dw_line_header header = dw_line_header_default(dw);

	header.dirs = is_old ? dirs + 1 : dirs;
	header.files = is_old ? files + 1 : files;
	dw_line_begin(dw, label, &header);
	dw_line_address(dw, unit->start);
	dw_line_row(dw, 0, 0);
	dw_line_row(dw, 0x10, 1);
	dw_line_row(dw, 0x10, 1);
	dw_line_end_sequence(dw, 0xe0);
	dw_line_end(dw);
}

static void put_root(struct dwarf_builder *dw, const struct program_unit *unit, const char *lines)
{
	const struct dw_range ranges[] = { { unit->start, unit->start + 0x40 },
					   { unit->start + 0x40, unit->start + 0x100 } };

	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile, .label = unit->name });
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_string(dw, DW_AT_name, unit->name);
	dw_string(dw, DW_AT_comp_dir, "/src");
	if (unit->root == PROGRAM_PAIR)
		dw_low_high(dw, unit->start, unit->start + 0x100);
	if (unit->root == PROGRAM_RANGES) {
		dw_addr(dw, DW_AT_low_pc, 0);
		dw_ranges(dw, ranges, 2);
	}
	if (!unit->no_lines)
		dw_stmt_list(dw, lines);
}

void program_put(struct dwarf_builder *dw, const struct program_unit *unit)
{
	char lines[64], leaf[64], origin[64], host[64];

	snprintf(lines, sizeof(lines), "%s.lines", unit->name);
	snprintf(leaf, sizeof(leaf), "%s.leaf", unit->name);
	snprintf(origin, sizeof(origin), "%s.leaf", unit->origin ? unit->origin : unit->name);
	snprintf(host, sizeof(host), "%s.main", unit->name);
	if (!unit->no_lines)
		put_lines(dw, unit, lines);
	put_root(dw, unit, lines);
	scan_abstract(dw, leaf);
	scan_host(dw, host, unit->start, unit->start + 0x100);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref_addr(dw, DW_AT_abstract_origin, origin);
	dw_low_high(dw, unit->start + 0x10, unit->start + 0x20);
	if (!unit->no_lines)
		dw_data1(dw, DW_AT_call_file, 1);
	dw_data1(dw, DW_AT_call_line, 7);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
}
