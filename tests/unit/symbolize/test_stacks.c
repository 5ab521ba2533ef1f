#include "unit_test.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "fixtures/elf.h"
#include "fixtures/lookup.h"

#include "dwarf_constants.h"

enum { FIRST = 0x1ff0, END = 0x5010 }; // a little more than where programs below have code

enum { DEPTH = 200 };

// A function with functions in functions inlined at one address.
static void put_deep(struct dwarf_builder *dw, uint64_t start)
{
	scan_unit_of(dw, "deep.c", DW_LANG_C99);
	dw_low_high(dw, start, start + 0x100);
	scan_abstract(dw, "deep");
	scan_host(dw, "bottom", start, start + 0x100);
	for (int i = 0; i < DEPTH; i++)
		scan_inlined(dw, "deep", start + 0x40, start + 0x42);
	for (int i = 0; i < DEPTH; i++)
		dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
}

// Units that list their addresses and others, one of DWARF 2's silence, references from unit to
// unit, symbols.
static const char *write_program(uint16_t version, bool listed)
{
	struct dwarf_builder *dw = scan_builder(version);
	struct elf_builder *elf = elf_begin(ET_EXEC);

	program_put(dw, &(struct program_unit){ .name = "a.c", .start = 0x2000 });
	program_put(dw, &(struct program_unit){ .name = "b.c",
						.start = 0x2080, // on top of the last one's end
						.root = version == 2 ? PROGRAM_SILENT
								     : PROGRAM_RANGES });
	program_put(dw, &(struct program_unit){ .name = "c.c", .start = 0x3000, .origin = "a.c" });
	put_deep(dw, 0x4000);
	if (listed) {
		dw_aranges(dw, "a.c", DW_RANGES({ 0x2000, 0x2100 }));
		dw_aranges(dw, "b.c", DW_RANGES({ 0x2080, 0x2180 }));
	}
	elf_add_code(elf, ".text", 0x1000, 0x8000);
	for (uint64_t i = 0; i < 3; i++)
		elf_add_symbol(elf, (struct elf_symbol){ .name = "symbol",
							 .section = ".text",
							 .value = 0x4200 + i * 0x100,
							 .size = 0x80,
							 .type = STT_FUNC });
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	return elf_end_at(elf, "a.out");
}

struct expected { // what single lookups, one after another, have at each address
	char *texts[END - FIRST];
};

static void expect(struct expected *expected, const char *path)
{
	struct lookup lookup;

	lookup_open_path(&lookup, path);
	for (uint64_t addr = FIRST; addr < END; addr++)
		expected->texts[addr - FIRST] = strdup(lookup_text(&lookup, addr));
	lookup_close(&lookup);
	assert_string_equal(expected->texts[0x2010 - FIRST], PROGRAM_LEAF("a.c"));
	assert_string_equal(expected->texts[0x2090 - FIRST], PROGRAM_END("a.c"));
	assert_string_equal(expected->texts[0x2110 - FIRST], PROGRAM_END("b.c"));
	assert_string_equal(expected->texts[0x4280 - FIRST - 1], "[symbol] ?:0");
}

static void expected_free(struct expected *expected)
{
	for (size_t i = 0; i < COUNT_OF(expected->texts); i++)
		free(expected->texts[i]);
}

static void lookup_open_jobs(struct lookup *lookup, const char *path, uint32_t jobs)
{
	const struct ic_symbolizer_options options = { .jobs = jobs };
	struct ic_error err = { .message = "" };

	*lookup = (struct lookup){ .image = ic_image_open(path, NULL, &err) };
	assert_non_null(lookup->image);
	lookup->symbolizer = ic_symbolizer_new(lookup->image, &options, &err);
	assert_non_null(lookup->symbolizer);
}

// Addresses `step` apart, from the highest to the lowest and then up again: in no order, and twice.
static uint32_t list_addrs(uint64_t *addrs, uint32_t step)
{
	uint32_t count = 0;

	for (uint64_t addr = END - 1; addr >= FIRST; addr -= step)
		addrs[count++] = addr;
	for (uint64_t addr = FIRST + 1; addr < END; addr += step)
		addrs[count++] = addr;
	return count;
}

