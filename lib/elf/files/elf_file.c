#include "elf/files/elf_file.h"

#include <errno.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/auto.h"
#include "elf/files/elf_error.h"
#include "elf/files/symbol_file.h"
#include "elf/files/unpack.h"

enum { SMALLEST_PAGE = 4096 };

static void end_elf(Elf **elf)
{
	if (*elf)
		elf_end(*elf);
}

bool ic_elf_file_is_executable(const struct ic_elf_file *file)
{
	return file->size >= EI_NIDENT + 2 &&
	       ic_load16(file->data + EI_NIDENT, file->swap) == ET_EXEC;
}

bool ic_is_debug_name(const char *name)
{
	return !strncmp(name, ".debug_", 7) || !strncmp(name, ".zdebug_", 8);
}

bool ic_section_is_loaded(const struct ic_section *section)
{
	return section->flags & SHF_ALLOC;
}

bool ic_section_is_code(const struct ic_section *section)
{
	return section->flags & SHF_ALLOC && section->flags & SHF_EXECINSTR;
}

bool ic_section_is_constant(const struct ic_section *section)
{
	return section->flags & SHF_ALLOC && !(section->flags & SHF_WRITE);
}

bool ic_section_is_relocs(const struct ic_section *section)
{
	return section->type == SHT_REL || section->type == SHT_RELA ||
	       section->type == IC_SHT_CREL;
}

static bool fail_elf(const struct ic_elf_file *file, const char *action, struct ic_error *err)
{
	return ic_fail_libelf(err, IC_ERROR_NOT_ELF, file->path, action);
}

static bool begins_with(const struct ic_elf_file *file, const char *magic, size_t size)
{
	return file->size >= size && !memcmp(file->data, magic, size);
}

// Other files that compilers or archivers produce where an ELF file is expected.
static bool fail_kind(const struct ic_elf_file *file, struct ic_error *err)
{
	if (begins_with(file, "!<arch>\n", 8) || begins_with(file, "!<thin>\n", 8))
		return ic_fail(err, IC_ERROR_ARCHIVE, "%s: is an archive, not an ELF file",
			       file->path);
	if (begins_with(file, "BC\xc0\xde", 4) || begins_with(file, "\xde\xc0\x17\x0b", 4))
		return ic_fail(err, IC_ERROR_NOT_ELF, "%s: is LLVM bitcode, not an ELF file",
			       file->path);
	return ic_fail(err, IC_ERROR_NOT_ELF, "%s: not an ELF file", file->path);
}

// Accepts only files that can hold debug information and have a standard section table.
static bool check_kind(const struct ic_elf_file *file, const GElf_Ehdr *header,
		       struct ic_error *err)
{
	bool is_64 = header->e_ident[EI_CLASS] == ELFCLASS64;
	size_t entry_size = is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);

	if (header->e_type == ET_CORE)
		return ic_fail(err, IC_ERROR_NOT_ELF,
			       "%s: is a core file; pass the program it came from", file->path);
	if (header->e_type == ET_REL && header->e_phnum > 0)
		return ic_fail(
			err, IC_ERROR_MALFORMED,
			"%s: invalid ELF header: relocatable (e_type 1), but with program headers",
			file->path);
	if (header->e_shnum == 0 &&
	    header->e_ehsize != (is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr)))
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: invalid ELF header: %u bytes are wrong for its class",
			       file->path, header->e_ehsize);
	if (header->e_shnum > 0 && (header->e_shoff == 0 || header->e_shentsize != entry_size))
		return ic_fail(
			err, IC_ERROR_MALFORMED,
			"%s: invalid section header table: %u entries of %u bytes at 0x%" PRIx64,
			file->path, header->e_shnum, header->e_shentsize,
			(uint64_t)header->e_shoff);
	return true;
}

