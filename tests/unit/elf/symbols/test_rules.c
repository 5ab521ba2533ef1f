#include "unit_test.h"

#include <stdio.h>

#include <stdlib.h>

#include "fixtures/elf.h"
#include "fixtures/symtab.h"

static void add(struct elf_builder *elf, const char *name, uint64_t value, uint8_t type,
		uint8_t bind)
{
	elf_add_symbol(elf, (struct elf_symbol){ .name = name,
						 .section = ".text",
						 .value = value,
						 .size = 0x10,
						 .type = type,
						 .bind = bind });
}

// ---- Which names an address

static void add_sized(struct elf_builder *elf, const char *name, uint64_t value, uint64_t size,
		      uint8_t type, uint8_t bind)
{
	elf_add_symbol(elf, (struct elf_symbol){ .name = name,
						 .section = ".text",
						 .value = value,
						 .size = size,
						 .type = type,
						 .bind = bind });
}

struct rules { // the name of an address by each; NULL for none
	uint64_t addr;
	const char *innermost, *llvm, *gnu;
};

static void check_rules(struct elf_builder *elf, const struct rules *rules, size_t count)
{
	struct ic_arena arena = { 0 };
	struct ic_symbols symbols[3];
	struct ic_elf_file file;

	elf_end_and_open(&file, elf);
	for (enum ic_symtab_rule i = 0; i < 3; i++)
		symbols[i] = symtab_read_all(&file, NULL, i, &arena);
	for (size_t i = 0; i < count; i++) {
		const char *const names[] = { rules[i].innermost, rules[i].llvm, rules[i].gnu };
		for (enum ic_symtab_rule j = 0; j < 3; j++) {
			struct ic_symbol found =
				symtab_find_at(&file, NULL, j, rules[i].addr, &arena);
			if (!names[j])
				assert_null(found.name);
			else if (!found.name || strcmp(names[j], found.name) != 0)
				fail_msg("0x%llx by rule %u: %s, not %s",
					 (unsigned long long)rules[i].addr, j,
					 found.name ? found.name : "none", names[j]);
			symtab_check_at(&symbols[j], &file, NULL, j, rules[i].addr, &arena);
		}
	}
	ic_arena_free(&arena);
	ic_elf_file_close(&file);
}

TEST(a_function_of_unknown_size_goes_on_to_the_next_symbol_or_the_end_of_its_section)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct elf_symbol hidden = { .name = "annobin",
				     .section = ".text",
				     .value = 0x1008,
				     .type = STT_NOTYPE,
				     .bind = STB_LOCAL,
				     .visibility = STV_HIDDEN };

	elf_add_code(elf, ".text", 0x1000, 0x100);
	add_sized(elf, "copy", 0x1000, 0, STT_FUNC, STB_GLOBAL);
	elf_add_symbol(elf, hidden);
	add_sized(elf, ".Lloop", 0x100c, 0, STT_NOTYPE, STB_LOCAL);
	add_sized(elf, "label", 0x1010, 0, STT_NOTYPE, STB_GLOBAL);
	add_sized(elf, "sized", 0x1020, 0x20, STT_FUNC, STB_GLOBAL);
	add_sized(elf, "inside", 0x1030, 0, STT_NOTYPE, STB_GLOBAL);
	add_sized(elf, "table", 0x1060, 0x10, STT_OBJECT, STB_LOCAL);
	add_sized(elf, "last", 0x10f0, 0, STT_NOTYPE, STB_LOCAL);
	add_sized(elf, "end", 0x1100, 0, STT_NOTYPE, STB_GLOBAL);
	check_rules(elf,
		    (const struct rules[]){
			    { 0xfff, NULL, NULL, NULL },
			    { 0x1000, "copy", "copy", "copy" },
			    { 0x100a, "copy", "annobin", "copy" },
			    { 0x100f, "copy", ".Lloop", ".Lloop" },
			    { 0x1010, "label", "label", "label" },
			    { 0x101f, "label", "label", "label" },
			    { 0x1020, "sized", "sized", "sized" },
			    { 0x1030, "sized", "inside", "inside" },
			    { 0x103f, "sized", "inside", "inside" },
			    { 0x1040, NULL, "inside", "inside" },
			    { 0x1068, NULL, "table", "inside" },
			    { 0x1070, NULL, NULL, "inside" },
			    { 0x10f0, "last", "last", "last" },
			    { 0x10ff, "last", "last", "last" },
			    { 0x1100, NULL, "end", NULL },
		    },
		    15);
}

