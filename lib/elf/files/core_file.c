#include "elf/files/core_file.h"

#include <errno.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/search.h"
#include "elf/files/elf_error.h"
#include "elf/files/unpack.h"

static bool fail_elf(const struct ic_core_file *core, const char *action, struct ic_error *err)
{
	return ic_fail_libelf(err, IC_ERROR_MALFORMED, core->path, action);
}

// Whether the file is in a format that is known, but not supported.
static bool is_other_form(const struct ic_core_file *core, struct ic_error *err)
{
	static const struct {
		const char *magic, *what;
	} forms[] = {
		{ "KDUMP   ", "a kernel dump in makedumpfile's compressed format, which is not "
			      "supported; dump as ELF: \"makedumpfile -E\", QEMU without -z" },
		{ "makedumpfile", "a kernel dump in the flattened form of makedumpfile; if it is "
				  "ELF in itself, as QEMU's -z is not, \"makedumpfile -R\" "
				  "puts it in order" },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		size_t size = strlen(forms[i].magic);

		if (core->mapping.size >= size &&
		    memcmp(core->mapping.data, forms[i].magic, size) == 0)
			return !ic_fail(err, IC_ERROR_UNSUPPORTED, "%s: %s", core->path,
					forms[i].what);
	}
	return false;
}

static bool read_header(struct ic_core_file *core, Elf *elf, struct ic_error *err)
{
	GElf_Ehdr header;

	if (is_other_form(core, err))
		return false;
	if (elf_kind(elf) != ELF_K_ELF)
		return ic_fail(err, IC_ERROR_NOT_ELF, "%s: not an ELF file", core->path);
	errno = 0;
	if (!gelf_getehdr(elf, &header))
		return fail_elf(core, "read the ELF header", err);
	if (header.e_type != ET_CORE)
		return ic_fail(err, IC_ERROR_NOT_ELF, "%s: not a core file", core->path);
	core->machine = header.e_machine;
	core->addr_size = gelf_getclass(elf) == ELFCLASS64 ? 8 : 4;
	core->swap = (header.e_ident[EI_DATA] == ELFDATA2MSB) != IC_HOST_IS_BIG_ENDIAN;
	return true;
}

// The part of a range that is in the file.
static struct ic_bytes bytes_at(const struct ic_core_file *core, uint64_t off, uint64_t size)
{
	uint64_t whole = core->mapping.size;

	if (off >= whole)
		return (struct ic_bytes){ NULL, 0 };
	return (struct ic_bytes){ core->mapping.data + off,
				  size < whole - off ? size : whole - off };
}

// Adds a segment at one of its addresses. One that goes beyond all addresses is left out.
static bool add_segment(const struct ic_core_file *core, const GElf_Phdr *header, uint64_t start,
			struct ic_core_segment *segments, uint32_t *count)
{
	uint64_t size = header->p_filesz < header->p_memsz ? header->p_filesz : header->p_memsz;

	if (header->p_memsz == 0 || header->p_memsz > UINT64_MAX - start)
		return false;
	struct ic_core_segment *segment = &segments[(*count)++];
	*segment = (struct ic_core_segment){ .start = start,
					     .end = start + header->p_memsz,
					     .bytes = bytes_at(core, header->p_offset, size),
					     .is_code = (header->p_flags & PF_X) != 0 };
	segment->missing = size - segment->bytes.size;
	return true;
}

static void add_load(struct ic_core_file *core, const GElf_Phdr *header)
{
	bool is_added =
		add_segment(core, header, header->p_vaddr, core->segments, &core->segment_count);
	if (is_added)
		core->missing += core->segments[core->segment_count - 1].missing;
	core->impossible += header->p_filesz > header->p_memsz ||
			    (!is_added && header->p_memsz > 0);
	(void)add_segment(core, header, header->p_paddr, core->physical, &core->physical_count);
	core->has_physical |= header->p_paddr != 0;
}

