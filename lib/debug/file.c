#include "debug/file.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "elf/sections/checks.h"
#include "elf/sections/load.h"
#include "elf/sections/symbol_checks.h"
#include "read/unit.h"
#include "tables/line_contexts.h"

struct wanted_section {
	const char *name;
	size_t at;        // offset of its bytes in struct ic_dwarf
	bool has_strings; // the model borrows strings from it
};

#define WANTED(field, name)                                   \
	{                                                     \
		name, offsetof(struct ic_dwarf, field), false \
	}
#define WANTED_STRINGS(field, name)                          \
	{                                                    \
		name, offsetof(struct ic_dwarf, field), true \
	}

// Besides .debug_info, of which there may be several.
static const struct wanted_section wanted_sections[] = {
	WANTED(abbrev, ".debug_abbrev"),   WANTED(addr, ".debug_addr"),
	WANTED(line, ".debug_line"),       WANTED_STRINGS(line_str, ".debug_line_str"),
	WANTED(ranges, ".debug_ranges"),   WANTED(rnglists, ".debug_rnglists"),
	WANTED_STRINGS(str, ".debug_str"), WANTED(str_offsets, ".debug_str_offsets"),
};

// A .dwo file contains no addresses: the tables of them stay in the program.
static const struct wanted_section wanted_split_sections[] = {
	WANTED(abbrev, ".debug_abbrev.dwo"),
	WANTED(rnglists, ".debug_rnglists.dwo"),
	WANTED_STRINGS(str, ".debug_str.dwo"),
	WANTED(str_offsets, ".debug_str_offsets.dwo"),
};

enum {
	WANTED_COUNT = sizeof(wanted_sections) / sizeof(*wanted_sections),
	WANTED_SPLIT_COUNT = sizeof(wanted_split_sections) / sizeof(*wanted_split_sections),
};

struct info_name {
	const char *name;
	bool is_split, is_types;
};

static const struct info_name info_names[] = {
	{ ".debug_info", false, false },
	{ ".debug_types", false, true },
	{ ".debug_info.dwo", true, false },
	{ ".debug_types.dwo", true, true },
};

enum { INFO_NAME_COUNT = sizeof(info_names) / sizeof(*info_names) };

// Describes a section of units by name; NULL for other sections. The old name of a compressed
// section is used only if there is none with the new name.
static const struct info_name *info_name_of(const struct ic_section *section, bool is_split,
					    const bool *has_new)
{
	for (size_t i = 0; i < INFO_NAME_COUNT; i++)
		if (info_names[i].is_split == is_split &&
		    (has_new[i] ? !strcmp(section->name, info_names[i].name)
				: ic_section_has_debug_name(section, info_names[i].name)))
			return &info_names[i];
	return NULL;
}

struct found_section {
	struct ic_section *section;
	const struct info_name *name;
};

struct found_sections {
	struct ic_section *wanted[WANTED_COUNT]; // NULL if there is none
	struct ic_bytes left[WANTED_COUNT];      // placeholders for those that are loaded on demand
	struct found_section *infos;             // owned
	uint32_t info_count;
	const struct wanted_section *names;
	uint32_t name_count;
};

static bool find_sections(struct found_sections *found, struct ic_elf_file *file, bool is_split)
{
	bool has_new[INFO_NAME_COUNT];

	*found = (struct found_sections){
		.infos = ic_items_zeroed(file->section_count + 1ull, sizeof(*found->infos)),
		.names = is_split ? wanted_split_sections : wanted_sections,
		.name_count = is_split ? WANTED_SPLIT_COUNT : WANTED_COUNT,
	};
	if (!found->infos)
		return false;
	for (size_t i = 0; i < INFO_NAME_COUNT; i++)
		has_new[i] = ic_elf_file_section(file, info_names[i].name) != NULL;
	for (uint32_t i = 0; i < found->name_count; i++)
		found->wanted[i] = ic_elf_file_debug_section(file, found->names[i].name);
	for (uint32_t i = 0; i < file->section_count; i++) {
		struct ic_section *section = &file->sections[i];
		const struct info_name *name = info_name_of(section, is_split, has_new);
		if (name)
			found->infos[found->info_count++] = (struct found_section){ section, name };
	}
	return true;
}

// Prevents a thousand sections over the same bytes from being read a thousand times.
static bool check_sizes(const struct found_sections *found, const struct ic_elf_file *file,
			struct ic_error *err)
{
	uint64_t size = 0;

	for (uint32_t i = 0; i < found->info_count; i++)
		size += found->infos[i].section->raw.size;
	return size <= file->size ||
	       ic_fail(err, IC_ERROR_MALFORMED, "%s: sections with units overlap", file->path);
}

// The section of units that can be relocated on demand. If there are several, each is small.
static struct ic_section *find_by_parts(const struct found_sections *found,
					enum ic_dwarf_file_kind kind)
{
	struct ic_section *section = NULL;

