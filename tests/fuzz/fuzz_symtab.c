// Fuzzes symbol tables.
// Wanted: symbols sorted by their start, whose names are whole texts of the string table, and no
// more of them than the table has entries.
#include "elf/symtab.h"

#include <elf.h>

#include "fuzz_input.h"

enum { STRTAB = 1, SYMTAB, EXTENDED, TEXT, OPD, SECTION_COUNT, INPUT_SECTIONS = 4 };

static void check_symbols(const struct ic_symtab *symtab, const struct ic_bytes *names,
			  size_t entries)
{
	PROMISE(symtab->count <= entries);
	for (uint32_t i = 0; i < symtab->count; i++) {
		fuzz_read_text(symtab->symbols[i].name, names);
		PROMISE(i == 0 || symtab->symbols[i - 1].start <= symtab->symbols[i].start);
		PROMISE(symtab->symbols[i].start != symtab->symbols[i].end);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint16_t machines[] = { EM_X86_64, EM_ARM, EM_PPC64, EM_PARISC };
	struct fuzz_input in = { data, data + size };
	uint8_t choice = fuzz_take_u8(&in);
	// Names, symbols, extended section numbers, function descriptors.
	struct ic_bytes input[INPUT_SECTIONS];
	struct ic_symtab symtab;
	struct ic_error err = { 0 };

	fuzz_take_sections(&in, input, INPUT_SECTIONS);
	struct ic_section sections[SECTION_COUNT] = {
		[0] = { .name = "" },
		[STRTAB] = { .name = ".strtab", .type = SHT_STRTAB, .raw = input[0] },
		[SYMTAB] = { .name = choice & 1 ? ".dynsym" : ".symtab",
			     .type = choice & 1 ? SHT_DYNSYM : SHT_SYMTAB,
			     .link = STRTAB,
			     .raw = input[1] },
		[EXTENDED] = { .name = ".symtab_shndx",
			       .type = SHT_SYMTAB_SHNDX,
			       .link = SYMTAB,
			       .raw = input[2] },
		[TEXT] = { .name = ".text", .type = SHT_PROGBITS, .addr = 0x1000, .size = 0x100 },
		[OPD] = { .name = ".opd",
			  .type = SHT_PROGBITS,
			  .addr = 0x2000,
			  .size = choice & 64 ? UINT64_MAX : input[3].size,
			  .bytes = input[3] },
	};
	const struct ic_elf_file file = { .path = (char *)"fuzz.elf",
					  .machine = machines[choice >> 4 & 3],
					  .is_relocatable = choice & 8,
					  .addr_size = choice & 2 ? 4 : 8,
					  .swap = ((choice & 4) != 0) != IC_HOST_IS_BIG_ENDIAN,
					  .sections = sections,
					  .section_count = SECTION_COUNT };
	if (ic_symtab_read(&symtab, &file, NULL, &err)) {
		check_symbols(&symtab, &input[0],
			      input[1].size / (file.addr_size == 8 ? sizeof(Elf64_Sym)
								   : sizeof(Elf32_Sym)));
		ic_symtab_free(&symtab);
	} else {
		PROMISE_REASON(err);
	}
	fuzz_free_sections(input, INPUT_SECTIONS);
	return 0;
}
