#include <inlinecall/extra/lines.h>

#include "unit_test.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "alloc_meter.h"
#include "fixtures/elf.h"
#include "fixtures/lookup.h"
#include "fixtures/split.h"

#include "dwarf_constants.h"

enum { MOST_FRAMES = 8 };

static void put_frames(FILE *out, const struct ic_frame *frames, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fprintf(out, " %s %s:%" PRIu32, frames[i].function ? frames[i].function : "?",
			frames[i].file ? frames[i].file : "?", frames[i].line);
	fputc('\n', out);
}

// The code of a line, each range with the frames there, the innermost first; if there is none, what
// else is known. To be freed.
static char *text_of(struct ic_symbolizer *symbolizer, const char *file, uint32_t line)
{
	struct ic_error err = { .message = "" };
	struct ic_lines *lines = ic_lines_find(symbolizer, file, line, &err);
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!lines)
		fail_msg("%s", err.message);
	for (size_t i = 0; i < ic_lines_count(lines); i++) {
		struct ic_frame frames[MOST_FRAMES];
		struct ic_line_place place;
		size_t count = ic_lines_get(lines, i, &place, frames, MOST_FRAMES);

		assert_int_equal(place.line, line);
		assert_true(count <= MOST_FRAMES);
		assert_int_equal(ic_lines_get(lines, i, &place, NULL, 0), count);
		fprintf(out, "0x%" PRIx64 "-0x%" PRIx64 " %s", place.range.start, place.range.end,
			place.file);
		if (place.column > 0 || place.discriminator > 0)
			fprintf(out, ":%" PRIu32 ".%" PRIu32, place.column, place.discriminator);
		fprintf(out, place.is_stmt ? " stmt:" : ":");
		assert_true(count > 0);
		assert_string_equal(frames->file, place.file);
		assert_int_equal(frames->line, place.line);
		assert_int_equal(frames->column, place.column);
		assert_int_equal(frames->discriminator, place.discriminator);
		put_frames(out, frames, count);
	}
	if (ic_lines_count(lines) == 0)
		fprintf(out, "%s, next %" PRIu32, ic_lines_has_file(lines) ? "none" : "no file",
			ic_lines_next(lines));
	else
		assert_int_equal(ic_lines_next(lines), 0);
	ic_lines_free(lines);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void check_lines(struct lookup *lookup, const char *file, uint32_t line, const char *wanted)
{
	char *text = text_of(lookup->symbolizer, file, line);

	assert_string_equal(text, wanted);
	free(text);
}

static struct dwarf_builder *two_units(uint16_t version)
{
	struct dwarf_builder *dw = scan_builder(version);

	program_put(dw, &(struct program_unit){ .name = "b.c", .start = 0x2000 });
	program_put(dw, &(struct program_unit){ .name = "a.c", .start = 0x1000 });
	return dw;
}

TEST(a_line_has_its_code_and_the_frames_there)
{
	for (uint16_t version = 2; version <= 5; version++) {
		struct lookup lookup;

		lookup_open(&lookup, two_units(version));
		check_lines(
			&lookup, "a.c", 2,
			"0x1010-0x1020 /src/a.c stmt: a.c.leaf /src/a.c:2 a.c.main /src/a.c:7\n");
		check_lines(&lookup, "a.c", 3,
			    "0x1020-0x1100 /src/a.c stmt: a.c.main /src/a.c:3\n");
		check_lines(&lookup, "src/b.c", 1,
			    "0x2000-0x2010 /src/b.c stmt: b.c.main /src/b.c:1\n");
		check_lines(&lookup, "", 1, "no file, next 0");
		assert_string_equal(lookup_problems(&lookup), "");
		lookup_close(&lookup);
	}
}

