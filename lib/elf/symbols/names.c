#include "elf/symbols/names.h"

#include <elf.h>
#include <stdlib.h>

#include "base/array.h"
#include "text/clone_name.h"
#include "text/text.h"

static bool has_addr(const struct ic_raw_symbol *symbol)
{
	uint8_t type = ELF64_ST_TYPE(symbol->info);

	return symbol->section != SHN_UNDEF && symbol->section != SHN_COMMON &&
	       symbol->section != SHN_ABS && type != STT_SECTION && type != STT_FILE &&
	       type != STT_TLS;
}

static bool is_named(const struct ic_named_symbols *named, const struct ic_raw_symbol *symbol)
{
	return symbol->name < named->names.size && has_addr(symbol);
}

enum way { AS_ASKED, AS_OLD_VERSION, AS_CLONE }; // how a symbol matches the name

static bool has_name(const char *symbol, const char *name, enum way way)
{
	if (*name && *symbol != *name) // true for most, and cheaper than a call
		return false;
	size_t length = strlen(name);
	if (strncmp(symbol, name, length) != 0)
		return false;
	const char *rest = symbol + length;
	if (way == AS_CLONE)
		return *rest == '.' && ic_clone_suffix(symbol) == rest;
	if (*rest && memchr(name, '@', length))
		return false;
	if (way == AS_OLD_VERSION)
		return rest[0] == '@' && rest[1] != '@';
	return rest[0] == 0 || (rest[0] == '@' && rest[1] == '@');
}

static bool make_symbol(struct ic_symbol *symbol, const struct ic_named_symbols *named,
			const struct ic_raw_symbol *raw)
{
	uint64_t start = ic_named_symbols_addr(named, raw);

	*symbol = (struct ic_symbol){ .start = start,
				      .end = start + raw->size,
				      .name = ic_named_symbols_name(named, raw) };
	return true;
}

bool ic_symtab_find_name(const struct ic_elf_file *file, const struct ic_elf_file *second,
			 const char *name, uint32_t number, struct ic_symbol *symbol)
{
	struct ic_named_symbols tables[2];
	uint64_t all = ic_named_symbols_open(tables, file, second);
	bool found = false;

	for (enum way way = AS_ASKED; way <= AS_OLD_VERSION && !found; way++) {
		for (uint64_t i = 0; i < all; i++) {
			bool is_second = i >= tables[0].table.count;
			const struct ic_named_symbols *named = &tables[is_second];
			struct ic_raw_symbol raw = ic_symbol_table_read(
				&named->table, i - (is_second ? tables[0].table.count : 0));
			if (!is_named(named, &raw) ||
			    !has_name(ic_named_symbols_name(named, &raw), name, way))
				continue;
			found = true;
			if (number-- == 0)
				return make_symbol(symbol, named, &raw);
		}
	}
	return false;
}

static enum ic_symbol_kind kind_of(const struct ic_raw_symbol *raw)
{
	if (ELF64_ST_TYPE(raw->info) == STT_GNU_IFUNC)
		return IC_SYMBOL_RESOLVER;
	return ic_raw_symbol_is_function(raw) ? IC_SYMBOL_FUNCTION : IC_SYMBOL_OTHER;
}

void ic_symtab_take_all(const struct ic_elf_file *file, const struct ic_elf_file *second,
			ic_symbol_take *take, void *context)
{
	struct ic_named_symbols tables[2];
	struct ic_symbol symbol;

	(void)ic_named_symbols_open(tables, file, second);
	for (size_t i = 0; i < 2; i++) {
		for (uint64_t j = 0; j < tables[i].table.count; j++) {
			struct ic_raw_symbol raw = ic_symbol_table_read(&tables[i].table, j);
			if (!is_named(&tables[i], &raw))
				continue;
			make_symbol(&symbol, &tables[i], &raw);
			take(context, &symbol, kind_of(&raw));
		}
	}
}

static uint64_t hash_without_version(const char *name)
{
	return ic_text_hash_up_to(name, strcspn(name, "@"));
}

// A clone is also listed under its function's name.
static void add_names(struct ic_symtab_names *names, const struct ic_named_symbols *named,
		      uint32_t first)
{
	for (uint64_t i = 0; i < named->table.count; i++) {
		struct ic_raw_symbol raw = ic_symbol_table_read(&named->table, i);
		if (!is_named(named, &raw))
			continue;
		const char *name = ic_named_symbols_name(named, &raw),
			   *suffix = ic_clone_suffix(name);
		uint32_t number = first + (uint32_t)i;
		names->sorted[names->count++] =
			(struct ic_keyed){ hash_without_version(name), number };
		if (suffix)
			names->sorted[names->count++] = (struct ic_keyed){
				ic_text_hash_up_to(name, (size_t)(suffix - name)), number
			};
	}
}