TEST(of_symbols_at_one_address_each_rule_takes_another)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_code(elf, ".text", 0x1000, 0x100);
	add_sized(elf, "label", 0x1000, 0x10, STT_NOTYPE, STB_LOCAL);
	add_sized(elf, "local", 0x1000, 0x10, STT_FUNC, STB_LOCAL);
	add_sized(elf, "resolver", 0x1000, 0x08, STT_GNU_IFUNC, STB_GLOBAL);
	add_sized(elf, "weak", 0x1000, 0x20, STT_FUNC, STB_WEAK);
	add_sized(elf, "global", 0x1000, 0x20, STT_FUNC, STB_GLOBAL);
	add_sized(elf, "again", 0x1000, 0x20, STT_FUNC, STB_GLOBAL);
	check_rules(elf,
		    (const struct rules[]){
			    { 0x1000, "resolver", "again", "local" },
			    { 0x100f, "global", "again", "local" },
			    { 0x1018, "global", "again", "weak" },
			    { 0x1020, NULL, NULL, "weak" },
		    },
		    4);
}

TEST(of_nested_functions_the_rules_differ_where_the_inner_one_has_ended)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_code(elf, ".text", 0x1000, 0x100);
	add_sized(elf, "outer", 0x1000, 0x80, STT_FUNC, STB_GLOBAL);
	for (uint64_t i = 0; i < 40; i++)
		add_sized(elf, "inner", 0x1000 + i, 1, STT_FUNC, STB_LOCAL);
	check_rules(elf,
		    (const struct rules[]){
			    { 0x1000, "outer", "outer", "inner" },
			    { 0x1027, "inner", "inner", "inner" },
			    { 0x1028, "outer", NULL, "inner" },
			    { 0x107f, "outer", NULL, "inner" },
			    { 0x1080, NULL, NULL, "inner" },
		    },
		    5);
}

TEST(arm_marks_of_code_and_data_name_nothing)
{
	struct elf_builder *elf = elf_builder_new(
		(struct elf_format){ .bits = 64, .machine = EM_AARCH64, .type = ET_EXEC });

	elf_add_code(elf, ".text", 0x1000, 0x100);
	add_sized(elf, "copy", 0x1000, 0, STT_FUNC, STB_GLOBAL);
	add_sized(elf, "$x", 0x1000, 0, STT_NOTYPE, STB_LOCAL);
	add_sized(elf, "$d.1", 0x1008, 0, STT_NOTYPE, STB_LOCAL);
	check_rules(elf, (const struct rules[]){ { 0x1010, "copy", "copy", "copy" } }, 1);
}

TEST(labels_that_assemblers_for_risc_v_make_name_nothing_for_llvm)
{
	struct elf_builder *elf = elf_builder_new(
		(struct elf_format){ .bits = 64, .machine = EM_RISCV, .type = ET_EXEC });

	elf_add_code(elf, ".text", 0x1000, 0x100);
	add_sized(elf, "copy", 0x1000, 0, STT_NOTYPE, STB_GLOBAL);
	add_sized(elf, ".L0 ", 0x1004, 0, STT_NOTYPE, STB_LOCAL);
	add_sized(elf, "", 0x1008, 0, STT_NOTYPE, STB_LOCAL);
	check_rules(elf,
		    (const struct rules[]){ { 0x1004, "copy", "copy", ".L0 " },
					    { 0x1008, "copy", "copy", "" } },
		    2);
}

