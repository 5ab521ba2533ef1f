// Go's tables of functions, in the format of each release.
#include "unit_test.h"

#include "fixtures/go.h"
#include "go/pclntab.h"

struct written {
	struct byte_buffer bytes, calls;
	struct ic_go_pclntab table;
};

static bool open_written(struct written *written, struct ic_error *err)
{
	bool swap = written->bytes.big_endian != IC_HOST_IS_BIG_ENDIAN;
	struct ic_bytes bytes = { written->bytes.data, written->bytes.size };

	return ic_go_pclntab_open(&written->table, bytes, GO_TABLE, swap, "pclntab", err);
}

static void write_table(struct written *written, uint32_t release, uint8_t pointer_size,
			bool big_endian)
{
	struct go_table table = go_table_of(release, pointer_size, big_endian);
	struct ic_error err;

	*written = (struct written){ .bytes = { .size = 0 } };
	go_table_write(&table, &written->bytes, &written->calls);
	if (!open_written(written, &err))
		fail_msg("%s", err.message);
	written->table.text = GO_TEXT;
}

static void free_written(struct written *written)
{
	byte_buffer_deinit(&written->bytes);
	byte_buffer_deinit(&written->calls);
}

static const uint32_t releases[] = { 2, 9, 12, 13, 15, 16, 18, 20, 27 };

TEST(every_table_begins_as_the_pattern_says)
{
	for (size_t i = 0; i < 4 * COUNT_OF(releases); i++) {
		bool big_endian = i & 2, swap = big_endian != IC_HOST_IS_BIG_ENDIAN;
		uint8_t pointer_size = i & 1 ? 8 : 4;
		struct ic_go_pattern pattern = ic_go_pclntab_pattern(swap, pointer_size);
		struct written written;
		uint64_t word;

		write_table(&written, releases[i / 4], pointer_size, big_endian);
		memcpy(&word, written.bytes.data, sizeof(word));
		assert_true((word & pattern.mask) == pattern.value);
		pattern = ic_go_pclntab_pattern(swap, pointer_size ^ 12);
		assert_false((word & pattern.mask) == pattern.value);
		pattern = ic_go_pclntab_pattern(!swap, pointer_size);
		assert_false((word & pattern.mask) == pattern.value);
		free_written(&written);
	}
}

TEST(functions_of_every_release_are_read)
{
	for (size_t i = 0; i < 4 * COUNT_OF(releases); i++) {
		uint32_t release = releases[i / 4];
		struct ic_go_function function;
		struct written written;
		struct ic_error err;

		write_table(&written, release, i & 1 ? 8 : 4, i & 2);
		assert_int_equal(written.table.function_count, 2);
		assert_true(ic_go_function_read(&written.table, 1, "", &function, &err));
		assert_int_equal(function.entry, GO_TEXT + 64);
		assert_int_equal(function.end, GO_TEXT + 128);
		assert_string_equal(ic_go_name_at(&written.table, function.name_off), "main.main");
		assert_string_equal(ic_go_path_of(&written.table, &function, 2), "/src/other.go");
		assert_null(ic_go_path_of(&written.table, &function, -1));
		assert_null(ic_go_path_of(&written.table, &function, INT32_MAX));
		assert_int_equal(function.start_line, release >= 20 ? 9 : 0);
		free_written(&written);
	}
}

TEST(a_name_begins_where_another_ends)
{
	struct written written;
	struct ic_go_function function;
	struct ic_error err;

	write_table(&written, 20, 8, false);
	assert_true(ic_go_function_read(&written.table, 0, "", &function, &err));
	assert_non_null(ic_go_name_at(&written.table, function.name_off));
	assert_null(ic_go_name_at(&written.table, function.name_off + 1));
	assert_null(ic_go_name_at(&written.table, UINT32_MAX));
	free_written(&written);
}

TEST(code_in_several_sections_has_their_addresses)
{
	const struct ic_go_text texts[] = { { 0, 64, 0x1000 }, { 64, 128, 0x9000 } };
	struct written written;

	write_table(&written, 18, 8, false);
	written.table.texts = texts;
	written.table.text_count = 2;
	assert_int_equal(ic_go_function_entry(&written.table, 0), 0x1000);
	assert_int_equal(ic_go_function_entry(&written.table, 1), 0x9000);
	assert_int_equal(ic_go_function_entry(&written.table, 2), 0x9040);
	free_written(&written);
}

TEST(a_table_that_claims_more_functions_than_it_has_bytes_for_is_refused)
{
	static const uint64_t counts[] = { 1u << 31, UINT32_MAX, 1ull << 62, UINT64_MAX };

	for (size_t i = 0; i < COUNT_OF(releases) * COUNT_OF(counts); i++) {
		struct written written;
		struct ic_error err;

		write_table(&written, releases[i / COUNT_OF(counts)], 8, false);
		byte_buffer_patch(&written.bytes, 8, counts[i % COUNT_OF(counts)], 8);
		assert_false(open_written(&written, &err));
		assert_fault(&err, "pclntab", 0,
			     "pclntab+0x0: Go's function table is shorter than its header says");
		free_written(&written);
	}
}

TEST(a_table_that_is_cut_anywhere_is_refused_or_lacks_functions)
{
	for (size_t i = 0; i < COUNT_OF(releases); i++) {
		struct written written;
		struct ic_go_function function;
		struct ic_error err;

		write_table(&written, releases[i], 8, false);
		for (; written.bytes.size > 0; written.bytes.size--)
			if (open_written(&written, &err))
				for (uint32_t j = 0; j < written.table.function_count; j++)
					(void)!ic_go_function_read(&written.table, j, "", &function,
								   &err);
		free_written(&written);
	}
}

TEST(a_function_must_begin_before_the_next_one)
{
	struct written written;
	struct ic_go_function function;
	struct ic_error err;

	write_table(&written, 20, 8, false);
	uint64_t list = ic_go_functions_off(&written.table);
	byte_buffer_patch(&written.bytes, list + 8, 0, 4);
	assert_false(ic_go_function_read(&written.table, 0, "pclntab", &function, &err));
	assert_string_equal(strchr(err.message, ' ') + 1,
			    "a function does not start before the next one in the table");
	byte_buffer_patch(&written.bytes, list + 12, 0x7fffffff, 4);
	assert_false(ic_go_function_read(&written.table, 1, "pclntab", &function, &err));
	assert_string_equal(strchr(err.message, ' ') + 1,
			    "the record of a function is outside the table");
	free_written(&written);
}

UNIT_TESTS(go_pclntab)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_table_begins_as_the_pattern_says),
		cmocka_unit_test(functions_of_every_release_are_read),
		cmocka_unit_test(a_name_begins_where_another_ends),
		cmocka_unit_test(code_in_several_sections_has_their_addresses),
		cmocka_unit_test(
			a_table_that_claims_more_functions_than_it_has_bytes_for_is_refused),
		cmocka_unit_test(a_table_that_is_cut_anywhere_is_refused_or_lacks_functions),
		cmocka_unit_test(a_function_must_begin_before_the_next_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
