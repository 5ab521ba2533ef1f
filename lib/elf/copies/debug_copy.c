#include "elf/copies/debug_copy.h"

#include <errno.h>
#include <gelf.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/sort.h"
#include "elf/files/elf_error.h"

enum {
	KEPT_FLAGS = SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR | SHF_TLS,
	MOST_ALIGN = 4096,
};

struct texts { // in the form of a string table
	char *items;
	uint32_t count, capacity;
	struct ic_memory *memory;
};

struct place { // of a loaded section
	struct ic_range range;
	uint64_t file_off; // in the program; 0 if its contents are not in the file
};

struct copy {
	const struct ic_elf_file *file;
	const struct ic_debug_contents *contents;
	Elf *from, *elf;      // libelf's handles: the input, and the output
	struct texts names;   // of sections
	size_t segment_count; // that are loaded
	struct place *places; // indexed by section
	uint32_t place_count;
	IC_ARRAY(GElf_Sym) symbols;
	struct texts symbol_names;
	struct ic_keyed *starts; // addresses of functions that became symbols
	uint32_t start_count;
	void *symbol_table; // as in the file
	IC_ARRAY(void *) squeezed;
	struct ic_error *err; // has a code if anything but libelf failed
};

// ---- Sections

// A table starts with the empty string, which is in it once.
static bool add_text(const struct copy *copy, struct texts *texts, const char *text, uint32_t *off)
{
	bool is_there = !text[0] && texts->count > 0;
	uint64_t wanted = (uint64_t)texts->count + strlen(text) + 1;

	*off = is_there ? 0 : texts->count;
	if (is_there)
		return true;
	if (wanted > UINT32_MAX)
		return ic_fail(copy->err, IC_ERROR_LIMIT,
			       "%s: a string table would be 4 GiB or larger", copy->file->path);
	if (!IC_ARRAY_RESERVE(texts, wanted))
		return ic_fail_memory(copy->err);
	memcpy(texts->items + texts->count, text, (size_t)wanted - texts->count);
	texts->count = (uint32_t)wanted;
	return true;
}

// A new section with the bytes, which must live until the file is written.
// libelf (0.188) returns a section without a header if there is no memory for that; elf_newdata()
// would crash on it.
static Elf_Scn *new_section(Elf *elf)
{
	(void)elf_errno(); // clear the error of earlier calls
	Elf_Scn *section = elf_newscn(elf);

	return elf_errno() == 0 ? section : NULL;
}

static Elf_Scn *add_section(struct copy *copy, const char *name, GElf_Shdr header,
			    const void *bytes, uint64_t size, Elf_Type type)
{
	Elf_Scn *section = new_section(copy->elf);
	Elf_Data *data = section ? elf_newdata(section) : NULL;

	if (!data || !add_text(copy, &copy->names, name, &header.sh_name))
		return NULL;
	*data = (Elf_Data){ .d_buf = (void *)bytes,
			    .d_type = type,
			    .d_size = size,
			    .d_align = header.sh_addralign,
			    .d_version = EV_CURRENT };
	header.sh_size = size;
	return gelf_update_shdr(section, &header) ? section : NULL;
}

static bool add_loaded(struct copy *copy, const struct ic_section *section)
{
	bool is_note = section->type == SHT_NOTE;
	// libelf pads the file, although most sections have no contents in it.
	uint64_t align = section->align > 0 && section->align <= MOST_ALIGN ? section->align : 1;
	const char *name = section->name[0]                 ? section->name
			   : section->flags & SHF_EXECINSTR ? ".text"
							    : ".data";
	const GElf_Shdr header = { .sh_type = is_note ? SHT_NOTE : SHT_NOBITS,
				   .sh_flags = section->flags & KEPT_FLAGS,
				   .sh_addr = section->addr,
				   .sh_addralign = align };
	Elf_Scn *added = add_section(copy, name, header, is_note ? section->raw.data : NULL,
				     is_note ? section->raw.size : section->size, ELF_T_BYTE);

	if (!added)
		return false;
	copy->places[elf_ndxscn(added)] = (struct place){
		{ section->addr, section->addr + section->size },
		section->raw.size > 0 ? (uint64_t)(section->raw.data - copy->file->data) : 0,
	};
	copy->place_count = (uint32_t)elf_ndxscn(added) + 1;
	return true;
}

