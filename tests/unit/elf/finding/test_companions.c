#include "unit_test.h"

#include "elf/finding/companions.h"

#include "fixtures/elf.h"

static void open_file(struct ic_elf_file *file, const char *name)
{
	struct ic_error err = { .message = "" };

	if (!ic_elf_file_open(file, elf_end_at(elf_begin(ET_EXEC), name), &err))
		fail_msg("%s", err.message);
}

TEST(a_key_is_of_both_texts_and_where_they_part)
{
	const uint64_t key = ic_companion_key("ab", "c");

	assert_true(key == ic_companion_key("ab", "c"));
	assert_true(key != ic_companion_key("a", "bc"));
	assert_true(key != ic_companion_key("c", "ab"));
	assert_true(ic_companion_key(NULL, "c") == ic_companion_key("", "c"));
}

TEST(a_companion_is_found_again_under_its_key_alone)
{
	struct ic_companions companions = { 0 };
	struct ic_elf_file first, second;

	assert_null(ic_companions_find(&companions, 1));
	open_file(&first, "first");
	open_file(&second, "second");
	struct ic_elf_file *kept = ic_companions_add(&companions, 1, &first);
	assert_non_null(kept);
	assert_null(first.path); // it was moved
	assert_non_null(kept->data);
	struct ic_elf_file *other = ic_companions_add(&companions, 2, &second);
	assert_ptr_equal(ic_companions_find(&companions, 1), kept);
	assert_ptr_equal(ic_companions_find(&companions, 2), other);
	assert_null(ic_companions_find(&companions, 3));
	ic_companions_close(&companions);
}

TEST(companions_do_not_move_when_more_are_added)
{
	struct ic_companions companions = { 0 };
	struct ic_elf_file *kept[100];

	for (uint32_t i = 0; i < COUNT_OF(kept); i++) {
		struct ic_elf_file file;
		open_file(&file, "file");
		kept[i] = ic_companions_add(&companions, i, &file);
	}
	for (uint32_t i = 0; i < COUNT_OF(kept); i++)
		assert_ptr_equal(ic_companions_find(&companions, i), kept[i]);
	ic_companions_close(&companions);
	assert_null(ic_companions_find(&companions, 1));
}

UNIT_TESTS(elf_finding_companions)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_key_is_of_both_texts_and_where_they_part),
		cmocka_unit_test(a_companion_is_found_again_under_its_key_alone),
		cmocka_unit_test(companions_do_not_move_when_more_are_added),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
