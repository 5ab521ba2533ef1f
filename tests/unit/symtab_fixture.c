#include "symtab_fixture.h"

#include "unit_test.h"

struct ic_symbols symtab_read_all(const struct ic_elf_file *file, const struct ic_elf_file *second,
				  enum ic_symtab_rule rule, struct ic_arena *arena)
{
	struct ic_symbols symbols;
	struct ic_error err;

	assert_true(ic_symtab_read(&symbols, file, second, rule, arena, &err));
	return symbols;
}

struct ic_symbol symtab_find_at(const struct ic_elf_file *file, const struct ic_elf_file *second,
				enum ic_symtab_rule rule, uint64_t addr, struct ic_arena *arena)
{
	struct ic_symbol symbol;
	struct ic_error err;

	assert_true(ic_symtab_find_at(&symbol, file, second, rule, addr, arena, &err));
	return symbol;
}

// What is found for one address is what all symbols say.
void symtab_check_at(const struct ic_symbols *symbols, const struct ic_elf_file *file,
		     const struct ic_elf_file *second, enum ic_symtab_rule rule, uint64_t addr,
		     struct ic_arena *arena)
{
	const struct ic_symbol *wanted =
		ic_symbols_find(symbols, (struct ic_range){ addr, addr + 1 });
	struct ic_symbol found = symtab_find_at(file, second, rule, addr, arena);

	assert_int_equal(found.name != NULL, wanted != NULL);
	if (!wanted)
		return;
	assert_string_equal(found.name, wanted->name);
	assert_int_equal(found.start, wanted->start);
	assert_int_equal(found.end, wanted->end);
	assert_ptr_equal(found.source, wanted->source);
}
