#include "process/placement/placement.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inlinecall/extra/module_files.h>
#include <inlinecall/extra/symbolizer.h>

#include "base/machine.h"
#include "text/span.h"

enum { MOST_NAME_SIZE = 512 };

// ---- One file

static struct ic_placement *new_placement(struct ic_error *err)
{
	struct ic_placement *placement = calloc(1, sizeof(*placement));

	if (placement)
		placement->status = IC_PLACEMENT_NOT_ASKED;
	else
		ic_fail_memory(err);
	return placement;
}

static bool place_by_base(struct ic_placing *placing, struct ic_error *err)
{
	struct ic_symbolizer_symbol text;
	uint64_t start = ic_symbolizer_lowest_addr(placing->symbolizer);

	// The lowest segment of a kernel may be the per-CPU data, at 0.
	if (ic_symbolizer_symbol_find(placing->symbolizer, "_text", 0, &text))
		start = text.start;
	else if (!ic_symbolizer_symbols_check(placing->symbolizer, err))
		return false;
	else if (placing->placements->loaded_count > 0) {
		placing->placement->status = IC_PLACEMENT_NO_KERNEL;
		return true;
	}
	return ic_placement_add_linked(placing->placement, placing->placements->options.base, start,
				       err);
}

static bool place_linked(struct ic_placing *placing, struct ic_error *err)
{
	const struct ic_placement_options *options = &placing->placements->options;

	if (options->has_base)
		return place_by_base(placing, err);
	return !options->kallsyms || ic_place_by_landmarks(placing, err);
}

// The module's name: as known to the caller, or from its file name.
static bool find_name(struct ic_placing *placing)
{
	struct ic_placement *placement = placing->placement;
	size_t size = placing->name ? strlen(placing->name) : 0;

	if (!placing->name)
		return ic_module_name(placing->path, strlen(placing->path), placement->module,
				      sizeof(placement->module));
	if (size == 0 || size >= sizeof(placement->module))
		return false;
	memcpy(placement->module, placing->name, size + 1);
	return true;
}

static bool place_module(struct ic_placing *placing, struct ic_error *err)
{
	const struct ic_placement_options *options = &placing->placements->options;
	struct ic_placement *placement = placing->placement;

	if (options->section_count > 0)
		return ic_place_by_sections(placing, err);
	if (!options->sysfs && !options->kallsyms && !options->modules &&
	    placing->placements->loaded_count == 0)
		return true;
	if (!find_name(placing)) {
		placement->status = IC_PLACEMENT_NO_MODULE;
		return true;
	}
	placement->status = IC_PLACEMENT_NOT_LOADED;
	if (options->sysfs && !ic_place_by_sysfs(placing, err))
		return false;
	if (placement->status != IC_PLACEMENT_FOUND && options->kallsyms &&
	    !ic_place_by_symbols(placing, err))
		return false;
	return placement->status == IC_PLACEMENT_FOUND || ic_place_by_modules(placing, err);
}

struct ic_placement *ic_placement_find_named(struct ic_placements *placements,
					     const struct ic_image *image,
					     struct ic_symbolizer *symbolizer, const char *name,
					     struct ic_error *err)
{
	unsigned machine = ic_image_machine(image);
	struct ic_placing placing = { .placements = placements,
				      .path = ic_image_path(image),
				      .name = name,
				      .image = image,
				      .symbolizer = symbolizer,
				      .placement = new_placement(err),
				      .is_x86 = machine == IC_MACHINE_386 ||
						machine == IC_MACHINE_X86_64 };
	if (placing.placement &&
	    (ic_image_is_relocatable(image) ? place_module : place_linked)(&placing, err))
		return placing.placement;
	ic_placement_free(placing.placement);
	return NULL;
}

struct ic_placement *ic_placement_find(struct ic_placements *placements,
				       const struct ic_image *image,
				       struct ic_symbolizer *symbolizer, struct ic_error *err)
{
	struct ic_error unwanted;

	return ic_placement_find_named(placements, image, symbolizer, NULL, err ? err : &unwanted);
}

struct ic_placement *ic_placement_new(uint64_t given, uint64_t start, struct ic_error *err)
{
	struct ic_error unwanted;
	struct ic_placement *placement = new_placement(err ? err : &unwanted);

	if (placement && ic_placement_add_linked(placement, given, start, err ? err : &unwanted))
		return placement;
	ic_placement_free(placement);
	return NULL;
}

void ic_placement_free(struct ic_placement *placement)
{
	if (!placement)
		return;
	IC_ARRAY_FREE(&placement->windows);
	free(placement);
}

enum ic_placement_status ic_placement_status(const struct ic_placement *placement)
{
	return placement->status;
}

const char *ic_placement_module(const struct ic_placement *placement)
{
	return placement->module[0] ? placement->module : NULL;
}

size_t ic_placement_windows(const struct ic_placement *placement, const struct ic_window **windows)
{
	*windows = placement->windows.items;
	return placement->windows.count;
}