TEST(tags_in_addresses_are_cut_off_if_that_is_asked_for)
{
	static const struct {
		uint64_t value, addr;
	} symbols[] = {
		{ 0x1110, 0x1110 },
		{ 0x2100000000001120, 0x1120 },
		{ 0xff00000000001130, 0x1130 },
		{ 0x2180000000001140, 0xff80000000001140 }, // as the kernel's are
		{ 0x0080000000001150, 0xff80000000001150 },
		{ 0xff80000000001160, 0xff80000000001160 },
	};
	struct elf_builder *elf = elf_begin(ET_EXEC);
	char names[COUNT_OF(symbols)][8];
	struct ic_arena arena = { 0 };
	struct ic_elf_file file;

	elf_add_code(elf, ".text", 0x1000, 0x100);
	for (size_t i = 0; i < COUNT_OF(symbols); i++) {
		snprintf(names[i], sizeof(names[i]), "s%zu", i);
		add_sized(elf, names[i], symbols[i].value, 4, STT_OBJECT, STB_GLOBAL);
	}
	elf_end_and_open(&file, elf);
	struct ic_symbols all = symtab_read_all(&file, NULL, SYMTAB_LLVM_UNTAGGED, &arena);
	for (size_t i = 0; i < COUNT_OF(symbols); i++) {
		uint64_t addr = symbols[i].addr + 3, raw = symbols[i].value + 3;
		struct ic_symbol found =
			symtab_find_at(&file, NULL, SYMTAB_LLVM_UNTAGGED, addr, &arena);
		assert_string_equal(found.name, names[i]);
		assert_int_equal(found.start, symbols[i].addr);
		symtab_check_at(&all, &file, NULL, SYMTAB_LLVM_UNTAGGED, addr, &arena);
		assert_string_equal(symtab_find_at(&file, NULL, SYMTAB_LLVM, raw, &arena).name,
				    names[i]);
	}
	ic_arena_free(&arena);
	ic_elf_file_close(&file);
}

TEST(versions_are_cut_off_but_in_the_styles_of_others)
{
	struct elf_builder *elf = elf_begin(ET_DYN);

	elf_add_code(elf, ".text", 0x1000, 0x100);
	elf_add_section(elf, (struct elf_section){ .name = ".gnu.version",
						   .type = SHT_GNU_versym,
						   .bytes = { (const uint8_t *)"", 1 } });
	add_sized(elf, "wait@@V2", 0x1000, 0x10, STT_FUNC, STB_GLOBAL);
	add_sized(elf, "@", 0x1010, 0x10, STT_FUNC, STB_GLOBAL);
	check_rules(elf,
		    (const struct rules[]){ { 0x1008, "wait", "wait@@V2", "wait@@V2" },
					    { 0x1018, "@", "@", "@" } },
		    2);
}

TEST(global_symbols_have_a_source_for_gnu_if_the_file_is_of_one)
{
	for (int i = 0; i < 2; i++) {
		struct elf_builder *elf = elf_begin(ET_EXEC);
		struct ic_arena arena = { 0 };
		struct ic_elf_file file;

		elf_add_code(elf, ".text", 0x1000, 0x100);
		add(elf, "one.c", 0, STT_FILE, STB_LOCAL);
		add(elf, "local", 0x1020, STT_FUNC, STB_LOCAL);
		if (i > 0)
			add(elf, "two.c", 0, STT_FILE, STB_LOCAL);
		add(elf, "global", 0x1000, STT_FUNC, STB_GLOBAL);
		elf_end_and_open(&file, elf);
		struct ic_symbols symbols = symtab_read_all(&file, NULL, SYMTAB_GNU, &arena);
		symtab_check_at(&symbols, &file, NULL, SYMTAB_GNU, 0x1000, &arena);
		symtab_check_at(&symbols, &file, NULL, SYMTAB_GNU, 0x1020, &arena);
		assert_string_equal(symbols.items[symbols.count - 1].source, "one.c");
		if (i == 0)
			assert_string_equal(symbols.items[0].source, "one.c");
		else
			assert_null(symbols.items[0].source);
		ic_arena_free(&arena);
		ic_elf_file_close(&file);
	}
}

// ---- Any symbols, against rules that are written down once more

struct any {
	Elf64_Sym symbols[12];
	struct ic_section sections[5];
	struct ic_elf_file file;
	char names[64];
};

enum { ANY_NAMES = 1, ANY_SYMBOLS, ANY_CODE, ANY_OTHER, ANY_START = 0x10, ANY_SIZE = 0x18 };