	for (uint32_t i = 0; kind == IC_DWARF_FILE_MAIN && i < found->info_count; i++) {
		if (found->infos[i].name->is_types)
			continue;
		if (section)
			return NULL;
		section = found->infos[i].section;
	}
	return section;
}

// Whether a section is loaded on demand. .debug_abbrev is always needed, and so is .debug_line if
// there are no units.
static bool is_left(const struct found_sections *found, const struct ic_elf_file *file, uint32_t i)
{
	return found->info_count > 0 && found->wanted[i] &&
	       found->names[i].at != offsetof(struct ic_dwarf, abbrev) &&
	       ic_lazy_sections_wants(file, found->wanted[i]);
}

// Leaves sections that are loaded on demand to a loader.
static bool leave_some(struct ic_dwarf_file *dwarf_file, struct found_sections *found)
{
	for (uint32_t i = 0; i < found->name_count; i++) {
		if (!is_left(found, dwarf_file->file, i))
			continue;
		if (!dwarf_file->sections)
			dwarf_file->sections =
				ic_lazy_sections_new(dwarf_file->file, found->name_count);
		if (!dwarf_file->sections)
			return false;
		found->left[i] = ic_lazy_sections_add(dwarf_file->sections, found->wanted[i],
						      found->names[i].at,
						      found->names[i].has_strings);
		found->wanted[i] = NULL;
	}
	return true;
}

static bool load_all(const struct found_sections *found, struct ic_elf_file *file,
		     struct ic_section *by_parts, uint32_t jobs, struct ic_error *err)
{
	struct ic_section **present = ic_items_alloc((uint64_t)WANTED_COUNT + found->info_count,
						     sizeof(struct ic_section *));
	uint32_t count = 0;

	for (uint32_t i = 0; present && i < found->name_count; i++)
		if (found->wanted[i])
			present[count++] = found->wanted[i];
	for (uint32_t i = 0; present && i < found->info_count; i++)
		present[count++] = found->infos[i].section;
	bool ok = present ? ic_sections_load_deferring(file, present, count, by_parts, jobs, err)
			  : ic_fail_memory(err);
	free(present);
	return ok;
}

static bool fill_in(struct ic_dwarf_file *dwarf_file, const struct found_sections *found,
		    const struct ic_elf_file *file, enum ic_dwarf_file_kind kind)
{
	struct ic_dwarf common = { .swap = file->swap,
				   .is_32_bit = file->addr_size == 4,
				   .is_split = kind == IC_DWARF_FILE_SPLIT,
				   .is_supplementary = kind == IC_DWARF_FILE_SUPPLEMENTARY,
				   .file = kind == IC_DWARF_FILE_MAIN ? NULL : file->path,
				   .source = &ic_unit_source_dies };

	for (uint32_t i = 0; i < found->name_count; i++)
		memcpy((char *)&common + found->names[i].at,
		       found->wanted[i] ? &found->wanted[i]->bytes : &found->left[i],
		       sizeof(struct ic_bytes));
	if (dwarf_file->sections)
		common.loader = ic_lazy_sections_loader(dwarf_file->sections);
	dwarf_file->dwarfs = ic_items_alloc(found->info_count + 1ull, sizeof(*dwarf_file->dwarfs));
	if (dwarf_file->dwarfs && found->info_count == 0 && kind == IC_DWARF_FILE_SUPPLEMENTARY) {
		common.info_name = ".debug_info";
		dwarf_file->dwarfs[dwarf_file->count++] = common;
	}
	bool can_be_lines = kind == IC_DWARF_FILE_MAIN;
	if (dwarf_file->dwarfs && found->info_count == 0 && can_be_lines && common.line.size > 0) {
		common.info = common.line;
		common.info_name = ".debug_line";
		common.source = &ic_unit_source_lines;
		dwarf_file->dwarfs[dwarf_file->count++] = common;
	}
	for (uint32_t i = 0; dwarf_file->dwarfs && i < found->info_count; i++) {
		struct ic_dwarf *dwarf = &dwarf_file->dwarfs[dwarf_file->count++];
		*dwarf = common;
		dwarf->info = found->infos[i].section->bytes;
		dwarf->info_name = found->infos[i].name->name;
		dwarf->is_types = found->infos[i].name->is_types;
		if (found->infos[i].section == dwarf_file->by_parts)
			dwarf_file->sole = dwarf;
	}
	return dwarf_file->dwarfs != NULL;
}

bool ic_dwarf_file_load(struct ic_dwarf_file *dwarf_file, struct ic_elf_file *file,
			enum ic_dwarf_file_kind kind, uint32_t jobs, struct ic_error *err)
{
	struct found_sections found;