bool ic_placement_addr(const struct ic_placement *placement, uint64_t loaded, uint64_t *addr)
{
	for (uint32_t i = 0; i < placement->windows.count; i++) {
		const struct ic_window *window = &placement->windows.items[i];
		if (loaded < window->given || loaded - window->given >= window->size)
			continue;
		*addr = loaded - window->given + window->start;
		return true;
	}
	return false;
}

bool ic_placement_loaded(const struct ic_placement *placement, uint64_t addr, uint64_t *loaded)
{
	for (uint32_t i = 0; i < placement->windows.count; i++) {
		const struct ic_window *window = &placement->windows.items[i];
		if (addr < window->start || addr - window->start >= window->size)
			continue;
		*loaded = addr - window->start + window->given;
		return true;
	}
	return false;
}

// ---- Loaded modules

// The visitor may read more of the same text, so the name is copied.
struct visit {
	void (*call)(void *context, const char *name);
	void *context;
	char last[MOST_NAME_SIZE];
};

static void visit_module(struct visit *visit, struct ic_span name)
{
	if (name.size == 0 || name.size >= sizeof(visit->last) || ic_span_is(name, visit->last))
		return;
	memcpy(visit->last, name.text, name.size);
	visit->last[name.size] = 0;
	visit->call(visit->context, visit->last);
}

static void list_sysfs(const char *sysfs, struct visit *visit)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/module", sysfs);
	DIR *directory = opendir(path);
	for (struct dirent *entry; directory && (entry = readdir(directory));)
		if (entry->d_name[0] != '.')
			visit_module(visit,
				     (struct ic_span){ entry->d_name, strlen(entry->d_name) });
	if (directory)
		closedir(directory);
}

static bool list_texts(struct ic_placements *placements, struct visit *visit, struct ic_error *err)
{
	const struct ic_placement_options *options = &placements->options;
	struct ic_proc_module module;
	struct ic_kallsym symbol;
	size_t at = 0;

	while (options->kallsyms && ic_kallsym_next(&placements->kallsyms, &at, &symbol))
		visit_module(visit, symbol.module);
	at = 0;
	while (options->modules && ic_proc_module_next(&placements->modules, &at, &module))
		visit_module(visit, module.name);
	for (size_t i = 0; i < placements->loaded_count; i++) {
		const char *name = placements->loaded[i].module;
		if (name)
			visit_module(visit, (struct ic_span){ name, strlen(name) });
	}
	return ic_proc_text_check(&placements->kallsyms, err) &&
	       ic_proc_text_check(&placements->modules, err);
}

bool ic_placements_list_texts(struct ic_placements *placements,
			      void (*call)(void *context, const char *name), void *context,
			      struct ic_error *err)
{
	struct visit visit = { .call = call, .context = context };

	return list_texts(placements, &visit, err);
}

bool ic_placements_list_modules(struct ic_placements *placements,
				void (*call)(void *context, const char *name), void *context,
				struct ic_error *err)
{
	struct visit visit = { .call = call, .context = context };
	struct ic_error unwanted;

	if (placements->options.sysfs)
		list_sysfs(placements->options.sysfs, &visit);
	return list_texts(placements, &visit, err ? err : &unwanted);
}

// ---- Sources of load addresses

static void init_text(struct ic_proc_text *text, const char *path,
		      const struct ic_placement_options *options)
{
	ic_proc_text_init(text, path);
	text->unreadable = options->unreadable;
	text->context = options->context;
}

struct ic_placements *ic_placements_new(const struct ic_placement_options *options,
					struct ic_error *err)
{
	static const struct ic_placement_options nothing = { .kallsyms = NULL };
	struct ic_placements *placements = calloc(1, sizeof(*placements));
	struct ic_error unwanted;

	if (!options)
		options = &nothing;
	if (!placements) {
		ic_fail_memory(err ? err : &unwanted);
		return NULL;
	}
	placements->options = *options;
	init_text(&placements->kallsyms, options->kallsyms, options);
	init_text(&placements->modules, options->modules, options);
	return placements;
}

void ic_placements_free(struct ic_placements *placements)
{
	if (!placements)
		return;
	ic_proc_text_deinit(&placements->kallsyms);
	ic_proc_text_deinit(&placements->modules);
	free(placements);
}

static bool is_first_line(const struct ic_proc_text *text, size_t end)
{
	return end > 0 && !memchr(text->data, '\n', end - 1);
}

bool ic_placement_is_kallsyms(const char *path)
{
	char buffer[IC_PROC_TEXT_BEGINNING];
	struct ic_kallsym symbol;
	struct ic_proc_text text;
	size_t at = 0;

	return ic_proc_text_begin(&text, path, buffer) && ic_kallsym_next(&text, &at, &symbol) &&
	       is_first_line(&text, at);
}

bool ic_placement_is_modules(const char *path)
{
	char buffer[IC_PROC_TEXT_BEGINNING];
	struct ic_proc_module module;
	struct ic_proc_text text;
	size_t at = 0;

	return ic_proc_text_begin(&text, path, buffer) &&
	       ic_proc_module_next(&text, &at, &module) && is_first_line(&text, at);
}
