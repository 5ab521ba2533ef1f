#include "running_kernel.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_NAME_SIZE = 512 }; // of a symbol: KSYM_NAME_LEN

static const char hidden_hint[] =
	"the kernel hides addresses from those without privileges (kernel.kptr_restrict); run this "
	"as root, or say --base or --section-addr";

void cli_running_init(struct cli_running *running)
{
	*running = (struct cli_running){ .use_kallsyms = false };
	cli_proc_text_init(&running->kallsyms, "/proc/kallsyms");
	cli_proc_text_init(&running->modules, "/proc/modules");
}

void cli_running_deinit(struct cli_running *running)
{
	cli_proc_text_deinit(&running->kallsyms);
	cli_proc_text_deinit(&running->modules);
}

static enum cli_status take_section_addr(struct cli_running *running, const char *text)
{
	const char *equals = strrchr(text, '=');
	struct cli_section_addr section = { .text = text };

	if (!equals || equals == text ||
	    !cli_word_hex((struct cli_word){ equals + 1, strlen(equals + 1) }, &section.addr))
		return cli_usage_error("--section-addr is SECTION=ADDR, as in "
				       "'.text=0xffffffffc0a00000', not '%s'",
				       text);
	section.name_size = (size_t)(equals - text);
	if (running->section_addr_count == CLI_MOST_SECTION_ADDRS)
		return cli_usage_error("more than %d --section-addr", CLI_MOST_SECTION_ADDRS);
	running->section_addrs[running->section_addr_count++] = section;
	return CLI_ANSWERED;
}

// A file of the running kernel says that /sys is of it too; a copy does not.
static void take_proc_text(struct cli_running *running, struct cli_proc_text *text,
			   const char *path)
{
	if (path)
		text->path = path;
	else if (!running->sysfs)
		running->sysfs = "/sys";
}

bool cli_running_take(struct cli_running *running, enum cli_option option, const char *argument,
		      enum cli_status *status)
{
	*status = CLI_ANSWERED;
	switch (option) {
	case CLI_OPTION_KALLSYMS:
		running->use_kallsyms = true;
		take_proc_text(running, &running->kallsyms, argument);
		return true;
	case CLI_OPTION_MODULES:
		running->use_modules = true;
		take_proc_text(running, &running->modules, argument);
		return true;
	case CLI_OPTION_SYSFS: running->sysfs = argument; return true;
	case CLI_OPTION_SECTION_ADDR: *status = take_section_addr(running, argument); return true;
	case CLI_OPTION_BASE:
		running->has_base = true;
		if (!cli_word_hex((struct cli_word){ argument, strlen(argument) }, &running->base))
			*status = cli_usage_error("--base is an address, not '%s'", argument);
		return true;
	default: return false;
	}
}

// The text after "-k", if it is no letters of options: "=ks.txt" or "ks.txt".
static const char *find_joined_file(const char *argument)
{
	const char *k = argument[0] == '-' && argument[1] != '-' ? strchr(argument, 'k') : NULL;

	if (!k || !strpbrk(k, "=./"))
		return NULL;
	return k[1] == '=' ? k + 2 : k + 1;
}

static bool is_bundle_with_k(const char *argument)
{
	size_t size = strlen(argument);

	return size > 1 && argument[0] == '-' && argument[1] != '-' && argument[size - 1] == 'k';
}

enum cli_status cli_running_check(int argc, char *const *argv)
{
	static const char text[] = "the FILE of %s is joined to it, as in %s=%s";

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *joined = find_joined_file(argv[i]);
		bool is_kallsyms = is_bundle_with_k(argv[i]) || !strcmp(argv[i], "--kallsyms");
		if (joined)
			return cli_usage_error(text, "--kallsyms", "--kallsyms", joined);
		if (i + 1 < argc && is_kallsyms && cli_proc_text_is_kallsyms(argv[i + 1]))
			return cli_usage_error(text, "--kallsyms", "--kallsyms", argv[i + 1]);
		if (i + 1 < argc && !strcmp(argv[i], "--modules") &&
		    cli_proc_text_is_modules(argv[i + 1]))
			return cli_usage_error(text, "--modules", "--modules", argv[i + 1]);
	}
	return CLI_ANSWERED;
}

