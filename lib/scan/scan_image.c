// An image to its index: which sections are decoded, what counts as code, which symbols name it.
#include <stdlib.h>

#include "elf/image.h"
#include "elf/load.h"
#include "elf/symtab.h"
#include "scan/scan.h"

struct wanted_section {
	const char *name;
	size_t at; // offsetof its bytes in struct ic_dwarf
};

#define WANTED(field, name)                            \
	{                                              \
		name, offsetof(struct ic_dwarf, field) \
	}

static const struct wanted_section wanted_sections[] = {
	WANTED(info, ".debug_info"),
	WANTED(abbrev, ".debug_abbrev"),
	WANTED(addr, ".debug_addr"),
	WANTED(line, ".debug_line"),
	WANTED(line_str, ".debug_line_str"),
	WANTED(ranges, ".debug_ranges"),
	WANTED(rnglists, ".debug_rnglists"),
	WANTED(str, ".debug_str"),
	WANTED(str_offsets, ".debug_str_offsets"),
};

enum { WANTED_COUNT = sizeof(wanted_sections) / sizeof(*wanted_sections) };

static bool load_dwarf(struct ic_dwarf *dwarf, struct ic_elf_file *file, uint32_t jobs,
		       struct ic_error *err)
{
	struct ic_section *sections[WANTED_COUNT], *found[WANTED_COUNT];
	uint32_t count = 0;

	for (uint32_t i = 0; i < WANTED_COUNT; i++) {
		found[i] = ic_elf_file_debug_section(file, wanted_sections[i].name);
		if (found[i])
			sections[count++] = found[i];
	}
	if (!ic_sections_load(file, sections, count, jobs, err))
		return false;
	*dwarf = (struct ic_dwarf){ .swap = file->swap };
	for (uint32_t i = 0; i < WANTED_COUNT; i++)
		if (found[i])
			memcpy((char *)dwarf + wanted_sections[i].at, &found[i]->bytes,
			       sizeof(struct ic_bytes));
	return true;
}

// What can be executed, by the sections, or by the segments of a file without sections. Where a
// file says nothing at all, everything is code.
static bool find_code(struct ic_index *index, const struct ic_elf_file *file, struct ic_error *err)
{
	uint32_t most = file->section_count + file->code_segment_count + 1, count = 0;
	struct ic_range *ranges = ic_arena_alloc(&index->arena, most * sizeof(*ranges));

	if (!ranges)
		return ic_fail_memory(err);
	for (uint32_t i = 0; i < file->section_count; i++) {
		const struct ic_section *section = &file->sections[i];
		if (ic_section_is_code(section))
			ranges[count++] =
				(struct ic_range){ section->addr, section->addr + section->size };
	}
	if (count == 0)
		for (; count < file->code_segment_count; count++)
			ranges[count] = file->code_segments[count];
	if (count == 0)
		ranges[count++] = (struct ic_range){ 0, UINT64_MAX };
	index->code = ic_range_set_build(ranges, count);
	return true;
}

static int compare_sections(const void *left, const void *right)
{
	const struct ic_code_section *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

static bool name_sections(struct ic_index *index, const struct ic_elf_file *file,
			  struct ic_error *err)
{
	struct ic_code_section *sections =
		ic_arena_alloc(&index->arena, file->section_count * sizeof(*sections));
	uint32_t count = 0;

	if (!sections)
		return ic_fail_memory(err);
	for (uint32_t i = 0; i < file->section_count; i++) {
		const struct ic_section *section = &file->sections[i];
		if (ic_section_is_loaded(section))
			sections[count++] = (struct ic_code_section){ section->addr,
								      section->addr + section->size,
								      section->name };
	}
	qsort(sections, count, sizeof(*sections), compare_sections);
	index->sections = sections;
	index->section_count = count;
	return true;
}

static bool take_symbols(struct ic_index *index, const struct ic_elf_file *file,
			 struct ic_error *err)
{
	struct ic_symtab symtab;

	if (!ic_symtab_read(&symtab, file, err))
		return false;
	struct ic_symbol *symbols = ic_arena_alloc(&index->arena, symtab.count * sizeof(*symbols));
	for (uint32_t i = 0; symbols && i < symtab.count; i++)
		symbols[i] = (struct ic_symbol){ symtab.symbols[i].start, symtab.symbols[i].end,
						 symtab.symbols[i].name };
	index->symbols = symbols;
	index->symbol_count = symbols ? symtab.count : 0;
	ic_symtab_free(&symtab);
	return symbols || ic_fail_memory(err);
}

static bool build(struct ic_index *index, struct ic_image *image,
		  const struct ic_index_options *options, struct ic_error *err)
{
	struct ic_elf_file *file = ic_image_dwarf_file(image);
	struct ic_dwarf dwarf;

	return load_dwarf(&dwarf, file, options->jobs, err) && find_code(index, file, err) &&
	       (!file->is_relocatable || name_sections(index, file, err)) &&
	       take_symbols(index, ic_image_symbol_file(image), err) &&
	       ic_scan(index, &dwarf, options, err);
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
	if (build(index, image, options ? options : &defaults, err))
		return index;
	ic_index_free(index);
	return NULL;
}
