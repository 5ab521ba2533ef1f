#include "unit_test.h"

#include "query/counts/coverage.h"

static void add(struct ic_coverage *coverage, uint64_t start, uint64_t end, uint32_t group,
		uint8_t layers, uint8_t totals)
{
	const struct ic_covered covered = { { start, end }, group, layers, totals };

	assert_true(ic_coverage_add(coverage, &covered));
}

TEST(a_byte_counts_once_in_a_group_and_in_the_total)
{
	struct ic_coverage coverage = { .totals = { 0 } };
	uint64_t sizes[2 * IC_COVERAGE_LAYERS] = { 0 };

	add(&coverage, 0x30, 0x40, 1, 1, 1);
	add(&coverage, 0x10, 0x30, 0, 1, 1);
	add(&coverage, 0x18, 0x20, 0, 1, 1); // inside
	add(&coverage, 0x28, 0x38, 0, 1, 1); // overlaps both
	add(&coverage, 0x10, 0x18, 1, 1, 1);
	add(&coverage, 0x50, 0x50, 1, 1, 1); // empty
	assert_true(ic_coverage_count(&coverage, 2, sizes));
	assert_int_equal(sizes[0], 0x28);
	assert_int_equal(sizes[IC_COVERAGE_LAYERS], 0x18);
	assert_int_equal(coverage.totals[0], 0x30);
	ic_coverage_free(&coverage);
}

TEST(layers_are_counted_apart)
{
	struct ic_coverage coverage = { .totals = { 0 } };
	uint64_t sizes[IC_COVERAGE_LAYERS] = { 0 };

	add(&coverage, 0x10, 0x20, 0, 1 << 0 | 1 << 2, 1 << 2);
	add(&coverage, 0x18, 0x28, 0, 1 << 0, 0);
	assert_true(ic_coverage_count(&coverage, 1, sizes));
	assert_int_equal(sizes[0], 0x18);
	assert_int_equal(sizes[1], 0);
	assert_int_equal(sizes[2], 0x10);
	assert_int_equal(coverage.totals[0], 0);
	assert_int_equal(coverage.totals[2], 0x10);
	ic_coverage_free(&coverage);
}

TEST(nothing_covers_nothing)
{
	struct ic_coverage coverage = { .totals = { 0 } };

	assert_true(ic_coverage_count(&coverage, 0, NULL));
	ic_coverage_free(&coverage);
}

UNIT_TESTS(query_counts_coverage)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_byte_counts_once_in_a_group_and_in_the_total),
		cmocka_unit_test(layers_are_counted_apart),
		cmocka_unit_test(nothing_covers_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
