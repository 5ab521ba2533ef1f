#include "scan/scan_split.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/workers.h"
#include "elf/split_places.h"
#include "scan/scan_units.h"

struct skeleton {
	uint32_t unit; // its number in the list
	uint64_t id;
	const char *comp_dir, *name; // of its .dwo file
};

struct dwo { // the file that one name stands for, and the skeletons that give that name
	const struct skeleton *first, *end;
	uint64_t key;
	struct ic_elf_file *known; // opened for another index of the image
	struct ic_elf_file opened; // where none was known
	struct ic_scan_file file;
	struct ic_unit_list units;
	bool found;
	bool out_of_memory;
	char tried[700]; // where, and why not
};

struct split_job {
	struct ic_scan_context *context;
	const struct ic_dwarf *program; // its sections with addresses
	const struct ic_split_places *places;
	struct dwo *dwos;
};

// ---- The skeletons ----

// Skeletons have a type of their own in DWARF 5. Before, they are units like others, but need a
// table of addresses.
static bool may_be_skeleton(const struct ic_unit *unit)
{
	return unit->type == DW_UT_skeleton ||
	       (unit->version < 5 && !unit->is_passive && unit->dwarf->addr.size > 0);
}

static bool read_skeletons(struct ic_scan_context *context, struct skeleton *skeletons,
			   uint32_t *count, struct ic_problems *problems)
{
	struct ic_scan_stream stream = { .context = context,
					 .arena = problems->arena,
					 .problems.arena = problems->arena };

	for (uint32_t i = 0; i < context->units.units.count; i++) {
		const struct ic_unit *unit = &context->units.units.items[i];
		if (!may_be_skeleton(unit))
			continue;
		stream.problems.list.count = stream.problems.unlisted = 0;
		if (!ic_scan_unit_open(&stream, i)) // it says why when it is scanned
			continue;
		ic_problems_finish(&stream.problems, unit->dwarf->info_name, unit->off);
		ic_problems_append(problems, &stream.problems);
		if (!unit->dwo_name)
			continue;
		skeletons[(*count)++] =
			(struct skeleton){ i, unit->id, unit->comp_dir, unit->dwo_name };
	}
	bool ok = !stream.problems.out_of_memory;
	ic_scan_stream_free(&stream);
	return ok;
}