TEST(where_a_line_has_no_code_the_next_that_has_is_named)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct dw_line_header header = dw_line_header_default(dw);
	static const char *const dirs[] = { "/src", NULL };
	static const struct dw_line_file files[] = { { .path = "c.c" }, { .path = "c.h" }, { 0 } };
	struct lookup lookup;
	struct ic_error err;

	header.dirs = dirs;
	header.files = files;
	dw_line_begin(dw, "lines", &header);
	dw_line_address(dw, 0x1000);
	dw_line_row(dw, 0, 9);
	dw_line_row(dw, 0x10, -5);
	dw_line_row(dw, 0x10, 15);
	dw_line_end_sequence(dw, 0x10);
	dw_line_end(dw);
	scan_unit_of(dw, "c.c", DW_LANG_C99);
	dw_low_high(dw, 0x1000, 0x1030);
	dw_stmt_list(dw, "lines");
	scan_unit_done(dw);
	lookup_open(&lookup, dw);
	check_lines(&lookup, "c.h", 1, "none, next 5");
	check_lines(&lookup, "c.h", 6, "none, next 10");
	check_lines(&lookup, "c.h", 19, "none, next 20");
	check_lines(&lookup, "c.h", 21, "none, next 0");
	check_lines(&lookup, "c.h", UINT32_MAX, "none, next 0");
	check_lines(&lookup, "c.c", 1, "no file, next 0"); // without a row
	check_lines(&lookup, "d.c", 1, "no file, next 0");
	check_lines(&lookup, "", 1, "no file, next 0");
	check_lines(&lookup, "c.h", 5, "0x1010-0x1020 /src/c.h stmt: ? /src/c.h:5\n");
	assert_null(ic_lines_find(lookup.symbolizer, NULL, 1, &err));
	assert_error(&err, IC_ERROR_ARGUMENT, "no source file given");
	lookup_close(&lookup);
}

TEST(files_may_be_asked_for_in_turn)
{
	struct lookup lookup;

	lookup_open(&lookup, two_units(5));
	for (uint32_t i = 0; i < 3; i++) {
		check_lines(&lookup, "a.c", 1,
			    "0x1000-0x1010 /src/a.c stmt: a.c.main /src/a.c:1\n");
		check_lines(&lookup, "a.c", 1,
			    "0x1000-0x1010 /src/a.c stmt: a.c.main /src/a.c:1\n");
		check_lines(&lookup, "c.c", 1, "no file, next 0");
		check_lines(&lookup, "/b.c", 1, "no file, next 0");
		check_lines(&lookup, "b.c", 1,
			    "0x2000-0x2010 /src/b.c stmt: b.c.main /src/b.c:1\n");
	}
	assert_lookup(&lookup, 0x1010, PROGRAM_LEAF("a.c"));
	lookup_close(&lookup);
}

TEST(what_was_found_stays_when_another_file_is_asked_for)
{
	struct ic_lines *lines, *others;
	struct ic_frame frames[2];
	struct ic_line_place place;
	struct lookup lookup;

	lookup_open(&lookup, two_units(5));
	lines = ic_lines_find(lookup.symbolizer, "a.c", 2, NULL);
	others = ic_lines_find(lookup.symbolizer, "b.c", 2, NULL);
	assert_int_equal(ic_lines_count(lines), 1);
	assert_int_equal(ic_lines_get(lines, 0, &place, frames, 2), 2);
	assert_int_equal(place.range.start, 0x1010);
	assert_string_equal(place.file, "/src/a.c");
	assert_string_equal(frames[1].function, "a.c.main");
	ic_lines_free(others);
	ic_lines_free(lines);
	ic_lines_free(NULL);
	lookup_close(&lookup);
}