// For a file without section headers: adds what its segments load.
static bool add_segments(struct copy *copy)
{
	for (uint32_t i = 0; i < copy->file->layout.loaded_count; i++) {
		const struct ic_loaded *loaded = &copy->file->layout.loaded[i];
		const struct ic_section section = {
			.name = loaded->is_code ? ".text" : ".data",
			.addr = loaded->addr,
			.size = loaded->bytes.size,
			.flags = SHF_ALLOC | (loaded->is_code ? SHF_EXECINSTR : 0),
			.type = SHT_PROGBITS,
			.raw = loaded->bytes,
		};
		if (!add_loaded(copy, &section))
			return false;
	}
	return true;
}

// Whether readers of the copy would mistake the section, or the file it names, for the copy's own.
static bool is_debug(const struct ic_section *section)
{
	return ic_is_debug_name(section->name) || !strncmp(section->name, ".gnu_debug", 10);
}

static bool add_all_loaded(struct copy *copy)
{
	const struct ic_elf_file *file = copy->file;
	bool any = false;

	copy->places = ic_items_zeroed(2ull + file->section_count + file->layout.loaded_count,
				       sizeof(*copy->places));
	if (!copy->places)
		return ic_fail_memory(copy->err);
	for (uint32_t i = 1; i < file->section_count; i++) { // number 0 is none
		if (!ic_section_is_loaded(&file->sections[i]) || is_debug(&file->sections[i]))
			continue;
		if (!add_loaded(copy, &file->sections[i]))
			return false;
		any = true;
	}
	return any || add_segments(copy);
}

// Compresses a section, if requested and smaller. False if memory runs out.
static bool compress_section(struct copy *copy, GElf_Shdr *header, struct ic_bytes *bytes)
{
	size_t size;
	void *smaller = ic_squeeze(copy->file, copy->contents->squeeze, *bytes, &size);
	void **place = smaller ? IC_ARRAY_PUSH(&copy->squeezed) : NULL;

	if (!smaller)
		return true;
	if (!place) {
		free(smaller);
		return ic_fail_memory(copy->err);
	}
	*place = smaller;
	*bytes = (struct ic_bytes){ smaller, size };
	header->sh_flags |= SHF_COMPRESSED;
	header->sh_addralign = copy->file->addr_size;
	return true;
}

static bool add_contents(struct copy *copy)
{
	const struct ic_debug_contents *contents = copy->contents;

	for (size_t i = 0; i < contents->section_count; i++) {
		const struct ic_image_addition *section = &contents->sections[i];
		struct ic_bytes bytes = { section->bytes, section->size };
		bool is_text = strncmp(section->name + strlen(section->name) - 3, "str", 3) == 0;
		GElf_Shdr header = { .sh_type = SHT_PROGBITS,
				     .sh_flags = is_text ? SHF_MERGE | SHF_STRINGS : 0,
				     .sh_entsize = is_text ? 1 : 0,
				     .sh_addralign = 1 };
		if (!compress_section(copy, &header, &bytes) ||
		    (bytes.size > 0 &&
		     !add_section(copy, section->name, header, bytes.data, bytes.size, ELF_T_BYTE)))
			return false;
	}
	return true;
}

// ---- Symbols

static uint16_t section_at(const struct copy *copy, uint64_t addr)
{
	for (uint32_t i = 1; i < copy->place_count && i < SHN_LORESERVE; i++)
		if (copy->places[i].range.start <= addr && addr < copy->places[i].range.end)
			return (uint16_t)i;
	return SHN_ABS;
}

