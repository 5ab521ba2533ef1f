#include "elf/files/symbol_file.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "breakpad/call_frames.h"
#include "gsym/function.h"
#include "text/text.h"

// The last one is there if the file has call frame information.
enum { CODE = 1, ORIGINAL, ID, SYMBOLS, STRINGS, NAMES, FRAMES, SECTION_COUNT };
enum { MOST_ID_SIZE = 64, NOTE_HEADER_SIZE = 16 };

struct converted { // what becomes of a file
	const char *section;
	struct ic_range code;
	uint16_t machine;
	bool swap;
	uint8_t id[MOST_ID_SIZE];
	uint8_t id_size;
	IC_ARRAY(Elf64_Sym) symbols;
	IC_ARRAY(char) strings;
	struct ic_breakpad_frames frames;
};

// The first symbol and the first string are empty.
static bool begin_symbols(struct converted *converted)
{
	return IC_ARRAY_ADD(&converted->symbols, (Elf64_Sym){ .st_name = 0 }) &&
	       IC_ARRAY_ADD(&converted->strings, '\0');
}

// ---- GSYM

// The code from the first to the last function, of which there may be several at the same address,
// or inside another one. If the size of the last one is unknown, or it cannot be read, which is
// reported with its unit, it is its first byte. The addresses should be sorted, but need not be.
static struct ic_range find_code(const struct ic_gsym *gsym)
{
	enum { MOST_AROUND = 128 }; // functions that may end after the last one
	uint64_t first = UINT64_MAX, last = 0;

	for (uint32_t i = 0; i < gsym->count; i++) {
		uint64_t addr = ic_gsym_addr(gsym, i);
		first = addr < first ? addr : first;
		last = addr > last ? addr : last;
	}
	struct ic_range code = { first, last < UINT64_MAX ? last + 1 : last };
	for (uint32_t i = gsym->count; i-- > 0;) {
		struct ic_gsym_function function;
		struct ic_error unwanted;
		bool is_near = gsym->count - i <= MOST_AROUND || ic_gsym_addr(gsym, i) == last;
		if (is_near && ic_gsym_function_read(gsym, i, &function, &unwanted) &&
		    function.start + function.size > code.end)
			code.end = function.start + function.size;
	}
	return code;
}

static bool read_gsym(struct converted *converted, struct ic_bytes bytes, struct ic_error *err)
{
	struct ic_gsym gsym;

	if (!ic_gsym_parse(&gsym, bytes, err))
		return false;
	converted->section = IC_GSYM_SECTION;
	converted->swap = gsym.swap;
	converted->id_size = (uint8_t)(gsym.id.size < MOST_ID_SIZE ? gsym.id.size : MOST_ID_SIZE);
	if (converted->id_size > 0)
		memcpy(converted->id, gsym.id.data, converted->id_size);
	if (gsym.count > 0)
		converted->code = find_code(&gsym);
	return true;
}

// ---- Breakpad

// The build ID is in a line of its own. Without one, the identifier of the module has its first 16
// bytes: the first three fields of a GUID are numbers, which were in little-endian byte order.
static void read_id(struct converted *converted, const struct ic_breakpad *breakpad)
{
	bool is_guid = breakpad->id.size == 0;
	struct ic_bytes digits = is_guid ? breakpad->module.id : breakpad->id;
	size_t size = digits.size / 2, most = is_guid ? IC_BREAKPAD_GUID_SIZE : MOST_ID_SIZE;

	if (size > most)
		size = most;
	for (size_t i = 0; i < size; i++) {
		int high = ic_text_hex_digit((char)digits.data[2 * i]);
		int low = ic_text_hex_digit((char)digits.data[2 * i + 1]);
		if (high < 0 || low < 0)
			return;
		converted->id[is_guid ? ic_breakpad_guid_order[i] : i] = (uint8_t)(high << 4 | low);
	}
	converted->id_size = (uint8_t)size;
}

static bool add_string(struct converted *converted, struct ic_bytes name)
{
	uint64_t wanted = converted->strings.count + name.size + 1ull;

	if (!IC_ARRAY_RESERVE(&converted->strings, wanted))
		return false;
	char *to = converted->strings.items + converted->strings.count;
	if (name.size > 0)
		memcpy(to, name.data, name.size);
	to[name.size] = '\0';
	converted->strings.count = (uint32_t)wanted;
	return true;
}

static bool add_symbols(struct converted *converted, const struct ic_breakpad *breakpad)
{
	for (uint32_t i = 0; i < breakpad->symbols.count; i++) {
		uint64_t off = breakpad->symbols.items[i];
		struct ic_bytes line,
			rest = { breakpad->text.data + off, breakpad->text.size - (size_t)off };
		struct ic_breakpad_function function;
		if (!ic_text_take_line(&rest, &line) || !ic_breakpad_function_read(line, &function))
			continue;
		Elf64_Sym symbol = { .st_name = converted->strings.count,
				     .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
				     .st_shndx = CODE,
				     .st_value = function.addr,
				     .st_size = function.size };
		if (!IC_ARRAY_ADD(&converted->symbols, symbol) ||
		    !add_string(converted, function.name))
			return false;
	}
	return true;
}

