#include "debug/split.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "dwarf/units/die.h"
#include "elf/image/split_places.h"
#include "units/units.h"

// In DWARF 5, skeletons have their own unit type. Before, they are ordinary units, but need a table
// of addresses.
static bool may_be_skeleton(const struct ic_unit *unit)
{
	return !unit->is_passive &&
	       (unit->type == DW_UT_skeleton ||
		(unit->type == DW_UT_compile && unit->version < 5 && unit->dwarf->addr.size > 0));
}

// A name too long for any system to open is treated as none: comparing and hashing it would be
// wasted.
static struct ic_skeleton make_skeleton(const struct ic_unit *unit, uint32_t number)
{
	struct ic_skeleton skeleton = { .unit = number, .id = unit->id };
	size_t length = strnlen(unit->root.dwo_name, PATH_MAX);

	if (unit->root.comp_dir)
		length += strnlen(unit->root.comp_dir, PATH_MAX);
	if (length < PATH_MAX) {
		skeleton.name = unit->root.dwo_name;
		skeleton.comp_dir = unit->root.comp_dir;
	}
	return skeleton;
}

// Returns false if the unit or its root DIE cannot be read; *ok is false if memory runs out.
static bool read_root(struct ic_units *units, uint32_t number, struct ic_abbrev_table *own,
		      struct ic_problems *problems, bool *ok)
{
	struct ic_unit *unit = &units->list.units.items[number];
	struct ic_error err;

	if (!ic_unit_check(unit, &err))
		return false;
	const struct ic_abbrev_table *table =
		ic_shared_table_of(&units->tables, &units->list, number, true, own, &err);
	bool is_read = table && ic_unit_read_root(unit, table, problems, &err);
	*ok = is_read || err.code != IC_ERROR_MEMORY;
	return is_read;
}

static bool read_skeletons(struct ic_units *units, struct ic_skeleton *skeletons, uint32_t *count,
			   struct ic_problems *problems)
{
	struct ic_abbrev_table own = { .declared = 0 };
	bool ok = true;

	for (uint32_t i = 0; ok && i < units->list.units.count; i++) {
		struct ic_unit *unit = &units->list.units.items[i];
		if (!may_be_skeleton(unit))
			continue;
		struct ic_problems of_unit = { .arena = problems->arena,
					       .file = unit->dwarf->file };
		bool is_read = read_root(units, i, &own, &of_unit, &ok);
		ic_problems_finish(&of_unit, unit->dwarf->info_name, unit->off);
		if (is_read) // otherwise the reason is reported when the unit is scanned
			ic_problems_append(problems, &of_unit);
		IC_ARRAY_FREE(&of_unit.list);
		if (is_read && unit->root.dwo_name)
			skeletons[(*count)++] = make_skeleton(unit, i);
	}
	ic_abbrev_table_free(&own);
	return ok && !problems->out_of_memory;
}

// Adds the rows of a package's index, if the file has one.
static bool add_index(struct ic_package *package, struct ic_elf_file *file, const char *name,
		      struct ic_error *err)
{
	struct ic_bytes bytes;

	return ic_dwarf_file_section(&bytes, file, name, err) &&
	       ic_package_add(package, bytes, name, file->swap, err);
}

static bool read_package(struct ic_split *split, struct ic_units *units, struct ic_elf_file *file,
			 const struct ic_dwarf *program, struct ic_problems *problems,
			 struct ic_error *err)
{
	struct ic_dwarf_file *loaded = &split->package_file;

	if (!add_index(&split->package, file, ".debug_cu_index", err) ||
	    !add_index(&split->package, file, ".debug_tu_index", err) ||
	    !ic_dwarf_file_load(loaded, file, IC_DWARF_FILE_SPLIT, units->jobs, err)) {
		// Otherwise the message contains the path.
		problems->file = err->section ? file->path : NULL;
		ic_problems_add(problems, err, NULL, 0);
		problems->file = NULL;
		return err->code != IC_ERROR_MEMORY;
	}
	ic_dwarf_file_report(file, file->path, problems);
	ic_dwo_borrow(loaded, program);
	for (uint32_t i = 0; i < loaded->count; i++) {
		loaded->dwarfs[i].package = &split->package;
		ic_units_number(units, &loaded->dwarfs[i]);
		if (!ic_units_add(units, &loaded->dwarfs[i], problems, err))
			return false;
	}
	return true;
}

// Opens the package. NULL if there is none, or if memory runs out, in which case *out_of_memory is
// set.
static struct ic_elf_file *open_package(struct ic_image *image,
					const struct ic_split_places *places,
					struct ic_problems *problems, bool *out_of_memory)
{
	char path[PATH_MAX];
	struct ic_elf_file opened, *file = NULL;
	struct ic_error err;

	for (uint32_t i = 0; !file && ic_split_places_dwp(places, i, path, sizeof(path)); i++) {
		uint64_t key = ic_companion_key(path, "dwp");
		file = ic_companions_find(&image->companions, key);
		if (file || !path[0])
			continue;
		if (ic_elf_file_open_beside(&opened, path, &image->file, &err)) {
			file = ic_companions_add(&image->companions, key, &opened);
			*out_of_memory |= !file;
		} else if (err.code == IC_ERROR_MEMORY) {
			*out_of_memory = true;
		} else if (image->dwp_path || err.os_error != ENOENT) {
			ic_problems_add(problems, &err, NULL, 0);
		}
	}
	return *out_of_memory ? NULL : file;
}

// Lists the units of the package, if there is one.
static bool add_package(struct ic_split *split, struct ic_units *units, struct ic_image *image,
			const struct ic_dwarf *program, struct ic_problems *problems,
			struct ic_error *err)
{
	struct ic_split_places places;
	bool out_of_memory = false;

