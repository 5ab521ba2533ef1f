#include "unwind/frames/row_cache.h"

#include "unit_test.h"

#include <stdlib.h>

struct subject {
	struct ic_row_cache *cache;
	struct ic_unwind_row_draft draft;
};

static void begin(struct subject *subject)
{
	*subject = (struct subject){ .cache = calloc(1, sizeof(*subject->cache)) };
	assert_non_null(subject->cache);
	ic_row_cache_forget(subject->cache);
}

static void end(struct subject *subject)
{
	free(subject->cache);
}

// Keeps a row with rules that are told apart by the address.
static const struct ic_unwind_row *keep(struct subject *subject, uint64_t addr, uint16_t rules)
{
	struct ic_unwind_row_draft *draft = &subject->draft;

	draft->row = (struct ic_unwind_row){ .addr = addr, .rule_count = rules };
	for (uint16_t i = 0; i < rules; i++)
		draft->rules[i] = (struct ic_register_rule){ .reg = i,
							     .kind = IC_RULE_OFFSET,
							     .at.offset = (int64_t)addr + i };
	return ic_row_cache_keep(subject->cache, draft);
}

static void check_kept(const struct subject *subject, uint64_t addr, uint16_t rules)
{
	const struct ic_unwind_row *row = ic_row_cache_find(subject->cache, addr, false);

	assert_non_null(row);
	assert_int_equal(row->rule_count, rules);
	for (uint16_t i = 0; i < rules; i++)
		assert_int_equal(row->rules[i].at.offset, (int64_t)addr + i);
}

TEST(rows_are_found_by_address_until_they_are_forgotten)
{
	struct subject subject;

	begin(&subject);
	assert_null(ic_row_cache_find(subject.cache, 0, false));
	keep(&subject, 0x1000, 7);
	keep(&subject, 0x1010, 0);
	keep(&subject, 0x1020, IC_UNWIND_MOST_RULES);
	check_kept(&subject, 0x1000, 7);
	check_kept(&subject, 0x1010, 0);
	check_kept(&subject, 0x1020, IC_UNWIND_MOST_RULES);
	assert_null(ic_row_cache_find(subject.cache, 0x1000, true));
	assert_null(ic_row_cache_find(subject.cache, 0x1001, false));
	ic_row_cache_forget(subject.cache);
	assert_null(ic_row_cache_find(subject.cache, 0x1000, false));
	keep(&subject, 0x1000, 3);
	check_kept(&subject, 0x1000, 3);
	end(&subject);
}

TEST(a_row_takes_the_place_of_another_and_its_rules_if_there_is_room)
{
	const uint64_t first = 0x100, second = first + IC_CACHED_ROWS * 4096ull;
	struct subject subject;

	begin(&subject);
	assert_int_equal(ic_row_cache_slot(first), ic_row_cache_slot(second));
	keep(&subject, first, 5);
	keep(&subject, 0x300, 4);
	for (int i = 0; i < 3 * IC_CACHED_RULES; i++) {
		keep(&subject, i % 2 ? first : second, i % 2 ? 5 : 9);
		check_kept(&subject, i % 2 ? first : second, i % 2 ? 5 : 9);
	}
	assert_null(ic_row_cache_find(subject.cache, second, false));
	check_kept(&subject, 0x300, 4);
	assert_int_equal(subject.cache->rule_count, 5 + 4 + 9);
	end(&subject);
}

TEST(without_room_for_rules_all_rows_are_forgotten)
{
	struct subject subject;
	uint64_t addr = 0;

	begin(&subject);
	uint64_t period = subject.cache->period;
	for (; subject.cache->period == period; addr++) {
		assert_true(addr <= IC_CACHED_RULES / 40);
		keep(&subject, addr, IC_UNWIND_MOST_RULES);
		check_kept(&subject, addr, IC_UNWIND_MOST_RULES);
	}
	assert_null(ic_row_cache_find(subject.cache, 0, false));
	check_kept(&subject, addr - 1, IC_UNWIND_MOST_RULES);
	assert_int_equal(subject.cache->rule_count, IC_UNWIND_MOST_RULES);
	end(&subject);
}

TEST(expressions_of_orc_are_kept_with_the_row)
{
	struct subject subject;

	begin(&subject);
	struct ic_unwind_row_draft *draft = &subject.draft;
	draft->row = (struct ic_unwind_row){ .addr = 0x1000, .rule_count = 2, .is_orc = true };
	draft->row.cfa = (struct ic_register_rule){ .kind = IC_RULE_VAL_EXPRESSION,
						    .from = 3,
						    .at.expression = draft->bytes };
	draft->rules[0] = (struct ic_register_rule){ .kind = IC_RULE_OFFSET, .at.offset = -8 };
	draft->rules[1] = (struct ic_register_rule){ .kind = IC_RULE_EXPRESSION,
						     .from = 2,
						     .at.expression = draft->bytes + 8 };
	for (uint8_t i = 0; i < IC_ORC_MOST_BYTES; i++)
		draft->bytes[i] = i;
	ic_row_cache_keep(subject.cache, draft);
	keep(&subject, 0x2000, 9); // and what follows is not in the way
	memset(draft->bytes, 0xff, sizeof(draft->bytes));
	const struct ic_unwind_row *row = ic_row_cache_find(subject.cache, 0x1000, false);
	assert_non_null(row);
	assert_int_equal(row->cfa.at.expression[2], 2);
	assert_int_equal(row->rules[0].at.offset, -8);
	assert_int_equal(row->rules[1].at.expression[1], 9);
	end(&subject);
}

UNIT_TESTS(unwind_frames_row_cache)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_found_by_address_until_they_are_forgotten),
		cmocka_unit_test(a_row_takes_the_place_of_another_and_its_rules_if_there_is_room),
		cmocka_unit_test(without_room_for_rules_all_rows_are_forgotten),
		cmocka_unit_test(expressions_of_orc_are_kept_with_the_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