static bool read_breakpad(struct converted *converted, struct ic_bytes bytes, struct ic_error *err)
{
	struct ic_breakpad breakpad;
	bool ok = ic_breakpad_survey(&breakpad, bytes, err);

	if (ok) {
		converted->section = IC_BREAKPAD_SECTION;
		converted->code = breakpad.code;
		converted->machine = ic_breakpad_machine(breakpad.module.arch);
		read_id(converted, &breakpad);
		ok = (add_symbols(converted, &breakpad) &&
		      ic_breakpad_frames_build(&converted->frames, &breakpad,
					       converted->machine)) ||
		     ic_fail_memory(err);
	}
	ic_breakpad_free(&breakpad);
	return ok;
}

// ---- ELF

static const char *const names[SECTION_COUNT] = {
	"", ".text", NULL, ".note.gnu.build-id", ".symtab", ".strtab", ".shstrtab", ".debug_frame",
};

struct elf { // what precedes the original
	Elf64_Shdr sections[SECTION_COUNT];
	uint8_t note[NOTE_HEADER_SIZE + MOST_ID_SIZE];
	char names[80];
	uint64_t size; // of all this
};

static void place_section(struct elf *elf, unsigned number, uint32_t type, uint64_t size)
{
	elf->size = ic_align_up(elf->size, 8);
	elf->sections[number].sh_type = type;
	elf->sections[number].sh_offset = elf->size;
	elf->sections[number].sh_size = size;
	elf->sections[number].sh_addralign = 8;
	elf->size += size;
}

static void name_sections(struct elf *elf, const struct converted *converted)
{
	size_t used = 0;

	for (unsigned i = 0; i < SECTION_COUNT; i++) {
		const char *name = i == ORIGINAL ? converted->section : names[i];
		elf->sections[i].sh_name = (uint32_t)used;
		memcpy(elf->names + used, name, strlen(name) + 1);
		used += strlen(name) + 1;
	}
	place_section(elf, NAMES, SHT_STRTAB, used);
}

// Elf64_Nhdr and the name "GNU", followed by the build ID.
static void write_note(struct elf *elf, const struct converted *converted)
{
	ic_store(elf->note, 4, 4, converted->swap);
	ic_store(elf->note + 4, converted->id_size, 4, converted->swap);
	ic_store(elf->note + 8, NT_GNU_BUILD_ID, 4, converted->swap);
	memcpy(elf->note + 12, "GNU", 4);
	memcpy(elf->note + NOTE_HEADER_SIZE, converted->id, converted->id_size);
	place_section(elf, ID, SHT_NOTE, NOTE_HEADER_SIZE + ic_align_up(converted->id_size, 4));
}

static void place_tables(struct elf *elf, const struct converted *converted)
{
	Elf64_Shdr *section = &elf->sections[SYMBOLS];

	place_section(elf, SYMBOLS, SHT_SYMTAB, converted->symbols.count * sizeof(Elf64_Sym));
	section->sh_link = STRINGS;
	section->sh_info = 1; // the first is local
	section->sh_entsize = sizeof(Elf64_Sym);
	place_section(elf, STRINGS, SHT_STRTAB, converted->strings.count);
	place_section(elf, FRAMES, SHT_PROGBITS, converted->frames.bytes.count);
}

// Places everything; the original is at the next page, `before` bytes after its start.
static void place_all(struct elf *elf, const struct converted *converted, uint64_t before,
		      uint64_t size)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	*elf = (struct elf){ .size = sizeof(Elf64_Ehdr) + sizeof(elf->sections) };
	name_sections(elf, converted);
	write_note(elf, converted);
	place_tables(elf, converted);
	elf->sections[CODE] = (Elf64_Shdr){ .sh_name = elf->sections[CODE].sh_name,
					    .sh_type = SHT_NOBITS,
					    .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
					    .sh_addr = converted->code.start,
					    .sh_offset = elf->size,
					    .sh_size = converted->code.end - converted->code.start,
					    .sh_addralign = 1 };
	elf->size = ic_align_up(elf->size, page);
	elf->sections[ORIGINAL].sh_type = SHT_PROGBITS;
	elf->sections[ORIGINAL].sh_offset = elf->size + before;
	elf->sections[ORIGINAL].sh_size = size;
	elf->sections[ORIGINAL].sh_addralign = page;
}

static unsigned count_sections(const struct converted *converted)
{
	return converted->frames.bytes.count > 0 ? SECTION_COUNT : SECTION_COUNT - 1;
}