	if (!ic_split_places_init(&places, image))
		return ic_fail_memory(err);
	struct ic_elf_file *file = open_package(image, &places, problems, &out_of_memory);
	ic_split_places_deinit(&places);
	if (out_of_memory)
		return ic_fail_memory(err);
	return !file || read_package(split, units, file, program, problems, err);
}

// Moves the skeletons whose split unit was not found to the front, and returns their number.
static uint32_t keep_unfound(struct ic_skeleton *skeletons, uint32_t count,
			     const struct ic_map *by_id)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct ic_skeleton skeleton = skeletons[i];
		if (ic_map_find(by_id, skeleton.id))
			continue;
		skeletons[i] = skeletons[kept];
		skeletons[kept++] = skeleton;
	}
	return kept;
}

// Sorts in the order of the program.
static int compare_skeletons(const void *left, const void *right)
{
	const struct ic_skeleton *a = left, *b = right;

	return (a->unit > b->unit) - (a->unit < b->unit);
}

// Links each skeleton with its split unit; split units without a skeleton are ignored.
static void link_units(struct ic_units *all, const struct ic_skeleton *skeletons, uint32_t count,
		       const struct ic_map *by_id, struct ic_problems *problems)
{
	struct ic_unit *units = all->list.units.items;
	struct ic_error err;

	for (uint32_t i = 0; i < all->list.units.count; i++)
		units[i].is_passive |= units[i].dwarf->is_split;
	for (uint32_t i = 0; i < count; i++) {
		struct ic_unit *skeleton = &units[skeletons[i].unit];
		const uint32_t *number = ic_map_find(by_id, skeletons[i].id);
		if (!number) // its absence has been reported
			continue;
		struct ic_unit *unit = &units[*number];
		if (!ic_unit_check(unit, &err)) { // at least the skeleton has the lines
			problems->file = unit->dwarf->file;
			ic_problems_add(problems, &err, NULL, 0);
			problems->file = NULL;
			continue;
		}
		if (!unit->skeleton) {
			unit->skeleton = skeleton;
			unit->is_passive = false;
			skeleton->is_passive = true;
			continue;
		}
		ic_fail_at(&err, skeleton->dwarf->info_name, skeleton->off,
			   "the unit at 0x%" PRIx64 " has the same dwo_id, 0x%" PRIx64,
			   unit->skeleton->off, skeletons[i].id);
		ic_problems_add(problems, &err, NULL, 0);
	}
}

static bool find_units(struct ic_split *split, struct ic_dwo_query *query, struct ic_error *err)
{
	struct ic_units *units = query->units;
	uint32_t first = units->list.units.count, count = query->count;
	const struct ic_dwarf program =
		ic_dwo_program(units->list.units.items[query->skeletons[0].unit].dwarf);
	struct ic_map by_id = { 0 };
	bool ok = (!query->image ||
		   add_package(split, units, query->image, &program, query->problems, err)) &&
		  (ic_units_map_ids(&by_id, &units->list, first) || ic_fail_memory(err));

	query->by_id = &by_id;
	query->count = ok ? keep_unfound(query->skeletons, count, &by_id) : 0;
	ok = ok && ic_dwos_find(&split->dwos, query, err);
	if (ok) {
		qsort(query->skeletons, count, sizeof(*query->skeletons), compare_skeletons);
		link_units(units, query->skeletons, count, &by_id, query->problems);
	}
	ic_map_free(&by_id);
	return ok;
}

bool ic_split_find(struct ic_split *split, struct ic_units *units, struct ic_image *image,
		   struct ic_problems *problems, struct ic_error *err)
{
	const struct ic_unit_list *list = &units->list;
	uint32_t candidates = 0, count = 0;

	for (uint32_t i = 0; i < list->units.count; i++)
		candidates += may_be_skeleton(&list->units.items[i]);
	if (candidates == 0)
		return true;
	struct ic_skeleton *skeletons = calloc(candidates, sizeof(*skeletons));
	if (!skeletons)
		return ic_fail_memory(err);
	bool ok = ic_shared_tables_build(&units->tables, list, &ic_model_tags, units->jobs, err) &&
		  (read_skeletons(units, skeletons, &count, problems) || ic_fail_memory(err));
	ic_shared_tables_free(&units->tables);
	units->tables = (struct ic_shared_tables){ 0 };
	if (image)
		pthread_mutex_lock(&image->lock);
	if (ok && count > 0)
		ok = find_units(split,
				&(struct ic_dwo_query){ .units = units,
							.image = image,
							.skeletons = skeletons,
							.count = count,
							.problems = problems },
				err);
	if (image)
		pthread_mutex_unlock(&image->lock);
	free(skeletons);
	return ok;
}

static bool has_dwarf(const struct ic_dwarf_file *file, const struct ic_dwarf *dwarf)
{
	bool found = false;

	for (uint32_t i = 0; !found && i < file->count; i++)
		found = dwarf == &file->dwarfs[i];
	return found;
}

struct ic_elf_file *ic_split_file_of(const struct ic_split *split, const struct ic_dwarf *dwarf)
{
	if (has_dwarf(&split->package_file, dwarf))
		return split->package_file.file;
	for (uint32_t i = 0; i < split->dwos.files.count; i++)
		if (has_dwarf(&split->dwos.files.items[i], dwarf))
			return split->dwos.files.items[i].file;
	return NULL;
}

void ic_split_free(struct ic_split *split)
{
	ic_dwos_free(&split->dwos);
	ic_dwarf_file_free(&split->package_file);
	ic_package_free(&split->package);
}
