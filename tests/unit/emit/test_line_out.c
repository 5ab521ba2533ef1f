// Rows that are written and read again.
#include "emit/line_out.h"

#include "unit_test.h"

#include <stdlib.h>

#include "dwarf/lines/rows.h"

enum { ROWS = 4000 };

static const char *const files[] = { "/src/a.c", "/src/b.h", "c.go" };

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1103515245 + 12345;
	return *state >> 8;
}

// Rows with steps of all sizes: those of special opcodes, beside them, and beyond.
static void make_rows(struct ic_code_row *rows, uint32_t count)
{
	uint32_t random = 1, off = 0, line = 1;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t choice = next_random(&random) % 8;
		rows[i] = (struct ic_code_row){ .addr_off = off,
						.file = next_random(&random) % 3,
						.line = line,
						.column = choice < 4 ? choice & 3 : 0,
						.is_approximate = choice == 7,
						.discriminator = choice == 5 ? random % 300 : 0 };
		off += 1 + next_random(&random) % (choice == 6 ? 100000 : 40);
		line += next_random(&random) % 30;
		line = choice == 3 ? 1 : choice == 4 ? 100000 : line > 12 ? line - 12 : 1;
	}
}

static struct ic_bytes bytes_of(const void *bytes, uint32_t size)
{
	return (struct ic_bytes){ bytes, size };
}

static void check_rows(const struct ic_lines_out *lines, const struct ic_code_map *map,
		       uint32_t off)
{
	const struct ic_dwarf dwarf = {
		.line = bytes_of(lines->line.bytes.items, lines->line.bytes.count),
		.line_str = bytes_of(lines->strings.bytes.items, lines->strings.bytes.count),
		.swap = lines->line.swap,
	};
	const struct ic_unit unit = { .dwarf = &dwarf,
				      .version = (uint16_t)lines->version,
				      .addr_size = (uint8_t)lines->addr_size,
				      .offset_size = 4,
				      .root.has_stmt_list = true,
				      .root.line_off = off };
	struct ic_line_header header = { 0 };
	struct ic_line_program program;
	struct ic_line_row row;
	struct ic_error err;
	char path[64];

	assert_true(ic_line_header_parse(&header, &unit, UINT64_MAX, &err));
	for (uint32_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		ic_line_file_path(&header, &unit, i + 1, path, sizeof(path));
		assert_string_equal(path, files[i]);
	}
	ic_line_program_open(&program, &header, &unit, UINT64_MAX);
	for (uint32_t i = 0; i < map->sequence_count; i++) {
		const struct ic_code_sequence *sequence = &map->sequences[i];
		for (uint32_t j = 0; j < sequence->row_count; j++) {
			const struct ic_code_row *wanted = &map->rows[sequence->first_row + j];
			assert_int_equal(ic_line_program_next(&program, &row), IC_LINE_ROW);
			assert_int_equal(row.addr, sequence->range.start + wanted->addr_off);
			assert_int_equal(row.file, wanted->file + 1);
			assert_int_equal(row.line, wanted->is_approximate ? 0 : wanted->line);
			assert_int_equal(row.column, wanted->column);
			assert_int_equal(row.discriminator, wanted->discriminator);
			assert_int_equal(row.flags, IC_LINE_IS_STMT);
		}
		assert_int_equal(ic_line_program_next(&program, &row), IC_LINE_ROW);
		assert_int_equal(row.addr, sequence->range.end);
		assert_true(row.flags & IC_LINE_END_SEQUENCE);
	}
	assert_int_equal(ic_line_program_next(&program, &row), IC_LINE_END);
	assert_true(ic_line_program_ok(&program, &err));
	ic_line_program_close(&program);
	ic_line_header_free(&header);
}

static void check_format(unsigned version, unsigned addr_size, bool is_big)
{
	struct ic_code_row *rows = calloc(ROWS, sizeof(*rows));
	const struct ic_code_row *last = &rows[ROWS - 1];

	make_rows(rows, ROWS);
	// The second sequence has one row.
	const struct ic_code_sequence sequences[] = {
		{ { 0x401000, 0x401000 + rows[ROWS - 2].addr_off + 300 }, 0, ROWS - 1 },
		{ { 0x10, 0x18 + last->addr_off }, ROWS - 1, 1 },
	};
	const struct ic_code_map map = {
		.sequences = sequences, .sequence_count = 2, .rows = rows, .row_count = ROWS
	};
	struct ic_lines_out lines = { .version = version,
				      .addr_size = addr_size,
				      .line.swap = is_big != IC_HOST_IS_BIG_ENDIAN };

	assert_int_equal(ic_lines_out_put(&lines, &map, files, 3), 0);
	uint32_t second = ic_lines_out_put(&lines, &map, files, 3);
	assert_false(lines.failed || lines.line.failed);
	check_rows(&lines, &map, 0);
	check_rows(&lines, &map, second);
	ic_lines_out_free(&lines);
	free(rows);
}

