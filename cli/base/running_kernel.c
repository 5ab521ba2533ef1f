#include "base/running_kernel.h"

#include <string.h>

enum { WHY_NOT_SIZE = 4608 };

void cli_running_init(struct cli_running *running)
{
	*running = (struct cli_running){ .placements = NULL };
	running->options.sections = running->sections;
}

void cli_running_deinit(struct cli_running *running)
{
	ic_placements_free(running->placements);
}

static bool parse_addr(const char *text, uint64_t *addr)
{
	return ic_span_hex((struct ic_span){ text, strlen(text) }, addr);
}

static enum cli_status take_section_addr(struct cli_running *running, const char *text)
{
	const char *equals = strrchr(text, '=');
	struct ic_placement_section section = { .name.text = text };

	if (!equals || equals == text || !parse_addr(equals + 1, &section.addr))
		return cli_usage_error("--section-addr expects SECTION=ADDR, as in "
				       "'.text=0xffffffffc0a00000', not '%s'",
				       text);
	section.name.size = (size_t)(equals - text);
	if (running->options.section_count == CLI_MOST_SECTION_ADDRS)
		return cli_usage_error("more than %d --section-addr options",
				       CLI_MOST_SECTION_ADDRS);
	running->sections[running->options.section_count++] = section;
	return CLI_ANSWERED;
}

// /sys, and the kernel's own file in /proc, are those of the running kernel; a copy may be of
// another one.
static void take_proc_text(struct cli_running *running, const char **text, const char *path,
			   const char *own)
{
	if (path)
		*text = path;
	else if (!*text)
		*text = own;
	if (!path && !running->options.sysfs)
		running->options.sysfs = "/sys";
}

bool cli_running_take(struct cli_running *running, enum cli_option option, const char *argument,
		      enum cli_status *status)
{
	struct ic_placement_options *options = &running->options;

	*status = CLI_ANSWERED;
	switch (option) {
	case CLI_OPTION_KALLSYMS: // and CLI_OPTION_KERNEL
		take_proc_text(running, &options->kallsyms, argument, "/proc/kallsyms");
		return true;
	case CLI_OPTION_MODULES:
		take_proc_text(running, &options->modules, argument, "/proc/modules");
		return true;
	case CLI_OPTION_SYSFS: options->sysfs = argument; return true;
	case CLI_OPTION_SECTION_ADDR: *status = take_section_addr(running, argument); return true;
	case CLI_OPTION_BASE:
		options->has_base = true;
		if (!parse_addr(argument, &options->base))
			*status = cli_usage_error("--base must be an address, not '%s'", argument);
		return true;
	default: return false;
	}
}

// The file attached to -k, as in "-k=ks.txt" or "-kks.txt"; NULL if only option letters follow.
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
	static const char text[] = "the FILE of %s must be attached, as in %s=%s";

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *joined = find_joined_file(argv[i]);
		bool is_kallsyms = is_bundle_with_k(argv[i]) || !strcmp(argv[i], "--kallsyms");
		if (joined)
			return cli_usage_error(text, "--kallsyms", "--kallsyms", joined);
		if (i + 1 < argc && is_kallsyms && ic_placement_is_kallsyms(argv[i + 1]))
			return cli_usage_error(text, "--kallsyms", "--kallsyms", argv[i + 1]);
		if (i + 1 < argc && !strcmp(argv[i], "--modules") &&
		    ic_placement_is_modules(argv[i + 1]))
			return cli_usage_error(text, "--modules", "--modules", argv[i + 1]);
	}
	return CLI_ANSWERED;
}

bool cli_running_is_given(const struct cli_running *running)
{
	const struct ic_placement_options *options = &running->options;

	return options->kallsyms || options->modules || options->sysfs || options->has_base ||
	       options->section_count > 0;
}

static void complain_unreadable(void *context, const char *message)
{
	(void)context;
	cli_complain("%s", message);
}

static void complain_of_error(const struct ic_error *err)
{
	if (err->code == IC_ERROR_HIDDEN)
		cli_complain("%s; run as root, or give --base or --section-addr", err->message);
	else if (err->code != IC_ERROR_SYSTEM) // complain_unreadable() has printed those
		cli_complain("%s", err->message);
}

