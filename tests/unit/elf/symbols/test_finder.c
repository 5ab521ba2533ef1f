#include "unit_test.h"

#include <stdio.h>

#include "elf/symbols/finder.h"
#include "fixtures/elf.h"

static void add_typed(struct elf_builder *elf, const char *name, uint64_t value, uint8_t bind,
		      uint8_t type)
{
	elf_add_symbol(elf, (struct elf_symbol){ .name = name,
						 .section = ".text",
						 .value = value,
						 .size = 0x10,
						 .type = type,
						 .bind = bind });
}

static void add(struct elf_builder *elf, const char *name, uint64_t value, uint8_t bind)
{
	add_typed(elf, name, value, bind, STT_FUNC);
}

static struct ic_symbol_source *open_finder(struct ic_elf_file *file)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_code(elf, ".text", 0x1000, 0x1000);
	add(elf, "f", 0x1100, STB_LOCAL);
	add(elf, "f", 0x1200, STB_LOCAL);
	add(elf, "g", 0x1300, STB_GLOBAL);
	add(elf, "old@V1", 0x1400, STB_GLOBAL);
	add_typed(elf, "chosen", 0x1500, STB_GLOBAL, STT_GNU_IFUNC);
	add_typed(elf, "label", 0x1600, STB_GLOBAL, STT_NOTYPE);
	elf_end_and_open(file, elf);
	const struct ic_symbol_files files = { .file = file };
	struct ic_symbol_source *symbols = ic_symbol_finder_new(&files, SYMTAB_INNERMOST, NULL);
	assert_non_null(symbols);
	return symbols;
}

struct visited {
	char names[100];
	size_t most, count;
};

static bool visit(void *context, const struct ic_symbol *symbol)
{
	struct visited *visited = context;
	size_t length = strlen(visited->names);

	snprintf(visited->names + length, sizeof(visited->names) - length, "%s@%#llx ",
		 symbol->name, (unsigned long long)symbol->start);
	return ++visited->count < visited->most;
}

static void check_named(struct ic_symbol_source *symbols, const char *name, size_t most,
			const char *wanted)
{
	struct visited visited = { .names = "", .most = most };

	symbols->each_name(symbols, name, visit, &visited);
	assert_string_equal(visited.names, wanted);
}

TEST(symbols_are_found_by_their_name)
{
	struct ic_elf_file file;
	struct ic_symbol_source *symbols = open_finder(&file);

	for (int again = 0; again < 2; again++) {
		check_named(symbols, "f", 9, "f@0x1100 f@0x1200 ");
		check_named(symbols, "f", 1, "f@0x1100 ");
		check_named(symbols, "i", 9, "");
	}
	check_named(symbols, "old", 9, "old@V1@0x1400 "); // no other has the name
	ic_symbol_finder_free(symbols);
	ic_elf_file_close(&file);
}

static void take(void *context, const struct ic_symbol *symbol, enum ic_symbol_kind kind)
{
	static const char marks[] = {
		[IC_SYMBOL_FUNCTION] = ' ', [IC_SYMBOL_RESOLVER] = '?', [IC_SYMBOL_OTHER] = '-'
	};
	struct visited *visited = context;
	size_t length = strlen(visited->names);

	snprintf(visited->names + length, sizeof(visited->names) - length, "%s@%#llx%c",
		 symbol->name, (unsigned long long)symbol->start, marks[kind]);
}

TEST(all_symbols_say_what_they_name)
{
	struct ic_elf_file file;
	struct ic_symbol_source *symbols = open_finder(&file);
	struct visited visited = { .names = "" };

	symbols->each(symbols, take, &visited);
	assert_string_equal(visited.names, "f@0x1100 f@0x1200 g@0x1300 old@V1@0x1400 "
					   "chosen@0x1500?label@0x1600-");
	ic_symbol_finder_free(symbols);
	ic_elf_file_close(&file);
}

UNIT_TESTS(elf_symbols_finder)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_are_found_by_their_name),
		cmocka_unit_test(all_symbols_say_what_they_name),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