bool cli_running_is_given(const struct cli_running *running)
{
	return running->use_kallsyms || running->use_modules || running->sysfs ||
	       running->has_base || running->section_addr_count > 0;
}

bool cli_module_name(const char *path, size_t path_size, char *name, size_t capacity)
{
	const char *slash = memrchr(path, '/', path_size);
	const char *base = slash ? slash + 1 : path, *end = path + path_size;
	const char *dot = memmem(base, (size_t)(end - base), ".ko", 3);

	if (!dot || dot == base || (dot + 3 < end && dot[3] != '.') ||
	    (size_t)(dot - base) >= capacity)
		return false;
	for (; base < dot; base++)
		*name++ = *base == '-' ? '_' : *base;
	*name = 0;
	return true;
}

struct place_job {
	struct cli_running *running;
	const char *path;
	struct ic_symbolizer *symbolizer;
	struct cli_placement *placement;
	char module[128];
	bool is_x86;
};

static bool add_window(struct cli_placement *placement, struct cli_addr_window window)
{
	struct cli_addr_window *windows =
		realloc(placement->windows, (placement->window_count + 1) * sizeof(*windows));

	if (!windows) {
		cli_complain("out of memory");
		return false;
	}
	placement->windows = windows;
	placement->windows[placement->window_count++] = window;
	return placement->is_known = true;
}

// Linked files: kernels, programs and libraries.

bool cli_placement_set(struct cli_placement *placement, uint64_t given, uint64_t start)
{
	placement->window_count = 0;
	return add_window(placement, (struct cli_addr_window){
					     .given = given,
					     .start = start,
					     .size = UINT64_MAX - (given > start ? given : start),
				     });
}

static bool place_by_base(struct place_job *job)
{
	struct ic_symbolizer_symbol text;
	uint64_t start = ic_symbolizer_lowest_addr(job->symbolizer);

	// The lowest segment of a kernel may be that of per-CPU data, at 0.
	if (ic_symbolizer_symbol_find(job->symbolizer, "_text", 0, &text))
		start = text.start;
	return cli_placement_set(job->placement, job->running->base, start);
}

struct landmark { // a symbol that every kernel has once
	const char *name;
	struct ic_symbolizer_symbol symbol;
	uint64_t loaded;
	bool in_file, in_kernel;
};

static bool judge_landmarks(struct place_job *job, const struct landmark *landmarks, size_t count)
{
	const char *path = job->running->kallsyms.path;
	const struct landmark *first = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct landmark *mark = &landmarks[i];
		if (!mark->in_file || !mark->in_kernel)
			continue;
		if (mark->loaded == 0) {
			cli_complain("%s: the address of %s is 0: %s", path, mark->name,
				     hidden_hint);
			return false;
		}
		if (first &&
		    mark->loaded - first->loaded != mark->symbol.start - first->symbol.start) {
			cli_complain("%s: %s and %s are 0x%" PRIx64 " bytes apart, and 0x%" PRIx64
				     " in %s: that is another kernel",
				     path, first->name, mark->name, mark->loaded - first->loaded,
				     mark->symbol.start - first->symbol.start, job->path);
			return false;
		}
		first = first ? first : mark;
	}
	if (!first) {
		cli_complain("%s: neither _text nor _stext is there, as in %s", path, job->path);
		return false;
	}
	return cli_placement_set(job->placement, first->loaded, first->symbol.start);
}