TEST(the_first_frame_has_the_line_though_another_row_has_the_address)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct dw_line_header header = dw_line_header_default(dw);
	static const char *const dirs[] = { "/src", NULL };
	static const struct dw_line_file files[] = { { .path = "c.c" }, { .path = "c.c" }, { 0 } };
	struct lookup lookup;

	header.dirs = dirs;
	header.files = files;
	dw_line_begin(dw, "lines", &header);
	dw_line_address(dw, 0x1000);
	dw_raw(dw, DW_BYTES(DW_LNS_set_column, 5, 0, 2, DW_LNE_set_discriminator, 6));
	dw_line_row(dw, 0, 9);
	dw_line_row(dw, 0, 1);
	dw_line_end_sequence(dw, 0x10);
	dw_line_end(dw);
	scan_unit_of(dw, "c.c", DW_LANG_C99);
	dw_low_high(dw, 0x1000, 0x1010);
	dw_stmt_list(dw, "lines");
	scan_host(dw, "main", 0x1000, 0x1010);
	dw_die_end(dw);
	scan_unit_done(dw);
	lookup_open(&lookup, dw);
	check_lines(&lookup, "c.c", 10, "0x1000-0x1000 /src/c.c:5.6 stmt: main /src/c.c:10\n");
	check_lines(&lookup, "c.c", 11, "0x1000-0x1010 /src/c.c:5.0 stmt: main /src/c.c:11\n");
	lookup_close(&lookup);
}

// A line table with one sequence of rows at these addresses, of which the last is the end; line 5.
static void put_rows(struct dwarf_builder *dw, const char *label, const uint64_t *addrs,
		     size_t count)
{
	static const char *const dirs[] = { "/src", NULL };
	static const struct dw_line_file files[] = { { .path = "a.c" }, { .path = "a.c" }, { 0 } };
	struct dw_line_header header = dw_line_header_default(dw);

	header.dirs = dirs;
	header.files = files;
	dw_line_begin(dw, label, &header);
	dw_line_address(dw, addrs[0]);
	dw_line_row(dw, 0, 4);
	for (size_t i = 1; i + 1 < count; i++)
		dw_line_row(dw, (uint32_t)(addrs[i] - addrs[i - 1]), 0);
	dw_line_end_sequence(dw, (uint32_t)(addrs[count - 1] - addrs[count - 2]));
	dw_line_end(dw);
}

#define PUT_ROWS(dw, label, ...)                               \
	put_rows(dw, label, (const uint64_t[]){ __VA_ARGS__ }, \
		 COUNT_OF(((const uint64_t[]){ __VA_ARGS__ })))

static void put_copy(struct dwarf_builder *dw, uint64_t start, uint64_t end, uint8_t call_line)
{
	scan_inlined(dw, "leaf", start, end);
	dw_data1(dw, DW_AT_call_line, call_line);
	dw_die_end(dw);
}

TEST(each_copy_has_places_of_its_own)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct lookup lookup;

	PUT_ROWS(dw, "lines", 0x1000, 0x1004, 0x1008, 0x1010, 0x1020);
	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_low_high(dw, 0x1000, 0x1020);
	dw_stmt_list(dw, "lines");
	scan_abstract(dw, "leaf");
	scan_host(dw, "main", 0x1000, 0x1020);
	put_copy(dw, 0x1000, 0x1008, 7); // of two rows
	put_copy(dw, 0x1008, 0x100c, 7); // from a row on; another copy of the same call
	put_copy(dw, 0x100c, 0x1010, 8); // the rest of its code
	dw_die_end(dw);
	scan_unit_done(dw);
	lookup_open(&lookup, dw);
	check_lines(&lookup, "a.c", 5,
		    "0x1000-0x1008 /src/a.c stmt: leaf /src/a.c:5 main ?:7\n"
		    "0x1008-0x100c /src/a.c stmt: leaf /src/a.c:5 main ?:7\n"
		    "0x100c-0x1010 /src/a.c: leaf /src/a.c:5 main ?:8\n"
		    "0x1010-0x1020 /src/a.c stmt: main /src/a.c:5\n");
	lookup_close(&lookup);
}

TEST(a_place_ends_where_another_unit_answers)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct lookup lookup;

	PUT_ROWS(dw, "lines", 0x1000, 0x1040);
	scan_unit_of(dw, "a.c", DW_LANG_C99); // which has the row, and says that all is its code
	dw_low_high(dw, 0x1000, 0x1040);
	dw_stmt_list(dw, "lines");
	scan_host(dw, "first", 0x1000, 0x1008);
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_unit_of(dw, "b.c", DW_LANG_C99); // likewise
	dw_low_high(dw, 0x1010, 0x1030);
	scan_host(dw, "second", 0x1018, 0x1020);
	dw_die_end(dw);
	scan_unit_done(dw);
	lookup_open(&lookup, dw);
	check_lines(&lookup, "a.c", 5,
		    "0x1000-0x1008 /src/a.c stmt: first /src/a.c:5\n"
		    "0x1008-0x1018 /src/a.c: ? /src/a.c:5\n"
		    "0x1018-0x1020 /src/a.c: second /src/a.c:5\n"
		    "0x1020-0x1040 /src/a.c: ? /src/a.c:5\n");
	lookup_close(&lookup);
}

