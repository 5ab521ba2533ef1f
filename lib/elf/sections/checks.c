#include "elf/sections/checks.h"

#include <elf.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sort.h"
#include "elf/files/symbol.h"
#include "elf/sections/symbol_checks.h"

enum {
	LEAST_GAP = 16,      // more than alignment explains
	LEAST_PAGE = 0x1000, // of segments
	MOST_PAGE = 0x10000,
	LEAST_UNLOADED_GAP = 4, // the same between sections that are not loaded
	MOST_SAMPLES = 1024,
};

#define DESCRIPTORS ".opd"
#define EH_FRAME    ".eh_frame"
#define SFRAME      ".sframe"

// The place of a section, or of the headers, in the file.
struct place {
	uint64_t start, end;
	const struct ic_section *section; // NULL for the headers of the file
};

// The target of a section of relocations, by its name: ".debug_info" for ".rela.debug_info" or
// ".crel.debug_info"; NULL if that is not a debug section, call frame information or function
// descriptors.
static const char *relocated_name(const struct ic_section *section)
{
	const char *name = section->name;

	if (strncmp(name, ".crel", 5) == 0)
		name += 5;
	else if (strncmp(name, ".rel", 4) == 0)
		name += name[4] == 'a' ? 5 : 4;
	else
		return NULL;
	bool is_known = ic_is_debug_name(name) || !strcmp(name, EH_FRAME) ||
			!strcmp(name, SFRAME) || !strcmp(name, DESCRIPTORS);
	return is_known ? name : NULL;
}

// Whether the section is ever read: damage to others does not matter.
static bool is_read(const struct ic_section *section)
{
	bool is_strtab = section->type == SHT_STRTAB && !ic_section_is_loaded(section);

	return ic_is_debug_name(section->name) || section->type == SHT_SYMTAB || is_strtab ||
	       relocated_name(section);
}

static const char *name_of(const struct place *place)
{
	return place->section ? place->section->name : "the file's headers";
}

static bool is_place_read(const struct place *place)
{
	return place->section && is_read(place->section);
}

// Whether a gap precedes an empty section, which linkers align too.
static bool has_aligned_empty(const struct ic_elf_file *file, uint64_t start, uint64_t end)
{
	for (uint32_t i = 0; i < file->section_count; i++) {
		const struct ic_section *section = &file->sections[i];
		uint64_t off = section->raw.data ? (uint64_t)(section->raw.data - file->data) : 0;
		if (section->size == 0 && off > start && off <= end && end - start < section->align)
			return true;
	}
	return false;
}

// No tool lets these sections overlap, or leaves larger gaps than the next one's alignment needs,
// except ptxas, after its string tables.
static bool check_neighbours(const struct ic_elf_file *file, const struct place *before,
			     const struct place *next, struct ic_error *err)
{
	bool any_loaded = !before->section || !next->section ||
			  ic_section_is_loaded(before->section) ||
			  ic_section_is_loaded(next->section);
	uint64_t align = next->section ? next->section->align : 0;
	// Go's linker puts .shstrtab before a segment, which starts at a page.
	bool is_page = next->section && ic_section_is_loaded(next->section) && before->section &&
		       !ic_section_is_loaded(before->section) && next->start % LEAST_PAGE == 0;
	if (is_page && align < LEAST_PAGE)
		align = next->start % MOST_PAGE == 0 ? MOST_PAGE : LEAST_PAGE;
	uint64_t least_gap = any_loaded ? LEAST_GAP : LEAST_UNLOADED_GAP;

	if (next->start < before->end && (is_place_read(before) || is_place_read(next)))
		return ic_fail(err, IC_ERROR_MALFORMED, "sections %s and %s overlap",
			       name_of(before), name_of(next));
	// Go's linker for MIPS leaves a gap after this section as large as the section.
	bool is_mips_gap = file->machine == EM_MIPS && before->section &&
			   strcmp(before->section->name, ".gnu.attributes") == 0 &&
			   next->start - before->end == before->section->size;
	if (file->machine != EM_CUDA && !is_mips_gap && next->section &&
	    next->start > before->end &&
	    next->start - before->end >= (align > least_gap ? align : least_gap) &&
	    (is_place_read(before) || (is_place_read(next) && !any_loaded)) &&
	    !has_aligned_empty(file, before->end, next->start))
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "section %s ends %" PRIu64 " bytes before %s begins",
			       name_of(before), next->start - before->end, name_of(next));
	return true;
}