static bool place_by_kallsyms(struct place_job *job)
{
	// Where the first two are says where the kernel is; the others are in places of their own
	// in every build, and not so far behind that much would have to be read to them.
	struct landmark landmarks[] = { { .name = "_text" },
					{ .name = "_stext" },
					{ .name = "do_exit" },
					{ .name = "vfs_read" } };
	size_t count = sizeof(landmarks) / sizeof(*landmarks), wanted = 0, at = 0;
	struct cli_proc_text *text = &job->running->kallsyms;
	struct cli_kallsym symbol;

	for (size_t i = 0; i < count; i++)
		wanted += landmarks[i].in_file = ic_symbolizer_symbol_find(
			job->symbolizer, landmarks[i].name, 0, &landmarks[i].symbol);
	if (!landmarks[0].in_file && !landmarks[1].in_file) {
		snprintf(job->placement->why_not, sizeof(job->placement->why_not),
			 "it has neither _text nor _stext, so it is not a kernel");
		return true;
	}
	while (wanted > 0 && cli_kallsym_next(text, &at, &symbol)) {
		if (symbol.module.size > 0)
			continue;
		for (size_t i = 0; i < count; i++) {
			struct landmark *mark = &landmarks[i];
			if (!mark->in_file || mark->in_kernel ||
			    !cli_word_is(symbol.name, mark->name))
				continue;
			mark->in_kernel = true;
			mark->loaded = symbol.addr;
			wanted--;
		}
	}
	return !text->failed && judge_landmarks(job, landmarks, count);
}

static bool place_linked(struct place_job *job)
{
	struct cli_running *running = job->running;

	if (running->has_base)
		return place_by_base(job);
	if (running->use_kallsyms)
		return place_by_kallsyms(job);
	snprintf(job->placement->why_not, sizeof(job->placement->why_not),
		 "it is linked: -k or --base say where it is loaded");
	return true;
}

// Relocatable files: modules.

static const struct cli_addr_window *find_window(const struct cli_placement *placement,
						 uint64_t start)
{
	for (size_t i = 0; i < placement->window_count; i++)
		if (placement->windows[i].start == start)
			return &placement->windows[i];
	return NULL;
}

static bool add_section(struct place_job *job, const struct ic_symbolizer_section *section,
			uint64_t loaded)
{
	return add_window(job->placement, (struct cli_addr_window){ .given = loaded,
								    .start = section->start,
								    .size = section->size });
}

static bool place_by_options(struct place_job *job)
{
	for (size_t i = 0; i < job->running->section_addr_count; i++) {
		const struct cli_section_addr *option = &job->running->section_addrs[i];
		struct ic_symbolizer_section section, other;
		char name[MOST_NAME_SIZE];

		snprintf(name, sizeof(name), "%.*s", (int)option->name_size, option->text);
		if (!ic_symbolizer_section_find(job->symbolizer, name, 0, &section)) {
			cli_complain("%s: no section %s that is loaded", job->path, name);
			return false;
		}
		if (ic_symbolizer_section_find(job->symbolizer, name, 1, &other)) {
			cli_complain("%s: several sections %s", job->path, name);
			return false;
		}
		if (!add_section(job, &section, option->addr))
			return false;
	}
	return true;
}

// What ran once is freed, and its addresses belong to others: but a module keeps the name.
static bool is_freed(const char *section)
{
	return strncmp(section, ".init", 5) == 0;
}

// False where the file cannot be read: that takes privileges.
static bool read_section_addr(int directory, const char *name, uint64_t *addr)
{
	char text[32];
	int fd = openat(directory, name, O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof(text));

	if (fd >= 0)
		close(fd);
	while (size > 0 && text[size - 1] == '\n')
		size--;
	return size > 0 && cli_word_hex((struct cli_word){ text, (size_t)size }, addr);
}

// By SYSFS/module/NAME/sections, which has a file for each. Nothing where there is no such folder.
static bool place_by_sysfs(struct place_job *job)
{
	struct ic_symbolizer_section section, other;
	bool hidden = false, placed = true;
	char path[4096];
	uint64_t addr;

	snprintf(path, sizeof(path), "%s/module/%s/sections", job->running->sysfs, job->module);
	DIR *directory = opendir(path);
	if (!directory)
		return true;
	for (struct dirent *entry; placed && (entry = readdir(directory));) {
		const char *name = entry->d_name;
		if (!ic_symbolizer_section_find(job->symbolizer, name, 0, &section) ||
		    ic_symbolizer_section_find(job->symbolizer, name, 1, &other) || is_freed(name))
			continue;
		if (!read_section_addr(dirfd(directory), name, &addr) || addr == 0)
			hidden = true;
		else
			placed = add_section(job, &section, addr);
	}
	closedir(directory);
	if (placed && hidden && !job->placement->is_known)
		snprintf(job->placement->why_not, sizeof(job->placement->why_not),
			 "what is in %.100s cannot be read, which takes privileges", path);
	return placed;
}

