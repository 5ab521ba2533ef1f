// Finds functions with mangled symbols by their names in the source.
#ifndef SYMBOLIZE_SOURCE_NAMES_H
#define SYMBOLIZE_SOURCE_NAMES_H

#include "base/arena.h"
#include "elf/symbols/names.h"
#include "query/find/nearest.h"

struct ic_source_names { // empty if zero-initialised
	struct ic_arena arena;
	// By the hash of the name's last part ("f" of "ns::f<int>(char)"): numbers of entries.
	struct ic_keyed *sorted;
	const char **last_parts; // by entry
	uint32_t *symbols;       // by entry: its number in the symtab's names
	uint32_t count;
};

// Demangles the names of all symbols. Returns false if memory runs out.
bool ic_source_names_build(struct ic_source_names *names, const struct ic_symtab_names *symbols);

// Finds the symbols that `name`, a name in the source, may mean; it may omit outer scopes, template
// arguments and parameters. Writes at most `capacity`; returns how many there are, or IC_NONE if
// memory runs out.
uint32_t ic_source_names_find(const struct ic_source_names *names,
			      const struct ic_symtab_names *symbols, const char *name,
			      struct ic_symbol *found, uint32_t capacity);

void ic_source_names_consider(const struct ic_source_names *names, struct ic_nearest *nearest);

void ic_source_names_free(struct ic_source_names *names);

#endif
