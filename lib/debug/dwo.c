#include "debug/dwo.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/workers.h"
#include "dwarf/units/die.h"
#include "elf/image/split_places.h"
#include "text/text.h"
#include "units/units.h"

struct identity { // of a file, whatever its path; `off` is a member's offset in its archive
	uint64_t device, inode, off;
};

struct candidate { // a file that may contain split units, whatever its names
	struct identity identity;
	char *path;                // owned
	struct ic_elf_file *elf;   // if it is already a companion of the image; otherwise NULL
	struct ic_elf_file opened; // if it is not
	struct ic_dwarf_file file;
	struct ic_unit_list units;
	struct ic_map by_id; // by ID: indexes of these units
	bool is_read, is_adopted, out_of_memory;
	char fault[300]; // why it cannot be read
};

struct wanted { // the file of one name, and the skeletons with that name
	const struct ic_skeleton *first, *end;
	uint32_t place;              // number of the next one to try
	struct candidate *candidate; // the one being tried; in the end the one found
	bool is_done;
	bool is_unreadable; // at least one of those tried
	char tried[700];    // paths, and why each failed
};

struct search {
	struct ic_dwos *dwos;
	struct ic_map *by_id;
	struct ic_problems *problems;
	struct ic_units *units;
	struct ic_image *image;
	struct ic_split_places places;
	const struct ic_dwarf *program;
	struct wanted *wanted;
	uint32_t wanted_count;
	IC_ARRAY(struct candidate *) candidates; // owned
	struct ic_map by_identity;               // indexes of candidates
	IC_ARRAY(struct candidate *) unread;     // those of the current round
};

// ---- Names ----

