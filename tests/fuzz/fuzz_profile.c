// Fuzzes profiles: the recording is the input, in a file or a pipe, compressed or not; or a profile
// of pprof or OpenTelemetry, or folded stacks.
// Wanted: every sample counts once, in whatever way samples are added up, and a part is never more
// than the whole; no file but those that the recording names is asked for, and none is there.
#include "recording/read.h"

#include "fuzz_input.h"
#include "open_guard.h"

#include <stdio.h>

static void check_groups(struct ic_profile *profile, size_t event, enum ic_profile_by by)
{
	const struct ic_profile_query query = { .by = by, .event = event };
	struct ic_error err = { 0 };
	struct ic_profile_groups *groups = ic_profile_groups_find(profile, &query, &err);
	struct ic_profile_event all;
	struct ic_profile_group group;
	uint64_t self = 0;

	if (!groups) {
		PROMISE_REASON(err);
		return;
	}
	ic_profile_groups_event(groups, &all);
	for (size_t i = 0; ic_profile_groups_get(groups, i, &group); i++) {
		PROMISE(group.self_inlined <= group.self && group.total_inlined <= group.total);
		PROMISE(group.self_samples <= group.total_samples);
		PROMISE(group.total_samples <= all.samples);
		ic_profile_add(&self, group.self_samples);
		for (size_t j = 0; j < group.host_count; j++)
			PROMISE(group.hosts[j].total <= group.total_inlined);
	}
	PROMISE(all.samples == UINT64_MAX || self == all.samples - all.without_stack);
	ic_profile_groups_free(groups);
}

static void check_profile(struct ic_profile *profile)
{
	struct ic_profile_event event;
	struct ic_index_problem problem;
	struct ic_error err;
	FILE *out = fopen("/dev/null", "we");

	for (size_t i = 0; ic_profile_event_get(profile, i, &event); i++) {
		for (int by = 0; by <= IC_PROFILE_BY_THREAD; by++)
			check_groups(profile, i, (enum ic_profile_by)by);
		for (int form = 0; out && form <= IC_PROFILE_PAGE; form++)
			PROMISE(ic_profile_write(profile, (enum ic_profile_form)form, i, out,
						 &err));
	}
	for (size_t i = 0; ic_profile_problem_get(profile, i, &problem); i++)
		fuzz_read_text(problem.message, NULL);
	if (out)
		fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct ic_profile_options options = { .max_memory = 1 << 20 };
	const struct ic_modules_options modules_options = { .symbolizer = { .display_names =
										    true } };
	struct ic_modules *modules = ic_modules_new(&modules_options, NULL);
	struct fuzz_input in = { data, data + size };
	struct ic_error err = { 0 };
	struct ic_bytes bytes;

	fuzz_take_sections(&in, &bytes, 1);
	struct ic_profile *profile = ic_profile_new(modules, &options, &err);
	PROMISE(profile);
	if (ic_profile_read_bytes(profile, bytes, "perf.data", &err) &&
	    ic_profile_resolve(profile, &err))
		check_profile(profile);
	else
		PROMISE_REASON(err);
	ic_profile_free(profile);
	ic_modules_free(modules);
	fuzz_free_sections(&bytes, 1);
	return 0;
}
