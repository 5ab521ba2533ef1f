#include "unit_test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <inlinecall/extra/affected.h>

#include "fixtures/text_model.h"

enum { MOST_TEXT = 4096 };

static const char *const states[] = { [IC_AFFECTED_ABSENT] = "absent",
				      [IC_AFFECTED_PRESENT] = "present",
				      [IC_AFFECTED_INLINED_ONLY] = "inlined only",
				      [IC_AFFECTED_FOLDED] = "folded",
				      [IC_AFFECTED_UNKNOWN] = "unknown" };

static void append_function(char *text, const struct ic_affected *affected, size_t number)
{
	char *end = text + strlen(text);
	struct ic_affected_function function;
	struct ic_affected_host host;

	assert_true(ic_affected_get(affected, number, &function));
	end += sprintf(end, "%s:%" PRIu32 " %s", function.function, function.decl_line,
		       states[function.state]);
	for (size_t i = 0; ic_affected_host(affected, number, i, &host); i++)
		end += sprintf(end,
			       "; %s%s 0x%" PRIx64 " copies %" PRIu64 "+%" PRIu64 " bytes %" PRIu64,
			       host.is_function ? "own " : "", host.function, host.range.start,
			       host.copies, host.without_code, host.size);
	sprintf(end, "\n");
}

// What an index made from the text answers.
static void assert_answer(const char *model_text, const struct ic_affected_query *query,
			  const char *wanted)
{
	struct text_model *model = text_model_make(model_text);
	const struct ic_index index = text_model_index(model);
	struct ic_error err;
	struct ic_affected *affected = ic_affected_find(&index, query, &err);
	char text[MOST_TEXT] = "";

	assert_non_null(affected);
	for (size_t i = 0; i < ic_affected_count(affected); i++)
		append_function(text, affected, i);
	assert_string_equal(text, wanted);
	ic_affected_free(affected);
	free(model);
}

#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

static const char program[] = "main /src/a.c:9 0x100-0x200\n"
			      " mid /src/a.c:5 0x110-0x150\n"
			      "  leaf /src/a.h:1 0x120-0x130\n"
			      "  leaf /src/a.h:1\n"
			      " leaf /src/a.h:1 0x160-0x168\n"
			      "other /src/a.c:20 0x80-0x90\n"
			      " leaf /src/a.h:1 0x84-0x88\n"
			      "leaf /src/a.h:1 0x300-0x310\n"
			      "left /src/a.c:30\n"
			      " leaf /src/a.h:1\n";

TEST(code_is_found_in_out_of_line_functions_whatever_is_in_between)
{
	assert_answer(program, &(struct ic_affected_query){ .functions = NAMES("leaf", "mid") },
		      "leaf:1 present; other 0x80 copies 1+0 bytes 4; main 0x100 copies 2+1 bytes "
		      "24; own leaf 0x300 copies 0+0 bytes 16\n"
		      "mid:5 inlined only; main 0x100 copies 1+0 bytes 64\n");
}

TEST(each_name_has_an_answer)
{
	assert_answer(program, &(struct ic_affected_query){ .functions = NAMES("nothing", "left") },
		      "nothing:0 absent\nleft:30 absent\n");
}

TEST(what_is_in_a_function_is_found)
{
	assert_answer(program, &(struct ic_affected_query){ .hosts = NAMES("main") },
		      "mid:5 inlined only; main 0x100 copies 1+0 bytes 64\n"
		      "leaf:1 present; main 0x100 copies 2+1 bytes 24\n");
	assert_answer(program, &(struct ic_affected_query){ .hosts = NAMES(NULL) }, "");
	assert_answer(program, &(struct ic_affected_query){ .functions = NAMES(NULL) }, "");
	assert_answer(program, &(struct ic_affected_query){ .hosts = NAMES("nothing") }, "");
}

TEST(recursion_counts_each_byte_once)
{
	assert_answer("main /src/a.c:9 0x100-0x200\n"
		      " leaf /src/a.h:1 0x110-0x150\n"
		      "  mid /src/a.h:5 0x118-0x148\n"
		      "   leaf /src/a.h:1 0x120-0x130\n",
		      &(struct ic_affected_query){ .functions = NAMES("leaf") },
		      "leaf:1 inlined only; main 0x100 copies 2+0 bytes 64\n");
}

TEST(positions_tell_functions_of_one_name_apart)
{
	static const struct ic_affected_source source = { "leaf", "other/a.c", 3 };

	assert_answer("main /src/a.c:9 0x100-0x200\n"
		      " leaf /src/a.c:3 0x110-0x120\n"
		      "other /src/b.c:9 0x200-0x300\n"
		      " leaf /src/b.c:3 0x210-0x220\n",
		      &(struct ic_affected_query){
			      .functions = NAMES("leaf"), .sources = &source, .source_count = 1 },
		      "leaf:3 inlined only; main 0x100 copies 1+0 bytes 16\n");
}

TEST(several_units_may_describe_the_same_code)
{
	assert_answer("main /src/a.c:9 0x100-0x200\n"
		      " leaf /src/a.h:1 0x110-0x120\n"
		      "main /src/a.c:9 0x100-0x200\n"
		      " leaf /src/a.h:1 0x110-0x120\n",
		      &(struct ic_affected_query){ .functions = NAMES("leaf") },
		      "leaf:1 inlined only; main 0x100 copies 1+0 bytes 16\n");
}

TEST(a_query_needs_functions_or_hosts)
{
	const struct ic_index index = { .unit_count = 0 };
	struct ic_error err;

	assert_null(ic_affected_find(&index, NULL, &err));
	assert_int_equal(err.code, IC_ERROR_ARGUMENT);
	assert_null(
		ic_affected_find(&index, &(struct ic_affected_query){ .functions = NULL }, &err));
	assert_null(ic_affected_find(
		&index, &(struct ic_affected_query){ .functions = NAMES("a"), .hosts = NAMES("b") },
		NULL));
	ic_affected_free(NULL);
}

UNIT_TESTS(query_affected_affected)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_is_found_in_out_of_line_functions_whatever_is_in_between),
		cmocka_unit_test(each_name_has_an_answer),
		cmocka_unit_test(what_is_in_a_function_is_found),
		cmocka_unit_test(recursion_counts_each_byte_once),
		cmocka_unit_test(positions_tell_functions_of_one_name_apart),
		cmocka_unit_test(several_units_may_describe_the_same_code),
		cmocka_unit_test(a_query_needs_functions_or_hosts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
