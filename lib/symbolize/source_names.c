#include "symbolize/source_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "text/demangle.h"
#include "text/name_parts.h"
#include "text/text.h"

// The last part of a name without arguments, including Rust's ("f::<T>").
static struct ic_name_part last_part(const char *name)
{
	struct ic_name_parts parts;

	ic_name_parts_split(&parts, name);
	struct ic_name_part part = parts.parts[parts.count - 1];
	const char *bracket = memchr(part.start, '<', part.length);
	if (bracket > part.start)
		part.length = (size_t)(bracket - part.start);
	while (part.length > 2 && part.start[part.length - 1] == ':')
		part.length--;
	return part;
}

static bool add_name(struct ic_source_names *names, uint32_t number, const char *demangled)
{
	struct ic_name_part part = last_part(demangled);
	char *copy = ic_arena_alloc(&names->arena, part.length + 1);

	if (!copy)
		return false;
	memcpy(copy, part.start, part.length);
	copy[part.length] = 0;
	names->sorted[names->count] = (struct ic_keyed){ ic_text_hash(copy), names->count };
	names->last_parts[names->count] = copy;
	names->symbols[names->count++] = number;
	return true;
}

bool ic_source_names_build(struct ic_source_names *names, const struct ic_symtab_names *symbols)
{
	bool ok = true;

	*names = (struct ic_source_names){
		.sorted = ic_items_alloc(symbols->count + 1ull, sizeof(*names->sorted)),
		.last_parts = ic_items_alloc(symbols->count + 1ull, sizeof(*names->last_parts)),
		.symbols = ic_items_alloc(symbols->count + 1ull, sizeof(*names->symbols)),
	};
	if (!names->sorted || !names->last_parts || !names->symbols)
		return false;
	for (uint32_t i = 0; ok && i < symbols->count; i++) {
		struct ic_symbol symbol;
		char *demangled;

		ic_symtab_names_get(symbols, i, &symbol);
		ok = ic_demangle(symbol.name, IC_DEMANGLE_PARAMS, &demangled);
		if (ok && demangled)
			ok = add_name(names, i, demangled);
		free(demangled);
	}
	return ok && ic_keyed_sort(names->sorted, names->count);
}

// Whether the name may mean the symbol; sets *ok to false if memory runs out.
static bool means_symbol(const struct ic_name_parts *wanted, const char *symbol, bool *ok)
{
	struct ic_name_parts parts;
	char *demangled;

	*ok = ic_demangle(symbol, IC_DEMANGLE_PARAMS, &demangled);
	if (!*ok || !demangled)
		return false;
	ic_name_parts_split(&parts, demangled);
	bool matches = ic_name_parts_match(wanted, &parts);
	free(demangled);
	return matches;
}

uint32_t ic_source_names_find(const struct ic_source_names *names,
			      const struct ic_symtab_names *symbols, const char *name,
			      struct ic_symbol *found, uint32_t capacity)
{
	struct ic_name_part part = last_part(name);
	uint64_t hash = ic_text_hash_up_to(part.start, part.length);
	struct ic_name_parts wanted;
	uint32_t count = 0;

	ic_name_parts_split(&wanted, name);
	for (uint32_t i = ic_keyed_find(names->sorted, names->count, hash);
	     i < names->count && names->sorted[i].key == hash; i++) {
		struct ic_symbol symbol;
		bool ok;

		ic_symtab_names_get(symbols, names->symbols[names->sorted[i].number], &symbol);
		bool matches = means_symbol(&wanted, symbol.name, &ok);
		if (!ok)
			return IC_NONE;
		if (matches && count++ < capacity)
			found[count - 1] = symbol;
	}
	return count;
}

void ic_source_names_consider(const struct ic_source_names *names, struct ic_nearest *nearest)
{
	for (uint32_t i = 0; i < names->count; i++)
		ic_nearest_consider(nearest, names->last_parts[i]);
}

void ic_source_names_free(struct ic_source_names *names)
{
	free(names->sorted);
	free(names->last_parts);
	free(names->symbols);
	ic_arena_free(&names->arena);
	*names = (struct ic_source_names){ .count = 0 };
}