static void make_any(struct any *any)
{
	static const uint8_t types[] = { STT_FUNC,   STT_FUNC,      STT_FUNC,   STT_NOTYPE,
					 STT_NOTYPE, STT_GNU_IFUNC, STT_OBJECT, STT_FILE };
	size_t count = (size_t)rand() % COUNT_OF(any->symbols);

	*any = (struct any){ .names = { 0 } };
	for (size_t i = 0; i < count; i++) {
		any->names[2 * i + 2] = (char)('a' + i);
		any->symbols[i + 1] = (Elf64_Sym){
			.st_name = (uint32_t)(2 * i + 2),
			.st_info = (uint8_t)ELF64_ST_INFO(rand() % 3, types[rand() % 8]),
			.st_other = rand() % 4 ? STV_DEFAULT : STV_HIDDEN,
			.st_shndx = (uint16_t)(rand() % 6 ? ANY_CODE : ANY_OTHER),
			.st_value = ANY_START + (uint64_t)rand() % (2 * ANY_SIZE),
			.st_size = rand() % 2 ? (uint64_t)rand() % 8 : 0,
		};
	}
	any->sections[0] = (struct ic_section){ .name = "" };
	any->sections[ANY_NAMES] =
		(struct ic_section){ .name = ".strtab",
				     .raw = { (const uint8_t *)any->names, sizeof(any->names) } };
	any->sections[ANY_SYMBOLS] = (struct ic_section){
		.name = ".symtab",
		.link = ANY_NAMES,
		.raw = { (const uint8_t *)any->symbols, (count + 1) * sizeof(*any->symbols) }
	};
	any->sections[ANY_CODE] = (struct ic_section){ .name = ".text",
						       .type = SHT_PROGBITS,
						       .flags = SHF_ALLOC | SHF_EXECINSTR,
						       .addr = ANY_START,
						       .size = ANY_SIZE };
	any->sections[ANY_OTHER] = (struct ic_section){ .name = ".data",
							.type = SHT_PROGBITS,
							.flags = SHF_ALLOC,
							.addr = ANY_START + ANY_SIZE,
							.size = ANY_SIZE };
	any->file = (struct ic_elf_file){ .path = (char *)"any",
					  .machine = EM_X86_64,
					  .addr_size = 8,
					  .sections = any->sections,
					  .section_count = 5 };
}

static bool is_hidden_label(const Elf64_Sym *symbol)
{
	return symbol->st_size == 0 && ELF64_ST_TYPE(symbol->st_info) == STT_NOTYPE &&
	       ELF64_ST_BIND(symbol->st_info) == STB_LOCAL && symbol->st_other == STV_HIDDEN;
}

static bool is_in_its_section(const struct any *any, const Elf64_Sym *symbol, uint64_t addr)
{
	const struct ic_section *section = &any->sections[symbol->st_shndx];

	return addr >= section->addr && addr < section->addr + section->size;
}

// All of these return the index of the symbol, 0 for none.

static int llvm_choice(const struct any *any, uint64_t addr)
{
	int best = 0;

	for (int i = 1; i < (int)COUNT_OF(any->symbols); i++) {
		const Elf64_Sym *symbol = &any->symbols[i], *other = &any->symbols[best];
		if (symbol->st_shndx == 0 || ELF64_ST_TYPE(symbol->st_info) == STT_FILE ||
		    symbol->st_value > addr)
			continue;
		if (!best || symbol->st_value > other->st_value ||
		    (symbol->st_value == other->st_value && symbol->st_size >= other->st_size))
			best = i;
	}
	const Elf64_Sym *symbol = &any->symbols[best];
	return symbol->st_size == 0 || addr < symbol->st_value + symbol->st_size ? best : 0;
}

// As binutils goes through the table: whether one is a better fit than the best so far.
static bool is_better_for_gnu(const Elf64_Sym *symbol, const Elf64_Sym *best, uint64_t addr)
{
	uint64_t size = symbol->st_size ? symbol->st_size : 1;
	uint64_t best_size = best->st_size ? best->st_size : 1;
	uint8_t type = ELF64_ST_TYPE(symbol->st_info), best_type = ELF64_ST_TYPE(best->st_info);

	if (symbol->st_value != best->st_value)
		return symbol->st_value > best->st_value;
	if (best->st_value + best_size <= addr)
		return size > best_size;
	if (symbol->st_value + size <= addr)
		return false;
	if ((type == STT_FUNC) != (best_type == STT_FUNC))
		return type == STT_FUNC;
	if ((type == STT_NOTYPE) != (best_type == STT_NOTYPE))
		return best_type == STT_NOTYPE;
	return size < best_size;
}

static int gnu_choice(const struct any *any, uint64_t addr)
{
	int best = 0;

	for (int i = 1; i < (int)COUNT_OF(any->symbols); i++) {
		const Elf64_Sym *symbol = &any->symbols[i];
		uint8_t type = ELF64_ST_TYPE(symbol->st_info);
		if (symbol->st_shndx == 0 || type == STT_FILE || type == STT_OBJECT ||
		    is_hidden_label(symbol) || symbol->st_value > addr ||
		    !is_in_its_section(any, symbol, addr) ||
		    !is_in_its_section(any, symbol, symbol->st_value))
			continue;
		if (!best || is_better_for_gnu(symbol, &any->symbols[best], addr))
			best = i;
	}
	return best;
}

