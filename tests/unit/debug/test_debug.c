// The debug information that indexes and symbolizers of one image share.
#include "unit_test.h"

#include "debug/debug.h"

#include <inlinecall/image.h>

#include "alloc_meter.h"
#include "fixtures/dwarf.h"
#include "fixtures/elf.h"
#include "fixtures/split.h"

#include "dwarf_constants.h"

static const struct dwarf_format format = { .version = 5, .offset_size = 4, .addr_size = 8 };

static const struct split_unit units[] = {
	{ .id = 0x1122334455667788, .name = "one", .dwo_name = "a.dwo", .start = 0x1000 },
	{ .id = 0x99, .name = "two", .dwo_name = "b.dwo", .start = 0x2000 },
};

// A program of two split units; the .dwo file of the second is missing.
static struct ic_image *open_program(void)
{
	struct ic_error err = { .message = "" };

	split_write(format, &units[0], 1, "unused", "a.dwo");
	struct ic_image *image = ic_image_open(
		split_write(format, units, COUNT_OF(units), "program", NULL), NULL, &err);
	if (!image)
		fail_msg("%s", err.message);
	return image;
}

struct user { // holds the debug information of an image
	struct ic_debug *debug;
	struct ic_arena arena;
	struct ic_problems problems;
};

static void take(struct user *user, struct ic_image *image)
{
	struct ic_error err = { .message = "" };

	*user = (struct user){ .debug = ic_debug_hold(image, &err) };
	user->problems.arena = &user->arena;
	assert_non_null(user->debug);
}

static void list(struct user *user)
{
	struct ic_error err = { .message = "" };

	if (!ic_debug_load(user->debug, 1, &user->problems, &err) ||
	    !ic_debug_list(user->debug, 1, &user->problems, &err))
		fail_msg("%s", err.message);
}

static void leave(struct user *user)
{
	ic_debug_release(user->debug);
	IC_ARRAY_FREE(&user->problems.list);
	ic_arena_free(&user->arena);
}

#define assert_told(user)                                                                 \
	do {                                                                              \
		assert_int_equal((user)->problems.list.count, 1);                         \
		assert_non_null(strstr((user)->problems.list.items[0].message, "b.dwo")); \
	} while (0)

TEST(units_are_listed_once_for_all_and_each_is_told_what_is_wrong)
{
	struct ic_image *image = open_program();
	struct user one, other;

	take(&one, image);
	take(&other, image);
	assert_ptr_equal(one.debug, other.debug);
	list(&one);
	assert_told(&one);
	const struct ic_unit *listed = one.debug->units.list.units.items;
	assert_int_equal(one.debug->units.list.units.count, 3);
	list(&other);
	assert_ptr_equal(other.debug->units.list.units.items, listed);
	leave(&one);
	assert_ptr_equal(other.debug->units.list.units.items, listed);
	// The messages are the user's.
	ic_debug_release(other.debug);
	other.debug = NULL;
	assert_told(&other);
	leave(&other);
	assert_null(image->debug);
	ic_image_free(image);
}

TEST(who_comes_later_has_it_loaded_again)
{
	struct ic_image *image = open_program();
	struct user user;

	for (int i = 0; i < 2; i++) {
		take(&user, image);
		assert_false(user.debug->is_loaded);
		list(&user);
		assert_told(&user);
		assert_int_equal(user.debug->units.list.units.count, 3);
		leave(&user);
	}
	ic_image_free(image);
}

// For each allocation: after it has failed, the same can be tried again.
TEST(what_failed_for_lack_of_memory_can_be_tried_again)
{
	struct ic_image *image = open_program();
	struct ic_error err = { .message = "" };
	bool has_failed = true;
	struct user user;

	for (uint64_t fail_at = 1; has_failed; fail_at++) {
		take(&user, image);
		alloc_meter_start(fail_at, false);
		bool ok = ic_debug_load(user.debug, 1, &user.problems, &err) &&
			  ic_debug_list(user.debug, 1, &user.problems, &err);
		has_failed = alloc_meter_calls() >= fail_at;
		alloc_meter_stop();
		assert_true(ok || err.code == IC_ERROR_MEMORY);
		IC_ARRAY_FREE(&user.problems.list);
		user.problems = (struct ic_problems){ .arena = &user.arena };
		list(&user);
		assert_told(&user);
		assert_int_equal(user.debug->units.list.units.count, 3);
		leave(&user);
	}
	ic_image_free(image);
}

// A program whose supplementary file is missing: that is a problem, which takes memory, after all
// sections have been loaded.
static struct ic_image *open_without_supplementary(void)
{
	struct dwarf_builder *dw = dwarf_builder_new(format);
	struct elf_builder *elf = elf_begin(ET_EXEC);

	split_write_units(dw, &units[0], 1);
	elf_add_code(elf, ".text", 0x1000, 0x100);
	elf_add_alt_link(elf, "/nonexistent/file", "abcd", 4);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	struct ic_image *image = ic_image_open(elf_end_at(elf, "program"), NULL, NULL);
	assert_non_null(image);
	return image;
}

TEST(what_is_loaded_again_is_numbered_from_the_start)
{
	struct ic_image *image = open_without_supplementary();
	struct ic_error err = { .message = "" };
	bool has_failed = true;
	struct user user;

	for (uint64_t fail_at = 1; has_failed; fail_at++) {
		take(&user, image);
		alloc_meter_start(fail_at, false);
		bool ok = ic_debug_load(user.debug, 1, &user.problems, &err);
		has_failed = alloc_meter_calls() >= fail_at;
		alloc_meter_stop();
		assert_true(ok || err.code == IC_ERROR_MEMORY);
		assert_true(ic_debug_load(user.debug, 1, &user.problems, &err));
		assert_int_equal(user.debug->main_dwarf->info_base, 0);
		leave(&user);
	}
	ic_image_free(image);
}

TEST(given_sections_need_no_image)
{
	struct dwarf_builder *dw = dwarf_builder_new(format);
	struct ic_error err = { .message = "" };
	struct user user = { .problems.arena = &user.arena };

	split_write_units(dw, &units[0], 1);
	struct ic_dwarf first = dwarf_of(dw, false), second = first;
	struct ic_dwarf *dwarfs[] = { &first, &second };
	user.debug = ic_debug_of_sections(dwarfs, COUNT_OF(dwarfs), &err);
	assert_non_null(user.debug);
	list(&user);
	assert_int_equal(user.debug->units.list.units.count, 2);
	assert_int_equal(second.info_base, first.info.size + 1);
	leave(&user);
	dwarf_builder_free(dw);
}

UNIT_TESTS(debug_debug)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_are_listed_once_for_all_and_each_is_told_what_is_wrong),
		cmocka_unit_test(who_comes_later_has_it_loaded_again),
		cmocka_unit_test(what_failed_for_lack_of_memory_can_be_tried_again),
		cmocka_unit_test(what_is_loaded_again_is_numbered_from_the_start),
		cmocka_unit_test(given_sections_need_no_image),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