TEST(a_place_ends_where_another_symbol_is_all_that_is_known)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct elf_builder *elf = elf_begin(ET_EXEC);
	static const char *const names[] = { "first", "second", "third" };
	struct lookup lookup;

	PUT_ROWS(dw, "lines", 0x1000, 0x1004, 0x1008, 0x1030);
	scan_unit_of(dw, "a.c", DW_LANG_Mips_Assembler);
	dw_low_high(dw, 0x1000, 0x1030);
	dw_stmt_list(dw, "lines");
	scan_unit_done(dw);
	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	for (uint64_t i = 0; i < 3; i++)
		elf_add_symbol(elf, (struct elf_symbol){ .name = names[i],
							 .section = ".text",
							 .value = 0x1000 + 8 * i * i,
							 .size = i == 2 ? 0 : 8, // to the next
							 .type = STT_FUNC,
							 .bind = STB_GLOBAL });
	lookup_open_elf(&lookup, elf);
	check_lines(&lookup, "a.c", 5,
		    "0x1000-0x1008 /src/a.c stmt: first /src/a.c:5\n"
		    "0x1008-0x1010 /src/a.c stmt: second /src/a.c:5\n"
		    "0x1010-0x1020 /src/a.c: ? /src/a.c:5\n"
		    "0x1020-0x1030 /src/a.c: third /src/a.c:5\n"); // within a row
	lookup_close(&lookup);
}

TEST(the_line_table_of_a_split_unit_is_its_skeletons)
{
	static const char *const dirs[] = { "/src", NULL };
	static const struct dw_line_file files[] = { { .path = "a.c" }, { .path = "a.c" }, { 0 } };

	for (uint32_t i = 0; i < SPLIT_FORMAT_COUNT; i++) {
		struct dwarf_format format = split_format_number(i);
		struct split_unit unit = { .id = 1,
					   .name = "one",
					   .dwo_name = "a.dwo",
					   .comp_dir = "/src",
					   .start = 0x1000,
					   .has_high_pc = true,
					   .lines = "lines" };
		struct dwarf_builder *dw = dwarf_builder_new(format);
		struct elf_builder *program = split_elf(format, false);
		struct elf_builder *dwo = split_elf(format, true);
		struct dw_line_header header = dw_line_header_default(dw);
		struct lookup lookup;

		header.dirs = format.version < 5 ? dirs + 1 : dirs;
		header.files = format.version < 5 ? files + 1 : files;
		dw_line_begin(dw, "lines", &header);
		dw_line_address(dw, 0x1010);
		dw_line_row(dw, 0, 7);
		dw_line_end_sequence(dw, 0x10);
		dw_line_end(dw);
		split_write_units(dw, &unit, 1);
		elf_add_dwarf_part(program, dw, false);
		elf_add_dwarf_part(dwo, dw, true);
		dwarf_builder_free(dw);
		const char *path = elf_end_at(dwo, "a.dwo");
		lookup_open_path(&lookup, elf_end_at(program, "program"));
		check_lines(&lookup, "a.c", 8,
			    "0x1010-0x1018 /src/a.c stmt: one.inlined /src/a.c:8 one ?:0\n"
			    "0x1018-0x1020 /src/a.c: one /src/a.c:8\n");
		assert_string_equal(lookup_problems(&lookup), "");
		lookup_close(&lookup);
		unlink(path);
		lookup_open_path(&lookup, temp_path("program"));
		check_lines(&lookup, "a.c", 8, "0x1010-0x1020 /src/a.c stmt: ? /src/a.c:8\n");
		assert_non_null(strstr(lookup_problems(&lookup), "a.dwo"));
		lookup_close(&lookup);
	}
}