static bool add_symbol(struct copy *copy, const char *name, const GElf_Sym *symbol)
{
	GElf_Sym *place = IC_ARRAY_PUSH(&copy->symbols);

	if (!place)
		return ic_fail_memory(copy->err);
	*place = *symbol;
	return add_text(copy, &copy->symbol_names, name, &place->st_name);
}

static bool begins_one(const struct copy *copy, uint64_t addr)
{
	uint32_t number = ic_keyed_find(copy->starts, copy->start_count, addr);

	return number < copy->start_count && copy->starts[number].key == addr;
}

// Whether a symbol of the file belongs in the copy: one from .dynsym, which debuggers read from the
// program, only if it is a function without a symbol yet.
static bool is_wanted(const struct copy *copy, const GElf_Shdr *header, const GElf_Sym *symbol)
{
	unsigned type = GELF_ST_TYPE(symbol->st_info);

	if (symbol->st_shndx == SHN_UNDEF || type == STT_SECTION)
		return false;
	return header->sh_type == SHT_SYMTAB ||
	       (type == STT_FUNC && !begins_one(copy, symbol->st_value));
}

static bool copy_symbols(struct copy *copy, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = data ? data->d_size / gelf_fsize(copy->from, ELF_T_SYM, 1, EV_CURRENT) : 0;
	GElf_Sym symbol;

	for (size_t i = 1; i < count && i <= INT32_MAX; i++) {
		if (!gelf_getsym(data, (int)i, &symbol) || !is_wanted(copy, header, &symbol))
			continue;
		const char *name = elf_strptr(copy->from, header->sh_link, symbol.st_name);
		if (symbol.st_shndx < SHN_LORESERVE || symbol.st_shndx == SHN_XINDEX)
			symbol.st_shndx = section_at(copy, symbol.st_value);
		if (name && !add_symbol(copy, name, &symbol))
			return false;
	}
	return true;
}

static Elf_Scn *find_table(struct copy *copy, uint32_t type, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(copy->from, section)))
		if (gelf_getshdr(section, header) && header->sh_type == type)
			break;
	return section;
}

// Adds the functions to be written, by address.
static bool add_functions(struct copy *copy)
{
	const struct ic_debug_contents *contents = copy->contents;

	copy->starts = ic_items_alloc(contents->symbol_count + 1ull, sizeof(*copy->starts));
	for (uint32_t i = 0; copy->starts && i < contents->symbol_count; i++) {
		const struct ic_debug_symbol *from = &contents->symbols[i];
		const GElf_Sym symbol = { .st_info = GELF_ST_INFO(STB_LOCAL, STT_FUNC),
					  .st_shndx = section_at(copy, from->start),
					  .st_value = from->start,
					  .st_size = from->size };
		copy->starts[copy->start_count++] = (struct ic_keyed){ from->start, i };
		if (!add_symbol(copy, from->name, &symbol))
			return false;
	}
	return (copy->starts && ic_keyed_sort(copy->starts, copy->start_count)) ||
	       ic_fail_memory(copy->err);
}

static bool find_symbols(struct copy *copy)
{
	const GElf_Sym none = { .st_name = 0 };
	GElf_Shdr header;

	if (!add_symbol(copy, "", &none)) // the first one stays empty (gABI)
		return false;
	Elf_Scn *symtab = find_table(copy, SHT_SYMTAB, &header);
	if (symtab)
		return copy_symbols(copy, symtab, &header);
	if (!add_functions(copy))
		return false;
	Elf_Scn *dynsym = find_table(copy, SHT_DYNSYM, &header);
	return !dynsym || copy_symbols(copy, dynsym, &header);
}