static void check_batch(const char *path, const struct expected *expected, uint32_t jobs,
			uint32_t step)
{
	uint64_t addrs[2 * (END - FIRST)];
	uint32_t count = list_addrs(addrs, step);
	struct lookup lookup;
	struct ic_error err;

	lookup_open_jobs(&lookup, path, jobs);
	for (int again = 0; again < 2; again++) { // when all is known, too
		struct ic_stacks *stacks = ic_stacks_find(lookup.symbolizer, addrs, count, &err);
		assert_non_null(stacks);
		for (uint32_t i = 0; i < count; i++)
			assert_string_equal(lookup_stack(&lookup, stacks, i),
					    expected->texts[addrs[i] - FIRST]);
		ic_stacks_free(stacks);
	}
	lookup_close(&lookup);
}

TEST(many_addresses_at_once_have_the_frames_that_each_has)
{
	static const uint32_t steps[] = { 1, 7, 60, 200, 900, 5000 }; // from 24000 to 6
	struct expected expected;

	for (uint16_t version = 2; version <= 5; version += 3) {
		for (int listed = 0; listed < 2; listed++) {
			const char *path = write_program(version, listed);
			expect(&expected, path);
			for (size_t i = 0; i < COUNT_OF(steps); i++)
				check_batch(path, &expected, 1 + (uint32_t)i % 4, steps[i]);
			expected_free(&expected);
		}
	}
}

// The first unit that claims an address has nothing there; what the second has must be there also
// where few other addresses in it are asked for, and it is read for those alone.
TEST(a_unit_that_is_read_for_some_addresses_does_not_answer_for_others)
{
	enum { COUNT = 40 };
	struct dwarf_builder *dw = scan_builder(5);
	uint64_t addrs[COUNT] = { 0x4018, 0x4020 };
	struct ic_stacks *stacks;
	struct lookup lookup;

	scan_unit_of(dw, "empty", DW_LANG_C99);
	dw_low_high(dw, 0x4000, 0x4020);
	scan_unit_done(dw);
	program_put(dw, &(struct program_unit){ .name = "a.c", .start = 0x4000 });
	lookup_open(&lookup, dw);
	for (uint32_t i = 2; i < COUNT; i++) // so many that units are read by groups of them
		addrs[i] = 0x8000 + i;
	stacks = ic_stacks_find(lookup.symbolizer, addrs, COUNT, NULL);
	assert_non_null(stacks);
	assert_string_equal(lookup_stack(&lookup, stacks, 0), PROGRAM_LEAF("a.c"));
	assert_string_equal(lookup_stack(&lookup, stacks, 1), PROGRAM_END("a.c"));
	assert_string_equal(lookup_stack(&lookup, stacks, 2), "");
	ic_stacks_free(stacks);
	lookup_close(&lookup);
}

TEST(a_stack_may_be_deep)
{
	const char *path = write_program(5, false);
	const struct ic_frame *frames;
	struct lookup lookup;
	uint64_t addrs[600];

	lookup_open_path(&lookup, path);
	for (size_t i = 0; i < COUNT_OF(addrs); i++)
		addrs[i] = 0x4040 + i % 3;
	struct ic_stacks *stacks = ic_stacks_find(lookup.symbolizer, addrs, COUNT_OF(addrs), NULL);
	assert_non_null(stacks);
	for (size_t i = 0; i < COUNT_OF(addrs); i++) {
		size_t wanted = i % 3 < 2 ? DEPTH + 1 : 1;
		assert_int_equal(frames_of_stack(stacks, i, &frames), wanted);
		for (size_t j = 0; j < wanted; j++)
			assert_string_equal(frames[j].function, j + 1 < wanted ? "deep" : "bottom");
	}
	ic_stacks_free(stacks);
	lookup_close(&lookup);
}

TEST(no_addresses_have_no_frames)
{
	struct lookup lookup;

	lookup_open_path(&lookup, write_program(5, true));
	struct ic_stacks *stacks = ic_stacks_find(lookup.symbolizer, NULL, 0, NULL);
	assert_non_null(stacks);
	ic_stacks_free(stacks);
	ic_stacks_free(NULL);
	lookup_close(&lookup);
}

