// What Go's runtime knows of a module, which any words of a file may pretend to be.
#include "unit_test.h"

#include "go/module_data.h"

enum { TABLE = 0x500000 };

static const uint8_t bytes[64];

static struct ic_go_pclntab table_of(void)
{
	return (struct ic_go_pclntab){ .bytes = { bytes, 64 },
				       .addr = TABLE,
				       .format = IC_GO_FORMAT_20,
				       .names = { bytes + 8, 8 },
				       .values = { bytes + 24, 8 },
				       .functions = { bytes + 32, 32 },
				       .function_count = 3,
				       .layout = ic_go_layout_get(7) };
}

static void fill(uint64_t words[IC_GO_MODULE_WORDS])
{
	memset(words, 0, IC_GO_MODULE_WORDS * sizeof(*words));
	words[0] = TABLE;
	words[1] = TABLE + 8;
	words[10] = TABLE + 24;
	words[16] = TABLE + 32;
	words[17] = 4;
	words[22] = 0x401000;
}

TEST(module_data_repeat_where_the_parts_of_the_table_are)
{
	static const unsigned checked[] = { 0, 1, 10, 16, 17 };
	struct ic_go_pclntab table = table_of();
	uint64_t words[IC_GO_MODULE_WORDS];

	fill(words);
	assert_true(ic_go_module_is_of(words, &table));
	ic_go_module_apply(words, &table);
	assert_int_equal(table.text, 0x401000);
	for (size_t i = 0; i < COUNT_OF(checked); i++) {
		words[checked[i]]++;
		assert_false(ic_go_module_is_of(words, &table));
		words[checked[i]]--;
	}
}

TEST(a_number_of_functions_does_not_wrap)
{
	struct ic_go_pclntab table = table_of();
	uint64_t words[IC_GO_MODULE_WORDS];

	fill(words);
	table.function_count = UINT32_MAX;
	words[17] = 0;
	assert_false(ic_go_module_is_of(words, &table));
	words[17] = 1ull << 32;
	assert_true(ic_go_module_is_of(words, &table));
}

TEST(tables_before_go_1_18_have_no_module_data)
{
	struct ic_go_pclntab table = table_of();
	uint64_t words[IC_GO_MODULE_WORDS];

	fill(words);
	table.format = IC_GO_FORMAT_16;
	assert_false(ic_go_module_is_of(words, &table));
}

// Sets the list of sections of code of a module, `later` words after where it mostly is.
static uint32_t texts_of(unsigned later, uint64_t count, uint64_t room)
{
	struct ic_go_pclntab table = table_of();
	uint64_t words[IC_GO_MODULE_WORDS], addr = 0;
	unsigned first = table.layout->gofunc + 1u + later;

	fill(words);
	words[first] = 0x700000;
	words[first + 1] = count;
	words[first + 2] = room;
	uint32_t found = ic_go_module_texts(words, &table, &addr);
	if (found > 0)
		assert_int_equal(addr, 0x700000);
	return found;
}

TEST(sections_of_code_are_one_word_later_in_new_releases)
{
	assert_int_equal(texts_of(0, 2, 2), 2);
	assert_int_equal(texts_of(1, 2, 2), 2);
	assert_int_equal(texts_of(2, 2, 2), 0);
}

TEST(a_number_of_sections_that_makes_no_sense_is_none)
{
	assert_int_equal(texts_of(0, 0, 0), 0);
	assert_int_equal(texts_of(0, 2, 3), 0);
	assert_int_equal(texts_of(0, 1 << 16, 1 << 16), 1 << 16);
	assert_int_equal(texts_of(0, (1 << 16) + 1, (1 << 16) + 1), 0);
	assert_int_equal(texts_of(0, UINT64_MAX, UINT64_MAX), 0);
	assert_int_equal(texts_of(0, (1ull << 32) + 2, (1ull << 32) + 2), 0);
}

TEST(sections_of_code_are_within_the_words_that_are_read)
{
	for (uint32_t i = 0; ic_go_layout_get(i); i++)
		assert_true(ic_go_layout_get(i)->gofunc + 1u + 1u + 2u < IC_GO_MODULE_WORDS);
}

UNIT_TESTS(go_module_data)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(module_data_repeat_where_the_parts_of_the_table_are),
		cmocka_unit_test(a_number_of_functions_does_not_wrap),
		cmocka_unit_test(tables_before_go_1_18_have_no_module_data),
		cmocka_unit_test(sections_of_code_are_one_word_later_in_new_releases),
		cmocka_unit_test(a_number_of_sections_that_makes_no_sense_is_none),
		cmocka_unit_test(sections_of_code_are_within_the_words_that_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
