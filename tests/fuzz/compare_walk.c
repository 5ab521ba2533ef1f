#include "compare_walk.h"

#include <stdio.h>
#include <stdlib.h>

#include <inlinecall/extra/report.h>
#include <inlinecall/extra/rows.h>

#include "fuzz_input.h"

static void mix(uint64_t *hash, uint64_t number)
{
	*hash = (*hash ^ number) * 0x100000001b3; // FNV
}

static void check_paths(const struct ic_comparison *comparison, size_t number,
			const struct ic_change *change, uint64_t *hash)
{
	struct ic_path_change path;
	size_t count = 0;

	while (ic_comparison_path_get(comparison, number, count, &path)) {
		PROMISE(path.old_copies == 0 && path.old_calls == 0 && path.old_size == 0);
		for (size_t i = 0; i < path.caller_count; i++) {
			const char *caller = ic_comparison_caller(comparison, number, count, i);
			if (caller)
				fuzz_read_text(caller, NULL);
		}
		mix(hash, path.new_copies);
		count++;
	}
	PROMISE(count == change->path_count);
}

// All of it is new: nothing was there that something could have been inlined into.
static void check_new(const struct ic_comparison *comparison, uint64_t *hash)
{
	struct ic_comparison_total total;
	struct ic_change change;
	uint64_t copies = 0;
	int64_t explained = 0;

	ic_comparison_total(comparison, &total);
	for (size_t i = 0; ic_comparison_get(comparison, i, &change); i++) {
		PROMISE(change.before.inlined == IC_INLINED_UNKNOWN);
		PROMISE(change.inlined + change.outlined + change.added + change.removed == 0);
		PROMISE(change.went == 0 && change.grown == 0 && change.path_count == 0);
		PROMISE(change.readable + change.unreadable + change.argument_count == 0);
		if (change.function)
			fuzz_read_text(change.function, NULL);
		check_paths(comparison, i, &change, hash);
		copies += change.after.copies;
		explained += change.explained;
		mix(hash, (uint64_t)change.explained);
	}
	PROMISE(copies <= total.new_copies && total.old_copies == 0);
	PROMISE(explained <= total.explained);
}

static bool write_rows(const struct ic_comparison *comparison, enum ic_report_format format,
		       struct ic_error *err)
{
	const struct ic_report_options options = { .format = format };
	FILE *out = fopen("/dev/null", "w");

	if (!out)
		abort();
	struct ic_report *report = ic_report_new(IC_ROWS_CHANGES, &options, out, err);
	struct ic_rows *rows = report ? ic_rows_of_changes(comparison, NULL, err) : NULL;
	bool ok = rows && (ic_report_rows(report, rows), ic_report_end(report, err));
	ic_rows_free(rows);
	ic_report_free(report);
	fclose(out);
	return ok;
}

// Each function is in one group.
static bool check_groups(const struct ic_build *nothing, const struct ic_build *build,
			 enum ic_comparison_by by, struct ic_error *err)
{
	const struct ic_comparison_query query = { .by = by };
	struct ic_comparison *functions = ic_comparison_find(nothing, build, NULL, err);
	struct ic_comparison *groups = functions ? ic_comparison_find(nothing, build, &query, err)
						 : NULL;
	struct ic_change change;
	uint64_t count = 0, copies = 0;
	int64_t explained = 0;

	for (size_t i = 0; groups && ic_comparison_get(groups, i, &change); i++) {
		count += change.functions;
		copies += change.after.copies;
		explained += change.explained;
		if (change.group)
			fuzz_read_text(change.group, NULL);
	}
	for (size_t i = 0; groups && ic_comparison_get(functions, i, &change); i++) {
		copies -= change.after.copies;
		explained -= change.explained;
	}
	PROMISE(!groups ||
		(count == ic_comparison_count(functions) && copies == 0 && explained == 0));
	bool ok = groups && write_rows(groups, IC_REPORT_TEXT, err) &&
		  write_rows(groups, IC_REPORT_PAGE, err) &&
		  write_rows(groups, IC_REPORT_MARKDOWN, err);
	ic_comparison_free(functions);
	ic_comparison_free(groups);
	return ok;
}

static bool compare_builds(const struct ic_build *nothing, const struct ic_build *build,
			   uint64_t *hash, struct ic_error *err)
{
	struct ic_comparison *same = ic_comparison_find(build, build, NULL, err);
	struct ic_comparison *new = same ? ic_comparison_find(nothing, build, NULL, err) : NULL;
	struct ic_comparison_total total;
	bool ok = new != NULL;

	if (same) {
		ic_comparison_total(same, &total);
		PROMISE(total.functions == 0 && total.explained == 0 && total.grown == 0);
		PROMISE(total.readable == 0 && total.unreadable == 0);
		PROMISE(ic_comparison_count(same) == 0);
	}
	if (new)
		check_new(new, hash);
	for (unsigned format = IC_REPORT_TEXT; ok && format <= IC_REPORT_CSV; format++)
		ok = write_rows(new, (enum ic_report_format)format, err);
	for (unsigned by = IC_COMPARISON_BY_SOURCE; ok && by <= IC_COMPARISON_BY_TEMPLATE; by++)
		ok = check_groups(nothing, build, (enum ic_comparison_by)by, err);
	ic_comparison_free(new);
	ic_comparison_free(same);
	return ok;
}

bool compare_walk(const struct ic_index *index, struct ic_parameters *parameters, uint64_t *hash,
		  struct ic_error *err)
{
	struct ic_build *nothing = ic_build_new(err);
	struct ic_build *build = nothing ? ic_build_new(err) : NULL;
	bool ok = build && ic_build_add(build, index, parameters, err) &&
		  compare_builds(nothing, build, hash, err);

	ic_build_free(build);
	ic_build_free(nothing);
	return ok;
}