// The section that a symbol of the kernel's list is in, by the symbol of that name in the file.
// False where there is none, or it could be several.
static bool find_symbol_section(const struct place_job *job, struct cli_word name,
				struct ic_symbolizer_section *section, uint64_t *off)
{
	struct ic_symbolizer_symbol symbol, other;
	struct ic_index_section found;
	char text[MOST_NAME_SIZE];

	if (name.size >= sizeof(text))
		return false;
	memcpy(text, name.text, name.size);
	text[name.size] = 0;
	if (!ic_symbolizer_symbol_find(job->symbolizer, text, 0, &symbol) ||
	    ic_symbolizer_symbol_find(job->symbolizer, text, 1, &other) ||
	    !ic_symbolizer_section_at(job->symbolizer, symbol.start, &found) ||
	    is_freed(found.name))
		return false;
	*off = symbol.start - found.start;
	for (uint32_t i = 0; ic_symbolizer_section_find(job->symbolizer, found.name, i, section);
	     i++)
		if (section->start == found.start)
			return true;
	return false;
}

// By the module's symbols in /proc/kallsyms, each of which says where its section is.
static bool place_by_module_symbols(struct place_job *job)
{
	struct cli_proc_text *text = &job->running->kallsyms;
	struct ic_symbolizer_section section;
	struct cli_kallsym symbol;
	size_t at = 0;
	uint64_t off;

	while (cli_kallsym_next(text, &at, &symbol)) {
		if (!cli_word_is(symbol.module, job->module) || !strchr("tT", symbol.type))
			continue;
		if (symbol.addr == 0) {
			cli_complain("%s: the addresses of [%s] are 0: %s", text->path, job->module,
				     hidden_hint);
			return false;
		}
		if (!find_symbol_section(job, symbol.name, &section, &off))
			continue;
		const struct cli_addr_window *known = find_window(job->placement, section.start);
		if (known && known->given != symbol.addr - off) {
			cli_complain("%s: %.*s of [%s] is not where %s would have it: that is "
				     "another build of the module",
				     text->path, (int)symbol.name.size, symbol.name.text,
				     job->module, job->path);
			return false;
		}
		if (!known && !add_section(job, &section, symbol.addr - off))
			return false;
	}
	return !text->failed;
}

// Whether .text is what the module's memory begins with: sections of code come first, in the order
// of the file. That holds on x86; others put tables of their own before them, or make sections
// larger while they load.
static bool begins_with_text(const struct place_job *job, struct ic_symbolizer_section *text)
{
	struct ic_index_section section;
	uint64_t size;

	for (size_t i = 0; ic_symbolizer_section_get(job->symbolizer, i, &section, &size); i++) {
		if (size == 0 || is_freed(section.name))
			continue;
		*text = (struct ic_symbolizer_section){ section.start, size };
		return job->is_x86 && strcmp(section.name, ".text") == 0;
	}
	return false;
}

// By the address in /proc/modules, which is that of the first section alone: the others have
// alignments, and room between them, that it takes the kernel's own loader to know.
static bool place_by_modules(struct place_job *job)
{
	struct cli_proc_text *text = &job->running->modules;
	struct ic_symbolizer_section section;
	struct cli_proc_module module;
	size_t at = 0;
	bool found = false;

	while (!found && cli_proc_module_next(text, &at, &module))
		found = cli_word_is(module.name, job->module);
	if (text->failed)
		return false;
	if (found && module.addr == 0) {
		cli_complain("%s: the address of %s is 0: %s", text->path, job->module,
			     hidden_hint);
		return false;
	}
	if (found && begins_with_text(job, &section))
		return add_section(job, &section, module.addr);
	if (found)
		snprintf(job->placement->why_not, sizeof(job->placement->why_not),
			 "%.80s says where module %s is, but not where its sections are: "
			 "--sysfs, -k or --section-addr do",
			 text->path, job->module);
	return true;
}

