#include "index/build.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "elf/image/binding.h"
#include "index/scan.h"

// Finds the executable ranges from the sections, or from the segments if there are no sections. If
// there are neither, everything counts as code.
static bool find_code(struct ic_index *index, const struct ic_elf_file *file, struct ic_error *err)
{
	uint32_t most = file->section_count + file->layout.code_segment_count + 1, count = 0;
	struct ic_range *ranges = ic_arena_items(&index->arena, most, sizeof(*ranges));

	if (!ranges)
		return ic_fail_memory(err);
	for (uint32_t i = 0; i < file->section_count; i++) {
		const struct ic_section *section = &file->sections[i];
		if (ic_section_is_code(section))
			ranges[count++] =
				(struct ic_range){ section->addr, section->addr + section->size };
	}
	if (count == 0)
		for (; count < file->layout.code_segment_count; count++)
			ranges[count] = file->layout.code_segments[count].range;
	if (count == 0)
		ranges[count++] = (struct ic_range){ 0, UINT64_MAX };
	index->code = ic_range_set_build(ranges, count);
	return true;
}

// Sections are aligned, some only by linker scripts: a gap of a few bytes is not a hole.
enum { LEAST_HOLE = 16, SURE_HOLE = 64 };

static bool is_hole(const struct ic_elf_file *file, struct ic_range gap)
{
	uint64_t size = gap.end - gap.start;

	if (size < LEAST_HOLE || size >= SURE_HOLE)
		return size >= SURE_HOLE;
	for (uint32_t i = 0; i < file->section_count; i++) {
		const struct ic_section *next = &file->sections[i];
		if (ic_section_is_loaded(next) && next->size > 0 && next->addr == gap.end)
			return size >= next->align;
	}
	return false;
}

// Whether there is a section at the start, the end or the middle of the segment.
static bool has_section(const struct ic_range_set *sections, struct ic_range segment)
{
	return ic_range_set_find(sections, segment.start) ||
	       ic_range_set_find(sections, segment.end - 1) ||
	       ic_range_set_find(sections, segment.start + (segment.end - segment.start) / 2);
}

// Finds the parts of executable segments that are in no section: gaps after a loaded section, and
// whole segments without sections.
static bool find_holes(struct ic_index *index, const struct ic_elf_file *file, struct ic_error *err)
{
	uint32_t segment_count = file->layout.code_segment_count, count = 0, hole_count = 0;
	struct ic_range *holes = ic_arena_items(
		&index->arena, file->section_count + segment_count + 1ull, sizeof(*holes));
	struct ic_range *loaded =
		ic_items_alloc(file->section_count + segment_count + 1ull, sizeof(*loaded));

	if (!holes || !loaded) {
		free(loaded);
		return ic_fail_memory(err);
	}
	for (uint32_t i = 0; i < file->section_count; i++) {
		const struct ic_section *section = &file->sections[i];
		if (ic_section_is_loaded(section) && section->size > 0)
			loaded[count++] =
				(struct ic_range){ section->addr, section->addr + section->size };
	}
	for (uint32_t i = 0; i < segment_count; i++)
		loaded[count + i] = file->layout.code_segments[i].range;
	struct ic_range_set sections = ic_range_set_build(loaded, count);
	struct ic_range_set segments = ic_range_set_build(loaded + count, segment_count);
	for (uint32_t i = 0; i < segments.count && sections.count > 0; i++)
		if (!has_section(&sections, segments.ranges[i]))
			holes[hole_count++] = segments.ranges[i];
	for (uint32_t i = 0; i < sections.count; i++) {
		const struct ic_range *segment =
			ic_range_set_find(&segments, sections.ranges[i].start);
		struct ic_range hole = { sections.ranges[i].end, segment ? segment->end : 0 };
		if (i + 1 < sections.count && sections.ranges[i + 1].start < hole.end)
			hole.end = sections.ranges[i + 1].start;
		if (hole.start < hole.end && is_hole(file, hole))
			holes[hole_count++] = hole;
	}
	index->holes = ic_range_set_build(holes, hole_count);
	free(loaded);
	return true;
}

struct named_section {
	const char *name;
	uint32_t number;
};

static int compare_names(const void *left, const void *right)
{
	const struct named_section *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	return order ? order : (a->number > b->number) - (a->number < b->number);
}

// Adds their numbers to sections of the same name, as in ".text[7]".
static bool tell_apart(struct ic_index *index, struct named_section *named, uint32_t count)
{
	char text[256];

	qsort(named, count, sizeof(*named), compare_names);
	for (uint32_t i = 0, end; i < count; i = end) {
		const char *name = named[i].name;
		for (end = i + 1; end < count && strcmp(named[end].name, name) == 0;)
			end++;
		for (uint32_t j = i; end - i > 1 && j < end; j++) {
			snprintf(text, sizeof(text), "%.200s[%u]", name, named[j].number);
			named[j].name = ic_arena_copy(&index->arena, text, strlen(text) + 1, 1);
			if (!named[j].name)
				return false;
		}
	}
	return true;
}

static int compare_sections(const void *left, const void *right)
{
	const struct ic_code_section *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->end > b->end) - (a->end < b->end); // empty ones come before the one with code
}

