#include "unit_test.h"

#include <stdlib.h>

#include "fixtures/row_json.h"

#include <inlinecall/extra/report.h>

static const struct ic_change_row total = { .is_total = true,
					    .functions = 3,
					    .selected = 3,
					    .old_copies = 5,
					    .new_copies = 4,
					    .outlined = 1,
					    .explained = -8,
					    .grown = 4,
					    .readable = UINT64_MAX,
					    .unreadable = UINT64_MAX,
					    .old_code = 240,
					    .new_code = 236 };

// A report of these rows; to be freed.
static char *reported(const struct ic_change_row *rows, size_t count)
{
	const struct ic_report_options options = { .format = IC_REPORT_MARKDOWN };
	struct text text;
	struct ic_report *report =
		ic_report_new(IC_ROWS_CHANGES, &options, text_begin(&text), NULL);

	assert_non_null(report);
	for (size_t i = 0; i < count; i++)
		assert_true(ic_report_row(report, &(struct ic_row){ .change = &rows[i] }));
	assert_true(ic_report_end(report, NULL));
	ic_report_free(report);
	fclose(text.out);
	return text.text;
}

#define TOTAL                                                                               \
	"**Changed:** 3 functions. **Copies:** 5 -> 4: 1 outlined. **Code:** 240 -> 236 "   \
	"bytes: -8 in copies and functions that came or went, +4 in others, +0 outside of " \
	"functions.\n"

TEST(what_changed_is_a_table)
{
	const struct ic_change_row rows[] = { total,
					      { .kinds = "outlined,shrunk",
						.function = "ns::leaf",
						.old_inlined = "partly",
						.new_inlined = "never",
						.new_decl_file = "/src/a.c",
						.new_decl_line = 7,
						.old_copies = 2,
						.explained = -8,
						.grown = -1 },
					      { .kinds = "vanished",
						.function = "gone",
						.old_inlined = "fully",
						.old_decl_file = "/src/b.c",
						.old_copies = 3,
						.new_copies = 3 } };
	char *text = reported(rows, COUNT_OF(rows));

	assert_string_equal(text,
			    TOTAL "\n| Bytes | Copies | Change | Function | Place | Inlined |\n"
				  "|---:|---:|---|---|---|---|\n"
				  "| -9 | 2 -> 0 | outlined, shrunk | `ns::leaf` | `/src/a.c:7` | "
				  "partly -> never |\n"
				  "| +0 | 3 | vanished | `gone` | `/src/b.c` |  |\n"
				  "\n1 more function is not listed.\n");
	free(text);
}

TEST(groups_have_a_table_of_their_own)
{
	struct ic_change_row all = total;

	all.by = IC_COMPARISON_BY_DIRECTORY;
	const struct ic_change_row rows[] = { all,
					      { .kinds = "grown",
						.by = IC_COMPARISON_BY_DIRECTORY,
						.group = "/src",
						.functions = 2,
						.grown = 12 } };
	char *text = reported(rows, COUNT_OF(rows));
	assert_string_equal(strchr(text, '\n'),
			    "\n\n| Bytes | Copies | Change | Functions | Directory |\n"
			    "|---:|---:|---|---:|---|\n"
			    "| +12 | 0 | grown | 2 | `/src` |\n"
			    "\n2 more directories are not listed.\n");
	free(text);
}

TEST(without_a_change_there_is_no_table)
{
	struct ic_change_row all = total;

	all.selected = 0;
	char *text = reported(&all, 1);
	assert_string_equal(strchr(text, '\n'), "\n");
	free(text);
}

// The cell of a name.
static void check_name(const char *name, const char *wanted)
{
	const struct ic_change_row rows[] = { total, { .kinds = "grown", .function = name } };
	char line[128], *text = reported(rows, COUNT_OF(rows));

	snprintf(line, sizeof(line), "\n| +0 | 0 | grown | %s |  |  |\n", wanted);
	assert_non_null(strstr(text, line));
	free(text);
}

TEST(names_are_code)
{
	check_name("f<a, b>", "`f<a, b>`");
	check_name("*a* _b_ <img src=x> &amp;", "`*a* _b_ <img src=x> &amp;`");
	check_name(NULL, "`?"
			 "?`");
	check_name("", "`?"
		       "?`");
}

TEST(bars_do_not_end_a_cell)
{
	check_name("operator|", "`operator\\|`");
	check_name("operator||", "`operator\\|\\|`");
	// The table takes a pair of backslashes as one character.
	check_name("a\\|b", "`a\\\\\\|b`");
	check_name("a\\\\|b", "`a\\\\\\|b`");
	check_name("a\\b|", "`a\\b\\|`");
}

TEST(backticks_do_not_end_code)
{
	check_name("a`b", "`` a`b ``");
	check_name("`a``", "``` `a`` ```");
}

TEST(a_name_stays_in_its_line)
{
	check_name("a\nb\r\tc", "`a?b??c`");
}

UNIT_TESTS(report_text_change_markdown)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_changed_is_a_table),
		cmocka_unit_test(groups_have_a_table_of_their_own),
		cmocka_unit_test(without_a_change_there_is_no_table),
		cmocka_unit_test(names_are_code),
		cmocka_unit_test(bars_do_not_end_a_cell),
		cmocka_unit_test(backticks_do_not_end_code),
		cmocka_unit_test(a_name_stays_in_its_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
