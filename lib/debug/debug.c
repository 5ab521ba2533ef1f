#include "debug/debug.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "dwarf/units/constants.h"
#include "dwarf/units/die.h"
#include "units/source.h"

// ---- Sections

// Records why the supplementary file cannot be read. The file itself can still be used for its own
// DIEs.
static void miss_supplementary(struct ic_debug *debug, const struct ic_error *err)
{
	ic_problems_add(&debug->of_sections, err, NULL, 0);
	for (uint32_t i = 0; i < debug->main.count; i++)
		debug->main.dwarfs[i].supplementary_missing = true;
}

// Loads the supplementary file, if there is one. Returns false only if memory runs out.
static bool load_supplementary(struct ic_debug *debug, uint32_t jobs, struct ic_error *err)
{
	const struct ic_image *image = debug->image;
	struct ic_dwarf_file *file = &debug->supplementary;
	const struct ic_dwarf *found = NULL;

	if (image->supplementary_fault) {
		ic_fail(err, IC_ERROR_NO_DEBUG, "%s", image->supplementary_fault);
		miss_supplementary(debug, err);
	}
	if (!image->supplementary)
		return true;
	if (!ic_dwarf_file_load(file, image->supplementary, IC_DWARF_FILE_SUPPLEMENTARY, jobs,
				err)) {
		miss_supplementary(debug, err);
		return err->code != IC_ERROR_MEMORY;
	}
	for (uint32_t i = 0; !found && i < file->count; i++)
		if (!file->dwarfs[i].is_types)
			found = &file->dwarfs[i];
	for (uint32_t i = 0; i < debug->main.count; i++)
		debug->main.dwarfs[i].supplementary = found;
	return true;
}

static bool list_dwarfs(struct ic_debug *debug)
{
	const struct ic_dwarf_file *files[] = { &debug->main, &debug->supplementary };

	debug->dwarfs =
		ic_items_alloc(files[0]->count + files[1]->count + 4ull, sizeof(struct ic_dwarf *));
	for (uint32_t i = 0; debug->dwarfs && i < 2; i++)
		for (uint32_t j = 0; j < files[i]->count; j++)
			debug->dwarfs[debug->dwarf_count++] = &files[i]->dwarfs[j];
	if (debug->dwarfs && debug->has_go)
		debug->dwarfs[debug->dwarf_count++] = &debug->go.dwarf;
	if (debug->dwarfs && debug->has_gsym)
		debug->dwarfs[debug->dwarf_count++] = &debug->gsym.dwarf;
	if (debug->dwarfs && debug->has_breakpad)
		debug->dwarfs[debug->dwarf_count++] = &debug->breakpad.dwarf;
	return debug->dwarfs != NULL;
}

static void number_files(struct ic_debug *debug)
{
	for (uint32_t i = 0; i < debug->dwarf_count; i++)
		ic_units_number(&debug->units, debug->dwarfs[i]);
}

// Whether there are DIEs, which contain everything that Go's tables do, and more.
static bool has_dies(const struct ic_debug *debug)
{
	for (uint32_t i = 0; i < debug->main.count; i++)
		if (debug->main.dwarfs[i].source->has_dies)
			return true;
	return false;
}

void ic_debug_add_fault(const struct ic_image *image, struct ic_problems *problems)
{
	struct ic_error err;

	if (!image->debug_fault)
		return;
	for (uint32_t i = 0; i < problems->list.count; i++)
		if (strcmp(problems->list.items[i].message, image->debug_fault) == 0)
			return;
	ic_fail(&err, IC_ERROR_MALFORMED, "%s", image->debug_fault);
	ic_problems_add(problems, &err, NULL, 0);
}

static bool load_dwarf(struct ic_debug *debug, uint32_t jobs, struct ic_error *err)
{
	if (!ic_dwarf_file_load(&debug->main, ic_image_dwarf_file(debug->image), IC_DWARF_FILE_MAIN,
				jobs, err))
		return false;
	debug->main_dwarf = debug->main.sole;
	ic_debug_add_fault(debug->image, &debug->of_sections);
	return load_supplementary(debug, jobs, err);
}

// Adds the file's path to an error that ends the reading.
static bool fail_with_path(const struct ic_image *image, struct ic_error *err)
{
	const struct ic_error own = *err;

	return own.code == IC_ERROR_MEMORY
		       ? false
		       : ic_fail(err, own.code, "%s: %.1900s", image->file.path, own.message);
}