static int order_of_binding(const Elf64_Sym *symbol)
{
	switch (ELF64_ST_BIND(symbol->st_info)) {
	case STB_GLOBAL: return 2;
	case STB_WEAK: return 1;
	}
	return 0;
}

static bool is_named_innermost(const Elf64_Sym *symbol)
{
	uint8_t type = ELF64_ST_TYPE(symbol->st_info);
	bool is_code = symbol->st_shndx == ANY_CODE;

	return type == STT_FUNC || type == STT_GNU_IFUNC
		       ? is_code || symbol->st_size > 0
		       : type == STT_NOTYPE && is_code && !is_hidden_label(symbol);
}

// The start of the last symbol, whether it names something or only ends others.
static uint64_t last_start(const struct any *any, uint64_t addr)
{
	uint64_t last = 0;

	for (int i = 1; i < (int)COUNT_OF(any->symbols); i++) {
		const Elf64_Sym *symbol = &any->symbols[i];
		bool counts = is_named_innermost(symbol) ||
			      (symbol->st_shndx == ANY_CODE &&
			       ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT);
		if (symbol->st_shndx && counts && symbol->st_value <= addr &&
		    symbol->st_value > last)
			last = symbol->st_value;
	}
	return last;
}

static int innermost_of(const struct any *any, uint64_t addr, bool sized)
{
	uint64_t last = last_start(any, addr);
	int best = 0;

	for (int i = 1; i < (int)COUNT_OF(any->symbols); i++) {
		const Elf64_Sym *symbol = &any->symbols[i], *other = &any->symbols[best];
		bool holds = sized ? addr - symbol->st_value < symbol->st_size
				   : symbol->st_size == 0 && symbol->st_value == last &&
					     is_in_its_section(any, symbol, addr);
		if (!symbol->st_shndx || symbol->st_value > addr || !holds ||
		    !is_named_innermost(symbol))
			continue;
		if (!best || symbol->st_value > other->st_value ||
		    (symbol->st_value == other->st_value &&
		     order_of_binding(symbol) > order_of_binding(other)))
			best = i;
	}
	return best;
}

static int innermost_choice(const struct any *any, uint64_t addr)
{
	int sized = innermost_of(any, addr, true);
	uint64_t last = last_start(any, addr);

	// A symbol of unknown size that begins inside a function is a label.
	return sized || last == 0 || innermost_of(any, last, true) ? sized
								   : innermost_of(any, addr, false);
}

TEST(any_symbols_name_what_the_rules_say)
{
	srand(2);
	for (int round = 0; round < 3000; round++) {
		struct ic_arena arena = { 0 };
		struct any any;

		make_any(&any);
		for (enum ic_symtab_rule rule = 0; rule < 3; rule++) {
			struct ic_symbols symbols = symtab_read_all(&any.file, NULL, rule, &arena);
			for (uint64_t addr = 0; addr < ANY_START + 3 * ANY_SIZE; addr++) {
				int wanted = rule == SYMTAB_LLVM  ? llvm_choice(&any, addr)
					     : rule == SYMTAB_GNU ? gnu_choice(&any, addr)
								  : innermost_choice(&any, addr);
				struct ic_symbol found =
					symtab_find_at(&any.file, NULL, rule, addr, &arena);
				assert_string_equal(found.name ? found.name : "",
						    any.names + any.symbols[wanted].st_name);
				symtab_check_at(&symbols, &any.file, NULL, rule, addr, &arena);
			}
		}
		ic_arena_free(&arena);
	}
}

UNIT_TESTS(elf_symbols_rules)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_function_of_unknown_size_goes_on_to_the_next_symbol_or_the_end_of_its_section),
		cmocka_unit_test(of_symbols_at_one_address_each_rule_takes_another),
		cmocka_unit_test(
			of_nested_functions_the_rules_differ_where_the_inner_one_has_ended),
		cmocka_unit_test(arm_marks_of_code_and_data_name_nothing),
		cmocka_unit_test(labels_that_assemblers_for_risc_v_make_name_nothing_for_llvm),
		cmocka_unit_test(tags_in_addresses_are_cut_off_if_that_is_asked_for),
		cmocka_unit_test(versions_are_cut_off_but_in_the_styles_of_others),
		cmocka_unit_test(global_symbols_have_a_source_for_gnu_if_the_file_is_of_one),
		cmocka_unit_test(any_symbols_name_what_the_rules_say),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
