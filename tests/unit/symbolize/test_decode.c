// Lookups if units cannot be decoded for lack of memory, and how much they use.
#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "alloc_meter.h"
#include "fixtures/elf.h"
#include "fixtures/lookup.h"

static const uint64_t addrs[] = { 0x1010, 0x2010, 0x3008, 0x2020, 0x5000, 0x6000, 0x1018,
				  0x1019, 0x101a, 0x101b, 0x101c, 0x101d, 0x2011, 0x2012,
				  0x2013, 0x2014, 0x2015, 0x2016, 0x2017, 0x3009, 0x300a };

enum { COUNT = COUNT_OF(addrs), MOST_FRAMES = 4 };

struct answers {
	char texts[COUNT][256];
	bool has_problem; // out of memory
};

// Units that list their addresses and others, references from unit to unit, and a symbol.
static const char *write_program(bool listed)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct elf_builder *elf = elf_begin(ET_EXEC);

	program_put(dw, &(struct program_unit){ .name = "a.c", .start = 0x1000 });
	program_put(dw, &(struct program_unit){ .name = "b.c",
						.start = 0x2000,
						.root = PROGRAM_RANGES,
						.origin = "a.c" });
	program_put(dw, &(struct program_unit){ .name = "c.c", .start = 0x3000 });
	if (listed) {
		dw_aranges(dw, "a.c", DW_RANGES({ 0x1000, 0x1100 }));
		dw_aranges(dw, "c.c", DW_RANGES({ 0x3000, 0x3100 }));
	}
	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	elf_add_symbol(elf, (struct elf_symbol){ .name = "symbol",
						 .section = ".text",
						 .value = 0x5000,
						 .size = 0x80,
						 .type = STT_FUNC });
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	return elf_end_at(elf, "a.out");
}

// Nothing here may allocate: allocations fail.
static void write_answer(char text[256], const struct ic_frame *frames, size_t count)
{
	size_t length = 0;

	assert_true(count <= MOST_FRAMES);
	text[0] = 0;
	for (size_t i = 0; i < count; i++)
		length += (size_t)snprintf(text + length, 256 - length, "%s %s:%u;",
					   frames[i].function ? frames[i].function : "?",
					   frames[i].file ? frames[i].file : "?", frames[i].line);
}

static bool is_out_of_memory(struct ic_symbolizer *symbolizer)
{
	struct ic_index_problem problem;

	for (size_t i = 0; ic_symbolizer_problem_get(symbolizer, i, &problem); i++)
		if (strstr(problem.message, "memory"))
			return true;
	return false;
}

static bool look_up_each(struct answers *answers, struct ic_symbolizer *symbolizer)
{
	struct ic_frame frames[MOST_FRAMES];

	for (size_t i = 0; i < COUNT; i++)
		write_answer(answers->texts[i], frames,
			     ic_symbolizer_frames_at(symbolizer, addrs[i], frames, MOST_FRAMES));
	return true;
}

static bool look_up_all(struct answers *answers, struct ic_symbolizer *symbolizer)
{
	struct ic_error err = { .message = "" };
	struct ic_stacks *stacks = ic_stacks_find(symbolizer, addrs, COUNT, &err);
	const struct ic_frame *frames;

	if (!stacks) {
		assert_int_equal(err.code, IC_ERROR_MEMORY);
		return false;
	}
	for (size_t i = 0; i < COUNT; i++) {
		size_t count = frames_of_stack(stacks, i, &frames);
		write_answer(answers->texts[i], frames, count);
	}
	ic_stacks_free(stacks);
	return true;
}

struct run {
	const char *path;
	bool at_once, all_after;
	uint32_t jobs;
};

// Looks up all addresses while allocation number `fail_at` fails, or none if that is 0. False if
// the failure was reported; *calls is how many allocations there were.
static bool run_once(struct answers *answers, const struct run *run, uint64_t fail_at,
		     uint64_t *calls)
{
	const struct ic_symbolizer_options options = { .jobs = run->jobs };
	struct ic_error err = { .message = "" };
	struct ic_image *image = ic_image_open(run->path, NULL, &err);

	assert_non_null(image);
	alloc_meter_start(fail_at, run->all_after);
	struct ic_symbolizer *symbolizer = ic_symbolizer_new(image, &options, &err);
	bool ok = symbolizer && (run->at_once ? look_up_all(answers, symbolizer)
					      : look_up_each(answers, symbolizer));
	answers->has_problem = symbolizer && is_out_of_memory(symbolizer);
	*calls = alloc_meter_calls();
	alloc_meter_stop();
	if (!symbolizer)
		assert_int_equal(err.code, IC_ERROR_MEMORY);
	ic_symbolizer_free(symbolizer);
	ic_image_free(image);
	return ok;
}

static void check(const struct run *run)
{
	struct answers whole, answers;
	uint64_t calls, most;

	assert_true(run_once(&whole, run, 0, &most));
	assert_false(whole.has_problem);
	assert_string_equal(whole.texts[1], "a.c.leaf /src/b.c:2;b.c.main /src/b.c:7;");
	assert_string_equal(whole.texts[4], "symbol ?:0;");
	assert_string_equal(whole.texts[5], "");
	for (uint64_t fail_at = 1; fail_at <= most; fail_at++) {
		if (!run_once(&answers, run, fail_at, &calls))
			continue;
		for (size_t i = 0; i < COUNT; i++)
			if (!answers.has_problem)
				assert_string_equal(answers.texts[i], whole.texts[i]);
	}
}

static void check_all(bool at_once, uint32_t jobs)
{
	for (int i = 0; i < 4; i++) {
		const struct run run = { write_program(i & 1), at_once, i & 2, jobs };
		check(&run);
	}
}

TEST(any_allocation_of_single_look_ups_may_fail)
{
	check_all(false, 1);
}

TEST(any_allocation_of_look_ups_at_once_may_fail)
{
	check_all(true, 1);
}

TEST(threads_may_fail_to_start)
{
	check_all(true, 3);
}

// Each reading uses memory that stays in use.
TEST(a_list_that_gives_an_address_to_a_unit_again_and_again_has_it_read_a_few_times)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct lookup lookup;

	program_put(dw, &(struct program_unit){ .name = "a.c", .start = 0x1000 });
	for (int i = 0; i < 2000; i++)
		dw_aranges(dw, "a.c", DW_RANGES({ 0x3000, 0x3100 }));
	lookup_open(&lookup, dw);
	alloc_meter_start(0, false);
	assert_int_equal(ic_symbolizer_frames_at(lookup.symbolizer, 0x3000, NULL, 0), 0);
	assert_in_range(alloc_meter_calls(), 1, 1000);
	alloc_meter_stop();
	lookup_close(&lookup);
}

UNIT_TESTS(symbolize_decode)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_allocation_of_single_look_ups_may_fail),
		cmocka_unit_test(any_allocation_of_look_ups_at_once_may_fail),
		cmocka_unit_test(threads_may_fail_to_start),
		cmocka_unit_test(
			a_list_that_gives_an_address_to_a_unit_again_and_again_has_it_read_a_few_times),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