static void write_header(uint8_t *to, const struct converted *converted)
{
	bool is_big = converted->swap != IC_HOST_IS_BIG_ENDIAN, swap = converted->swap;
	const uint8_t ident[] = { ELFMAG0,   ELFMAG1,    ELFMAG2,
				  ELFMAG3,   ELFCLASS64, is_big ? ELFDATA2MSB : ELFDATA2LSB,
				  EV_CURRENT };

	memcpy(to, ident, sizeof(ident));
#define FIELD(field, value) \
	ic_store(to + offsetof(Elf64_Ehdr, field), value, sizeof(((Elf64_Ehdr *)0)->field), swap)
	FIELD(e_type, ET_DYN);
	FIELD(e_machine, converted->machine);
	FIELD(e_version, EV_CURRENT);
	FIELD(e_shoff, sizeof(Elf64_Ehdr));
	FIELD(e_ehsize, sizeof(Elf64_Ehdr));
	FIELD(e_shentsize, sizeof(Elf64_Shdr));
	FIELD(e_shnum, count_sections(converted));
	FIELD(e_shstrndx, NAMES);
#undef FIELD
}

static void write_section(uint8_t *to, const Elf64_Shdr *section, bool swap)
{
#define FIELD(field) \
	ic_store(to + offsetof(Elf64_Shdr, field), section->field, sizeof(section->field), swap)
	FIELD(sh_name);
	FIELD(sh_type);
	FIELD(sh_flags);
	FIELD(sh_addr);
	FIELD(sh_offset);
	FIELD(sh_size);
	FIELD(sh_link);
	FIELD(sh_info);
	FIELD(sh_addralign);
	FIELD(sh_entsize);
#undef FIELD
}

static void write_contents(uint8_t *to, const Elf64_Shdr *section, const void *bytes)
{
	if (section->sh_size > 0)
		memcpy(to + (size_t)section->sh_offset, bytes, (size_t)section->sh_size);
}

// Only Breakpad files have symbols, and these are in the host's byte order.
static void write_all(uint8_t *to, const struct elf *elf, const struct converted *converted)
{
	const Elf64_Shdr *sections = elf->sections;

	write_header(to, converted);
	for (unsigned i = 0; i < count_sections(converted); i++)
		write_section(to + sizeof(Elf64_Ehdr) + i * sizeof(Elf64_Shdr), &sections[i],
			      converted->swap);
	write_contents(to, &sections[NAMES], elf->names);
	write_contents(to, &sections[ID], elf->note);
	write_contents(to, &sections[SYMBOLS], converted->symbols.items);
	write_contents(to, &sections[STRINGS], converted->strings.items);
	write_contents(to, &sections[FRAMES], converted->frames.bytes.items);
}

// Puts the original's pages after the rest.
static bool join_pages(struct ic_mapping *mapping, const struct elf *elf,
		       const struct converted *converted, struct ic_error *err)
{
	size_t size = (size_t)elf->size + mapping->pages_size;
	uint8_t *room =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (room == MAP_FAILED)
		return ic_fail_memory(err);
#ifdef MREMAP_FIXED
	void *moved = mremap(mapping->pages, mapping->pages_size, mapping->pages_size,
			     MREMAP_MAYMOVE | MREMAP_FIXED, room + elf->size);
	if (moved == MAP_FAILED) {
		munmap(room, size);
		return ic_fail_memory(err);
	}
#else
	memcpy(room + elf->size, mapping->pages, mapping->pages_size);
	munmap(mapping->pages, mapping->pages_size);
#endif
	write_all(room, elf, converted);
	mprotect(room, (size_t)elf->size, PROT_READ);
	size_t before = (size_t)(elf->sections[ORIGINAL].sh_offset - elf->size);
	*mapping = (struct ic_mapping){ .data = room,
					.size = (size_t)elf->size + before + mapping->size,
					.pages = room,
					.pages_size = size };
	return true;
}

bool ic_symbol_file_convert(struct ic_mapping *mapping, const char *name, struct ic_error *err)
{
	struct ic_bytes bytes = { mapping->data, mapping->size };
	struct converted converted = { .section = NULL };
	bool is_gsym = ic_gsym_begins(bytes);
	struct elf elf;

	if (!is_gsym && !ic_breakpad_begins(bytes))
		return true;
	bool ok = begin_symbols(&converted) || ic_fail_memory(err);
	ok = ok && (is_gsym ? read_gsym : read_breakpad)(&converted, bytes, err);
	if (ok) {
		place_all(&elf, &converted, (uint64_t)(mapping->data - (uint8_t *)mapping->pages),
			  mapping->size);
		ok = join_pages(mapping, &elf, &converted, err);
	} else if (err->code != IC_ERROR_MEMORY) {
		const struct ic_error own = *err;
		ic_fail(err, own.code, "%s: %.1900s", name, own.message);
	}
	IC_ARRAY_FREE(&converted.symbols);
	IC_ARRAY_FREE(&converted.strings);
	ic_breakpad_frames_free(&converted.frames);
	return ok;
}
