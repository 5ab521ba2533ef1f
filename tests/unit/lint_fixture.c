#include "lint_fixture.h"

#include "unit_test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

// ---- What was found, as text

void lint_open(struct lint_found *found, struct dwarf_builder *dw, const char *rule)
{
	const char *rules[] = { rule };
	const struct ic_lint_options options = { .most = 2,
						 .rules = rule ? rules : NULL,
						 .rule_count = 1 };
	struct ic_index_problem problem;
	struct ic_lint_finding finding;
	struct ic_lint_count count;
	struct ic_error err = { .message = "" };
	size_t size;

	scan_open(&found->scan, dw, NULL);
	found->lint = ic_lint_run(found->scan.image, &options, &err);
	if (!found->lint)
		fail_msg("%s", err.message);
	FILE *out = open_memstream(&found->text, &size);
	for (size_t i = 0; ic_lint_count_get(found->lint, i, &count); i++) {
		fprintf(out, "%s %" PRIu64 " of %s\n", count.rule->name, count.count,
			count.producer ? count.producer : "?");
		for (size_t j = 0; j < count.kept; j++) {
			assert_true(ic_lint_finding_get(found->lint, count.first + j, &finding));
			fprintf(out, " %s: %s\n", finding.function ? finding.function : "?",
				finding.text);
		}
	}
	for (size_t i = 0; ic_lint_problem_get(found->lint, i, &problem); i++)
		fprintf(out, "problem %s\n", problem.message);
	fclose(out);
}

void lint_close(struct lint_found *found)
{
	free(found->text);
	ic_lint_free(found->lint);
	scan_close(&found->scan);
}

void lint_check(struct dwarf_builder *dw, const char *rule, const char *wanted)
{
	struct lint_found found;

	lint_open(&found, dw, rule);
	assert_string_equal(found.text, wanted);
	lint_close(&found);
}

// ---- DWARF

void lint_put_formal(struct dwarf_builder *dw, const char *label)
{
	dw_label(dw, label);
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_string(dw, DW_AT_name, label);
	dw_die_end(dw);
}

static void put_lines(struct dwarf_builder *dw, uint64_t start, uint64_t size)
{
	struct dw_line_header header = dw_line_header_default(dw);
	const char *const dirs[] = { "/src", NULL };
	const struct dw_line_file files[] = { { .path = "a.c" },
					      { .path = "a.c" },
					      { .path = NULL } };

	header.dirs = dirs;
	header.files = files;
	dw_line_begin(dw, "lines", &header);
	dw_line_address(dw, start);
	dw_line_row(dw, 0, 0);
	dw_line_end_sequence(dw, size);
	dw_line_end(dw);
}

struct dwarf_builder *lint_begin(void)
{
	struct dwarf_builder *dw = scan_builder(5);

	put_lines(dw, LINT_START, 0x100);
	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_string(dw, DW_AT_producer, "GNU C17 12.2.0 -O2");
	dw_low_high(dw, LINT_START, LINT_END);
	dw_stmt_list(dw, "lines");
	dw_label(dw, "f");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "f");
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	lint_put_formal(dw, "a");
	lint_put_formal(dw, "b");
	dw_die_end(dw);
	return dw;
}

void lint_put_call(struct dwarf_builder *dw)
{
	dw_data1(dw, DW_AT_call_file, 1);
	dw_data1(dw, DW_AT_call_line, 7);
}

void lint_begin_copy(struct dwarf_builder *dw, const char *origin, uint64_t start, uint64_t end)
{
	scan_inlined(dw, origin, LINT_START + start, LINT_START + end);
	lint_put_call(dw);
}

void lint_put_copy(struct dwarf_builder *dw, const char *origin, uint64_t start, uint64_t end)
{
	lint_begin_copy(dw, origin, start, end);
	dw_die_end(dw);
}

void lint_put_argument(struct dwarf_builder *dw, const char *origin)
{
	dw_die_begin(dw, DW_TAG_formal_parameter);
	if (origin)
		dw_ref4(dw, DW_AT_abstract_origin, origin);
	dw_die_end(dw);
}

struct dwarf_builder *lint_end(struct dwarf_builder *dw)
{
	dw_die_end(dw);
	scan_unit_done(dw);
	return dw;
}

struct dwarf_builder *lint_begin_main(void)
{
	struct dwarf_builder *dw = lint_begin();

	scan_host(dw, "main", LINT_START, LINT_END);
	return dw;
}
