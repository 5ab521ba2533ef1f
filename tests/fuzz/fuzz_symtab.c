// Fuzzes symbol tables.
// Wanted: with each rule, symbols sorted by their start with names that are whole texts, no more
// than the table has entries, and for one address the same without sorting.
#include "elf/symbols/symtab.h"

#include <elf.h>

#include "fuzz_input.h"

enum { STRTAB = 1, SYMTAB, EXTENDED, TEXT, OPD, SECTION_COUNT, INPUT_SECTIONS = 4 };

// The same for some bytes, and for one of two names, as by all symbols.
static void check_range(const struct ic_symbols *symbols, const struct ic_elf_file *file,
			enum ic_symtab_rule rule, struct ic_range range, const char *function,
			struct ic_arena *arena)
{
	const struct ic_symtab_query query = { file, NULL, rule, range, function };
	struct ic_symbol found;
	struct ic_error err = { 0 };

	if (range.start >= range.end || !ic_symtab_find(&query, &found, arena, &err))
		return;
	const struct ic_symbol *wanted = ic_symbols_find_named(symbols, range, function);
	PROMISE((wanted != NULL) == (found.name != NULL));
	PROMISE(!wanted || (wanted->start == found.start && wanted->end == found.end &&
			    wanted->source == found.source && !strcmp(wanted->name, found.name)));
}

static void check_at(const struct ic_symbols *symbols, const struct ic_elf_file *file,
		     enum ic_symtab_rule rule, uint64_t addr, struct ic_arena *arena)
{
	const char *function = symbols->items[addr % symbols->count].name;

	check_range(symbols, file, rule, (struct ic_range){ addr, addr + 1 }, NULL, arena);
	check_range(symbols, file, rule, (struct ic_range){ addr, addr + 16 }, function, arena);
}

static void check_symbols(const struct ic_elf_file *file, enum ic_symtab_rule rule, size_t entries)
{
	enum { MOST_TRIED = 64 };
	struct ic_arena arena = { .blocks = NULL };
	struct ic_symbols symbols;
	struct ic_error err = { 0 };

	if (!ic_symtab_read(&symbols, file, NULL, rule, &arena, &err)) {
		PROMISE_REASON(err);
		ic_arena_free(&arena);
		return;
	}
	PROMISE(symbols.count <= (rule == SYMTAB_GNU ? 2 * entries : entries));
	for (uint32_t i = 0; i < symbols.count; i++) {
		const struct ic_symbol *symbol = &symbols.items[i];
		fuzz_read_text(symbol->name, NULL);
		PROMISE(i == 0 || symbol[-1].start <= symbol->start);
		PROMISE(symbol->start < symbol->reach);
		if (i >= MOST_TRIED)
			continue;
		check_at(&symbols, file, rule, symbol->start, &arena);
		check_at(&symbols, file, rule, symbol->start - 1, &arena);
		check_at(&symbols, file, rule, symbol->end, &arena);
		check_at(&symbols, file, rule, symbol->reach - 1, &arena);
		check_at(&symbols, file, rule, symbol->reach, &arena);
	}
	ic_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint16_t machines[] = { EM_X86_64, EM_ARM, EM_PPC64, EM_PARISC };
	struct fuzz_input in = { data, data + size };
	uint8_t choice = fuzz_take_u8(&in);
	// Names, symbols, extended section numbers, function descriptors.
	struct ic_bytes input[INPUT_SECTIONS];

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
		[TEXT] = { .name = choice & 128 ? ".gnu.version" : ".text",
			   .type = SHT_PROGBITS,
			   .flags = SHF_ALLOC | SHF_EXECINSTR,
			   .addr = 0x1000,
			   .size = 0x100 },
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
	for (enum ic_symtab_rule rule = SYMTAB_INNERMOST; rule <= SYMTAB_LLVM_UNTAGGED; rule++)
		check_symbols(&file, rule,
			      input[1].size / (file.addr_size == 8 ? sizeof(Elf64_Sym)
								   : sizeof(Elf32_Sym)));
	fuzz_free_sections(input, INPUT_SECTIONS);
	return 0;
}