static uint64_t header_table_size(const struct ic_elf_file *file)
{
	uint64_t size = file->addr_size == 8 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);

	return file->section_count * size;
}

// Padding precedes .bss, though it has no bytes, and relocations of which eu-strip left none. For
// other empty sections the offset means nothing.
static bool is_padded(const struct ic_elf_file *file, const struct ic_section *section)
{
	bool is_bss = section->type == SHT_NOBITS && ic_section_is_loaded(section);

	return file->is_relocatable && section->raw.data &&
	       (is_bss || relocated_name(section) != NULL);
}

static bool is_empty(const struct place *place)
{
	return place->start == place->end;
}

// Lists the places of the file's headers and of its sections. Returns how many.
static uint32_t list_places(const struct ic_elf_file *file, struct place *places)
{
	uint64_t table_off = file->header_table_off;
	uint32_t count = 0;

	places[count++] =
		(struct place){ 0, file->addr_size == 8 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr),
				NULL };
	places[count++] = (struct place){ table_off, table_off + header_table_size(file), NULL };
	for (uint32_t i = 0; i < file->section_count; i++) {
		const struct ic_section *section = &file->sections[i];
		uint64_t start = (uint64_t)(section->raw.data - file->data);
		if (section->raw.size > 0 || is_padded(file, section))
			places[count++] =
				(struct place){ start, start + section->raw.size, section };
	}
	return count;
}

static bool check_places(const struct ic_elf_file *file, struct ic_error *err)
{
	struct place *places = ic_items_alloc(file->section_count + 2ull, sizeof(*places));
	struct ic_keyed *order = ic_items_alloc(file->section_count + 2ull, sizeof(*order));
	uint32_t count = places && order ? list_places(file, places) : 0;

	for (uint32_t i = 0; i < count; i++)
		order[i] = (struct ic_keyed){ places[i].start, i };
	bool ok = (places && order && ic_keyed_sort(order, count)) || ic_fail_memory(err);
	const struct place *last = places; // the furthest end so far; the first place is at 0
	for (uint32_t i = 1; ok && i < count; i++) {
		const struct place *place = &places[order[i].number];
		ok = is_empty(place) || check_neighbours(file, last, place, err);
		if (place->end >= last->end)
			last = place;
	}
	free(places);
	free(order);
	return ok;
}

static bool is_text(const struct ic_section *section)
{
	return !strcmp(section->name, ".text") || !strncmp(section->name, ".text.", 6);
}

// DWARF 5, 7.27; older tables have no header.
static bool has_header(const struct ic_elf_file *file, const struct ic_section *addresses)
{
	return addresses->raw.size >= 8 && ic_load32(addresses->raw.data, file->swap) > 0 &&
	       ic_load16(addresses->raw.data + 4, file->swap) == 5;
}

// How many relocations may be empty: R_NONE, which ld -r leaves for discarded code, and offset 0 if
// most sections have a header. RISC-V has two for a difference.
static uint64_t most_empty(const struct ic_elf_file *file, const struct ic_section *relocs)
{
	static const char *const names[] = { ".debug_addr", ".debug_loc", ".debug_ranges",
					     DESCRIPTORS };
	const struct ic_section *section = &file->sections[relocs->info];
	bool found = false;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		found |= ic_section_has_debug_name(section, names[i]);
	if (!found || (ic_section_has_debug_name(section, names[0]) && has_header(file, section)))
		return 0;
	return file->machine == EM_RISCV ? 2 : 1;
}

static bool check_reloc_entry(const struct ic_elf_file *file, const struct ic_section *relocs,
			      uint64_t number, struct ic_error *err)
{
	uint64_t size = (relocs->type == SHT_RELA ? 3u : 2u) * file->addr_size;
	const uint8_t *entry = relocs->raw.data + number * size;
	struct ic_bytes place_and_kind = { entry, 2u * file->addr_size };

	return !ic_bytes_are_zero(place_and_kind) ||
	       ic_fail(err, IC_ERROR_MALFORMED, "%s: relocation %" PRIu64 " is empty", relocs->name,
		       number);
}