static int compare_texts(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_names(const struct ic_skeleton *a, const struct ic_skeleton *b)
{
	int order = compare_texts(a->name, b->name);

	return order ? order : compare_texts(a->comp_dir, b->comp_dir);
}

static int compare_skeletons(const void *left, const void *right)
{
	const struct ic_skeleton *a = left, *b = right;
	int order = compare_names(a, b);

	return order ? order : (a->unit > b->unit) - (a->unit < b->unit);
}

// Sorts in the order of the program.
static int compare_wanted(const void *left, const void *right)
{
	const struct wanted *a = left, *b = right;

	return (a->first->unit > b->first->unit) - (a->first->unit < b->first->unit);
}

// Groups the skeletons by name.
static bool group_skeletons(struct search *search, struct ic_skeleton *skeletons, uint32_t count)
{
	qsort(skeletons, count, sizeof(*skeletons), compare_skeletons);
	search->wanted = ic_items_zeroed(count + 1ull, sizeof(*search->wanted));
	if (!search->wanted)
		return false;
	for (uint32_t i = 0, end; i < count; i = end) {
		for (end = i + 1;
		     end < count && compare_names(&skeletons[i], &skeletons[end]) == 0;)
			end++;
		search->wanted[search->wanted_count++] =
			(struct wanted){ .first = &skeletons[i], .end = &skeletons[end] };
	}
	qsort(search->wanted, search->wanted_count, sizeof(*search->wanted), compare_wanted);
	return true;
}

static uint64_t key_of(const struct wanted *wanted)
{
	return ic_companion_key(wanted->first->comp_dir, wanted->first->name);
}

static void note_path(struct wanted *wanted, const char *path, const char *reason)
{
	size_t length = strlen(wanted->tried);
	const char *said = wanted->tried + length + (length ? 2 : 0);

	if (ic_text_append(wanted->tried, sizeof(wanted->tried), "%s%s: %s", length ? "; " : "",
			   path, reason) &&
	    strstr(wanted->tried, said) < said) // it has been reported
		wanted->tried[length] = 0;
}

// ---- Files ----

static uint64_t hash_identity(struct identity identity)
{
	return identity.inode ^ identity.device * 0x9e3779b97f4a7c15 ^
	       identity.off * 0xd6e8feb86659fd93;
}

static bool identify_file(struct identity *identity, const struct ic_elf_file *own,
			  const char *path)
{
	bool is_own = strcmp(path, own->path) == 0; // this may be a member of an archive
	struct stat st;

	if (is_own && own->is_given) {
		*identity = (struct identity){ .off = own->disk_off };
		return true;
	}
	if (stat(is_own ? own->disk_path : path, &st) != 0)
		return false;
	*identity = (struct identity){ st.st_dev, st.st_ino, is_own ? own->disk_off : 0 };
	return true;
}

static struct candidate *add_candidate(struct search *search, const char *path,
				       struct identity identity)
{
	uint32_t *number = ic_map_at(&search->by_identity, hash_identity(identity));
	struct candidate *candidate = number ? calloc(1, sizeof(*candidate)) : NULL;
	struct candidate **place = candidate ? IC_ARRAY_PUSH(&search->candidates) : NULL;

	if (!place) {
		free(candidate);
		return NULL;
	}
	*place = candidate;
	*number = search->candidates.count - 1;
	candidate->identity = identity;
	candidate->path = strdup(path);
	return candidate->path ? candidate : NULL;
}

// Finds or adds the candidate for the file at the path; NULL if memory runs out.
static struct candidate *find_candidate(struct search *search, const char *path,
					struct identity identity)
{
	const uint32_t *number = ic_map_find(&search->by_identity, hash_identity(identity));
	struct candidate *found = number ? search->candidates.items[*number] : NULL;

	if (found && !memcmp(&found->identity, &identity, sizeof(identity)))
		return found;
	return add_candidate(search, path, identity);
}

// Files that the image has opened are not opened again: the first candidates are its companions, in
// the same order.
static bool add_companions(struct search *search)
{
	const struct ic_companions *companions = &search->image->companions;

	for (uint32_t i = 0; i < companions->files.count; i++) {
		struct ic_elf_file *elf = companions->files.items[i];
		struct identity identity = { .off = i };
		// The file may have been deleted.
		(void)identify_file(&identity, &search->image->file, elf->path);
		struct candidate *candidate = add_candidate(search, elf->path, identity);
		if (!candidate)
			return false;
		candidate->elf = elf;
	}
	return true;
}

struct ic_dwarf ic_dwo_program(const struct ic_dwarf *program)
{
	struct ic_dwarf copy = *program;
	struct ic_error reported; // once for the file

	(void)ic_dwarf_section(program, &program->addr, &copy.addr, &reported);
	(void)ic_dwarf_section(program, &program->ranges, &copy.ranges, &reported);
	return copy;
}

void ic_dwo_borrow(const struct ic_dwarf_file *file, const struct ic_dwarf *program)
{
	for (uint32_t i = 0; i < file->count; i++) {
		file->dwarfs[i].addr = program->addr;
		file->dwarfs[i].ranges = program->ranges;
	}
}

// Before DWARF 5, the dwo_id is an attribute of the root DIE.
static bool read_old_ids(struct ic_unit_list *units)
{
	struct ic_abbrev_table own = { .declared = 0 };
	struct ic_arena arena = { 0 };
	struct ic_problems problems = { .arena = &arena };
	struct ic_shared_tables tables;
	struct ic_error err;

	bool ok = ic_shared_tables_build(&tables, units, &ic_model_tags, 1, &err);
	for (uint32_t i = 0; ok && i < units->units.count; i++) {
		struct ic_unit *unit = &units->units.items[i];
		struct ic_unit read = *unit;
		if (unit->version >= 5 || unit->is_passive || !ic_unit_check(unit, &err))
			continue;
		const struct ic_abbrev_table *table =
			ic_shared_table_of(&tables, units, i, true, &own, &err);
		if (table && ic_unit_read_root(&read, table, &problems, &err))
			unit->id = read.id;
		ok = table || err.code != IC_ERROR_MEMORY;
	}
	ic_abbrev_table_free(&own);
	ic_shared_tables_free(&tables);
	IC_ARRAY_FREE(&problems.list);
	ic_arena_free(&arena);
	return ok;
}

// Lists the units of an open file, with their IDs.
static bool list_units(struct search *search, struct candidate *candidate, struct ic_elf_file *elf,
		       struct ic_error *err)
{
	uint64_t base = 0;

	if (!ic_dwarf_file_load(&candidate->file, elf, IC_DWARF_FILE_SPLIT, 1, err))
		return false;
	ic_dwo_borrow(&candidate->file, search->program);
	for (uint32_t i = 0; i < candidate->file.count; i++) {
		candidate->file.dwarfs[i].info_base = base;
		base += candidate->file.dwarfs[i].info.size + 1;
		// If listing ends early, the units before that are kept.
		if (!ic_unit_list_parse(&candidate->units, &candidate->file.dwarfs[i], err) &&
		    err->code == IC_ERROR_MEMORY)
			return false;
	}
	if (candidate->units.units.count == 0)
		return ic_fail(err, IC_ERROR_NO_DEBUG, "contains no split units");
	return (read_old_ids(&candidate->units) &&
		ic_units_map_ids(&candidate->by_id, &candidate->units, 0)) ||
	       ic_fail_memory(err);
}

static void read_candidate(struct search *search, struct candidate *candidate)
{
	struct ic_elf_file *elf = candidate->elf;
	char text[IC_ERROR_TEXT_SIZE];
	struct ic_error err;

	if (!elf) {
		if (ic_split_places_open(&search->places, candidate->path, &candidate->opened,
					 &err))
			elf = &candidate->opened;
		else if (err.code != IC_ERROR_MEMORY)
			snprintf(candidate->fault, sizeof(candidate->fault), "%.299s",
				 ic_elf_file_open_fault(&err, candidate->path, text));
	}
	if (elf && !list_units(search, candidate, elf, &err))
		snprintf(candidate->fault, sizeof(candidate->fault), "%.299s", err.message);
	candidate->out_of_memory = (!elf || candidate->fault[0]) && err.code == IC_ERROR_MEMORY;
}

static void read_candidates(struct ic_items *items, uint32_t worker, void *context)
{
	struct search *search = context;
	(void)worker;

	for (uint32_t i; ic_items_take(items, &i);)
		read_candidate(search, search->unread.items[i]);
}

static void free_candidate(struct candidate *candidate)
{
	if (candidate->opened.path)
		ic_elf_file_close(&candidate->opened);
	ic_dwarf_file_free(&candidate->file);
	IC_ARRAY_FREE(&candidate->units.units);
	ic_map_free(&candidate->by_id);
	free(candidate->path);
	free(candidate);
}

// ---- Search ----

// Moves on to the next path at which there is a file; if there are no more, the search for this
// name is done. Returns false if memory runs out.
static bool look_further(struct search *search, struct wanted *wanted)
{
	const struct ic_skeleton *skeleton = wanted->first;
	const uint32_t *known =
		wanted->place == 0 && search->image
			? ic_map_find(&search->image->companions.by_key, key_of(wanted))
			: NULL;
	char path[PATH_MAX], text[IC_ERROR_TEXT_SIZE];
	struct identity identity;

	if (known) { // whatever is on disk now
		wanted->candidate = search->candidates.items[*known];
		wanted->place = 1;
		return true;
	}
	wanted->place += wanted->place == 0;
	wanted->is_done = true;
	while (search->image && skeleton->name &&
	       ic_split_places_dwo(&search->places, skeleton->comp_dir, skeleton->name,
				   wanted->place++ - 1, path, sizeof(path))) {
		if (!path[0])
			continue;
		if (!identify_file(&identity, &search->image->file, path)) {
			note_path(wanted, path, ic_error_text(errno, text));
			continue;
		}
		wanted->is_done = false;
		wanted->candidate = find_candidate(search, path, identity);
		return wanted->candidate != NULL;
	}
	return true;
}

// Accepts or rejects the file that was opened. One of the wanted units is enough.
static void judge_wanted(const struct search *search, struct wanted *wanted)
{
	const struct candidate *candidate = wanted->candidate;
	const struct ic_skeleton *i = wanted->first;

	while (i < wanted->end && !ic_map_find(&candidate->by_id, i->id))
		i++;
	wanted->is_done = i < wanted->end;
	for (i = wanted->first; i < wanted->end && ic_map_find(&candidate->by_id, i->id);)
		i++;
	// That the program contains the units itself (-gsplit-dwarf=single) was only a guess.
	bool is_guess = search->image && candidate->units.units.count == 0 &&
			!strcmp(candidate->path, search->image->file.path);
	wanted->is_unreadable |= candidate->fault[0] && !is_guess;
	if (i < wanted->end && !is_guess)
		note_path(wanted, candidate->path,
			  candidate->fault[0] ? candidate->fault
					      : "contains units with another dwo_id");
	if (!wanted->is_done)
		wanted->candidate = NULL;
}

// Tries the next place for each name, all in parallel. Returns false if memory runs out.
static bool look_once(struct search *search, bool *is_done)
{
	search->unread.count = 0;
	*is_done = true;
	for (uint32_t i = 0; i < search->wanted_count; i++) {
		struct wanted *wanted = &search->wanted[i];
		if (wanted->is_done)
			continue;
		if (!look_further(search, wanted))
			return false;
		struct candidate *candidate = wanted->candidate;
		*is_done &= wanted->is_done;
		if (!candidate || candidate->is_read)
			continue;
		struct candidate **place = IC_ARRAY_PUSH(&search->unread);
		if (!place)
			return false;
		*place = candidate;
		candidate->is_read = true;
	}
	ic_workers_run(ic_workers_count(search->units->jobs, search->unread.count),
		       search->unread.count, read_candidates, search);
	for (uint32_t i = 0; i < search->unread.count; i++)
		if (search->unread.items[i]->out_of_memory)
			return false;
	for (uint32_t i = 0; i < search->wanted_count; i++)
		if (!search->wanted[i].is_done)
			judge_wanted(search, &search->wanted[i]);
	return true;
}

// Appends the units of a file that was accepted to the list of all units.
static bool adopt_candidate(struct search *search, struct candidate *candidate, uint64_t key,
			    struct ic_error *err)
{
	struct ic_unit_list *list = &search->units->list;
	struct ic_dwarf_file *place = IC_ARRAY_PUSH(&search->dwos->files);
	uint32_t first = list->units.count, next = first;

	if (!place)
		return ic_fail_memory(err);
	*place = candidate->file;
	candidate->file = (struct ic_dwarf_file){ 0 };
	candidate->is_adopted = true;
	if (!candidate->elf)
		candidate->elf =
			ic_companions_add(&search->image->companions, key, &candidate->opened);
	if (!candidate->elf)
		return ic_fail_memory(err);
	ic_dwarf_file_moved(place, candidate->elf);
	ic_dwarf_file_report(candidate->elf, candidate->elf->path, search->problems);
	for (uint32_t i = 0; i < place->count; i++) {
		ic_units_number(search->units, &place->dwarfs[i]);
		if (!ic_units_add(search->units, &place->dwarfs[i], search->problems, err))
			return false;
	}
	// The same units were parsed again, into the list of all units; their IDs are already
	// known.
	for (uint32_t i = 0; i < candidate->units.units.count && next < list->units.count; i++)
		list->units.items[next++].id = candidate->units.units.items[i].id;
	return ic_units_map_ids(search->by_id, list, first) || ic_fail_memory(err);
}

static void report_missing(const struct search *search, const struct wanted *wanted)
{
	const struct ic_skeleton *first = NULL;
	uint32_t missing = 0;
	struct ic_error err;

	for (const struct ic_skeleton *i = wanted->first; i < wanted->end; i++)
		if (!ic_map_find(search->by_id, i->id) && missing++ == 0)
			first = i;
	if (missing == 0)
		return;
	const struct ic_unit *unit = &search->units->list.units.items[first->unit];
	ic_fail_at(&err, unit->dwarf->info_name, unit->off,
		   "the DIEs of %s are in %.400s (split DWARF), which %s: %s",
		   missing > 1 ? "this unit and others" : "this unit",
		   first->name ? first->name : "a file with too long a name",
		   wanted->is_unreadable ? "cannot be read and is not in a package"
					 : "was not found, not even in a package",
		   wanted->tried[0] ? wanted->tried : "no search");
	ic_problems_add(search->problems, &err, NULL, 0);
}

static bool find_all(struct search *search, struct ic_error *err)
{
	if (search->image && !add_companions(search))
		return ic_fail_memory(err);
	for (bool is_done = false; !is_done;)
		if (!look_once(search, &is_done))
			return ic_fail_memory(err);
	for (uint32_t i = 0; i < search->wanted_count; i++) {
		struct wanted *wanted = &search->wanted[i];
		if (wanted->candidate && !wanted->candidate->is_adopted &&
		    !adopt_candidate(search, wanted->candidate, key_of(wanted), err))
			return false;
	}
	for (uint32_t i = 0; i < search->wanted_count; i++)
		report_missing(search, &search->wanted[i]);
	return true;
}

bool ic_dwos_find(struct ic_dwos *dwos, const struct ic_dwo_query *query, struct ic_error *err)
{
	if (query->count == 0)
		return true;
	const struct ic_dwarf program =
		ic_dwo_program(query->units->list.units.items[query->skeletons[0].unit].dwarf);
	struct search search = { .dwos = dwos,
				 .by_id = query->by_id,
				 .problems = query->problems,
				 .units = query->units,
				 .image = query->image,
				 .program = &program };
	bool ok = ((!query->image || ic_split_places_init(&search.places, query->image)) &&
		   group_skeletons(&search, query->skeletons, query->count)) ||
		  ic_fail_memory(err);

	ok = ok && find_all(&search, err);
	for (uint32_t i = 0; i < search.candidates.count; i++)
		free_candidate(search.candidates.items[i]);
	IC_ARRAY_FREE(&search.candidates);
	IC_ARRAY_FREE(&search.unread);
	ic_map_free(&search.by_identity);
	free(search.wanted);
	ic_split_places_deinit(&search.places);
	return ok;
}

void ic_dwos_free(struct ic_dwos *dwos)
{
	for (uint32_t i = 0; i < dwos->files.count; i++)
		ic_dwarf_file_free(&dwos->files.items[i]);
	IC_ARRAY_FREE(&dwos->files);
}
