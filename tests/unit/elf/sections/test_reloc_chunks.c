#include "unit_test.h"

#include <elf.h>
#include <stdlib.h>

#include "elf/sections/reloc_chunks.h"

#include "byte_buffer.h"

enum { VALUE = 0x11223344, MOST_CHUNKS = 1 << 15 };

// A table of R_386_32: each relocation adds VALUE to its field, so twice would show.
struct fixture {
	struct ic_reloc_machine machine;
	struct ic_section relocs, target;
	struct byte_buffer entries, data;
	struct ic_chunked_table table;
	struct ic_chunked_tables tables;
};

static const uint64_t symbols[] = { 0, VALUE };

static void fixture_add(struct fixture *fixture, uint32_t off, uint32_t type)
{
	byte_buffer_put(&fixture->entries, off, 4);
	byte_buffer_put(&fixture->entries, 1 << 8 | type, 4);
}

static void fixture_split(struct fixture *fixture, size_t size, uint32_t jobs)
{
	const struct ic_elf_file file = { .machine = EM_386,
					  .addr_size = 4,
					  .swap = IC_HOST_IS_BIG_ENDIAN };
	const struct byte_buffer *entries = &fixture->entries;

	byte_buffer_fill(&fixture->data, 0, size);
	fixture->target.bytes = (struct ic_bytes){ fixture->data.data, fixture->data.size };
	fixture->relocs =
		(struct ic_section){ .type = SHT_REL, .raw = { entries->data, entries->size } };
	assert_true(ic_reloc_machine_init(&fixture->machine, &file));
	fixture->table.table = (struct ic_reloc_table){ &fixture->relocs, &fixture->target, symbols,
							COUNT_OF(symbols) };
	fixture->tables = (struct ic_chunked_tables){ &fixture->machine, &fixture->table, 1 };
	assert_true(ic_chunked_table_init(&fixture->table, &fixture->machine));
	ic_chunked_tables_split(&fixture->tables, jobs);
}

static void fixture_deinit(struct fixture *fixture)
{
	free(fixture->table.chunks);
	byte_buffer_deinit(&fixture->entries);
	byte_buffer_deinit(&fixture->data);
}

static const struct ic_reloc_chunk *apply_part(struct fixture *fixture, uint64_t start,
					       uint64_t end)
{
	return ic_chunked_table_apply_part(&fixture->table, &fixture->machine, start, end);
}

static uint32_t field(const struct fixture *fixture, uint64_t off)
{
	return ic_load32(fixture->data.data + off, IC_HOST_IS_BIG_ENDIAN);
}

static void check_chunk(const struct fixture *fixture, uint64_t number, uint64_t first,
			uint64_t end, uint64_t start)
{
	const struct ic_reloc_chunk *chunk = &fixture->table.chunks[number];

	assert_int_equal(chunk->first, first);
	assert_int_equal(chunk->end, end);
	assert_int_equal(chunk->start, start);
}

TEST(a_chunk_begins_where_no_field_reaches_from_before)
{
	struct fixture fixture = { 0 };

	for (uint32_t i = 0; i < 40; i++) // no chunk can begin before entry 16, nor before 32
		fixture_add(&fixture, i * 9, R_386_32);
	for (uint32_t i = 0; i < 60; i++)
		fixture_add(&fixture, 39 * 9 + 10 + i * 10, R_386_32);
	fixture_split(&fixture, 1000, 1);
	assert_int_equal(fixture.table.chunk_count, 6);
	check_chunk(&fixture, 0, 0, 40, 0);
	check_chunk(&fixture, 1, 40, 48, 39 * 9 + 10);
	check_chunk(&fixture, 2, 48, 64, 39 * 9 + 90);
	check_chunk(&fixture, 3, 64, 80, 39 * 9 + 250);
	check_chunk(&fixture, 4, 80, 96, 39 * 9 + 410);
	check_chunk(&fixture, 5, 96, 100, 39 * 9 + 570);
	fixture_deinit(&fixture);
}

TEST(entries_out_of_order_are_one_chunk)
{
	for (uint32_t low = 0; low < 100; low++) {
		struct fixture fixture = { 0 };

		for (uint32_t i = 0; i < 100; i++)
			fixture_add(&fixture, i == low ? 20 : 100 + i * 10, R_386_32);
		fixture_split(&fixture, 1200, 2);
		assert_int_equal(fixture.table.chunk_count == 1, low > 0);
		assert_null(apply_part(&fixture, 1180, 1190)); // some byte of it: all
		if (low > 0)
			check_chunk(&fixture, 0, 100, 100, 0);
		assert_int_equal(field(&fixture, 20), low > 0 ? VALUE : 0);
		fixture_deinit(&fixture);
	}
}