// Samples the entries, since checking all takes too long.
static bool check_reloc_entries(const struct ic_elf_file *file, const struct ic_section *relocs,
				uint64_t count, struct ic_error *err)
{
	uint64_t step = count / MOST_SAMPLES + 1, first = most_empty(file, relocs);
	bool ok = first >= count || check_reloc_entry(file, relocs, first, err);

	for (uint64_t left = count; ok && left > first; left -= left > step ? step : left)
		ok = check_reloc_entry(file, relocs, left - 1, err);
	return ok;
}

// Symbols of functions are in the section of descriptors, which point into code.
static bool check_descriptors(const struct ic_elf_file *file, const struct ic_section *relocs,
			      struct ic_error *err)
{
	const struct ic_symbol_table symbols =
		ic_symbol_table_of(file, &file->sections[relocs->link]);

	if (relocs->type != SHT_RELA || file->addr_size != 8)
		return true;
	for (size_t at = 0; at < relocs->raw.size; at += sizeof(Elf64_Rela)) {
		const uint8_t *entry = relocs->raw.data + at;
		uint64_t number =
			ELF64_R_SYM(ic_load64(entry + offsetof(Elf64_Rela, r_info), file->swap));
		if (number >= symbols.count)
			continue; // reported when it is applied
		struct ic_raw_symbol symbol = ic_symbol_table_read(&symbols, number);
		uint64_t value = symbol.value +
				 ic_load64(entry + offsetof(Elf64_Rela, r_addend), file->swap);
		if (symbol.section == SHN_UNDEF || symbol.section >= file->section_count)
			continue;
		const struct ic_section *section = &file->sections[symbol.section];
		if (ic_section_is_code(section) && value > section->size) // empty at the end
			return ic_fail(err, IC_ERROR_MALFORMED,
				       "%s: the code of a function descriptor, at 0x%" PRIx64
				       ", is beyond the end of %s",
				       relocs->name, value, section->name);
	}
	return true;
}

// Relocations that are not applied leave zeros, which look like discarded code.
static bool check_relocs(const struct ic_elf_file *file, const struct ic_section *relocs,
			 struct ic_error *err)
{
	const char *target = relocated_name(relocs);
	uint64_t size = (relocs->type == SHT_RELA ? 3u : 2u) * file->addr_size;

	if (!file->is_relocatable && file->layout.has_segments)
		return true; // the linker has applied them
	if (!file->is_relocatable)
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: relocations in a file that is not relocatable and has no "
			       "program headers: wrong e_type",
			       relocs->name);
	if (!strcmp(target, EH_FRAME) && relocs->type == SHT_NOBITS)
		return true; // of a debug file, which lacks the loaded contents too
	if (!ic_section_is_relocs(relocs))
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: not a relocation section (sh_type %" PRIu32 ")", relocs->name,
			       relocs->type);
	if (relocs->info >= file->section_count ||
	    !ic_section_has_debug_name(&file->sections[relocs->info], target))
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: applies to section %" PRIu32 " (sh_info), not to %s",
			       relocs->name, relocs->info, target);
	if (relocs->raw.size > 0 && file->sections[relocs->info].size == 0)
		return ic_fail(err, IC_ERROR_MALFORMED, "%s: applies to %s, which is empty",
			       relocs->name, target);
	if (relocs->link >= file->section_count || file->sections[relocs->link].type != SHT_SYMTAB)
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: section %" PRIu32 " (sh_link) has no symbols", relocs->name,
			       relocs->link);
	if (relocs->type == IC_SHT_CREL)
		return true; // checked when it is expanded
	// eu-strip leaves none in some sections, with a gap where they were.
	if (relocs->raw.size % size != 0)
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: %zu bytes are not a whole number of relocations", relocs->name,
			       relocs->raw.size);
	return check_reloc_entries(file, relocs, relocs->raw.size / size, err) &&
	       (strcmp(target, DESCRIPTORS) != 0 || check_descriptors(file, relocs, err));
}