static bool load_sections(struct ic_debug *debug, uint32_t jobs, struct ic_error *err)
{
	if (debug->image->source != IC_IMAGE_SOURCE_GO && !load_dwarf(debug, jobs, err))
		return false;
	const struct ic_elf_file *file = &debug->image->file;
	if (!ic_gsym_table_open(&debug->gsym, file, &debug->has_gsym, err) ||
	    !ic_breakpad_table_open(&debug->breakpad, file, &debug->of_sections,
				    &debug->has_breakpad, err))
		return fail_with_path(debug->image, err);
	if (!has_dies(debug) &&
	    !ic_go_table_open(&debug->go, debug->image, &debug->of_sections, &debug->has_go, err))
		return fail_with_path(debug->image, err);
	if (!list_dwarfs(debug))
		return ic_fail_memory(err);
	number_files(debug);
	return !debug->of_sections.out_of_memory || ic_fail_memory(err);
}

static void unload_sections(struct ic_debug *debug)
{
	if (debug->image) {
		ic_dwarf_file_unload(&debug->main);
		ic_dwarf_file_unload(&debug->supplementary);
	}
	ic_go_table_close(&debug->go);
	ic_breakpad_table_close(&debug->breakpad);
	debug->has_go = debug->has_gsym = debug->has_breakpad = false;
	free(debug->dwarfs);
	debug->dwarfs = NULL;
	debug->dwarf_count = 0;
	debug->main_dwarf = NULL;
	debug->units.next_base = 0;
	IC_ARRAY_FREE(&debug->of_sections.list);
	debug->of_sections = (struct ic_problems){ .arena = &debug->arena };
}

bool ic_debug_load(struct ic_debug *debug, uint32_t jobs, struct ic_problems *problems,
		   struct ic_error *err)
{
	pthread_mutex_lock(&debug->lock);
	if (!debug->is_loaded) {
		debug->is_loaded = load_sections(debug, jobs, err);
		if (!debug->is_loaded)
			unload_sections(debug);
	}
	bool ok = debug->is_loaded;
	ic_problems_copy_texts(problems, &debug->of_sections);
	pthread_mutex_unlock(&debug->lock);
	return ok;
}

// ---- Units

// Finds out whether any unit of DIEs is in Go. Unreadable units are reported by those who read
// them. Returns false if memory runs out.
static bool find_go(const struct ic_units *units, bool *found, struct ic_error *err)
{
	const struct ic_unit_list *list = &units->list;
	struct ic_shared_tables tables = { .shared = NULL };
	struct ic_arena arena = { .memory = list->units.memory };
	struct ic_problems unwanted = { .arena = &arena };

	bool ok = ic_shared_tables_build(&tables, list, &ic_model_tags, units->jobs, err);
	for (uint32_t i = 0; ok && !*found && i < list->units.count; i++) {
		struct ic_unit unit = list->units.items[i];
		struct ic_abbrev_table own = { .declared = 0 };
		struct ic_error unread;
		const struct ic_abbrev_table *table =
			ic_shared_table_of(&tables, list, i, true, &own, &unread);
		if (table && ic_unit_read_root(&unit, table, &unwanted, &unread))
			*found = unit.root.language == DW_LANG_Go;
		ic_abbrev_table_free(&own);
	}
	ic_shared_tables_free(&tables);
	IC_ARRAY_FREE(&unwanted.list);
	ic_arena_free(&arena);
	return ok;
}

// Lists the Go functions of a program that has DIEs only of other languages: with cgo and `go build
// -ldflags=-w`, the linker leaves out Go's DIEs alone.
static bool list_go_beside(struct ic_debug *debug, struct ic_error *err)
{
	struct ic_problems *problems = &debug->of_units;
	bool is_said = false;

	if (debug->has_go || !debug->image || debug->image->source != IC_IMAGE_SOURCE_AUTO ||
	    !ic_go_place_is_likely(&debug->image->file))
		return true;
	if (!find_go(&debug->units, &is_said, err))
		return false;
	if (is_said)
		return true;
	if (!ic_go_table_open(&debug->go, debug->image, problems, &debug->has_go, err)) {
		ic_go_table_close(&debug->go);
		debug->has_go = false;
		ic_problems_add(problems, err, NULL, 0);
		return err->code != IC_ERROR_MEMORY;
	}
	if (!debug->has_go)
		return true;
	debug->dwarfs[debug->dwarf_count++] = &debug->go.dwarf; // there is room for one more
	ic_units_number(&debug->units, &debug->go.dwarf);
	return ic_units_add(&debug->units, &debug->go.dwarf, problems, err);
}

