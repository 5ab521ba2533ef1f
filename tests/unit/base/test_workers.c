#include "unit_test.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "base/workers.h"

struct results { // by item
	uint32_t *times, *squares;
	atomic_uint workers_seen[64];
};

static void square(struct ic_items *items, uint32_t worker, void *context)
{
	struct results *results = context;

	atomic_fetch_add(&results->workers_seen[worker], 1);
	for (uint32_t i; ic_items_take(items, &i);) {
		results->times[i]++; // nobody else has the item, so this needs no lock
		results->squares[i] = i * i;
	}
}

static void check_run(uint32_t workers, uint32_t count)
{
	struct results results = { .times = calloc(count + 1, sizeof(uint32_t)),
				   .squares = calloc(count + 1, sizeof(uint32_t)) };

	ic_workers_run(workers, count, square, &results);
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(results.times[i], 1);
		assert_int_equal(results.squares[i], i * i);
	}
	assert_int_equal(results.times[count], 0);
	for (uint32_t i = 0; i < 64; i++)
		assert_int_equal(results.workers_seen[i], i < workers);
	free(results.times);
	free(results.squares);
}

TEST(every_item_is_taken_once_and_its_result_is_in_its_slot)
{
	check_run(1, 1000);
	check_run(2, 1000);
	check_run(4, 100000);
	check_run(16, 3); // more workers than items
	check_run(64, 5000);
}

static void note_signals(struct ic_items *items, uint32_t worker, void *context)
{
	sigset_t *masks = context;
	(void)items;

	pthread_sigmask(SIG_BLOCK, NULL, &masks[worker]);
}

TEST(threads_that_are_started_leave_signals_to_the_others)
{
	sigset_t masks[3], before, after;

	pthread_sigmask(SIG_BLOCK, NULL, &before);
	ic_workers_run(3, 3, note_signals, masks);
	pthread_sigmask(SIG_BLOCK, NULL, &after);
	for (int number = 1; number < 32; number++) { // then come some of libc's own
		bool is_fault = number == SIGSEGV || number == SIGBUS || number == SIGFPE ||
				number == SIGILL || number == SIGTRAP || number == SIGSYS;
		bool never = number == SIGKILL || number == SIGSTOP;
		assert_int_equal(sigismember(&after, number), sigismember(&before, number));
		assert_int_equal(sigismember(&masks[0], number), sigismember(&before, number));
		for (int i = 1; i < 3; i++)
			assert_int_equal(sigismember(&masks[i], number), !is_fault && !never);
	}
}

TEST(a_run_of_nothing_ends)
{
	check_run(1, 0);
	check_run(4, 0);
}

TEST(there_are_no_more_workers_than_asked_for_or_than_items)
{
	assert_int_equal(ic_workers_count(4, 100), 4);
	assert_int_equal(ic_workers_count(4, 3), 3);
	assert_int_equal(ic_workers_count(4, 0), 1);
	assert_int_equal(ic_workers_count(1, 100), 1);
	assert_in_range(ic_workers_count(0, 100), 1, 64);
	assert_int_equal(ic_workers_count(0, 1), 1);
	assert_int_equal(ic_workers_count(UINT32_MAX, UINT32_MAX), 64);
}

TEST(items_run_out_for_good)
{
	struct ic_items items = { .count = 2 };
	uint32_t index;

	assert_true(ic_items_take(&items, &index));
	assert_int_equal(index, 0);
	assert_true(ic_items_take(&items, &index));
	assert_int_equal(index, 1);
	for (int i = 0; i < 100; i++)
		assert_false(ic_items_take(&items, &index));
	assert_int_equal(items.next, 2); // it does not count on, and so cannot wrap
}

UNIT_TESTS(base_workers)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_item_is_taken_once_and_its_result_is_in_its_slot),
		cmocka_unit_test(threads_that_are_started_leave_signals_to_the_others),
		cmocka_unit_test(a_run_of_nothing_ends),
		cmocka_unit_test(there_are_no_more_workers_than_asked_for_or_than_items),
		cmocka_unit_test(items_run_out_for_good),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