static int compare_texts(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_skeletons(const void *left, const void *right)
{
	const struct skeleton *a = left, *b = right;
	int order = compare_texts(a->name, b->name);

	if (!order)
		order = compare_texts(a->comp_dir, b->comp_dir);
	return order ? order : (a->unit > b->unit) - (a->unit < b->unit);
}

static bool same_file(const struct skeleton *a, const struct skeleton *b)
{
	return !compare_texts(a->name, b->name) && !compare_texts(a->comp_dir, b->comp_dir);
}

// ---- One file ----

// The sections of a file with split units lack those that stay in the program.
static void borrow_from_program(const struct ic_scan_file *file, const struct ic_dwarf *program)
{
	for (uint32_t i = 0; i < file->count; i++) {
		file->dwarfs[i].addr = program->addr;
		file->dwarfs[i].ranges = program->ranges;
	}
}

// Before DWARF 5 the dwo_id is an attribute of the root entry.
static bool read_old_ids(struct ic_scan_context *context, struct ic_unit_list *units)
{
	struct ic_abbrev_reader reader = ic_scan_abbrev_reader(context->options);
	struct ic_abbrev_table own = { .declared = 0 };
	struct ic_arena arena = { 0 };
	struct ic_problems problems = { .arena = &arena };
	struct ic_scan_tables tables;
	struct ic_error err;

	bool ok = ic_scan_tables_build(&tables, units, &reader, 1, &err);
	for (uint32_t i = 0; ok && i < units->units.count; i++) {
		struct ic_unit *unit = &units->units.items[i];
		struct ic_unit read = *unit;
		if (unit->version >= 5 || unit->is_passive || !ic_unit_check(unit, &err))
			continue;
		const struct ic_abbrev_table *table =
			ic_scan_table_of(&tables, units, i, &reader, &own, &err);
		if (table && ic_unit_read_root(&read, table, &problems, &err))
			unit->id = read.id;
		ok = table || err.code != IC_ERROR_MEMORY;
	}
	ic_abbrev_table_free(&own);
	ic_scan_tables_free(&tables);
	IC_ARRAY_FREE(&problems.list);
	ic_arena_free(&arena);
	return ok;
}

static bool holds_id(const struct ic_unit_list *units, uint64_t id)
{
	for (uint32_t i = 0; i < units->units.count; i++)
		if (units->units.items[i].id == id && !units->units.items[i].is_passive)
			return true;
	return false;
}

static void note(struct dwo *dwo, const char *path, const char *reason)
{
	size_t length = strlen(dwo->tried), room = sizeof(dwo->tried) - length;

	if (strstr(dwo->tried, path)) // the same place by two ways
		return;
	int written =
		snprintf(dwo->tried + length, room, "%s%s: %s", length ? "; " : "", path, reason);

	if (written < 0 || (size_t)written >= room) // no half sentences
		dwo->tried[length] = 0;
}

static void forget(struct dwo *dwo)
{
	ic_scan_file_free(&dwo->file);
	IC_ARRAY_FREE(&dwo->units.units);
}

// Whether an open file is the one, in which case its units are listed.
static bool take_file(struct split_job *job, struct dwo *dwo, struct ic_elf_file *elf)
{
	struct ic_error err;
	uint64_t base = 0;
	bool ok = ic_scan_file_load(&dwo->file, elf, SCAN_FILE_SPLIT, 1, &err);

	borrow_from_program(&dwo->file, job->program);
	for (uint32_t i = 0; ok && i < dwo->file.count; i++) {
		dwo->file.dwarfs[i].info_base = base;
		base += dwo->file.dwarfs[i].info.size + 1;
		// A list that ends early still has the units before.
		if (!ic_unit_list_parse(&dwo->units, &dwo->file.dwarfs[i], &err))
			ok = err.code != IC_ERROR_MEMORY;
	}
	if (ok && !read_old_ids(job->context, &dwo->units))
		ok = ic_fail_memory(&err);
	if (ok && holds_id(&dwo->units, dwo->first->id))
		return true;
	if (!ok && err.code == IC_ERROR_MEMORY)
		dwo->out_of_memory = true;
	note(dwo, elf->path,
	     !ok                          ? err.message
	     : dwo->units.units.count > 0 ? "holds units with another dwo_id"
					  : "holds no split units");
	forget(dwo);
	return false;
}

static void find_file(struct split_job *job, struct dwo *dwo)
{
	char path[PATH_MAX];
	struct ic_error err;

	if (dwo->known && take_file(job, dwo, dwo->known)) {
		dwo->found = true;
		return;
	}
	dwo->known = NULL;
	for (uint32_t i = 0; !dwo->found && !dwo->out_of_memory && job->places &&
			     ic_split_places_dwo(job->places, dwo->first->comp_dir,
						 dwo->first->name, i, path, sizeof(path));
	     i++) {
		if (!path[0])
			continue;
		if (!ic_split_places_open(job->places, path, &dwo->opened, &err)) {
			dwo->out_of_memory = err.code == IC_ERROR_MEMORY;
			note(dwo, path,
			     err.code == IC_ERROR_SYSTEM ? strerror(err.os_error)
							 : "not a readable ELF file");
			continue;
		}
		dwo->found = take_file(job, dwo, &dwo->opened);
		if (!dwo->found)
			ic_elf_file_close(&dwo->opened);
	}
}

static void find_files(struct ic_items *items, uint32_t worker, void *context)
{
	struct split_job *job = context;
	(void)worker;

	for (uint32_t i; ic_items_take(items, &i);)
		find_file(job, &job->dwos[i]);
}

// ---- All files ----

static bool keep_file(struct ic_scan_split *split, const struct ic_scan_file *file)
{
	struct ic_scan_file *place = IC_ARRAY_PUSH(&split->files);

	if (place)
		*place = *file;
	return place != NULL;
}

// Adds the units of a file that was found to the list of all, behind the others.
static bool adopt(struct ic_scan_split *split, struct ic_scan_context *context,
		  struct ic_image *image, struct dwo *dwo, struct ic_problems *problems,
		  struct ic_error *err)
{
	struct ic_elf_file *file = dwo->known;

	if (!file)
		file = ic_companions_add(&image->companions, dwo->key, &dwo->opened);
	if (!file || !keep_file(split, &dwo->file))
		return ic_fail_memory(err);
	struct ic_scan_file kept = dwo->file;
	dwo->file = (struct ic_scan_file){ 0 };
	uint32_t next = 0;
	for (uint32_t i = 0; i < kept.count; i++) {
		uint32_t first = context->units.units.count;
		if (!ic_scan_units_add(context, &kept.dwarfs[i], problems, err))
			return false;
		// The same units once more, this time for good; but their ids are known by now.
		for (uint32_t j = first; j < context->units.units.count; j++)
			if (next < dwo->units.units.count)
				context->units.units.items[j].id =
					dwo->units.units.items[next++].id;
	}
	return true;
}

static void report_missing(const struct ic_scan_context *context, const struct dwo *dwo,
			   struct ic_problems *problems)
{
	const struct ic_unit *unit = &context->units.units.items[dwo->first->unit];
	struct ic_error err;

	ic_fail_at(&err, unit->dwarf->info_name, unit->off,
		   "the entries of %s are in %.400s (split DWARF), which was not found: %s",
		   dwo->end - dwo->first > 1 ? "this unit and others" : "this unit",
		   dwo->first->name, dwo->tried[0] ? dwo->tried : "it was not looked for");
	ic_problems_add(problems, &err, NULL, 0);
}

// In the order of the program.
static int compare_dwos(const void *left, const void *right)
{
	const struct dwo *a = left, *b = right;

	return (a->first->unit > b->first->unit) - (a->first->unit < b->first->unit);
}

// Groups the skeletons by the file that they name, and looks for all files at once.
static bool find_dwos(struct ic_scan_split *split, struct ic_scan_context *context,
		      struct ic_image *image, struct split_job *job, struct skeleton *skeletons,
		      uint32_t count, struct ic_problems *problems, struct ic_error *err)
{
	uint32_t dwo_count = 0;

	qsort(skeletons, count, sizeof(*skeletons), compare_skeletons);
	job->dwos = calloc(count + 1ull, sizeof(*job->dwos));
	if (!job->dwos)
		return ic_fail_memory(err);
	for (uint32_t i = 0, end; i < count; i = end) {
		struct dwo *dwo = &job->dwos[dwo_count++];
		for (end = i + 1; end < count && same_file(&skeletons[i], &skeletons[end]);)
			end++;
		dwo->first = &skeletons[i];
		dwo->end = &skeletons[end];
		dwo->key = ic_companion_key(skeletons[i].comp_dir, skeletons[i].name);
		dwo->known = image ? ic_companions_find(&image->companions, dwo->key) : NULL;
	}
	qsort(job->dwos, dwo_count, sizeof(*job->dwos), compare_dwos);
	ic_workers_run(ic_workers_count(context->options->jobs, dwo_count), dwo_count, find_files,
		       job);
	bool ok = true;
	for (uint32_t i = 0; i < dwo_count; i++) {
		struct dwo *dwo = &job->dwos[i];
		if (dwo->out_of_memory)
			ok = ic_fail_memory(err);
		if (ok && dwo->found)
			ok = adopt(split, context, image, dwo, problems, err);
		else if (ok)
			report_missing(context, dwo, problems);
		if (dwo->opened.path)
			ic_elf_file_close(&dwo->opened);
		forget(dwo);
	}
	return ok;
}

// Adds the rows of a package's index, if the file has it.
static bool add_index(struct ic_package *package, struct ic_elf_file *file, const char *name,
		      struct ic_error *err)
{
	struct ic_bytes bytes;

	return ic_scan_file_section(&bytes, file, name, err) &&
	       ic_package_add(package, bytes, name, file->swap, err);
}

static bool read_package(struct ic_scan_split *split, struct ic_scan_context *context,
			 struct ic_elf_file *file, const struct ic_dwarf *program,
			 struct ic_problems *problems, struct ic_error *err)
{
	struct ic_scan_file loaded;

	if (!add_index(&split->package, file, ".debug_cu_index", err) ||
	    !add_index(&split->package, file, ".debug_tu_index", err) ||
	    !ic_scan_file_load(&loaded, file, SCAN_FILE_SPLIT, context->options->jobs, err)) {
		problems->file = file->path;
		ic_problems_add(problems, err, NULL, 0);
		problems->file = NULL;
		return err->code != IC_ERROR_MEMORY;
	}
	borrow_from_program(&loaded, program);
	if (!keep_file(split, &loaded)) {
		ic_scan_file_free(&loaded);
		return ic_fail_memory(err);
	}
	for (uint32_t i = 0; i < loaded.count; i++) {
		loaded.dwarfs[i].package = &split->package;
		if (!ic_scan_units_add(context, &loaded.dwarfs[i], problems, err))
			return false;
	}
	return true;
}

// Opens the package, if there is one, and lists its units.
static bool add_package(struct ic_scan_split *split, struct ic_scan_context *context,
			struct ic_image *image, const struct ic_split_places *places,
			const struct ic_dwarf *program, struct ic_problems *problems,
			struct ic_error *err)
{
	char path[PATH_MAX];
	struct ic_elf_file opened = { 0 }, *file = NULL;

	for (uint32_t i = 0; !file && ic_split_places_dwp(places, i, path, sizeof(path)); i++) {
		uint64_t key = ic_companion_key(path, "dwp");
		file = ic_companions_find(&image->companions, key);
		if (file || !path[0])
			continue;
		if (ic_elf_file_open(&opened, path, err)) {
			file = ic_companions_add(&image->companions, key, &opened);
			if (!file)
				return ic_fail_memory(err);
		} else if (err->code == IC_ERROR_MEMORY) {
			return false;
		} else if (image->dwp_path || err->os_error != ENOENT) {
			ic_problems_add(problems, err, NULL, 0);
		}
	}
	return !file || read_package(split, context, file, program, problems, err);
}

// ---- Skeletons and their units ----

// Remembers the split units from number `first` on by their ids. False where memory is out.
static bool map_ids(struct ic_map *by_id, const struct ic_unit_list *list, uint32_t first)
{
	for (uint32_t i = first; i < list->units.count; i++) {
		const struct ic_unit *unit = &list->units.items[i];
		if (!unit->dwarf->is_split || unit->is_passive)
			continue;
		uint32_t *number = ic_map_at(by_id, unit->id);
		if (!number)
			return false;
		if (*number == IC_NONE)
			*number = i;
	}
	return true;
}

// Moves the skeletons of which no unit is known to the front, and says how many they are.
static uint32_t keep_unfound(struct skeleton *skeletons, uint32_t count, const struct ic_map *by_id)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct skeleton skeleton = skeletons[i];
		if (ic_map_find(by_id, skeleton.id))
			continue;
		skeletons[i] = skeletons[kept];
		skeletons[kept++] = skeleton;
	}
	return kept;
}

