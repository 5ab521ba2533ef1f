// Runs unit tests: those of the files that the arguments name, as in "dwarf/units/abbrev", or all.
#include <stdio.h>
#include <string.h>

struct file_tests {
	const char *path;
	int (*run)(void); // returns how many of its tests failed
};

#define UNIT_TESTS_OF(path, name) int unit_tests_of_##name(void);
#include "unit_tests.def"
#undef UNIT_TESTS_OF

static const struct file_tests all[] = {
#define UNIT_TESTS_OF(path, name) { path, unit_tests_of_##name },
#include "unit_tests.def"
#undef UNIT_TESTS_OF
};

// Runs the tests of a path, or all if it is NULL. Returns how many failed, -1 if none has the path.
static int run_tests(const char *path)
{
	int failed = path ? -1 : 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!path || strcmp(all[i].path, path) == 0)
			failed = (failed > 0 ? failed : 0) + all[i].run();
	return failed;
}

int main(int argc, char **argv)
{
	int failed = argc < 2 ? run_tests(NULL) : 0;

	for (int i = 1; i < argc; i++) {
		int more = run_tests(argv[i]);
		if (more < 0) {
			fprintf(stderr, "%s: there are no tests of this file\n", argv[i]);
			return 64;
		}
		failed += more;
	}
	return failed > 0;
}
