// Symbolizes a profiler's samples: reads lines "PATH OFFSET", a file and a byte offset in it, and
// prints the functions there, outermost first, in the format of flame graphs: "main;twice_[i]".
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inlinecall/extra/symbolizer.h>
#include <inlinecall/inlinecall.h>

enum { MOST_FRAMES = 64 };

struct module {
	char *path;
	struct ic_image *image;
	struct ic_symbolizer *symbolizer; // NULL if the file cannot be opened
	struct module *next;
};

static struct module *open_module(const char *path)
{
	// Without debug information there are still symbols. A profiler that must survive the
	// replacement of its files reads them instead of mapping them; one that serves others
	// limits the memory for each.
	const struct ic_image_options options = { .allow_no_debug = true,
						  .read_files = true,
						  .max_memory = 1ull << 30 };
	// Names with their namespaces and classes, without parameters.
	const struct ic_symbolizer_options names = { .display_names = true,
						     .display_style = IC_DEMANGLE_NAME };
	struct module *module = calloc(1, sizeof(*module));
	struct ic_error err;

	if (!module || !(module->path = strdup(path)))
		exit(3);
	module->image = ic_image_open(path, &options, &err);
	if (module->image)
		module->symbolizer = ic_symbolizer_new(module->image, &names, &err);
	if (!module->symbolizer)
		fprintf(stderr, "%s\n", err.message);
	return module;
}

// Opens a file when it is first mentioned, and keeps it open.
static struct module *find_module(struct module **modules, const char *path)
{
	while (*modules && strcmp((*modules)->path, path) != 0)
		modules = &(*modules)->next;
	if (!*modules)
		*modules = open_module(path);
	return *modules;
}

static const char *reason(enum ic_lookup_status status)
{
	switch (status) {
	case IC_LOOKUP_FOUND: return "";
	case IC_LOOKUP_OUTSIDE: return "[not code]";
	case IC_LOOKUP_NO_DEBUG: return "[no debug information]";
	case IC_LOOKUP_UNREADABLE: return "[damaged]";
	}
	return "";
}

static void print_stack(const struct module *module, uint64_t off)
{
	struct ic_frame frames[MOST_FRAMES]; // deeper frames are not printed
	enum ic_lookup_status status = IC_LOOKUP_OUTSIDE;
	uint64_t addr;
	size_t count = 0;

	if (module->symbolizer && ic_image_addr_of_offset(module->image, off, &addr))
		count = ic_symbolizer_lookup_at(module->symbolizer, addr, frames, MOST_FRAMES,
						&status);
	if (count == 0)
		printf("%s", reason(status));
	for (size_t i = count < MOST_FRAMES ? count : MOST_FRAMES; i-- > 0;)
		printf("%s%s%s", frames[i].display_name ? frames[i].display_name : "??",
		       frames[i].inlined ? "_[i]" : "", i > 0 ? ";" : "");
	putchar('\n');
}

// Prints what could not be read, and closes the module.
static bool close_module(struct module *module)
{
	struct ic_symbolizer *symbolizer = module->symbolizer;
	struct ic_index_problem problem;
	bool sound = symbolizer != NULL;

	for (size_t i = 0; sound && ic_symbolizer_problem_get(symbolizer, i, &problem); i++)
		fprintf(stderr, "%s: %s\n", problem.file ? problem.file : module->path,
			problem.message);
	sound = sound && !ic_symbolizer_problem_get(symbolizer, 0, &problem);
	ic_symbolizer_free(module->symbolizer); // before its image
	ic_image_free(module->image);
	free(module->path);
	free(module);
	return sound;
}

int main(void)
{
	struct module *modules = NULL;
	char path[4096];
	uint64_t off;
	int status = 0;

	while (scanf("%4095s %" SCNx64, path, &off) == 2)
		print_stack(find_module(&modules, path), off);
	while (modules) {
		struct module *next = modules->next;
		if (!close_module(modules))
			status = 2;
		modules = next;
	}
	return status;
}