// Joins each skeleton with its unit; split units without a skeleton are nobody's.
static void link_units(struct ic_scan_context *context, const struct skeleton *skeletons,
		       uint32_t count, const struct ic_map *by_id, struct ic_problems *problems)
{
	struct ic_unit *units = context->units.units.items;
	struct ic_error err;

	for (uint32_t i = 0; i < context->units.units.count; i++)
		units[i].is_passive |= units[i].dwarf->is_split;
	for (uint32_t i = 0; i < count; i++) {
		struct ic_unit *skeleton = &units[skeletons[i].unit];
		const uint32_t *number = ic_map_find(by_id, skeletons[i].id);
		if (!number) // which has been said
			continue;
		struct ic_unit *unit = &units[*number];
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

static bool find_units(struct ic_scan_split *split, struct ic_scan_context *context,
		       struct ic_image *image, struct skeleton *skeletons, uint32_t count,
		       struct ic_problems *problems, struct ic_error *err)
{
	uint32_t first = context->units.units.count, unfound;
	const struct ic_dwarf program = *context->units.units.items[skeletons[0].unit].dwarf;
	struct ic_split_places places = { 0 };
	struct split_job job = { .context = context, .program = &program };
	struct ic_map by_id = { 0 };
	bool ok = !image || ic_split_places_init(&places, image) || ic_fail_memory(err);

	if (ok && image)
		job.places = &places;
	ok = ok && (!image || add_package(split, context, image, &places, &program, problems, err));
	ok = ok && (map_ids(&by_id, &context->units, first) || ic_fail_memory(err));
	if (ok) {
		unfound = keep_unfound(skeletons, count, &by_id);
		first = context->units.units.count;
		ok = (unfound == 0 ||
		      find_dwos(split, context, image, &job, skeletons, unfound, problems, err)) &&
		     (map_ids(&by_id, &context->units, first) || ic_fail_memory(err));
	}
	if (ok)
		link_units(context, skeletons, count, &by_id, problems);
	free(job.dwos);
	ic_map_free(&by_id);
	ic_split_places_deinit(&places);
	return ok;
}

bool ic_scan_split_find(struct ic_scan_split *split, struct ic_scan_context *context,
			struct ic_image *image, struct ic_problems *problems, struct ic_error *err)
{
	const struct ic_unit_list *list = &context->units;
	struct ic_abbrev_reader reader = ic_scan_abbrev_reader(context->options);
	uint32_t candidates = 0, count = 0;

	for (uint32_t i = 0; i < list->units.count; i++)
		candidates += may_be_skeleton(&list->units.items[i]);
	if (candidates == 0)
		return true;
	struct skeleton *skeletons = calloc(candidates, sizeof(*skeletons));
	if (!skeletons)
		return ic_fail_memory(err);
	bool ok = ic_scan_tables_build(&context->tables, list, &reader, context->options->jobs,
				       err) &&
		  (read_skeletons(context, skeletons, &count, problems) || ic_fail_memory(err));
	ic_scan_tables_free(&context->tables);
	context->tables = (struct ic_scan_tables){ 0 };
	if (ok && count > 0)
		ok = find_units(split, context, image, skeletons, count, problems, err);
	free(skeletons);
	return ok;
}

void ic_scan_split_free(struct ic_scan_split *split)
{
	for (uint32_t i = 0; i < split->files.count; i++)
		ic_scan_file_free(&split->files.items[i]);
	IC_ARRAY_FREE(&split->files);
	ic_package_free(&split->package);
}