static bool fill_sections(struct ic_index *index, struct ic_code_section *sections,
			  struct named_section *named, const struct ic_elf_file *file)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < file->section_count; i++)
		if (ic_section_is_code(&file->sections[i]))
			named[count++] = (struct named_section){ file->sections[i].name, i };
	if (!tell_apart(index, named, count))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const struct ic_section *section = &file->sections[named[i].number];
		sections[i] = (struct ic_code_section){ section->addr,
							section->addr + section->size,
							named[i].name };
	}
	qsort(sections, count, sizeof(*sections), compare_sections);
	index->all_sections = sections;
	index->all_section_count = count;
	if (file->is_relocatable) {
		index->sections = sections;
		index->section_count = count;
	}
	return true;
}

static bool name_sections(struct ic_index *index, const struct ic_elf_file *file,
			  struct ic_error *err)
{
	struct ic_code_section *sections =
		ic_arena_items(&index->arena, file->section_count, sizeof(*sections));
	struct named_section *named = ic_items_alloc(file->section_count + 1ull, sizeof(*named));
	bool ok = sections && named && fill_sections(index, sections, named, file);

	free(named);
	return ok || ic_fail_memory(err);
}

bool ic_index_find_symbols(struct ic_index *index, struct ic_image *image, enum ic_symtab_rule rule,
			   uint32_t jobs, struct ic_problems *problems, struct ic_error *err)
{
	if (ic_image_symbols(image, rule, jobs, &index->symbols, err))
		return true;
	// Without the MiniDebugInfo, only names are missing.
	if (index->symbols)
		ic_problems_add(problems, err, NULL, 0);
	return index->symbols != NULL;
}

static void report_faults(struct ic_image *image, struct ic_problems *problems)
{
	struct ic_elf_file *file = &image->file;

	if (image->has_debug_file) {
		ic_dwarf_file_report(&image->debug_file, image->debug_file.path, problems);
		ic_dwarf_file_report(file, file->path, problems);
	} else {
		ic_dwarf_file_report(file, NULL, problems);
	}
	if (image->supplementary)
		ic_dwarf_file_report(image->supplementary, image->supplementary->path, problems);
}

bool ic_index_begin(struct ic_index *index, struct ic_image *image, struct ic_problems *problems,
		    struct ic_error *err)
{
	const struct ic_elf_file *file = ic_image_dwarf_file(image);

	report_faults(image, problems);
	return find_code(index, file, err) && find_holes(index, file, err) &&
	       name_sections(index, file, err);
}

// Whether to make only those parts of a file readable that have the requested names. Split units,
// and strings by index, can only be found from the root DIEs of all units.
static bool wants_parts(const struct ic_image *image, const struct ic_index_options *options)
{
	const struct ic_elf_file *file = image->has_debug_file ? &image->debug_file : &image->file;
	const struct ic_section *info = ic_elf_file_debug_section(file, ".debug_info");

	return options->functions && !options->names_only && file->is_relocatable && info &&
	       info->raw.size >= options->whole_below &&
	       !ic_elf_file_debug_section(file, ".debug_addr") &&
	       !ic_elf_file_debug_section(file, ".debug_str_offsets");
}

// If .debug_info is relocated on demand, makes it readable as far as the scan needs it at first.
static bool need_debug(const struct ic_debug *debug, const struct ic_index_options *options,
		       struct ic_error *err)
{
	return (debug->image && wants_parts(debug->image, options)) ||
	       ic_dwarf_file_need_all(&debug->main, options->jobs, err);
}

static bool build_of(struct ic_index *index, struct ic_image *image, struct ic_debug *debug,
		     const struct ic_index_options *options, struct ic_problems *problems,
		     struct ic_error *err)
{
	bool ok =
		ic_index_begin(index, image, problems, err) &&
		ic_debug_load(debug, options->jobs, problems, err) &&
		need_debug(debug, options, err) &&
		ic_index_find_symbols(index, image, SYMTAB_INNERMOST, options->jobs, problems, err);

	if (!ok)
		return false;
	ic_dwarf_file_report_symbols(ic_symbol_finder_file(index->symbols), problems);
	return ic_scan_all(index, debug, options, problems, err);
}

static bool build_index(struct ic_index *index, struct ic_image *image,
			const struct ic_index_options *options, struct ic_error *err)
{
	struct ic_problems problems = { .arena = &index->arena };

	index->arena.memory = &image->memory;
	index->inline_table = options->inline_table;
	index->image = image;
	index->find_branches = ic_image_find_branches;
	struct ic_debug *debug = options->inline_table
					 ? ic_debug_of_table(image, options->inline_table, err)
					 : ic_debug_hold(image, err);
	bool ok = debug && build_of(index, image, debug, options, &problems, err);
	ic_debug_release(debug);
	IC_ARRAY_FREE(&problems.list);
	return ok || (err->code == IC_ERROR_MEMORY ? ic_image_fail_memory(image, err) : false);
}

struct ic_index *ic_index_build(struct ic_image *image, const struct ic_index_options *options,
				struct ic_error *err)
{
	static const struct ic_index_options defaults = { 0 };
	struct ic_index *index = calloc(1, sizeof(*index));
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!index) {
		ic_fail_memory(err);
		return NULL;
	}
	if (build_index(index, image, options ? options : &defaults, err))
		return index;
	ic_index_free(index);
	return NULL;
}