// ---- Several threads

enum { THREADS = 4 };

struct reader {
	struct ic_symbolizer *symbolizer;
	const struct expected *expected;
	uint32_t number;
	uint32_t wrong; // answers; cmocka's checks are for one thread
};

// Its text would need cmocka; what is compared are functions, lines, and the ends of stacks.
static bool is_expected(const struct reader *reader, uint64_t addr, const struct ic_frame *frames,
			size_t count)
{
	const char *text = reader->expected->texts[addr - FIRST];

	for (size_t i = 0; i < count; i++) {
		const char *name = frames[i].function ? frames[i].function : "?";
		text = strstr(text, name);
		if (!text)
			return false;
		text += strlen(name);
	}
	return !strstr(text, " in ") &&
	       (count > 0) == (reader->expected->texts[addr - FIRST][0] != 0);
}

static void look_up_single(struct reader *reader, uint32_t step)
{
	struct ic_frame frames[DEPTH + 1];

	for (uint64_t addr = FIRST + reader->number; addr < END; addr += step) {
		size_t count =
			ic_symbolizer_frames_at(reader->symbolizer, addr, frames, COUNT_OF(frames));
		reader->wrong += !is_expected(reader, addr, frames, count);
	}
}

static void look_up_batch(struct reader *reader, uint32_t step)
{
	uint64_t addrs[2 * (END - FIRST)];
	uint32_t count = list_addrs(addrs, step);
	struct ic_stacks *stacks = ic_stacks_find(reader->symbolizer, addrs, count, NULL);
	const struct ic_frame *frames;

	for (uint32_t i = 0; stacks && i < count; i++) {
		size_t depth = frames_of_stack(stacks, i, &frames);
		reader->wrong += !is_expected(reader, addrs[i], frames, depth);
	}
	reader->wrong += !stacks;
	ic_stacks_free(stacks);
}

static void *read_at_once(void *argument)
{
	struct reader *reader = argument;
	struct ic_symbolizer_symbol symbol;
	struct ic_index_problem problem;

	if (reader->number % 2 == 0)
		look_up_batch(reader, 61 + reader->number);
	look_up_single(reader, 13);
	ic_symbolizer_problem_get(reader->symbolizer, 0, &problem);
	reader->wrong += !ic_symbolizer_symbol_find(reader->symbolizer, "symbol", 2, &symbol);
	look_up_batch(reader, reader->number + 1);
	return NULL;
}

TEST(threads_may_share_a_symbolizer)
{
	struct expected expected;

	for (uint32_t i = 0; i < 12; i++) {
		const char *path = write_program(i % 4 + 2, i % 2);
		struct reader readers[THREADS];
		pthread_t threads[THREADS];
		struct lookup lookup;

		expect(&expected, path);
		lookup_open_jobs(&lookup, path, 2);
		for (uint32_t j = 0; j < THREADS; j++) {
			readers[j] = (struct reader){ lookup.symbolizer, &expected, j, 0 };
			assert_int_equal(
				pthread_create(&threads[j], NULL, read_at_once, &readers[j]), 0);
		}
		for (uint32_t j = 0; j < THREADS; j++) {
			assert_int_equal(pthread_join(threads[j], NULL), 0);
			assert_int_equal(readers[j].wrong, 0);
		}
		lookup_close(&lookup);
		expected_free(&expected);
	}
}

TEST(more_addresses_than_have_a_number_are_refused)
{
	struct dwarf_builder *dw = scan_builder(4);
	const uint64_t addr = 0x1000;
	struct ic_error err = { .message = "" };
	struct lookup lookup;

	program_put(dw, &(struct program_unit){ .name = "a.c", .start = 0x1000 });
	lookup_open(&lookup, dw);
	assert_null(ic_stacks_find(lookup.symbolizer, &addr, UINT32_MAX, &err));
	assert_int_equal(err.code, IC_ERROR_ARGUMENT);
	assert_string_equal(err.message, "too many addresses for one lookup: 4294967295");
	lookup_close(&lookup);
}