// Relocation 16, the first of a chunk, is at 160.
TEST(a_part_takes_the_chunks_that_reach_into_it)
{
	static const struct {
		uint64_t start, end;
		bool first, second, third; // chunks that are applied
	} parts[] = {
		{ 0, 1, true, false, false },
		{ 0, 160, true, false, false },
		{ 159, 160, true, false, false },
		{ 160, 161, false, true, false },
		{ 163, 164, false, true, false },
		{ 159, 161, true, true, false },
		{ 159, 321, true, true, true },
		{ 330, UINT64_MAX, false, false, true },
		{ UINT64_MAX - 1, UINT64_MAX, false, false, true },
		{ 160, 160, false, false, false },
		{ 161, 160, false, false, false },
	};

	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		struct fixture fixture = { 0 };

		for (uint32_t j = 0; j < 48; j++)
			fixture_add(&fixture, j * 10, R_386_32);
		fixture_split(&fixture, 480, 1);
		assert_int_equal(fixture.table.chunk_count, 3);
		for (int time = 0; time < 3; time++)
			assert_null(apply_part(&fixture, parts[i].start, parts[i].end));
		for (uint32_t j = 0; j < 48; j++) {
			bool wanted = j < 16   ? parts[i].first
				      : j < 32 ? parts[i].second
					       : parts[i].third;
			assert_int_equal(field(&fixture, j * 10ull), wanted ? VALUE : 0);
		}
		ic_chunked_tables_apply(&fixture.tables, 2); // the rest
		for (uint32_t j = 0; j < 48; j++)
			assert_int_equal(field(&fixture, j * 10ull), VALUE);
		fixture_deinit(&fixture);
	}
}

TEST(a_fault_stops_its_chunk_alone_and_stays)
{
	struct fixture fixture = { 0 };

	for (uint32_t i = 0; i < 48; i++)
		fixture_add(&fixture, i * 10, i == 20 ? 200 : R_386_32); // 200: unknown
	fixture_split(&fixture, 480, 1);
	assert_null(ic_chunked_table_fault(&fixture.table));
	for (int time = 0; time < 2; time++) {
		const struct ic_reloc_chunk *chunk = apply_part(&fixture, 0, 480);
		assert_ptr_equal(chunk, &fixture.table.chunks[1]);
		assert_ptr_equal(chunk, ic_chunked_table_fault(&fixture.table));
		assert_int_equal(chunk->first, 20);
		assert_null(apply_part(&fixture, 0, 160));
		assert_null(apply_part(&fixture, 320, 480));
		ic_chunked_tables_apply(&fixture.tables, 1);
	}
	for (uint32_t i = 0; i < 48; i++)
		assert_int_equal(field(&fixture, i * 10ull), i < 20 || i >= 32 ? VALUE : 0);
	fixture_deinit(&fixture);
}

TEST(a_table_without_entries_has_no_chunks)
{
	struct fixture fixture = { 0 };

	fixture_split(&fixture, 10, 4);
	assert_int_equal(fixture.table.chunk_count, 0);
	assert_null(apply_part(&fixture, 0, 10));
	ic_chunked_tables_apply(&fixture.tables, 4);
	assert_null(ic_chunked_table_fault(&fixture.table));
	fixture_deinit(&fixture);
}

TEST(many_entries_have_few_chunks_whatever_the_number_of_threads)
{
	enum { COUNT = 700000, APART = 11 };

	for (uint32_t jobs = 1; jobs <= 4; jobs += 3) {
		struct fixture fixture = { 0 };

		for (uint32_t i = 0; i < COUNT; i++)
			fixture_add(&fixture, i * APART, R_386_32);
		fixture_split(&fixture, COUNT * APART, jobs);
		assert_in_range(fixture.table.chunk_count, MOST_CHUNKS / 2, MOST_CHUNKS);
		assert_null(apply_part(&fixture, 1000000, 2000000));
		ic_chunked_tables_apply(&fixture.tables, jobs);
		for (uint64_t i = 0; i < COUNT; i++)
			if (field(&fixture, i * APART) != VALUE)
				fail_msg("field %llu", (unsigned long long)i);
		fixture_deinit(&fixture);
	}
}

// Workers take items of all tables, even beside empty and deferred ones.
TEST(tables_that_are_deferred_are_left_alone)
{
	enum { TABLES = 6, COUNT = 3000 };
	struct fixture fixtures[TABLES] = { 0 };
	struct ic_chunked_table tables[TABLES];

	for (uint32_t i = 0; i < TABLES; i++) {
		for (uint32_t j = 0; j < (i % 3 == 1 ? 0 : COUNT); j++)
			fixture_add(&fixtures[i], j * 10, R_386_32);
		fixture_split(&fixtures[i], COUNT * 10, 1);
		tables[i] = fixtures[i].table;
		tables[i].is_deferred = i % 3 == 2;
	}
	struct ic_chunked_tables all = { &fixtures[0].machine, tables, TABLES };
	ic_chunked_tables_apply(&all, 2);
	for (uint32_t i = 0; i < TABLES; i++)
		for (uint32_t j = 0; j < COUNT; j++)
			assert_int_equal(field(&fixtures[i], j * 10ull), i % 3 == 0 ? VALUE : 0);
	for (uint32_t i = 0; i < TABLES; i++)
		fixture_deinit(&fixtures[i]);
}

UNIT_TESTS(elf_sections_reloc_chunks)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chunk_begins_where_no_field_reaches_from_before),
		cmocka_unit_test(entries_out_of_order_are_one_chunk),
		cmocka_unit_test(a_part_takes_the_chunks_that_reach_into_it),
		cmocka_unit_test(a_fault_stops_its_chunk_alone_and_stays),
		cmocka_unit_test(a_table_without_entries_has_no_chunks),
		cmocka_unit_test(many_entries_have_few_chunks_whatever_the_number_of_threads),
		cmocka_unit_test(tables_that_are_deferred_are_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