// Local symbols come first (gABI). Returns their number.
static uint32_t order_symbols(struct copy *copy, Elf_Data *data)
{
	uint32_t placed = 0, locals = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < copy->symbols.count; i++) {
			GElf_Sym *symbol = &copy->symbols.items[i];
			bool is_local = GELF_ST_BIND(symbol->st_info) == STB_LOCAL;
			if (is_local == (pass == 0))
				gelf_update_sym(data, (int)placed++, symbol);
		}
		locals = pass == 0 ? placed : locals;
	}
	return locals;
}

static bool add_symbols(struct copy *copy)
{
	const GElf_Shdr texts = { .sh_type = SHT_STRTAB, .sh_addralign = 1 };
	size_t entry = gelf_fsize(copy->elf, ELF_T_SYM, 1, EV_CURRENT);

	if (!find_symbols(copy))
		return false;
	if (copy->symbols.count == 1)
		return true;
	copy->symbol_table = ic_items_zeroed(copy->symbols.count, entry);
	if (!copy->symbol_table)
		return ic_fail_memory(copy->err);
	Elf_Scn *strtab = add_section(copy, ".strtab", texts, copy->symbol_names.items,
				      copy->symbol_names.count, ELF_T_BYTE);
	if (!strtab)
		return false;
	GElf_Shdr header = { .sh_type = SHT_SYMTAB,
			     .sh_addralign = copy->file->addr_size,
			     .sh_link = (uint32_t)elf_ndxscn(strtab),
			     .sh_entsize = entry };
	Elf_Scn *symtab = add_section(copy, ".symtab", header, copy->symbol_table,
				      copy->symbols.count * entry, ELF_T_SYM);
	if (!symtab || !gelf_getshdr(symtab, &header))
		return false;
	header.sh_info = order_symbols(copy, elf_getdata(symtab, NULL));
	return gelf_update_shdr(symtab, &header);
}

// ---- The file

// Readers compute the load address from the segments; they have no contents in this file.
static bool add_headers(struct copy *copy, GElf_Ehdr *header)
{
	const struct ic_elf_file *file = copy->file;
	GElf_Phdr segment;
	size_t count = 0;
	Elf *from = copy->from;
	bool ok = gelf_getehdr(from, header) && elf_getphdrnum(from, &count) == 0;

	ok = ok && gelf_newehdr(copy->elf, file->addr_size == 8 ? ELFCLASS64 : ELFCLASS32);
	for (size_t i = 0; ok && i < count; i++)
		copy->segment_count += gelf_getphdr(from, (int)i, &segment) &&
				       segment.p_type == PT_LOAD;
	ok = ok && (copy->segment_count == 0 || gelf_newphdr(copy->elf, copy->segment_count));
	for (size_t i = 0, to = 0; ok && i < count; i++) {
		if (!gelf_getphdr(from, (int)i, &segment) || segment.p_type != PT_LOAD)
			continue;
		segment.p_filesz = 0;
		ok = gelf_update_phdr(copy->elf, (int)to++, &segment);
	}
	return ok;
}

static bool add_section_names(struct copy *copy, GElf_Ehdr *header)
{
	const GElf_Shdr names = { .sh_type = SHT_STRTAB, .sh_addralign = 1 };
	Elf_Scn *section = add_section(copy, ".shstrtab", names, NULL, 0, ELF_T_BYTE);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;

	if (!data)
		return false;
	data->d_buf = copy->names.items;
	data->d_size = copy->names.count;
	header->e_shstrndx = (uint16_t)elf_ndxscn(section);
	header->e_phoff = header->e_shoff = 0; // set by elf_update()
	header->e_shnum = 0;
	header->e_phnum = (uint16_t)copy->segment_count;
	return gelf_update_ehdr(copy->elf, header);
}

static bool make_copy(struct copy *copy)
{
	GElf_Ehdr header;
	uint32_t unnamed;

	return add_headers(copy, &header) && add_text(copy, &copy->names, "", &unnamed) &&
	       add_all_loaded(copy) && add_contents(copy) && add_symbols(copy) &&
	       add_section_names(copy, &header);
}