// Opens a program with code that no unit describes and, if asked for, a unit that cannot be read.
static void open_statuses(struct lookup *lookup, const struct dw_unit *damaged)
{
	struct dwarf_builder *dw = scan_builder(5);

	program_put(dw, &(struct program_unit){ .name = "a.c", .start = 0x1000 });
	if (damaged) {
		dw_unit_begin_with(dw, *damaged);
		dw_unit_end(dw);
	}
	lookup_open(lookup, dw);
}

static void check_statuses(const struct dw_unit *damaged, size_t count)
{
	static const uint64_t addrs[20] = { 0x1010, 0x6000, 0xa000 };
	const enum ic_lookup_status wanted[] = { IC_LOOKUP_FOUND,
						 damaged ? IC_LOOKUP_UNREADABLE
							 : IC_LOOKUP_NO_DEBUG,
						 IC_LOOKUP_OUTSIDE };
	enum ic_lookup_status status;
	struct lookup lookup;

	open_statuses(&lookup, damaged);
	struct ic_stacks *stacks = ic_stacks_find(lookup.symbolizer, addrs, count, NULL);
	for (size_t i = 0; i < COUNT_OF(wanted); i++) {
		struct ic_stack stack;
		assert_true(ic_stacks_get(stacks, i, &stack));
		assert_int_equal(stack.status, wanted[i]);
		size_t found =
			ic_symbolizer_lookup_at(lookup.symbolizer, addrs[i], NULL, 0, &status);
		assert_int_equal(status, wanted[i]);
		assert_int_equal(found, i == 0 ? 2 : 0);
	}
	ic_stacks_free(stacks);
	lookup_close(&lookup);
}

TEST(why_an_address_is_unknown_is_told)
{
	const struct dw_unit unknown = { .type = DW_UT_compile, .bad_version = DW_BAD(9) };
	const struct dw_unit cut = { .type = DW_UT_compile, .bad_length = DW_BAD(0x10000) };

	for (size_t count = 3; count <= 20; count += 17) { // many are decoded together
		check_statuses(NULL, count);
		check_statuses(&unknown, count);
		check_statuses(&cut, count);
	}
}

struct stopper {
	uint32_t calls, stop_at; // 0: never
};

static bool stop_at_once(void *context, unsigned long long done, unsigned long long total)
{
	struct stopper *stopper = context;

	assert_true(done <= total);
	return ++stopper->calls != stopper->stop_at;
}

TEST(what_was_stopped_can_be_asked_again)
{
	struct stopper stopper = { .stop_at = 1 };
	const struct ic_symbolizer_options options = { .jobs = 1,
						       .progress = stop_at_once,
						       .progress_context = &stopper };
	uint64_t addrs[2 * (END - FIRST)];
	uint32_t count = list_addrs(addrs, 7);
	const char *path = write_program(5, 0);
	struct expected expected;
	struct ic_error err = { .message = "" };
	struct lookup lookup;

	expect(&expected, path);
	lookup_open_path(&lookup, path);
	ic_symbolizer_free(lookup.symbolizer);
	lookup.symbolizer = ic_symbolizer_new(lookup.image, &options, &err);
	assert_non_null(lookup.symbolizer);
	for (; stopper.stop_at < 40; stopper.stop_at++, stopper.calls = 0) {
		struct ic_stacks *stacks = ic_stacks_find(lookup.symbolizer, addrs, count, &err);
		if (stacks) { // everything has been read
			assert_true(stopper.calls < stopper.stop_at);
			for (uint32_t i = 0; i < count; i++)
				assert_string_equal(lookup_stack(&lookup, stacks, i),
						    expected.texts[addrs[i] - FIRST]);
			ic_stacks_free(stacks);
			break;
		}
		assert_int_equal(err.code, IC_ERROR_STOPPED);
		assert_int_equal(stopper.calls, stopper.stop_at);
	}
	assert_in_range(stopper.stop_at, 2, 39); // some were stopped
	assert_string_equal(lookup_problems(&lookup), "");
	lookup_close(&lookup);
	expected_free(&expected);
}