static bool read_header(struct ic_elf_file *file, Elf *elf, struct ic_error *err)
{
	GElf_Ehdr header;

	if (elf_kind(elf) != ELF_K_ELF)
		return fail_kind(file, err);
	errno = 0;
	if (!gelf_getehdr(elf, &header))
		return fail_elf(file, "read the ELF header", err);
	uint64_t section_size = header.e_shnum ? header.e_shnum : 1; // else the first has it
	section_size *= header.e_shentsize;
	if (header.e_phoff > file->size || header.e_shoff > file->size ||
	    (header.e_shoff > 0 && section_size > file->size - header.e_shoff))
		return ic_fail(
			err, IC_ERROR_MALFORMED,
			"%s: truncated: section or program headers are beyond the end of the file",
			file->path);
	if (!check_kind(file, &header, err))
		return false;
	file->header_table_off = header.e_shoff;
	file->machine = header.e_machine;
	file->is_relocatable = header.e_type == ET_REL;
	file->layout.entry_addr = header.e_entry;
	file->addr_size = gelf_getclass(elf) == ELFCLASS64 ? 8 : 4;
	bool big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
	file->swap = big_endian != IC_HOST_IS_BIG_ENDIAN;
	return true;
}

static bool read_section(struct ic_elf_file *file, Elf_Scn *scn, struct ic_section *section,
			 uint32_t *name, struct ic_error *err)
{
	GElf_Shdr header;

	errno = 0;
	if (!gelf_getshdr(scn, &header))
		return fail_elf(file, "read the section headers", err);
	*name = header.sh_name;
	*section = (struct ic_section){ .name = "",
					.addr = header.sh_addr,
					.size = header.sh_size,
					.flags = header.sh_flags,
					.align = header.sh_addralign,
					.type = header.sh_type,
					.link = header.sh_link,
					.info = header.sh_info };
	if (header.sh_type == SHT_NULL)
		return true;
	if (header.sh_type == SHT_NOBITS) {
		if (header.sh_offset <= file->size)
			section->raw.data = file->data + header.sh_offset;
		return true;
	}
	if (header.sh_offset > file->size || header.sh_size > file->size - header.sh_offset)
		section->raw = (struct ic_bytes){ NULL, 1 }; // rejected once its name is known
	else
		section->raw =
			(struct ic_bytes){ file->data + header.sh_offset, (size_t)header.sh_size };
	return true;
}

static bool check_ends(const struct ic_elf_file *file, struct ic_error *err)
{
	for (uint32_t i = 0; i < file->section_count; i++)
		if (!file->sections[i].raw.data && file->sections[i].raw.size > 0)
			return ic_fail(err, IC_ERROR_MALFORMED,
				       "%s: truncated: section %" PRIu32
				       " (%s) extends beyond the end of the file",
				       file->path, i, file->sections[i].name);
	return true;
}

// Copies the names: libelf's strings are freed with its handle, and those in the mapping may be
// changed by relocations.
static bool name_sections(struct ic_elf_file *file, size_t strings, const uint32_t *names)
{
	struct ic_bytes table = { NULL, 0 };

	if (strings < file->section_count && file->sections[strings].raw.data)
		table = file->sections[strings].raw;
	table = ic_bytes_cut_after_nul(table);
	file->section_names = malloc(table.size + 1);
	if (!file->section_names)
		return false;
	if (table.size > 0)
		memcpy(file->section_names, table.data, table.size);
	for (uint32_t i = 0; i < file->section_count; i++)
		if (names[i] < table.size)
			file->sections[i].name = file->section_names + names[i];
	return true;
}

// Whether the table of names starts with a name: the empty one, or that of a section.
static bool begins_with_name(const struct ic_elf_file *file, size_t strings, const uint32_t *names)
{
	if (strings >= file->section_count || file->sections[strings].raw.size == 0 ||
	    !file->sections[strings].raw.data || file->sections[strings].raw.data[0] == 0)
		return true;
	for (uint32_t i = 1; i < file->section_count; i++)
		if (names[i] == 0)
			return true;
	return false;
}

// A section without its name would not be found, and seem missing.
static bool check_names(const struct ic_elf_file *file, size_t strings, const uint32_t *names,
			struct ic_error *err)
{
	bool is_table = begins_with_name(file, strings, names);

	for (uint32_t i = 1; i < file->section_count; i++) // the first has none
		if (!is_table || (names[i] != 0 && !*file->sections[i].name))
			return ic_fail(err, IC_ERROR_MALFORMED,
				       "%s: section %" PRIu32
				       " has no name in section %zu (%s), the section name table",
				       file->path, i, strings,
				       strings < file->section_count ? file->sections[strings].name
								     : "");
	return true;
}

