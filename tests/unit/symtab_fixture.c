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

	assert_true(ic_symtab_find(&symbol, file, second, rule, (struct ic_range){ addr, addr + 1 },
				   NULL, arena, &err));
	return symbol;
}

// The symbols found for some bytes of code, and for functions at the address, are the same as among
// all symbols.
static void check_ranges(const struct ic_symbols *symbols, const struct ic_elf_file *file,
			 const struct ic_elf_file *second, enum ic_symtab_rule rule, uint64_t addr,
			 struct ic_arena *arena)
{
	const uint64_t sizes[] = { 1, 2, 8, 0x40, UINT64_MAX - addr };
	const char *functions[] = { NULL, symbols->count > 0 ? symbols->items[0].name : "none" };
	struct ic_error err;

	for (size_t i = 0; i < COUNT_OF(sizes) * COUNT_OF(functions); i++) {
		struct ic_range range = { addr, addr + sizes[i / COUNT_OF(functions)] };
		const char *function = functions[i % COUNT_OF(functions)];
		const struct ic_symbol *wanted = ic_symbols_find_named(symbols, range, function);
		struct ic_symbol found;
		if (range.end <= addr)
			continue;
		assert_true(
			ic_symtab_find(&found, file, second, rule, range, function, arena, &err));
		assert_int_equal(found.name != NULL, wanted != NULL);
		if (!wanted)
			continue;
		assert_string_equal(found.name, wanted->name);
		assert_int_equal(found.start, wanted->start);
	}
}

// The symbol found for one address is the same as among all symbols.
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
	check_ranges(symbols, file, second, rule, addr, arena);
}