static bool place_module(struct place_job *job)
{
	struct cli_running *running = job->running;
	struct cli_placement *placement = job->placement;

	if (running->section_addr_count > 0)
		return place_by_options(job);
	if (!running->sysfs && !running->use_kallsyms && !running->use_modules) {
		snprintf(placement->why_not, sizeof(placement->why_not),
			 "it is relocatable: --base says nothing of its sections, --section-addr "
			 "does");
		return true;
	}
	if (!cli_module_name(job->path, strlen(job->path), job->module, sizeof(job->module))) {
		snprintf(placement->why_not, sizeof(placement->why_not),
			 "it is relocatable, and no module by its name (*.ko): --section-addr says "
			 "where its sections are loaded");
		return true;
	}
	if (running->sysfs && !place_by_sysfs(job))
		return false;
	if (!placement->is_known && running->use_kallsyms && !place_by_module_symbols(job))
		return false;
	if (!placement->is_known && running->use_modules && !place_by_modules(job))
		return false;
	if (!placement->is_known && !placement->why_not[0])
		snprintf(placement->why_not, sizeof(placement->why_not),
			 "module %s is not loaded, by what was read", job->module);
	return true;
}

bool cli_running_place(struct cli_running *running, const struct ic_image *image,
		       struct ic_symbolizer *symbolizer, struct cli_placement *placement)
{
	struct place_job job = { .running = running,
				 .path = ic_image_path(image),
				 .symbolizer = symbolizer,
				 .placement = placement };

	enum { MACHINE_386 = 3, MACHINE_X86_64 = 62 }; // EM_386, EM_X86_64
	unsigned machine = ic_image_machine(image);

	*placement = (struct cli_placement){ .is_known = false };
	placement->is_relocatable = ic_image_is_relocatable(image);
	job.is_x86 = machine == MACHINE_386 || machine == MACHINE_X86_64;
	if (!cli_running_is_given(running))
		return true;
	return placement->is_relocatable ? place_module(&job) : place_linked(&job);
}

// What is visited may read more of the same text, so the name is copied.
struct visit {
	void (*call)(void *context, struct cli_word name);
	void *context;
	char last[MOST_NAME_SIZE];
};

static void visit_module(struct visit *visit, struct cli_word name)
{
	if (name.size == 0 || name.size >= sizeof(visit->last) || cli_word_is(name, visit->last))
		return;
	memcpy(visit->last, name.text, name.size);
	visit->last[name.size] = 0;
	visit->call(visit->context, (struct cli_word){ visit->last, name.size });
}

static void list_sysfs(const struct cli_running *running, struct visit *visit)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/module", running->sysfs);
	DIR *directory = opendir(path);
	for (struct dirent *entry; directory && (entry = readdir(directory));)
		if (entry->d_name[0] != '.')
			visit_module(visit,
				     (struct cli_word){ entry->d_name, strlen(entry->d_name) });
	if (directory)
		closedir(directory);
}

bool cli_running_list_modules(struct cli_running *running,
			      void (*call)(void *context, struct cli_word name), void *context)
{
	struct visit visit = { .call = call, .context = context };
	struct cli_proc_module module;
	struct cli_kallsym symbol;
	size_t at = 0;

	if (running->sysfs)
		list_sysfs(running, &visit);
	while (running->use_kallsyms && cli_kallsym_next(&running->kallsyms, &at, &symbol))
		visit_module(&visit, symbol.module);
	at = 0;
	while (running->use_modules && cli_proc_module_next(&running->modules, &at, &module))
		visit_module(&visit, module.name);
	return !(running->use_kallsyms && running->kallsyms.failed) &&
	       !(running->use_modules && running->modules.failed);
}

bool cli_placement_find(const struct cli_placement *placement, uint64_t loaded, uint64_t *addr)
{
	if (!placement->is_known) {
		*addr = loaded;
		return !placement->is_relocatable;
	}
	for (size_t i = 0; i < placement->window_count; i++) {
		const struct cli_addr_window *window = &placement->windows[i];
		if (loaded < window->given || loaded - window->given >= window->size)
			continue;
		*addr = loaded - window->given + window->start;
		return true;
	}
	return false;
}

void cli_placement_deinit(struct cli_placement *placement)
{
	free(placement->windows);
	placement->windows = NULL;
	placement->window_count = 0;
}