static bool read_all_sections(struct ic_elf_file *file, Elf *elf, size_t count, uint32_t *names,
			      struct ic_error *err)
{
	for (size_t i = 0; i < count; i++) {
		errno = 0;
		Elf_Scn *scn = elf_getscn(elf, i);
		if (!scn)
			return fail_elf(file, "read the sections", err);
		if (!read_section(file, scn, &file->sections[i], &names[i], err))
			return false;
		file->section_count++;
	}
	return true;
}

static bool read_sections(struct ic_elf_file *file, Elf *elf, struct ic_error *err)
{
	size_t count, strings;

	errno = 0;
	if (elf_getshdrnum(elf, &count) != 0 || elf_getshdrstrndx(elf, &strings) != 0)
		return fail_elf(file, "read the section table", err);
	if (count == 0 && file->header_table_off > 0)
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: invalid ELF header: section headers at 0x%" PRIx64
			       ", but their number is 0",
			       file->path, file->header_table_off);
	file->sections = calloc(count + 1, sizeof(*file->sections));
	uint32_t *names = calloc(count + 1, sizeof(*names));
	bool ok = (file->sections && names) || ic_fail_memory(err);
	ok = ok && read_all_sections(file, elf, count, names, err);
	ok = ok && (name_sections(file, strings, names) || ic_fail_memory(err));
	ok = ok && check_names(file, strings, names, err) && check_ends(file, err);
	free(names);
	return ok;
}

static void take_segment(struct ic_elf_file *file, const GElf_Phdr *header)
{
	if (header->p_type == PT_DYNAMIC)
		file->layout.dynamic =
			(struct ic_range){ header->p_vaddr, header->p_vaddr + header->p_filesz };
	if (header->p_type == PT_GNU_RELRO)
		file->layout.relocated =
			(struct ic_range){ header->p_vaddr, header->p_vaddr + header->p_memsz };
	if (header->p_type != PT_LOAD)
		return;
	if (header->p_flags & PF_X)
		file->layout.code_segments[file->layout.code_segment_count++] =
			(struct ic_code_segment){ { header->p_vaddr,
						    header->p_vaddr + header->p_memsz },
						  header->p_offset,
						  header->p_filesz };
	if (header->p_offset <= file->size && header->p_filesz <= file->size - header->p_offset)
		file->layout.loaded[file->layout.loaded_count++] = (struct ic_loaded){
			header->p_vaddr,
			{ file->data + header->p_offset, (size_t)header->p_filesz },
			header->p_flags & PF_X,
			!(header->p_flags & PF_W)
		};
}

static bool read_segments(struct ic_elf_file *file, Elf *elf, struct ic_error *err)
{
	bool loaded = false;
	size_t count;

	errno = 0;
	if (elf_getphdrnum(elf, &count) != 0)
		return fail_elf(file, "read the program header table", err);
	file->layout.has_segments = count > 0;
	file->layout.code_segments = calloc(count + 1, sizeof(*file->layout.code_segments));
	file->layout.loaded = calloc(count + 1, sizeof(*file->layout.loaded));
	if (!file->layout.code_segments || !file->layout.loaded)
		return ic_fail_memory(err);
	for (size_t i = 0; i < count && i <= INT32_MAX; i++) {
		GElf_Phdr header;
		errno = 0;
		if (!gelf_getphdr(elf, (int)i, &header))
			return fail_elf(file, "read the program headers", err);
		if (header.p_type == PT_LOAD &&
		    (!loaded || header.p_vaddr < file->layout.lowest_addr)) {
			file->layout.lowest_addr = header.p_vaddr & ~(uint64_t)(SMALLEST_PAGE - 1);
			loaded = true;
		}
		take_segment(file, &header);
	}
	return true;
}

// Sections of a relocatable file all start at address 0. They are laid out one after the other, so
// that an address identifies its section; output shows the section and the offset.
static bool lay_out(struct ic_elf_file *file, struct ic_error *err)
{
	uint64_t limit = file->addr_size == 8 ? INT64_MAX : INT32_MAX;
	uint64_t next = 0x1000; // not 0: that is the value of undefined symbols

	for (uint32_t i = 0; i < file->section_count; i++) {
		struct ic_section *section = &file->sections[i];
		if (!ic_section_is_loaded(section))
			continue;
		section->addr = next;
		if (next > limit || section->size > limit - next)
			return ic_fail(err, IC_ERROR_MALFORMED,
				       "%s: sections exceed the address space", file->path);
		next += (section->size + 0x1f) & ~0xfull; // none ends where the next begins
	}
	return true;
}