static int compare_segments(const void *left, const void *right)
{
	const struct ic_core_segment *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

// Physical memory may be mapped more than once: of each segment, only what earlier ones lack is
// kept.
static void sort_physical(struct ic_core_file *core)
{
	struct ic_core_segment *segments = core->physical;
	uint32_t count = 0;

	qsort(segments, core->physical_count, sizeof(*segments), compare_segments);
	for (uint32_t i = 0; i < core->physical_count; i++) {
		struct ic_core_segment segment = segments[i];
		uint64_t reach = count > 0 ? segments[count - 1].end : 0;
		uint64_t less = reach > segment.start ? reach - segment.start : 0;

		if (segment.end <= reach)
			continue;
		if (less >= segment.bytes.size)
			segment.bytes = (struct ic_bytes){ NULL, 0 };
		else
			segment.bytes = (struct ic_bytes){ segment.bytes.data + less,
							   segment.bytes.size - less };
		segment.start += less;
		segments[count++] = segment;
	}
	core->physical_count = count;
}

// Overlapping ones are left out. No kernel writes such cores of processes; in the dump of a machine
// there may be only physical addresses.
static void sort_segments(struct ic_core_file *core)
{
	uint32_t count = 0;

	qsort(core->segments, core->segment_count, sizeof(*core->segments), compare_segments);
	for (uint32_t i = 0; i < core->segment_count; i++)
		if (count == 0 || core->segments[i].start >= core->segments[count - 1].end)
			core->segments[count++] = core->segments[i];
		else
			core->impossible += !core->has_physical;
	core->segment_count = count;
}

static bool read_segments(struct ic_core_file *core, Elf *elf, struct ic_error *err)
{
	GElf_Phdr header;
	size_t count;

	errno = 0;
	if (elf_getphdrnum(elf, &count) != 0)
		return fail_elf(core, "read the program header table", err);
	if (count > core->mapping.size / sizeof(Elf32_Phdr))
		return ic_fail(
			err, IC_ERROR_MALFORMED,
			"%s: truncated: its %zu program headers are beyond the end of the file",
			core->path, count);
	core->segments = ic_items_alloc(count + 1, sizeof(*core->segments));
	core->physical = ic_items_alloc(count + 1, sizeof(*core->physical));
	core->notes = ic_items_alloc(count + 1, sizeof(*core->notes));
	if (!core->segments || !core->physical || !core->notes)
		return ic_fail_memory(err);
	for (size_t i = 0; i < count; i++) {
		errno = 0;
		if (!gelf_getphdr(elf, (int)i, &header))
			return fail_elf(core, "read the program headers", err);
		if (header.p_type == PT_LOAD)
			add_load(core, &header);
		else if (header.p_type == PT_NOTE)
			core->notes[core->notes_count++] =
				bytes_at(core, header.p_offset, header.p_filesz);
	}
	sort_segments(core);
	sort_physical(core);
	return true;
}

static bool read_file(struct ic_core_file *core, struct ic_error *err)
{
	elf_version(EV_CURRENT);
	errno = 0;
	Elf *elf = elf_memory((char *)core->mapping.data, core->mapping.size);

	if (!elf)
		return fail_elf(core, "read the ELF header", err);
	bool ok = read_header(core, elf, err) && read_segments(core, elf, err);
	elf_end(elf);
	return ok;
}

bool ic_core_file_open(struct ic_core_file *core, const char *path, uint64_t max_memory,
		       struct ic_error *err)
{
	const struct ic_place place = { .name = path, .path = path, .size = IC_PLACE_TO_END };

	*core = (struct ic_core_file){ .path = strdup(path) };
	bool ok = (core->path || ic_fail_memory(err)) &&
		  ic_mapping_open(&core->mapping, &place, err) &&
		  ic_mapping_unpack_core(&core->mapping, path, max_memory, err) &&
		  read_file(core, err);
	if (!ok)
		ic_core_file_close(core);
	return ok;
}

void ic_core_file_close(struct ic_core_file *core)
{
	ic_mapping_close(&core->mapping);
	free(core->segments);
	free(core->physical);
	free(core->notes);
	free(core->path);
	*core = (struct ic_core_file){ .path = NULL };
}

void ic_core_file_close_memory(struct ic_core_file *core)
{
	core->segment_count = core->physical_count = core->notes_count = 0;
	ic_mapping_close(&core->mapping);
}

static const struct ic_core_segment *find_segment(const struct ic_core_segment *segments,
						  uint32_t count, uint64_t addr)
{
	uint32_t first = ic_search_up_to(segments, sizeof(*segments), count, addr);
	const struct ic_core_segment *found = first > 0 ? &segments[first - 1] : NULL;

	return found && addr < found->end ? found : NULL;
}

const struct ic_core_segment *ic_core_segment_at(const struct ic_core_file *core, uint64_t addr)
{
	return find_segment(core->segments, core->segment_count, addr);
}

static bool read_segments_at(const struct ic_core_segment *segments, uint32_t count, uint64_t addr,
			     void *bytes, size_t size)
{
	uint8_t *to = bytes;

	while (size > 0) {
		const struct ic_core_segment *segment = find_segment(segments, count, addr);
		uint64_t off = segment ? addr - segment->start : 0;

		if (!segment || off >= segment->bytes.size)
			return false;
		size_t part = segment->bytes.size - off < size ? segment->bytes.size - off : size;
		memcpy(to, segment->bytes.data + off, part);
		to += part;
		addr += part;
		size -= part;
	}
	return true;
}

bool ic_core_read(const struct ic_core_file *core, uint64_t addr, void *bytes, size_t size)
{
	return read_segments_at(core->segments, core->segment_count, addr, bytes, size);
}

bool ic_core_read_physical(const struct ic_core_file *core, uint64_t addr, void *bytes, size_t size)
{
	return read_segments_at(core->physical, core->physical_count, addr, bytes, size);
}

static uint64_t align_to_4(uint64_t size)
{
	return (size + 3) & ~3ull;
}

bool ic_core_note_next(const struct ic_core_file *core, struct ic_core_notes *walk,
		       struct ic_core_note *note, struct ic_error *err)
{
	err->code = IC_ERROR_NONE;
	while (walk->part < core->notes_count && walk->off >= core->notes[walk->part].size)
		*walk = (struct ic_core_notes){ .part = walk->part + 1 };
	if (walk->part == core->notes_count)
		return false;
	const struct ic_bytes *part = &core->notes[walk->part];
	struct ic_cursor cur =
		ic_cursor_at(*part, "PT_NOTE", walk->off, part->size - walk->off, core->swap);
	uint32_t name_size = ic_cursor_u32(&cur), size = ic_cursor_u32(&cur);

	note->type = ic_cursor_u32(&cur);
	const uint8_t *name = ic_cursor_take(&cur, align_to_4(name_size));
	note->is_core = name && name_size == 5 && memcmp(name, "CORE", 5) == 0;
	note->is_linux = name && name_size == 6 && memcmp(name, "LINUX", 6) == 0;
	note->is_qemu = name && name_size == 5 && memcmp(name, "QEMU", 5) == 0;
	note->is_kernel = name && name_size == 11 && memcmp(name, "VMCOREINFO", 11) == 0;
	note->bytes = cur;
	if (ic_cursor_take(&cur, size))
		note->bytes.end = note->bytes.pos + size;
	walk->off = cur.fault ? part->size : ic_cursor_off(&cur) + align_to_4(size) - size;
	return ic_cursor_ok(&cur, err);
}
