// Prints the functions that take most of a recording's time, inlined or not: profile [PERF.DATA]
#include <inttypes.h>
#include <stdio.h>

#include <inlinecall/extra/profile.h>
#include <inlinecall/inlinecall.h>

static void print_top(struct ic_profile *profile, struct ic_error *err)
{
	const struct ic_profile_query query = { .by = IC_PROFILE_BY_FUNCTION, .limit = 10 };
	struct ic_profile_groups *groups = ic_profile_groups_find(profile, &query, err);
	struct ic_profile_group group;

	for (size_t i = 0; groups && ic_profile_groups_get(groups, i, &group); i++)
		printf("%" PRIu64 "\t%" PRIu64 "\t%s\n", group.self, group.total_inlined,
		       group.function ? group.function : "??");
	ic_profile_groups_free(groups);
}

int main(int argc, char **argv)
{
	const struct ic_modules_options options = { .symbolizer = { .display_names = true } };
	struct ic_index_problem problem;
	struct ic_error err = { .code = IC_ERROR_NONE };

	struct ic_modules *modules = ic_modules_new(&options, &err);
	struct ic_profile *profile = modules ? ic_profile_new(modules, NULL, &err) : NULL;
	bool ok = profile && ic_profile_read(profile, argc > 1 ? argv[1] : "perf.data", &err) &&
		  ic_profile_resolve(profile, &err);
	if (ok)
		print_top(profile, &err);
	for (size_t i = 0; ok && ic_profile_problem_get(profile, i, &problem); i++)
		fprintf(stderr, "%s: %s\n", problem.file ? problem.file : "", problem.message);
	if (err.code != IC_ERROR_NONE)
		fprintf(stderr, "%s\n", err.message);
	ic_profile_free(profile);
	ic_modules_free(modules);
	return err.code == IC_ERROR_NONE ? 0 : 2;
}
