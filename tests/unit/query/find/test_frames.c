#include "query/find/frames.h"

#include "unit_test.h"

// main() calls middle() in main.c:5:9, which calls leaf() in middle.h:20, all of it inlined; the
// origin of one more instance cannot be found.
static const char *files[] = { "/src/main.c", "/src/middle.h", "/src/leaf.h" };

static struct ic_function functions[] = {
	{ .name = "main", .decl_file = "/src/main.c", .decl_line = 3 },
	{ .name = "middle", .linkage_name = "_Z6middlev", .decl_file = "/src/middle.h" },
	{ .linkage_name = "leaf" },
};

enum { MAIN, MIDDLE, LEAF, LOST };

static struct ic_instance instances[] = {
	[MAIN] = { .entry = 0x1000,
		   .function = 0,
		   .parent = IC_NONE,
		   .call_file = IC_NONE,
		   .kind = IC_INSTANCE_HOST },
	[MIDDLE] = { .entry = 0x1014,
		     .function = 1,
		     .parent = MAIN,
		     .call_file = 0,
		     .call_line = 5,
		     .call_column = 9,
		     .call_discriminator = 2,
		     .kind = IC_INSTANCE_INLINED },
	[LEAF] = { .entry = 0x1020,
		   .function = 2,
		   .parent = MIDDLE,
		   .call_file = 1,
		   .call_line = 20,
		   .kind = IC_INSTANCE_INLINED },
	[LOST] = { .entry = IC_NO_ADDR,
		   .function = IC_NONE,
		   .parent = MAIN,
		   .call_file = IC_NONE,
		   .kind = IC_INSTANCE_INLINED },
};

static const struct ic_code_row rows[] = {
	{ .file = 0, .line = 4, .column = 1 },
	{ .file = 2, .line = 7, .column = 3, .discriminator = 4 },
	{ .file = IC_NONE, .line = 0 },
};

static const struct ic_unit_model unit = {
	.functions = functions,
	.instances = instances,
	.files = files,
	.function_count = COUNT_OF(functions),
	.instance_count = COUNT_OF(instances),
	.file_count = COUNT_OF(files),
};

static void check_text(const char *text, const char *wanted)
{
	if (text && wanted)
		assert_string_equal(text, wanted);
	else
		assert_ptr_equal(text, wanted);
}

static void check_frame(const struct ic_frame *frame, const struct ic_frame *wanted)
{
	check_text(frame->function, wanted->function);
	check_text(frame->linkage_name, wanted->linkage_name);
	check_text(frame->file, wanted->file);
	check_text(frame->decl_file, wanted->decl_file);
	assert_int_equal(frame->line, wanted->line);
	assert_int_equal(frame->column, wanted->column);
	assert_int_equal(frame->discriminator, wanted->discriminator);
	assert_int_equal(frame->decl_line, wanted->decl_line);
	assert_int_equal(frame->start, wanted->start);
	assert_int_equal(frame->inlined, wanted->inlined);
	assert_false(frame->is_symbol);
}

static const struct ic_frame whole[] = {
	// at 0x1024
	{ .function = "leaf",
	  .linkage_name = "leaf",
	  .file = "/src/leaf.h",
	  .line = 7,
	  .column = 3,
	  .discriminator = 4,
	  .start = 0x1020,
	  .inlined = true },
	{ .function = "middle",
	  .linkage_name = "_Z6middlev",
	  .file = "/src/middle.h",
	  .line = 20,
	  .decl_file = "/src/middle.h",
	  .start = 0x1014,
	  .inlined = true },
	{ .function = "main",
	  .file = "/src/main.c",
	  .line = 5,
	  .column = 9,
	  .discriminator = 2,
	  .decl_file = "/src/main.c",
	  .decl_line = 3,
	  .start = 0x1000 },
};

TEST(each_frame_is_at_the_call_of_the_one_before_it)
{
	struct ic_frame frames[4];

	assert_int_equal(ic_frames_of(&unit, LEAF, &rows[1], frames, COUNT_OF(frames)), 3);
	for (uint32_t i = 0; i < 3; i++)
		check_frame(&frames[i], &whole[i]);
	assert_int_equal(ic_frames_of(&unit, MAIN, &rows[0], frames, COUNT_OF(frames)), 1);
	struct ic_frame main = whole[2];
	main.line = 4;
	main.column = 1;
	main.discriminator = 0;
	check_frame(&frames[0], &main);
}

TEST(what_does_not_fit_is_counted_and_not_written)
{
	struct ic_frame frames[4];

	assert_int_equal(ic_frames_of(&unit, LEAF, &rows[1], NULL, 0), 3);
	for (uint32_t capacity = 0; capacity <= 3; capacity++) {
		memset(frames, 0x5a, sizeof(frames));
		struct ic_frame untouched = frames[3];
		assert_int_equal(ic_frames_of(&unit, LEAF, &rows[1], frames, capacity), 3);
		for (uint32_t i = 0; i < capacity; i++)
			check_frame(&frames[i], &whole[i]);
		for (uint32_t i = capacity; i < 4; i++)
			assert_memory_equal(&frames[i], &untouched, sizeof(untouched));
	}
}

TEST(a_row_without_an_instance_is_a_frame_without_a_function)
{
	const struct ic_frame wanted = {
		.file = "/src/main.c", .line = 4, .column = 1, .start = IC_NO_ADDR
	};
	const struct ic_frame none = { .start = IC_NO_ADDR };
	struct ic_frame frame = ic_frame_of_row(&unit, &rows[0]);

	check_frame(&frame, &wanted);
	frame = ic_frame_of_row(&unit, &rows[2]);
	check_frame(&frame, &none);
	frame = ic_frame_of_row(&unit, NULL);
	check_frame(&frame, &none);
}

TEST(an_instance_without_a_row_has_no_place)
{
	struct ic_frame frames[4], wanted = whole[0];

	assert_int_equal(ic_frames_of(&unit, LEAF, NULL, frames, COUNT_OF(frames)), 3);
	wanted.file = NULL;
	wanted.line = wanted.column = wanted.discriminator = 0;
	check_frame(&frames[0], &wanted);
	check_frame(&frames[1], &whole[1]); // calls are in the entries
}

TEST(what_is_not_known_of_a_frame_is_left_empty)
{
	const struct ic_frame lost = { .start = IC_NO_ADDR, .inlined = true };
	struct ic_frame frames[4], main = whole[2];

	assert_int_equal(ic_frames_of(&unit, LOST, &rows[2], frames, COUNT_OF(frames)), 2);
	check_frame(&frames[0], &lost);
	main.file = NULL;
	main.line = main.column = main.discriminator = 0;
	check_frame(&frames[1], &main);
}

UNIT_TESTS(query_find_frames)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_frame_is_at_the_call_of_the_one_before_it),
		cmocka_unit_test(what_does_not_fit_is_counted_and_not_written),
		cmocka_unit_test(a_row_without_an_instance_is_a_frame_without_a_function),
		cmocka_unit_test(an_instance_without_a_row_has_no_place),
		cmocka_unit_test(what_is_not_known_of_a_frame_is_left_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