// Call this after all options.
static struct ic_placements *begin_placements(struct cli_running *running, struct ic_error *err)
{
	running->options.unreadable = complain_unreadable;
	if (!running->placements)
		running->placements = ic_placements_new(&running->options, err);
	return running->placements;
}

struct ic_placement *cli_running_place(struct cli_running *running, const struct ic_image *image,
				       struct ic_symbolizer *symbolizer)
{
	struct ic_error err;
	struct ic_placements *placements = begin_placements(running, &err);
	struct ic_placement *placement =
		placements ? ic_placement_find(placements, image, symbolizer, &err) : NULL;

	if (!placement)
		complain_of_error(&err);
	return placement;
}

bool cli_running_is_known(const struct ic_placement *placement)
{
	return placement && ic_placement_status(placement) == IC_PLACEMENT_FOUND;
}

// Writes the reason why the load address was not found to `why`.
static void explain_unknown(const struct cli_running *running, const struct ic_image *image,
			    const struct ic_placement *placement, char why[WHY_NOT_SIZE])
{
	const struct ic_placement_options *options = &running->options;
	const char *module = ic_placement_module(placement);
	char path[4096];

	switch (ic_placement_status(placement)) {
	case IC_PLACEMENT_FOUND: *why = 0; break;
	case IC_PLACEMENT_NOT_ASKED:
		snprintf(why, WHY_NOT_SIZE, "%s",
			 ic_image_is_relocatable(image)
				 ? "the file is relocatable; give --section-addr instead of --base"
				 : "the file is linked; give its load address with -k or --base");
		break;
	case IC_PLACEMENT_NO_KERNEL:
		snprintf(why, WHY_NOT_SIZE, "not a kernel: no symbol _text or _stext");
		break;
	case IC_PLACEMENT_NO_MODULE:
		snprintf(why, WHY_NOT_SIZE,
			 "the file is relocatable and not named as a module (*.ko); give the "
			 "addresses of its sections with --section-addr");
		break;
	case IC_PLACEMENT_NOT_LOADED:
		snprintf(why, WHY_NOT_SIZE, "module %s is not in the list of loaded modules",
			 module);
		break;
	case IC_PLACEMENT_HIDDEN:
		snprintf(path, sizeof(path), "%s/module/%s/sections", options->sysfs, module);
		snprintf(why, WHY_NOT_SIZE, "reading the files in %s requires privileges", path);
		break;
	case IC_PLACEMENT_NO_SECTIONS:
		snprintf(why, WHY_NOT_SIZE,
			 "%.4000s has the address of module %s, but not of its sections; give "
			 "--sysfs, -k or --section-addr",
			 options->modules ? options->modules : options->kallsyms, module);
		break;
	}
}

void cli_running_complain(const struct cli_running *running, const struct ic_image *image,
			  const struct ic_placement *placement)
{
	char why[WHY_NOT_SIZE];

	explain_unknown(running, image, placement, why);
	cli_complain("%s: unknown load address: %s", ic_image_path(image), why);
}

struct ic_placement *cli_running_find(struct cli_running *running, struct ic_image *image,
				      unsigned jobs)
{
	const struct ic_symbolizer_options options = { .jobs = jobs };
	struct ic_error err;
	struct ic_symbolizer *symbolizer = ic_symbolizer_new(image, &options, &err);

	if (!symbolizer) {
		cli_complain("%s", err.message);
		return NULL;
	}
	struct ic_placement *placement = cli_running_place(running, image, symbolizer);
	if (placement && !cli_running_is_known(placement)) {
		cli_running_complain(running, image, placement);
		ic_placement_free(placement);
		placement = NULL;
	}
	ic_symbolizer_free(symbolizer);
	return placement;
}

bool cli_running_list_modules(struct cli_running *running,
			      void (*visit)(void *context, const char *name), void *context)
{
	struct ic_error err;
	struct ic_placements *placements = begin_placements(running, &err);
	bool ok = placements && ic_placements_list_modules(placements, visit, context, &err);

	if (!ok)
		complain_of_error(&err);
	return ok;
}