// NVIDIA's programs have type ET_EXEC, but a section for each kernel, all starting at 0, and
// relocations that select the one that the debug information refers to.
static bool is_cubin(const struct ic_elf_file *file)
{
	bool has_addresses = false;

	for (uint32_t i = 0; i < file->section_count; i++)
		has_addresses |= file->sections[i].addr != 0;
	return file->machine == EM_CUDA && !has_addresses;
}

static void note_relocations(struct ic_elf_file *file)
{
	for (uint32_t i = 0; i < file->section_count; i++) {
		const struct ic_section *section = &file->sections[i];
		if (ic_section_is_relocs(section) && section->info < file->section_count)
			file->sections[section->info].has_relocs = true;
	}
}

static bool read_file(struct ic_elf_file *file, struct ic_error *err)
{
	errno = 0;
	if (elf_version(EV_CURRENT) == EV_NONE)
		return fail_elf(file, "initialise libelf", err);
	IC_AUTO(end_elf) Elf *elf = elf_memory((char *)file->data, file->size);

	if (!elf)
		return fail_elf(file, "read the ELF header", err);
	if (!read_header(file, elf, err) || !read_sections(file, elf, err) ||
	    !read_segments(file, elf, err))
		return false;
	file->is_relocatable |= is_cubin(file);
	if (!file->is_relocatable) // a linker that leaves relocations has already applied them
		return true;
	note_relocations(file);
	return lay_out(file, err);
}

static pthread_mutex_t *new_lock(void)
{
	pthread_mutex_t *lock = malloc(sizeof(*lock));

	if (!lock || pthread_mutex_init(lock, NULL) == 0)
		return lock;
	free(lock);
	return NULL;
}

static bool open_mapped(struct ic_elf_file *file, const char *name, const char *disk_path,
			struct ic_mapping *mapping, struct ic_error *err)
{
	*file = (struct ic_elf_file){ .path = strdup(name),
				      .disk_path = strdup(disk_path),
				      .mapping = *mapping,
				      .data = mapping->data,
				      .size = mapping->size };
	*mapping = (struct ic_mapping){ 0 };
	file->loading.lock = new_lock();
	bool ok = (file->path && file->disk_path && file->loading.lock) || ic_fail_memory(err);
	if (ok && read_file(file, err))
		return true;
	ic_elf_file_close(file);
	return false;
}

// Counts the memory of a file that was compressed as a whole: its size is only known after
// decompression, and is limited in proportion.
static bool reserve_unpacked(struct ic_elf_file *file, uint64_t size, struct ic_error *err)
{
	char why[IC_MEMORY_WHY_SIZE];

	if (ic_memory_take_unpacked(file->memory, size, why)) {
		file->reserved = size;
		return true;
	}
	ic_fail(err, IC_ERROR_LIMIT, "%s: %s", file->path, why);
	ic_elf_file_close(file);
	return false;
}

bool ic_elf_file_open_place(struct ic_elf_file *file, const struct ic_place *place,
			    struct ic_error *err)
{
	struct ic_mapping mapping;

	*file = (struct ic_elf_file){ 0 };
	if (!ic_mapping_open(&mapping, place, err))
		return false;
	uint64_t disk_size = mapping.size;
	if (!ic_mapping_unpack(&mapping, place->name, err)) {
		ic_mapping_close(&mapping);
		return false;
	}
	uint64_t unpacked = mapping.size != disk_size ? mapping.size : 0;
	if (!ic_symbol_file_convert(&mapping, place->name, err)) {
		ic_mapping_close(&mapping);
		return false;
	}
	if (!open_mapped(file, place->name, place->path, &mapping, err))
		return false;
	file->disk_off = place->off;
	file->disk_size = disk_size;
	file->is_read = place->is_read;
	file->is_given = place->has_fd || place->bytes.data;
	file->memory = file->loading.pending_arena.memory = place->memory;
	file->counted = disk_size;
	ic_memory_add_file(file->memory, file->counted);
	return unpacked == 0 || reserve_unpacked(file, unpacked, err);
}