static bool list_units(struct ic_debug *debug, struct ic_error *err)
{
	if (debug->image && !ic_dwarf_file_need_headers(&debug->main, err))
		return false;
	for (uint32_t i = 0; i < debug->dwarf_count; i++)
		if (!ic_units_add(&debug->units, debug->dwarfs[i], &debug->of_units, err))
			return false;
	if (!list_go_beside(debug, err))
		return false;
	if (!ic_split_find(&debug->split, &debug->units, debug->image, &debug->of_units, err))
		return false;
	ic_problems_finish(&debug->of_units, ".debug_info", 0);
	for (uint32_t i = 0; i < debug->units.list.units.count; i++)
		if (debug->units.list.units.items[i].is_draft) {
			ic_problems_note(
				&debug->of_units,
				"DWARF 6 is not final: it is read as DWARF 5, and may change");
			break;
		}
	if (debug->of_units.out_of_memory)
		return ic_fail_memory(err);
	return ic_units_finish(&debug->units, err);
}

static void forget_units(struct ic_debug *debug)
{
	ic_split_free(&debug->split);
	debug->split = (struct ic_split){ 0 };
	ic_units_free(&debug->units);
	debug->units = (struct ic_units){ .next_base = 0 };
	if (debug->dwarf_count > 0) {
		const struct ic_dwarf *last = debug->dwarfs[debug->dwarf_count - 1];
		debug->units.next_base = last->info_base + last->info.size + 1;
	}
	IC_ARRAY_FREE(&debug->of_units.list);
	debug->of_units = (struct ic_problems){ .arena = &debug->arena };
}

bool ic_debug_list(struct ic_debug *debug, uint32_t jobs, struct ic_problems *problems,
		   struct ic_error *err)
{
	pthread_mutex_lock(&debug->lock);
	if (!debug->is_listed) {
		debug->units.jobs = jobs;
		debug->units.list.units.memory = debug->arena.memory;
		debug->is_listed = list_units(debug, err);
	}
	bool ok = debug->is_listed;
	if (ok)
		ic_problems_copy_texts(problems, &debug->of_units);
	else
		forget_units(debug);
	pthread_mutex_unlock(&debug->lock);
	return ok;
}

// ---- Both

static struct ic_debug *new_debug(struct ic_image *image)
{
	struct ic_debug *debug = calloc(1, sizeof(*debug));

	if (!debug || pthread_mutex_init(&debug->lock, NULL) != 0) {
		free(debug);
		return NULL;
	}
	debug->image = image;
	debug->arena.memory = image ? &image->memory : NULL;
	debug->of_sections.arena = debug->of_units.arena = &debug->arena;
	return debug;
}

static void free_debug(struct ic_debug *debug)
{
	forget_units(debug);
	unload_sections(debug);
	ic_arena_free(&debug->arena);
	pthread_mutex_destroy(&debug->lock);
	free(debug);
}

struct ic_debug *ic_debug_hold(struct ic_image *image, struct ic_error *err)
{
	pthread_mutex_lock(&image->lock);
	if (!image->debug)
		image->debug = new_debug(image);
	struct ic_debug *debug = image->debug;
	if (debug)
		debug->users++;
	pthread_mutex_unlock(&image->lock);
	if (!debug)
		ic_fail_memory(err);
	return debug;
}

struct ic_debug *ic_debug_of_sections(struct ic_dwarf *const *dwarfs, uint32_t count,
				      struct ic_error *err)
{
	struct ic_debug *debug = new_debug(NULL);
	struct ic_dwarf **copy = ic_items_alloc(count + 1ull, sizeof(struct ic_dwarf *));

	if (!debug || !copy) {
		free(copy);
		if (debug)
			free_debug(debug);
		ic_fail_memory(err);
		return NULL;
	}
	for (uint32_t i = 0; i < count; i++)
		copy[i] = dwarfs[i];
	debug->dwarfs = copy;
	debug->dwarf_count = count;
	debug->is_loaded = true;
	number_files(debug);
	return debug;
}

struct ic_debug *ic_debug_of_table(struct ic_image *image, const struct ic_btf_inline *table,
				   struct ic_error *err)
{
	struct ic_debug *debug = ic_debug_of_sections(NULL, 0, err);

	if (!debug)
		return NULL;
	ic_inline_table_init(&debug->inline_table, image, table);
	// There is room for one more.
	debug->dwarfs[debug->dwarf_count++] = &debug->inline_table.dwarf;
	number_files(debug);
	return debug;
}

void ic_debug_release(struct ic_debug *debug)
{
	struct ic_image *image = debug ? debug->image : NULL;
	bool is_last = debug;

	if (image) {
		pthread_mutex_lock(&image->lock);
		is_last = --debug->users == 0;
		if (is_last)
			image->debug = NULL;
		pthread_mutex_unlock(&image->lock);
	}
	if (is_last)
		free_debug(debug);
}