TEST(of_a_file_whose_units_cannot_be_relocated_no_line_is_known)
{
	static const uint8_t zeros[64];
	static const struct section_reloc beyond = { .off = 5000, .size = 4, .target = ".text" };
	struct elf_builder *elf = elf_begin(ET_REL);
	struct lookup lookup;

	elf_add_code(elf, ".text", 0, 16);
	elf_add_section(elf, (struct elf_section){ .name = ".debug_info",
						   .bytes = { zeros, sizeof(zeros) } });
	elf_add_relocs(elf, ".debug_info", &beyond, 1);
	lookup_open_elf(&lookup, elf);
	for (int i = 0; i < 2; i++)
		check_lines(&lookup, "a.c", 1, "no file, next 0");
	const char *problems = lookup_problems(&lookup);
	assert_non_null(strstr(problems, "relocation"));
	assert_ptr_equal(strchr(problems, '\n') + 1, problems + strlen(problems)); // said once
	lookup_close(&lookup);
}

static void *ask(void *context)
{
	struct ic_symbolizer *symbolizer = context;

	for (uint32_t i = 0; i < 50; i++) {
		char *text = text_of(symbolizer, i & 1 ? "a.c" : "src/b.c", 2);
		assert_string_equal(text,
				    i & 1 ? "0x1010-0x1020 /src/a.c stmt: a.c.leaf /src/a.c:2 "
					    "a.c.main /src/a.c:7\n"
					  : "0x2010-0x2020 /src/b.c stmt: b.c.leaf /src/b.c:2 "
					    "b.c.main /src/b.c:7\n");
		free(text);
	}
	return NULL;
}

TEST(any_number_of_threads_may_ask)
{
	struct lookup lookup;
	pthread_t threads[4];

	lookup_open(&lookup, two_units(5));
	for (uint32_t i = 0; i < COUNT_OF(threads); i++)
		assert_int_equal(pthread_create(&threads[i], NULL, ask, lookup.symbolizer), 0);
	for (uint32_t i = 0; i < COUNT_OF(threads); i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	lookup_close(&lookup);
}

static size_t live_after(struct ic_symbolizer *symbolizer, int times)
{
	for (int i = 0; i < times; i++)
		ic_lines_free(ic_lines_find(symbolizer, i & 1 ? "a.c" : "b.c", 1, NULL));
	return alloc_meter_live();
}

TEST(asking_for_two_files_in_turn_takes_no_more_memory_each_time)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct lookup lookup;

	program_put(dw, &(struct program_unit){ .name = "a.c", .start = 0x1000 });
	program_put(dw, &(struct program_unit){ .name = "b.c", .start = 0x2000 });
	lookup_open(&lookup, dw);
	size_t live = live_after(lookup.symbolizer, 10);
	assert_int_equal(live_after(lookup.symbolizer, 4000), live);
	lookup_close(&lookup);
}

UNIT_TESTS(symbolize_lines)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_has_its_code_and_the_frames_there),
		cmocka_unit_test(where_a_line_has_no_code_the_next_that_has_is_named),
		cmocka_unit_test(files_may_be_asked_for_in_turn),
		cmocka_unit_test(what_was_found_stays_when_another_file_is_asked_for),
		cmocka_unit_test(the_first_frame_has_the_line_though_another_row_has_the_address),
		cmocka_unit_test(each_copy_has_places_of_its_own),
		cmocka_unit_test(a_place_ends_where_another_unit_answers),
		cmocka_unit_test(a_place_ends_where_another_symbol_is_all_that_is_known),
		cmocka_unit_test(the_line_table_of_a_split_unit_is_its_skeletons),
		cmocka_unit_test(of_a_file_whose_units_cannot_be_relocated_no_line_is_known),
		cmocka_unit_test(any_number_of_threads_may_ask),
		cmocka_unit_test(asking_for_two_files_in_turn_takes_no_more_memory_each_time),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