bool ic_symtab_names_build(struct ic_symtab_names *names, const struct ic_elf_file *file,
			   const struct ic_elf_file *second, struct ic_error *err)
{
	*names = (struct ic_symtab_names){ .count = 0 };
	uint64_t count = ic_named_symbols_open(names->tables, file, second);
	if (count > UINT32_MAX / 2)
		return ic_named_symbols_fail_count(file, err);
	names->sorted = ic_items_alloc(2 * count + 1, sizeof(*names->sorted));
	if (!names->sorted)
		return ic_fail_memory(err);
	add_names(names, &names->tables[0], 0);
	add_names(names, &names->tables[1], (uint32_t)names->tables[0].table.count);
	if (ic_keyed_sort(names->sorted, names->count))
		return true;
	ic_symtab_names_free(names);
	return ic_fail_memory(err);
}

static const struct ic_named_symbols *read_raw(const struct ic_symtab_names *names, uint32_t at,
					       struct ic_raw_symbol *raw)
{
	uint64_t first_count = names->tables[0].table.count;
	bool is_second = at >= first_count;
	const struct ic_named_symbols *named = &names->tables[is_second];

	*raw = ic_symbol_table_read(&named->table, is_second ? at - first_count : at);
	return named;
}

void ic_symtab_names_get(const struct ic_symtab_names *names, uint32_t number,
			 struct ic_symbol *symbol)
{
	struct ic_raw_symbol raw;
	const struct ic_named_symbols *named = read_raw(names, names->sorted[number].number, &raw);

	make_symbol(symbol, named, &raw);
}

// Finds match number `number`; if there are fewer, sets *count to their number.
static bool find_name(const struct ic_symtab_names *names, const char *name, enum way way,
		      uint32_t number, struct ic_symbol *symbol, uint32_t *count)
{
	uint64_t hash = hash_without_version(name);
	struct ic_raw_symbol raw;

	*count = 0;
	for (uint32_t i = ic_keyed_find(names->sorted, names->count, hash);
	     i < names->count && names->sorted[i].key == hash; i++) {
		const struct ic_named_symbols *named =
			read_raw(names, names->sorted[i].number, &raw);
		if (has_name(ic_named_symbols_name(named, &raw), name, way) && (*count)++ == number)
			return make_symbol(symbol, named, &raw);
	}
	return false;
}

bool ic_symtab_names_find(const struct ic_symtab_names *names, const char *name, uint32_t number,
			  struct ic_symbol *symbol)
{
	uint32_t count;

	return find_name(names, name, AS_ASKED, number, symbol, &count) ||
	       (count == 0 && find_name(names, name, AS_OLD_VERSION, number, symbol, &count));
}

bool ic_symtab_names_find_clone(const struct ic_symtab_names *names, const char *name,
				uint32_t number, struct ic_symbol *symbol)
{
	uint32_t count;

	return find_name(names, name, AS_CLONE, number, symbol, &count);
}

// The number of matches, if all were visited; otherwise more than 0.
static uint32_t visit_all(const struct ic_symtab_names *names, const char *name, enum way way,
			  ic_symbol_visit *visit, void *context)
{
	uint64_t hash = hash_without_version(name);
	struct ic_raw_symbol raw;
	struct ic_symbol symbol;
	uint32_t count = 0;

	for (uint32_t i = ic_keyed_find(names->sorted, names->count, hash);
	     i < names->count && names->sorted[i].key == hash; i++) {
		const struct ic_named_symbols *named =
			read_raw(names, names->sorted[i].number, &raw);
		if (!has_name(ic_named_symbols_name(named, &raw), name, way))
			continue;
		count++;
		make_symbol(&symbol, named, &raw);
		if (!visit(context, &symbol))
			break;
	}
	return count;
}

void ic_symtab_names_each(const struct ic_symtab_names *names, const char *name,
			  ic_symbol_visit *visit, void *context)
{
	if (visit_all(names, name, AS_ASKED, visit, context) == 0)
		visit_all(names, name, AS_OLD_VERSION, visit, context);
}

void ic_symtab_names_free(struct ic_symtab_names *names)
{
	free(names->sorted);
	*names = (struct ic_symtab_names){ .sorted = NULL };
}
