#include "unit_test.h"

#include "query/find/parts.h"

// host() has a copy of split() with two calls of it, and one of other(). Code out of line: split(),
// its part, other(), and folded(), at which there is the symbol of a part as well.
enum { HOST, SPLIT, OTHER, FOLDED };
static struct ic_function functions[] = {
	{ .name = "host", .die_off = 0x10, .decl_line = 1 },
	{ .name = "split", .die_off = 0x20, .decl_line = 5, .decl_column = 6 },
	{ .name = "other", .die_off = 0x30, .decl_line = 9 },
	{ .name = "folded", .die_off = 0x40, .decl_line = 9 },
};
static struct ic_range ranges[] = {
	{ 0x1000, 0x1100 }, { 0x1010, 0x1040 }, { 0x1020, 0x1030 }, { 0x1200, 0x1210 },
	{ 0x1300, 0x1310 }, { 0x1400, 0x1410 }, { 0x1500, 0x1510 },
};

#define OUT_OF_LINE(which, range)                                                   \
	{                                                                           \
		.entry = IC_NO_ADDR, .function = (which), .parent = IC_NONE,        \
		.first_range = (range), .range_count = 1, .kind = IC_INSTANCE_HOST, \
	}
#define INLINED(which, around, range, line, column)                            \
	{                                                                      \
		.entry = IC_NO_ADDR, .function = (which), .parent = (around),  \
		.first_range = (range), .range_count = 1, .call_line = (line), \
		.call_column = (column),                                       \
	}
enum { IN_HOST, COPY, PART_OF_COPY, RECURSION, WHOLE, PART, OTHERS, FOLDEDS };
static struct ic_instance instances[] = {
	OUT_OF_LINE(HOST, 0),           INLINED(SPLIT, IN_HOST, 1, 2, 2),
	INLINED(SPLIT, COPY, 2, 5, 6),  // where it is declared
	INLINED(SPLIT, COPY, 2, 7, 10), // it calls itself
	OUT_OF_LINE(SPLIT, 3),          OUT_OF_LINE(SPLIT, 4),
	OUT_OF_LINE(OTHER, 5),          OUT_OF_LINE(FOLDED, 6),
};

#define CALL(which, around, return )                                               \
	{                                                                          \
		.return_addr = (return ), .addr = IC_NO_ADDR, .function = (which), \
		.parent = (around), .call_file = IC_NONE                           \
	}
static struct ic_call calls[] = {
	CALL(SPLIT, COPY, 0x1018), CALL(SPLIT, COPY, 0x1028),    CALL(OTHER, COPY, 0x1038),
	CALL(SPLIT, PART, 0x1308), CALL(SPLIT, IN_HOST, 0x1050),
};
static struct ic_unit_model unit = {
	.functions = functions,
	.function_count = COUNT_OF(functions),
	.instances = instances,
	.instance_count = COUNT_OF(instances),
	.ranges = ranges,
	.range_count = COUNT_OF(ranges),
	.calls = calls,
	.call_count = COUNT_OF(calls),
};

static const struct ic_symbol symbol_items[] = {
	{ 0x1000, 0x1100, 0x1100, "host", NULL },
	{ 0x1200, 0x1210, 0x1210, "split", NULL },
	{ 0x1300, 0x1310, 0x1310, "split.part.0", NULL },
	{ 0x1400, 0x1410, 0x1410, "other", NULL },
	{ 0x1500, 0x1510, 0x1510, "host.part.0", NULL },
	{ 0x1500, 0x1510, 0x1510, "folded", NULL },
};

static void each(struct ic_symbol_source *source, ic_symbol_take *take, void *context)
{
	(void)source;
	for (size_t i = 0; i < COUNT_OF(symbol_items); i++)
		take(context, &symbol_items[i], IC_SYMBOL_FUNCTION);
}

static bool find(struct ic_symbol_source *source, struct ic_range range, const char *function,
		 struct ic_symbol *symbol)
{
	bool found = false;
	(void)source;

	for (size_t i = 0; i < COUNT_OF(symbol_items); i++)
		if (symbol_items[i].start <= range.start && symbol_items[i].end >= range.end &&
		    (!found || strcmp(symbol_items[i].name, function) == 0)) {
			*symbol = symbol_items[i];
			found = true;
		}
	return found;
}

static struct ic_symbol_source symbols = { .find = find, .each = each };
static struct ic_range code = { 0x1000, 0x2000 };
static struct ic_index the_index = {
	.units = &unit, .unit_count = 1, .symbols = &symbols, .code = { &code, 1 }
};

TEST(an_inlined_part_is_called_where_its_function_is_declared)
{
	struct ic_parts parts;

	ic_parts_init(&parts, &the_index);
	assert_false(ic_parts_has(&parts, &unit, &instances[COPY]));
	assert_true(ic_parts_has(&parts, &unit, &instances[PART_OF_COPY]));
	assert_false(ic_parts_has(&parts, &unit, &instances[RECURSION]));
	ic_parts_free(&parts);
}

TEST(a_part_out_of_line_has_the_symbol_of_one)
{
	struct ic_parts parts;

	ic_parts_init(&parts, &the_index);
	for (size_t i = WHOLE; i <= FOLDEDS; i++)
		assert_int_equal(ic_parts_has(&parts, &unit, &instances[i]), i == PART);
	ic_parts_free(&parts);
}

// The second call of split() in its copy goes to the function, the others to the part.
static bool find_branches(const struct ic_image *image, uint64_t addr, bool is_after,
			  struct ic_branches *branches)
{
	(void)image;
	assert_true(is_after);
	*branches = (struct ic_branches){ { 0x900, addr == 0x1028 ? 0x1200 : 0x1300 }, 2 };
	return true;
}

// The calls that go to a part, as bits.
static unsigned part_calls(const struct ic_index *index)
{
	struct ic_parts parts;
	unsigned bits = 0;

	ic_parts_init(&parts, index);
	for (unsigned i = 0; i < COUNT_OF(calls); i++)
		bits |= (unsigned)ic_parts_has_call(&parts, &unit, &calls[i]) << i;
	ic_parts_free(&parts);
	return bits;
}

TEST(the_instruction_says_whether_a_call_goes_to_a_part)
{
	struct ic_index with_code = the_index;

	with_code.image = (const struct ic_image *)&unit; // any
	with_code.find_branches = find_branches;
	assert_int_equal(part_calls(&with_code), 0x19);
}

TEST(without_code_calls_in_the_function_itself_go_to_its_part)
{
	assert_int_equal(part_calls(&the_index), 3);
}

UNIT_TESTS(query_find_parts)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_inlined_part_is_called_where_its_function_is_declared),
		cmocka_unit_test(a_part_out_of_line_has_the_symbol_of_one),
		cmocka_unit_test(the_instruction_says_whether_a_call_goes_to_a_part),
		cmocka_unit_test(without_code_calls_in_the_function_itself_go_to_its_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