static bool has_strings(const struct ic_section *section)
{
	static const char *const names[] = { ".debug_str", ".debug_line_str", ".debug_str.dwo",
					     ".debug_line_str.dwo" };
	bool found = false;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		found |= !strcmp(section->name, names[i]);
	return found && !(section->flags & SHF_COMPRESSED);
}

// String sections end with one NUL or with two: the last string may be empty, such as a directory
// of which -fdebug-prefix-map leaves nothing.
static bool check_strings(const struct ic_section *section, struct ic_error *err)
{
	const struct ic_bytes raw = section->raw;

	if (raw.size > 0 && raw.data[raw.size - 1] != 0)
		return ic_fail(err, IC_ERROR_MALFORMED, "%s: unterminated string table",
			       section->name);
	return true;
}

static bool check_debug(const struct ic_elf_file *file, const struct ic_section *section,
			struct ic_error *err)
{
	if (section->size > 0 && section->raw.size == 0)
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: no contents in the file (sh_type %" PRIu32 ")", section->name,
			       section->type);
	if (ic_section_is_code(section))
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: marked as code (sh_flags 0x%" PRIx64 ")", section->name,
			       section->flags);
	// Only empty lists: linkers write them for discarded code, but not all code is discarded.
	if (!file->is_relocatable && !strcmp(section->name, ".debug_ranges") &&
	    section->raw.size > 0 && ic_bytes_are_zero(section->raw))
		return ic_fail(err, IC_ERROR_MALFORMED, "%s: contains only zeros", section->name);
	return !has_strings(section) || check_strings(section, err);
}

// Checks sections without which nothing can be read: an empty one is worse than a missing one.
static bool check_pair(const struct ic_elf_file *file, const char *name, const char *other_name,
		       struct ic_error *err)
{
	const struct ic_section *section = ic_elf_file_debug_section(file, name);
	const struct ic_section *other = ic_elf_file_debug_section(file, other_name);

	if (section && other && section->size == 0 && other->size > 0)
		return ic_fail(err, IC_ERROR_MALFORMED, "%s: is empty, but %s is not", name,
			       other_name);
	return true;
}

// Only DIEs refer to these sections: without any, .debug_info has lost its name, or was removed.
static bool check_has_info(const struct ic_elf_file *file, struct ic_error *err)
{
	static const char *const names[] = { ".debug_abbrev", ".debug_aranges",
					     ".debug_ranges", ".debug_rnglists",
					     ".debug_loc",    ".debug_loclists",
					     ".debug_addr",   ".debug_str_offsets" };

	if (ic_elf_file_debug_section(file, ".debug_info") ||
	    ic_elf_file_debug_section(file, ".debug_types"))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const struct ic_section *section = ic_elf_file_debug_section(file, names[i]);
		if (section && section->size > 0)
			return ic_fail(err, IC_ERROR_MALFORMED,
				       "%s: no .debug_info that it could belong to", section->name);
	}
	return true;
}

// A linked file has only one section of each name.
static bool check_names(const struct ic_elf_file *file, struct ic_error *err)
{
	static const char *const names[] = { ".debug_info", ".debug_line", ".debug_str",
					     ".debug_line_str" };
	uint32_t counts[sizeof(names) / sizeof(*names)] = { 0 };

	for (uint32_t i = 0; !file->is_relocatable && i < file->section_count; i++)
		for (size_t j = 0; j < sizeof(names) / sizeof(*names); j++)
			if (ic_section_has_debug_name(&file->sections[i], names[j]) &&
			    ++counts[j] == 2)
				return ic_fail(err, IC_ERROR_MALFORMED,
					       "%s: two sections with this name", names[j]);
	return true;
}

// Sections of other types, such as notes, are not code, whatever their flags.
static bool has_code(const struct ic_elf_file *file)
{
	bool found = false;

	for (uint32_t i = 0; !found && i < file->section_count; i++) {
		const struct ic_section *section = &file->sections[i];
		bool has_type = section->type == SHT_PROGBITS || section->type == SHT_NOBITS;
		found = has_type && ic_section_is_code(section) && section->size > 0;
	}
	return found;
}

