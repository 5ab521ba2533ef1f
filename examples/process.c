// Symbolizes addresses in a running process, or in the running kernel: reads hexadecimal addresses,
// one per line, and prints the functions there, outermost first, and the file that contains them.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inlinecall/inlinecall.h>

static const char *reason(const struct ic_space_answer *answer)
{
	switch (answer->status) {
	case IC_SPACE_FILE: return "[unknown]";
	case IC_SPACE_NONE: return "[not code]";
	case IC_SPACE_NO_FILE: return "[made by the process]";
	case IC_SPACE_UNOPENED: return answer->reason;
	case IC_SPACE_SYMBOL: break; // has a frame
	}
	return "";
}

static void print_answer(const struct ic_space_answer *answer)
{
	if (answer->frame_count == 0)
		printf("%s", reason(answer));
	for (size_t i = answer->frame_count; i-- > 0;)
		printf("%s%s%s", answer->frames[i].function ? answer->frames[i].function : "??",
		       answer->frames[i].inlined ? "_[i]" : "", i > 0 ? ";" : "");
	printf("\t%s\n", answer->path ? answer->path : "");
}

// Reads the addresses; *count is set to their number. NULL if there are none.
static uint64_t *read_addrs(size_t *count)
{
	uint64_t *addrs = NULL, addr;

	for (*count = 0; scanf("%" SCNx64, &addr) == 1; (*count)++) {
		if ((*count & (*count - 1)) == 0) { // room for twice as many
			uint64_t *more = realloc(addrs, (*count * 2 + 1) * sizeof(*addrs));
			if (!more)
				exit(3);
			addrs = more;
		}
		addrs[*count] = addr;
	}
	return addrs;
}

// Most modules may have no file, if no debug information is installed.
static void complain(void *context, const char *module, const struct ic_error *err)
{
	(void)context;
	if (!module)
		fprintf(stderr, "%s\n", err->message);
}

static bool read_space(struct ic_space *space, const char *whose, struct ic_error *err)
{
	const struct ic_space_kernel_options options = { .left_out = complain };

	if (strcmp(whose, "kernel") == 0)
		return ic_space_read_kernel(space, &options, err);
	return ic_space_read_process(space, atoi(whose), err);
}

static bool print_all(struct ic_space *space, struct ic_error *err)
{
	struct ic_space_answer answer;
	size_t count;

	uint64_t *addrs = read_addrs(&count);
	struct ic_space_answers *answers = ic_space_find(space, addrs, count, err);
	for (size_t i = 0; answers && i < count; i++) {
		ic_space_answers_get(answers, i, &answer);
		print_answer(&answer);
	}
	free(addrs);
	ic_space_answers_free(answers);
	return answers != NULL;
}

int main(int argc, char **argv)
{
	// Many files have only symbols, and some are replaced while they are in use.
	const struct ic_modules_options options = {
		.image = { .allow_no_debug = true, .read_files = true },
		.max_memory = 1ull << 30,
	};
	struct ic_error err;

	if (argc != 2) {
		fprintf(stderr, "usage: process PID|kernel <ADDRESSES\n");
		return 64;
	}
	struct ic_modules *modules = ic_modules_new(&options, &err);
	struct ic_space *space = modules ? ic_space_new(modules, &err) : NULL;
	bool ok = space && read_space(space, argv[1], &err) && print_all(space, &err);
	if (!ok)
		fprintf(stderr, "%s\n", err.message);
	ic_space_free(space);
	ic_modules_free(modules);
	return ok ? 0 : 1;
}