TEST(rows_are_read_as_they_were)
{
	check_format(4, 8, false);
	check_format(5, 8, false);
	check_format(4, 4, true);
	check_format(5, 4, true);
}

static uint32_t read_addrs(const struct ic_lines_out *lines, uint64_t *addrs, uint32_t room)
{
	const struct ic_dwarf dwarf = {
		.line = bytes_of(lines->line.bytes.items, lines->line.bytes.count),
		.line_str = bytes_of(lines->strings.bytes.items, lines->strings.bytes.count),
	};
	const struct ic_unit unit = { .dwarf = &dwarf,
				      .version = 5,
				      .addr_size = 8,
				      .offset_size = 4,
				      .root.has_stmt_list = true };
	struct ic_line_header header = { 0 };
	struct ic_line_program program;
	struct ic_line_row row;
	struct ic_error err;
	uint32_t count = 0;

	assert_true(ic_line_header_parse(&header, &unit, UINT64_MAX, &err));
	ic_line_program_open(&program, &header, &unit, UINT64_MAX);
	while (ic_line_program_next(&program, &row) == IC_LINE_ROW) {
		assert_true(count < room);
		addrs[count++] = row.addr;
		if (!(row.flags & IC_LINE_END_SEQUENCE)) {
			assert_int_equal(row.line, row.addr < 0x1010 ? 7 : 8);
			assert_int_equal(row.discriminator, row.addr < 0x1010 ? 3 : 0);
		}
	}
	assert_true(ic_line_program_ok(&program, &err));
	ic_line_program_close(&program);
	ic_line_header_free(&header);
	return count;
}

static const struct ic_code_row two_rows[] = {
	{ .addr_off = 0, .line = 7, .discriminator = 3 },
	{ .addr_off = 0x10, .line = 8 },
};

// Copies begin before the sequence, in each row, with a row, and beyond the end.
static const struct ic_segment starts[] = {
	{ 0xff0, 0 },  { 0x1000, 1 }, { 0x1004, 2 },       { 0x1008, 1 },
	{ 0x1010, 2 }, { 0x101f, 1 }, { 0x1020, IC_NONE },
};

TEST(a_row_is_repeated_where_the_code_of_another_copy_begins)
{
	static const uint64_t wanted[] = { 0x1000, 0x1004, 0x1008, 0x1010, 0x101f, 0x1020 };
	const struct ic_code_sequence sequence = { { 0x1000, 0x1020 }, 0, 2 };
	const struct ic_code_map map = { .instances = { starts, COUNT_OF(starts), false },
					 .sequences = &sequence,
					 .sequence_count = 1,
					 .rows = two_rows,
					 .row_count = 2 };
	struct ic_lines_out lines = { .version = 5, .addr_size = 8 };
	uint64_t addrs[COUNT_OF(wanted)];

	ic_lines_out_put(&lines, &map, files, 3);
	assert_int_equal(read_addrs(&lines, addrs, COUNT_OF(addrs)), COUNT_OF(wanted));
	assert_memory_equal(addrs, wanted, sizeof(wanted));
	ic_lines_out_free(&lines);
}

TEST(sequences_that_all_hold_the_same_copies_repeat_no_more_rows_than_there_are_copies)
{
	struct ic_code_sequence sequences[100];
	const struct ic_code_map map = { .instances = { starts, COUNT_OF(starts), false },
					 .sequences = sequences,
					 .sequence_count = COUNT_OF(sequences),
					 .rows = two_rows,
					 .row_count = 2 };
	struct ic_lines_out lines = { .version = 5, .addr_size = 8 };
	uint64_t addrs[400];

	for (uint32_t i = 0; i < COUNT_OF(sequences); i++)
		sequences[i] = (struct ic_code_sequence){ { 0x1000, 0x1020 }, 0, 2 };
	ic_lines_out_put(&lines, &map, files, 3);
	assert_in_range(read_addrs(&lines, addrs, COUNT_OF(addrs)), 301, 300 + COUNT_OF(starts));
	ic_lines_out_free(&lines);
}

UNIT_TESTS(emit_line_out)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_read_as_they_were),
		cmocka_unit_test(a_row_is_repeated_where_the_code_of_another_copy_begins),
		cmocka_unit_test(
			sequences_that_all_hold_the_same_copies_repeat_no_more_rows_than_there_are_copies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