static bool fail_write(const struct copy *copy)
{
	return ic_fail_system(copy->err, "write a temporary file", copy->file->path);
}

// libelf has one error code for all failed writes, and leaves errno as the system set it.
static bool write_copy(const struct copy *copy)
{
	errno = 0;
	if (elf_update(copy->elf, ELF_C_WRITE) >= 0)
		return true;
	return errno == 0 || errno == ENOMEM ? false : fail_write(copy);
}

// Gives sections without contents their offsets in the program, as the gABI defines sh_offset for
// them: perf uses it to find the code of a program without dynamic symbols. libelf would make the
// file that long.
static bool place_sections(struct copy *copy, FILE *file)
{
	bool is_64 = copy->file->addr_size == 8;
	unsigned step = is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	unsigned at = is_64 ? offsetof(Elf64_Shdr, sh_offset) : offsetof(Elf32_Shdr, sh_offset);
	bool ok = true;
	GElf_Ehdr header;
	GElf_Shdr section;
	uint8_t off[8];

	if (!gelf_getehdr(copy->elf, &header))
		return false;
	for (uint32_t i = 1; ok && i < copy->place_count; i++) {
		if (!gelf_getshdr(elf_getscn(copy->elf, i), &section) ||
		    section.sh_type != SHT_NOBITS || copy->places[i].file_off == 0)
			continue;
		ic_store(off, copy->places[i].file_off, copy->file->addr_size, copy->file->swap);
		ok = fseeko(file, (off_t)(header.e_shoff + (uint64_t)i * step + at), SEEK_SET) ==
			     0 &&
		     fwrite(off, copy->file->addr_size, 1, file) == 1;
	}
	return (ok && fflush(file) == 0) || fail_write(copy);
}

static bool move_to(const struct copy *copy, FILE *from, FILE *out)
{
	char buffer[65536];
	size_t size;

	rewind(from);
	while ((size = fread(buffer, 1, sizeof(buffer), from)) > 0)
		if (fwrite(buffer, 1, size, out) != size)
			return ic_fail_system(copy->err, "write its debug file", copy->file->path);
	return !ferror(from) ||
	       ic_fail_system(copy->err, "read a temporary file", copy->file->path);
}

bool ic_debug_copy_write(const struct ic_elf_file *file, const struct ic_debug_contents *contents,
			 FILE *out, struct ic_error *err)
{
	struct copy copy = { .file = file, .contents = contents, .err = err };
	FILE *scratch = tmpfile();

	if (!scratch)
		return ic_fail_system(err, "create a temporary file", file->path);
	err->code = IC_ERROR_NONE;
	errno = 0;
	elf_version(EV_CURRENT);
	(void)elf_errno(); // clear the error of earlier calls
	copy.from = elf_memory((char *)file->data, file->size);
	copy.elf = elf_begin(fileno(scratch), ELF_C_WRITE, NULL);
	bool ok = copy.from && copy.elf && make_copy(&copy) && write_copy(&copy) &&
		  place_sections(&copy, scratch);
	if (!ok && err->code == IC_ERROR_NONE)
		(void)ic_fail_libelf(err, IC_ERROR_MALFORMED, file->path, "make a debug file");
	elf_end(copy.elf);
	elf_end(copy.from);
	ok = ok && move_to(&copy, scratch, out);
	fclose(scratch);
	IC_ARRAY_FREE(&copy.names);
	free(copy.places);
	IC_ARRAY_FREE(&copy.symbols);
	IC_ARRAY_FREE(&copy.symbol_names);
	free(copy.starts);
	free(copy.symbol_table);
	for (uint32_t i = 0; i < copy.squeezed.count; i++)
		free(copy.squeezed.items[i]);
	IC_ARRAY_FREE(&copy.squeezed);
	return ok;
}
