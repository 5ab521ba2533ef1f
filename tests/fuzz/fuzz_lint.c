// Fuzzes whole ELF files, and checks their DWARF by all rules.
// Wanted: an error that says why, or findings that are the same for one thread and for two, each
// with a place in the section that it names.
#include <inlinecall/extra/lint.h>

#include <string.h>

#include "fuzz_input.h"
#include "open_guard.h"

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static void compare_findings(const struct ic_lint *one, const struct ic_lint *two,
			     const struct ic_lint_count *count)
{
	struct ic_lint_finding a, b;

	for (size_t i = count->first; i < count->first + count->kept; i++) {
		PROMISE(ic_lint_finding_get(one, i, &a) && ic_lint_finding_get(two, i, &b));
		PROMISE(a.die_off == b.die_off && a.line == b.line);
		PROMISE(same_text(a.section, b.section) && same_text(a.file, b.file));
		PROMISE(same_text(a.unit, b.unit) && same_text(a.function, b.function));
		PROMISE(same_text(a.source, b.source) && same_text(a.text, b.text));
		PROMISE(a.section && fuzz_read_text(a.text, NULL) > 0);
	}
}

static void compare(const struct ic_lint *one, const struct ic_lint *two)
{
	struct ic_index_problem problem, other;
	struct ic_lint_count a, b;
	size_t next = 0;

	for (size_t i = 0; ic_lint_count_get(one, i, &a); i++) {
		PROMISE(ic_lint_count_get(two, i, &b));
		PROMISE(a.rule == b.rule && a.count == b.count && a.kept == b.kept);
		PROMISE(same_text(a.producer, b.producer));
		PROMISE(a.first == next && a.count >= a.kept && a.count > 0);
		compare_findings(one, two, &a);
		next += a.kept;
	}
	for (size_t i = 0; ic_lint_problem_get(one, i, &problem); i++) {
		PROMISE(ic_lint_problem_get(two, i, &other));
		PROMISE(same_text(problem.message, other.message));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const nowhere[] = { "/nonexistent" };
	const struct ic_image_options options = { .debug_dirs = nowhere, .debug_dir_count = 1 };
	const struct ic_lint_options alone = { .jobs = 1, .limit = 2 },
				     both = { .jobs = 2, .limit = 2 };
	struct ic_error err = { 0 };
	struct ic_image *image = ic_image_open(open_guard_put(data, size), &options, &err);
	struct ic_lint *one = image ? ic_lint_run(image, &alone, &err) : NULL;
	struct ic_lint *two = one ? ic_lint_run(image, &both, &err) : NULL;

	if (two)
		compare(one, two);
	else
		PROMISE_REASON(err);
	ic_lint_free(two);
	ic_lint_free(one);
	ic_image_free(image);
	return 0;
}