// Whether a section with call frame information has an FDE, after its CIEs.
static bool has_fde(const struct ic_elf_file *file, const struct ic_section *section)
{
	uint32_t shared = strcmp(section->name, EH_FRAME) == 0 ? 0 : UINT32_MAX;
	struct ic_bytes raw = section->raw;

	for (size_t at = 0; raw.size - at >= 8;) {
		uint32_t size = ic_load32(raw.data + at, file->swap);
		if (size == 0 || size > raw.size - at - 4)
			return false;
		if (ic_load32(raw.data + at + 4, file->swap) != shared)
			return true;
		at += 4 + size;
	}
	return false;
}

// Whether the bytes of a section seem to contain code addresses, or offsets in other sections. In
// relocatable files these are zeros without relocations.
static bool needs_relocs(const struct ic_elf_file *file, const struct ic_section *section)
{
	const uint8_t set_address[] = { 0, (uint8_t)(1 + file->addr_size), 2 };
	const uint8_t start_length[] = { 7, 0, 0, 0, 0, 0, 0, 0, 0 }; // DW_RLE_start_length of 0

	if (section->size == 0)
		return false;
	if (!strcmp(section->name, EH_FRAME) || !strcmp(section->name, ".debug_frame"))
		return has_fde(file, section);
	if (!strcmp(section->name, SFRAME)) // by the number of FDEs
		return section->raw.size >= 12 && ic_load32(section->raw.data + 8, file->swap) > 0;
	if (!strcmp(section->name, ".debug_line"))
		return memmem(section->raw.data, section->raw.size, set_address,
			      sizeof(set_address));
	if (!strcmp(section->name, ".debug_rnglists"))
		return memmem(section->raw.data, section->raw.size, start_length,
			      1u + file->addr_size);
	return !ic_section_has_debug_name(section, ".debug_line") &&
	       !ic_section_has_debug_name(section, ".debug_rnglists");
}

// In relocatable files addresses come only from relocations. Without them code would seem to be
// missing, or would get other names.
static bool check_relocs_exist(const struct ic_elf_file *file, struct ic_error *err)
{
	static const char *const names[] = { ".debug_info",     ".debug_addr",
					     ".debug_line",     ".debug_str_offsets",
					     ".debug_rnglists", ".debug_frame",
					     EH_FRAME,          SFRAME };

	if (!file->is_relocatable || !has_code(file))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		bool are_needed = false, are_there = false;
		for (uint32_t j = 0; j < file->section_count && !are_there; j++) {
			const struct ic_section *section = &file->sections[j];
			const char *target = relocated_name(section);
			// Also for ".rela.zdebug_info".
			are_there = target &&
				    !strcmp(target + (target[1] == 'z' ? 2 : 1), names[i] + 1);
			are_needed = are_needed || (ic_section_has_debug_name(section, names[i]) &&
						    needs_relocs(file, section));
		}
		if (are_needed && !are_there)
			return ic_fail(err, IC_ERROR_MALFORMED,
				       "%s: no relocations in a relocatable file", names[i]);
	}
	return true;
}

// The flags of the gABI, and those reserved for systems and processors.
#define KNOWN_FLAGS ((uint64_t)0xfff | SHF_MASKOS | SHF_MASKPROC)

static bool has_fixed_type(const struct ic_section *section)
{
	return section->type == SHT_SYMTAB || section->type == SHT_STRTAB ||
	       section->type == SHT_RELA || section->type == SHT_REL;
}

// Only the first header is empty and has no name; a symbol table has fixed values. Without this
// check a damaged section would seem missing.
static bool check_header(const struct ic_section *section, uint32_t number, struct ic_error *err)
{
	if (number > 0 && section->type == SHT_NULL)
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "section %" PRIu32 " (%s) has no type: empty header", number,
			       section->name);
	if (number > 0 && !*section->name)
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "section %" PRIu32 " has no name (sh_type %" PRIu32 ")", number,
			       section->type);
	if (section->flags & ~KNOWN_FLAGS)
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: unknown flags (sh_flags 0x%" PRIx64 ")", section->name,
			       section->flags);
	if (ic_section_is_code(section) && has_fixed_type(section))
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: marked as code (sh_flags 0x%" PRIx64
			       "), but is a table (sh_type %" PRIu32 ")",
			       section->name, section->flags, section->type);
	if ((section->type == SHT_SYMTAB || section->type == SHT_STRTAB) &&
	    section->flags & SHF_COMPRESSED)
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: marked as compressed (sh_flags 0x%" PRIx64
			       "), which symbols and their names never are",
			       section->name, section->flags);
	if (section->type == SHT_SYMTAB && strcmp(section->name, ".symtab") != 0)
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "section %" PRIu32 " (%s) has symbols, but is not named .symtab",
			       number, section->name);
	return true;
}

