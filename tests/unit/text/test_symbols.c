#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "text/symbols.h"

static struct ic_symbol symbol(uint64_t start, uint64_t end, const char *name)
{
	return (struct ic_symbol){ start, end, end, name, NULL };
}

static const char *name_of(const struct ic_symbols *symbols, uint64_t start, uint64_t end)
{
	const struct ic_symbol *found = ic_symbols_find(symbols, (struct ic_range){ start, end });

	return found ? found->name : "";
}

TEST(a_range_is_named_by_the_innermost_symbol_that_holds_all_of_it)
{
	const struct ic_symbol items[] = {
		symbol(0x1000, 0x1100, "alias"), symbol(0x1000, 0x1100, "start"),
		symbol(0x1000, 0x2000, "outer"), symbol(0x1200, 0x1300, "inner"),
		symbol(0x3000, 0x3010, "alone"),
	};
	struct ic_arena arena = { 0 };
	struct ic_symbols symbols;

	assert_true(ic_symbols_build(&symbols, items, COUNT_OF(items), &arena));
	assert_string_equal(name_of(&symbols, 0x1210, 0x1220), "inner");
	assert_string_equal(name_of(&symbols, 0x1200, 0x1300), "inner");
	assert_string_equal(name_of(&symbols, 0x1210, 0x1301), "outer"); // inner holds a part
	assert_string_equal(name_of(&symbols, 0x1400, 0x1500), "outer");
	assert_string_equal(name_of(&symbols, 0x3000, 0x3010), "alone");
	assert_string_equal(name_of(&symbols, 0x3000, 0x3011), "");
	assert_string_equal(name_of(&symbols, 0x2000, 0x2001), "");
	assert_string_equal(name_of(&symbols, 0x0, 0x10), "");
	assert_string_equal(name_of(&symbols, 0x1000, 0x1500), "outer");
	assert_int_equal(ic_symbols_next_start(&symbols, 0), 0x1000);
	assert_int_equal(ic_symbols_next_start(&symbols, 0x1000), 0x1200);
	assert_int_equal(ic_symbols_next_start(&symbols, 0x2fff), 0x3000);
	assert_int_equal(ic_symbols_next_start(&symbols, 0x3000), UINT64_MAX);
	ic_arena_free(&arena);
}

TEST(of_symbols_at_one_address_the_last_that_reaches_far_enough_is_the_best)
{
	const struct ic_symbol items[] = { symbol(0x10, 0x40, "large"), symbol(0x10, 0x20, "local"),
					   symbol(0x10, 0x20, "global") };
	struct ic_arena arena = { 0 };
	struct ic_symbols symbols;

	assert_true(ic_symbols_build(&symbols, items, COUNT_OF(items), &arena));
	assert_string_equal(name_of(&symbols, 0x10, 0x18), "global");
	assert_string_equal(name_of(&symbols, 0x18, 0x28), "large");
	ic_arena_free(&arena);
}

// The same by looking at each.
static const struct ic_symbol *find_slowly(const struct ic_symbols *symbols, struct ic_range range)
{
	const struct ic_symbol *found = NULL;

	for (uint32_t i = 0; i < symbols->count; i++)
		if (symbols->items[i].start <= range.start && range.end <= symbols->items[i].reach)
			found = &symbols->items[i];
	return found;
}

static int compare_starts(const void *left, const void *right)
{
	const struct ic_symbol *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

TEST(of_any_symbols_those_are_found_that_looking_at_each_finds)
{
	static const uint32_t counts[] = { 0, 1, 2, 15, 16, 17, 31, 255, 256, 257, 700, 4097 };

	srand(1);
	for (size_t i = 0; i < COUNT_OF(counts); i++) {
		uint32_t count = counts[i];
		struct ic_symbol *items = calloc(count + 1, sizeof(*items));
		struct ic_arena arena = { 0 };
		struct ic_symbols symbols;

		for (uint32_t j = 0; j < count; j++) {
			uint64_t start = (uint64_t)rand() % (2 * count);
			uint64_t size = rand() % 16 ? (uint64_t)rand() % 4
						    : (uint64_t)rand() % count;
			items[j] = symbol(start, start + size, "");
		}
		qsort(items, count, sizeof(*items), compare_starts);
		assert_true(ic_symbols_build(&symbols, items, count, &arena));
		for (uint64_t addr = 0; addr < 3 * count + 1; addr += 1 + count / 500) {
			struct ic_range range = { addr, addr + 1 + (uint64_t)rand() % 4 };
			assert_ptr_equal(ic_symbols_find(&symbols, range),
					 find_slowly(&symbols, range));
		}
		ic_arena_free(&arena);
		free(items);
	}
}

static const char *name_for(const struct ic_symbols *symbols, const char *function)
{
	return ic_symbols_find_named(symbols, (struct ic_range){ 0x10, 0x18 }, function)->name;
}

TEST(of_symbols_at_one_address_that_of_the_function_is_taken)
{
	const struct ic_symbol items[] = { symbol(0x10, 0x20, "h"),
					   symbol(0x10, 0x20, "g.constprop.0"),
					   symbol(0x10, 0x20, "f"), symbol(0x30, 0x40, "h") };
	struct ic_arena arena = { 0 };
	struct ic_symbols symbols;

	assert_true(ic_symbols_build(&symbols, items, COUNT_OF(items), &arena));
	assert_string_equal(name_for(&symbols, "h"), "h");
	assert_string_equal(name_for(&symbols, "g"), "g.constprop.0");
	assert_string_equal(name_for(&symbols, "f"), "f");
	assert_string_equal(name_for(&symbols, "g."), "f");
	assert_string_equal(name_for(&symbols, "other"), "f");
	assert_null(ic_symbols_find_named(&symbols, (struct ic_range){ 0x20, 0x21 }, "h"));
	ic_arena_free(&arena);
}

TEST(it_is_found_among_thousands_at_one_address_too)
{
	enum { COUNT = 3000 };
	static struct ic_symbol items[COUNT];
	static char names[COUNT][16];
	struct ic_arena arena = { 0 };
	struct ic_symbols symbols;

	for (int i = 0; i < COUNT; i++) {
		snprintf(names[i], sizeof(names[i]), i % 2 ? "f%d" : "f%d.cold", i);
		items[i] = symbol(0x10, i == 77 ? 0x11 : 0x20, names[i]);
	}
	assert_true(ic_symbols_build(&symbols, items, COUNT, &arena));
	assert_string_equal(name_for(&symbols, "f0"), "f0.cold");
	assert_string_equal(name_for(&symbols, "f1"), "f1");
	assert_string_equal(name_for(&symbols, "f1500"), "f1500.cold");
	assert_string_equal(name_for(&symbols, "f2999"), "f2999");
	assert_string_equal(name_for(&symbols, "f77"), "f2999"); // that ends too early
	assert_string_equal(name_for(&symbols, "f"), "f2999");
	ic_arena_free(&arena);
}

UNIT_TESTS(text_symbols)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_range_is_named_by_the_innermost_symbol_that_holds_all_of_it),
		cmocka_unit_test(
			of_symbols_at_one_address_the_last_that_reaches_far_enough_is_the_best),
		cmocka_unit_test(of_any_symbols_those_are_found_that_looking_at_each_finds),
		cmocka_unit_test(of_symbols_at_one_address_that_of_the_function_is_taken),
		cmocka_unit_test(it_is_found_among_thousands_at_one_address_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