struct gate { // holds the first call that reads units until another thread opens it
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool is_reached, is_open, was_late;
	struct ic_symbolizer *symbolizer;
};

// Returns with the lock held; false if nothing happened for a while.
static bool wait_for(struct gate *gate, const bool *condition)
{
	struct timespec end;
	bool in_time = true;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += 5;
	pthread_mutex_lock(&gate->lock);
	while (!*condition && in_time)
		in_time = pthread_cond_timedwait(&gate->changed, &gate->lock, &end) == 0;
	return *condition;
}

static bool hold(void *context, unsigned long long done, unsigned long long total)
{
	struct gate *gate = context;

	pthread_mutex_lock(&gate->lock);
	bool is_first = !gate->is_reached;
	gate->is_reached = true;
	pthread_cond_broadcast(&gate->changed);
	pthread_mutex_unlock(&gate->lock);
	if (is_first) {
		gate->was_late = !wait_for(gate, &gate->is_open);
		pthread_mutex_unlock(&gate->lock);
	}
	return done <= total;
}

// More addresses than are read one by one, in one unit.
static struct ic_stacks *find_in(struct ic_symbolizer *symbolizer, uint64_t start)
{
	uint64_t addrs[32];

	for (size_t i = 0; i < COUNT_OF(addrs); i++)
		addrs[i] = start + i;
	return ic_stacks_find(symbolizer, addrs, COUNT_OF(addrs), NULL);
}

static void *find_behind_gate(void *context)
{
	return find_in(((struct gate *)context)->symbolizer, 0x2000);
}

static void check_stacks(struct lookup *lookup, struct ic_stacks *stacks, const char *wanted)
{
	assert_non_null(stacks);
	assert_string_equal(lookup_stack(lookup, stacks, 0), wanted);
	ic_stacks_free(stacks);
}

TEST(threads_that_ask_for_different_units_do_not_wait_for_each_other)
{
	struct gate gate = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0, NULL };
	const struct ic_symbolizer_options options = { .jobs = 1,
						       .progress = hold,
						       .progress_context = &gate };
	struct lookup lookup;
	pthread_t thread;
	void *stacks;

	lookup_open_path(&lookup, write_program(5, false));
	ic_symbolizer_free(lookup.symbolizer);
	lookup.symbolizer = gate.symbolizer = ic_symbolizer_new(lookup.image, &options, NULL);
	assert_non_null(lookup.symbolizer);
	assert_int_equal(pthread_create(&thread, NULL, find_behind_gate, &gate), 0);
	bool is_reached = wait_for(&gate, &gate.is_reached);
	pthread_mutex_unlock(&gate.lock);
	check_stacks(&lookup, find_in(lookup.symbolizer, 0x2140), PROGRAM_END("b.c"));
	assert_lookup(&lookup, 0x3010, "a.c.leaf /src/c.c:2 in c.c.main /src/c.c:7");
	pthread_mutex_lock(&gate.lock);
	gate.is_open = true;
	pthread_cond_broadcast(&gate.changed);
	pthread_mutex_unlock(&gate.lock);
	assert_int_equal(pthread_join(thread, &stacks), 0);
	check_stacks(&lookup, stacks, PROGRAM_START("a.c"));
	assert_true(is_reached && !gate.was_late);
	lookup_close(&lookup);
}

UNIT_TESTS(symbolize_stacks)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_stopped_can_be_asked_again),
		cmocka_unit_test(threads_that_ask_for_different_units_do_not_wait_for_each_other),
		cmocka_unit_test(many_addresses_at_once_have_the_frames_that_each_has),
		cmocka_unit_test(a_unit_that_is_read_for_some_addresses_does_not_answer_for_others),
		cmocka_unit_test(a_stack_may_be_deep),
		cmocka_unit_test(no_addresses_have_no_frames),
		cmocka_unit_test(threads_may_share_a_symbolizer),
		cmocka_unit_test(more_addresses_than_have_a_number_are_refused),
		cmocka_unit_test(why_an_address_is_unknown_is_told),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