bool ic_section_headers_check(const struct ic_elf_file *file, struct ic_error *err)
{
	for (uint32_t i = 0; i < file->section_count; i++)
		if (!check_header(&file->sections[i], i, err))
			return false;
	return true;
}

// A section marked as code must be in an executable segment, and in the segment's part of the file
// if its contents are there. Debug files have the headers of both.
static bool is_executable(const struct ic_elf_file *file, const struct ic_section *section)
{
	for (uint32_t i = 0; i < file->layout.code_segment_count; i++) {
		const struct ic_code_segment *segment = &file->layout.code_segments[i];
		struct ic_range range = segment->range;
		if (section->type != SHT_NOBITS && segment->file_size < range.end - range.start)
			range.end = range.start + segment->file_size;
		if (section->addr >= range.start && section->addr <= range.end &&
		    section->size <= range.end - section->addr)
			return true;
	}
	// All CUDA code starts at 0, in sections of its own.
	bool is_elsewhere = section->size == 0 || file->machine == EM_CUDA;
	return is_elsewhere || file->layout.code_segment_count == 0;
}

bool ic_section_checks_run(const struct ic_elf_file *file, struct ic_error *err)
{
	bool ok = true;
	const struct ic_section *symtab = ic_symbol_checks_table(file);

	if (file->section_count == 0 && !file->layout.has_segments)
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "the ELF header has neither sections nor program headers");
	for (uint32_t i = 0; ok && i < file->section_count; i++) {
		const struct ic_section *section = &file->sections[i];
		if (!check_header(section, i, err))
			return false;
		if (is_text(section) && !ic_section_is_code(section))
			ok = ic_fail(err, IC_ERROR_MALFORMED,
				     "%s: not marked as code (sh_flags 0x%" PRIx64 ")",
				     section->name, section->flags);
		else if (ic_section_is_code(section) && !is_executable(file, section))
			ok = ic_fail(err, IC_ERROR_MALFORMED,
				     "%s: marked as code (sh_flags 0x%" PRIx64
				     "), but not in an executable segment",
				     section->name, section->flags);
		else if (ic_is_debug_name(section->name))
			ok = check_debug(file, section, err);
		else if (section == symtab)
			ok = ic_symbol_checks_run(file, section, err);
		else if (relocated_name(section))
			ok = check_relocs(file, section, err);
	}
	return ok && check_pair(file, ".debug_info", ".debug_abbrev", err) &&
	       check_pair(file, ".debug_abbrev", ".debug_info", err) && check_has_info(file, err) &&
	       check_names(file, err) && check_relocs_exist(file, err) && check_places(file, err);
}

// The caller holds the file's lock.
static bool check_once(struct ic_elf_file *file, struct ic_error *err)
{
	if (file->loading.is_checked && file->loading.check_fault)
		*err = *file->loading.check_fault;
	if (file->loading.is_checked)
		return !file->loading.check_fault;
	file->loading.is_checked = ic_section_checks_run(file, err);
	if (file->loading.is_checked)
		return true;
	file->loading.check_fault = malloc(sizeof(*err)); // errors are large, and few
	file->loading.is_checked = file->loading.check_fault != NULL;
	if (file->loading.check_fault)
		*file->loading.check_fault = *err;
	return false;
}

bool ic_section_checks_once(struct ic_elf_file *file, struct ic_error *err)
{
	ic_elf_file_lock(file);
	bool ok = check_once(file, err);
	ic_elf_file_unlock(file);
	return ok;
}
