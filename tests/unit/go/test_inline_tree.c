// Records of calls that were inlined into functions of Go, in the layout of each release.
#include "unit_test.h"

#include "fixtures/go.h"
#include "go/inline_tree.h"

struct written {
	struct byte_buffer bytes, calls;
	struct ic_go_pclntab table;
	struct ic_go_span span;
	struct ic_go_memory memory;
	uint64_t module[64]; // words; only that which functions' data count from
	bool is_chosen;
};

static void write_table(struct written *written, uint32_t release, uint8_t pointer_size,
			bool big_endian)
{
	struct go_table table = go_table_of(release, pointer_size, big_endian);
	struct ic_error err;

	*written = (struct written){ .bytes = { .size = 0 } };
	go_table_write(&table, &written->bytes, &written->calls);
	if (!ic_go_pclntab_open(&written->table,
				(struct ic_bytes){ written->bytes.data, written->bytes.size },
				GO_TABLE, big_endian != IC_HOST_IS_BIG_ENDIAN, "", &err))
		fail_msg("%s", err.message);
	written->table.text = GO_TEXT;
	written->span =
		(struct ic_go_span){ GO_CALLS, { written->calls.data, written->calls.size } };
	written->memory = (struct ic_go_memory){ &written->span, 1 };
	written->module[release < 20 ? 38 : release < 27 ? 40 : 43] = GO_CALLS;
	written->is_chosen =
		ic_go_layout_choose(&written->table, &written->memory, written->module);
}

static void free_written(struct written *written)
{
	byte_buffer_deinit(&written->bytes);
	byte_buffer_deinit(&written->calls);
}

struct row {
	uint32_t release; // 1.9 and so on
	uint32_t layout;  // the number of its row in layouts.def
};

static const struct row rows[] = {
	{ 9, 1 },  { 11, 1 }, { 12, 2 }, { 13, 3 }, { 15, 4 },
	{ 16, 5 }, { 18, 6 }, { 20, 7 }, { 27, 8 },
};

TEST(the_layout_is_the_one_in_which_records_make_sense)
{
	for (size_t i = 0; i < 4 * COUNT_OF(rows); i++) {
		const struct row *row = &rows[i / 4];
		struct written written;

		write_table(&written, row->release, i & 1 ? 8 : 4, i & 2);
		assert_true(written.is_chosen);
		assert_true(written.table.has_inlined);
		assert_ptr_equal(written.table.layout, ic_go_layout_get(row->layout));
		free_written(&written);
	}
}

TEST(records_of_every_release_are_read)
{
	for (size_t i = 0; i < 4 * COUNT_OF(rows); i++) {
		uint32_t release = rows[i / 4].release;
		struct ic_go_inlined inlined;
		struct ic_go_function function;
		struct written written;
		struct ic_error err;

		write_table(&written, release, i & 1 ? 8 : 4, i & 2);
		assert_true(ic_go_function_read(&written.table, 0, "", &function, &err));
		assert_true(function.inlined_addr == IC_NO_ADDR);
		assert_true(ic_go_function_read(&written.table, 1, "", &function, &err));
		assert_int_equal(function.inlined_addr, GO_CALLS);
		struct ic_bytes records = ic_go_memory_at(&written.memory, function.inlined_addr);
		assert_true(ic_go_inlined_read(&written.table, records, 1, &inlined));
		assert_string_equal(ic_go_name_at(&written.table, inlined.name_off), "main.leaf");
		assert_int_equal(inlined.has_parent_pc, release >= 12);
		assert_int_equal(inlined.parent_pc, release >= 12 ? 12 : 0);
		assert_int_equal(inlined.start_line, release >= 20 ? 60 : 0);
		assert_int_equal(inlined.parent, release >= 20 ? -1 : 0);
		assert_int_equal(inlined.line, release >= 20 ? 0 : 70);
		assert_false(ic_go_inlined_read(&written.table, records, 2, &inlined));
		assert_false(ic_go_inlined_read(&written.table, records, UINT32_MAX, &inlined));
		free_written(&written);
	}
}

TEST(records_that_make_no_sense_in_any_layout_are_not_taken)
{
	struct written written;

	write_table(&written, 20, 8, false);
	memset(written.calls.data, 0xee, written.calls.size);
	assert_false(ic_go_layout_choose(&written.table, &written.memory, written.module));
	free_written(&written);
}

TEST(without_module_data_nothing_is_inlined)
{
	struct written written;

	write_table(&written, 20, 8, false);
	written.table.has_inlined = false;
	assert_true(ic_go_layout_choose(&written.table, &written.memory, NULL));
	assert_false(written.table.has_inlined);
	free_written(&written);
}

UNIT_TESTS(go_inline_tree)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_layout_is_the_one_in_which_records_make_sense),
		cmocka_unit_test(records_of_every_release_are_read),
		cmocka_unit_test(records_that_make_no_sense_in_any_layout_are_not_taken),
		cmocka_unit_test(without_module_data_nothing_is_inlined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