	*dwarf_file = (struct ic_dwarf_file){ .file = file };
	if (kind != IC_DWARF_FILE_SPLIT) // a split file stays open while it is read
		ic_sections_hold(file);
	if (!find_sections(&found, file, kind == IC_DWARF_FILE_SPLIT))
		return ic_fail_memory(err);
	dwarf_file->by_parts = find_by_parts(&found, kind);
	bool ok = check_sizes(&found, file, err) &&
		  (leave_some(dwarf_file, &found) || ic_fail_memory(err)) &&
		  load_all(&found, file, dwarf_file->by_parts, jobs, err);
	if (ok && !fill_in(dwarf_file, &found, file, kind))
		ok = ic_fail_memory(err);
	free(found.infos);
	return ok;
}

void ic_dwarf_file_moved(struct ic_dwarf_file *dwarf_file, struct ic_elf_file *file)
{
	dwarf_file->file = file;
	if (dwarf_file->sections)
		ic_lazy_sections_moved(dwarf_file->sections, file);
}

static void add_fault(struct ic_problems *problems, const char *path, const struct ic_error *err)
{
	problems->file = path;
	ic_problems_add(problems, err, NULL, 0);
	problems->file = NULL;
}

void ic_dwarf_file_report(struct ic_elf_file *file, const char *path, struct ic_problems *problems)
{
	struct ic_error err;

	if (!ic_section_checks_once(file, &err))
		add_fault(problems, path, &err);
}

void ic_dwarf_file_report_symbols(const struct ic_elf_file *file, struct ic_problems *problems)
{
	struct ic_error err;

	if (problems->added == 0 && file && !ic_symbol_checks_all(file, &err))
		add_fault(problems, file->path, &err);
}

bool ic_dwarf_file_need(const struct ic_dwarf_file *dwarf_file, uint64_t start, uint64_t end,
			struct ic_error *err)
{
	return !dwarf_file->by_parts ||
	       ic_section_load_part(dwarf_file->file, dwarf_file->by_parts, start, end, err);
}

bool ic_dwarf_file_need_all(const struct ic_dwarf_file *dwarf_file, uint32_t jobs,
			    struct ic_error *err)
{
	return !dwarf_file->by_parts ||
	       ic_section_load_rest(dwarf_file->file, dwarf_file->by_parts, jobs, err);
}

bool ic_dwarf_file_addends(const struct ic_dwarf_file *dwarf_file,
			   struct ic_pending_addends *addends)
{
	return dwarf_file->by_parts &&
	       ic_section_pending_addends(dwarf_file->file, dwarf_file->by_parts, addends);
}

bool ic_dwarf_file_has_units(const struct ic_dwarf_file *dwarf_file, const struct ic_dwarf *dwarf)
{
	return dwarf_file->by_parts && dwarf->info.data == dwarf_file->by_parts->bytes.data;
}

bool ic_dwarf_file_need_headers(const struct ic_dwarf_file *dwarf_file, struct ic_error *err)
{
	const struct ic_section *section = dwarf_file->by_parts;
	uint64_t off = 0, size = section && section->pending ? section->bytes.size : 0;

	while (off < size) {
		if (!ic_dwarf_file_need(dwarf_file, off, off + IC_UNIT_MOST_HEADER, err))
			return false;
		struct ic_cursor cur = ic_cursor_at(section->bytes, section->name, off, size - off,
						    dwarf_file->file->swap);
		(void)ic_cursor_initial_length(&cur);
		if (cur.fault) // reported when the units are listed
			return true;
		off = (uint64_t)(cur.end - cur.begin);
	}
	return true;
}

bool ic_dwarf_file_section(struct ic_bytes *bytes, struct ic_elf_file *file, const char *name,
			   struct ic_error *err)
{
	struct ic_section *section = ic_elf_file_debug_section(file, name);

	*bytes = (struct ic_bytes){ NULL, 0 };
	if (!section)
		return true;
	if (!ic_sections_load(file, &section, 1, 1, err))
		return false;
	*bytes = section->bytes;
	return true;
}

void ic_dwarf_file_free(struct ic_dwarf_file *dwarf_file)
{
	free(dwarf_file->dwarfs);
	ic_lazy_sections_free(dwarf_file->sections);
	*dwarf_file = (struct ic_dwarf_file){ 0 };
}

void ic_dwarf_file_unload(struct ic_dwarf_file *dwarf_file)
{
	struct ic_elf_file *file = dwarf_file->file;
	struct ic_section *sections[WANTED_COUNT];
	uint32_t count = 0;

	ic_dwarf_file_free(dwarf_file);
	for (uint32_t i = 0; file && i < WANTED_COUNT; i++) {
		struct ic_section *section =
			ic_elf_file_debug_section(file, wanted_sections[i].name);
		if (section && !wanted_sections[i].has_strings)
			sections[count++] = section;
	}
	if (file)
		ic_sections_release(file, sections, count);
}