bool ic_elf_file_reopen(struct ic_elf_file *again, const struct ic_elf_file *file,
			struct ic_error *err)
{
	struct ic_place place = { .name = file->path,
				  .path = file->disk_path,
				  .off = file->disk_off,
				  .size = file->disk_size,
				  .is_read = file->is_read,
				  .memory = file->memory };

	if (file->is_given)
		place.bytes = (struct ic_bytes){ file->data, file->size };
	return ic_elf_file_open_place(again, &place, err);
}

bool ic_elf_file_adopt(struct ic_elf_file *file, const char *name, struct ic_mapping *mapping,
		       struct ic_error *err)
{
	return open_mapped(file, name, name, mapping, err);
}

bool ic_elf_file_open(struct ic_elf_file *file, const char *path, struct ic_error *err)
{
	const struct ic_place place = { .name = path, .path = path, .size = IC_PLACE_TO_END };

	return ic_elf_file_open_place(file, &place, err);
}

bool ic_elf_file_open_beside(struct ic_elf_file *file, const char *path,
			     const struct ic_elf_file *own, struct ic_error *err)
{
	const struct ic_place place = { .name = path,
					.path = path,
					.size = IC_PLACE_TO_END,
					.is_read = own->is_read,
					.memory = own->memory };

	return ic_elf_file_open_place(file, &place, err);
}

void ic_elf_file_close(struct ic_elf_file *file)
{
	for (uint32_t i = 0; i < file->section_count; i++)
		if (file->sections[i].is_buffer)
			munmap((void *)file->sections[i].bytes.data, file->sections[i].bytes.size);
	ic_memory_release(file->memory, file->reserved);
	ic_memory_remove_file(file->memory, file->counted);
	ic_arena_free(&file->loading.pending_arena);
	free(file->sections);
	free(file->layout.code_segments);
	free(file->layout.loaded);
	free(file->section_names);
	ic_mapping_close(&file->mapping);
	free(file->path);
	free(file->disk_path);
	if (file->loading.lock)
		pthread_mutex_destroy(file->loading.lock);
	free(file->loading.lock);
	free(file->loading.check_fault);
	*file = (struct ic_elf_file){ 0 };
}

static const char *without_path(const char *message, const char *path)
{
	size_t length = strlen(path);
	bool has_path = !strncmp(message, path, length) && !strncmp(message + length, ": ", 2);

	return has_path ? message + length + 2 : message;
}

const char *ic_elf_file_open_fault(const struct ic_error *err, const char *path,
				   char text[IC_ERROR_TEXT_SIZE])
{
	if (err->code == IC_ERROR_SYSTEM)
		return ic_error_text(err->os_error, text);
	return err->code == IC_ERROR_LIMIT ? "would exceed the memory limit"
					   : without_path(err->message, path);
}

const char *ic_elf_file_own_message(const struct ic_elf_file *file, const char *message)
{
	return without_path(message, file->path);
}

bool ic_section_has_debug_name(const struct ic_section *section, const char *name)
{
	return !strcmp(section->name, name) ||
	       (!strncmp(section->name, ".z", 2) && !strcmp(section->name + 2, name + 1));
}

static bool has_name(const struct ic_section *section, const char *name)
{
	return !strcmp(section->name, name);
}

static struct ic_section *find_section(const struct ic_elf_file *file, const char *name,
				       bool (*matches)(const struct ic_section *, const char *))
{
	struct ic_section *found = NULL;

	for (uint32_t i = 0; i < file->section_count; i++) {
		struct ic_section *section = &file->sections[i];
		if (!matches(section, name))
			continue;
		if (!(section->flags & SHF_GROUP))
			return section;
		if (!found)
			found = section;
	}
	return found;
}

struct ic_section *ic_elf_file_section(const struct ic_elf_file *file, const char *name)
{
	return find_section(file, name, has_name);
}

bool ic_elf_file_has(const struct ic_elf_file *file, const char *name)
{
	const struct ic_section *section = ic_elf_file_section(file, name);

	return section && section->raw.size > 0;
}

struct ic_section *ic_elf_file_debug_section(const struct ic_elf_file *file, const char *name)
{
	struct ic_section *section = ic_elf_file_section(file, name);

	return section ? section : find_section(file, name, ic_section_has_debug_name);
}
