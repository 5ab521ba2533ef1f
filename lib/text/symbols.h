// Named ranges of code, looked up by address.
#ifndef TEXT_SYMBOLS_H
#define TEXT_SYMBOLS_H

#include <stdatomic.h>

#include "base/arena.h"
#include "base/range.h"
#include "base/sort.h"

struct ic_symbol {
	uint64_t start;
	uint64_t end;   // by its size; equal to `start` if unknown
	uint64_t reach; // it names addresses below this; at most `start` if it names nothing
	const char *name;
	const char *source; // the source file, if the symbol table has it
};

enum { IC_SYMBOLS_LEVELS = 9 }; // for 2^32 symbols

struct ic_symbols {
	const struct ic_symbol *items; // sorted by start; at one address the best name is the last
	uint32_t count;
	// The largest `reach` of each symbol, of each 16 symbols, of each 256 and so on.
	const uint64_t *reaches[IC_SYMBOLS_LEVELS];
	// Numbers of symbols that share their start with many others, by their start and their name
	// up to its first dot.
	const struct ic_keyed *crowded;
	uint32_t crowded_count;
};

// Uses symbols that are sorted as above and live as long as the arena. False if memory runs out.
bool ic_symbols_build(struct ic_symbols *symbols, const struct ic_symbol *items, uint32_t count,
		      struct ic_arena *arena);

// The symbol that names all of a range: the last that reaches its end. NULL if there is none. Time:
// O(log n).
const struct ic_symbol *ic_symbols_find(const struct ic_symbols *symbols, struct ic_range range);

// The same, but if several are at one address, prefers that of `function`, which may be NULL, or of
// a clone of it ("f.constprop.0"). Time: O(log n) plus the clones at that address.
const struct ic_symbol *ic_symbols_find_named(const struct ic_symbols *symbols,
					      struct ic_range range, const char *function);

// The start of the first symbol that begins after an address; UINT64_MAX if there is none. Time:
// O(log n).
uint64_t ic_symbols_next_start(const struct ic_symbols *symbols, uint64_t addr);

typedef bool ic_symbol_visit(void *context, const struct ic_symbol *symbol);

enum ic_symbol_kind {
	IC_SYMBOL_FUNCTION,
	IC_SYMBOL_RESOLVER, // of an indirect function: says at run time where its code is
	IC_SYMBOL_OTHER,    // data, or not known: assembly need not say it
};

typedef void ic_symbol_take(void *context, const struct ic_symbol *symbol,
			    enum ic_symbol_kind kind);

// Symbols from another layer, which reads them as far as needed.
struct ic_symbol_source {
	// Copies the symbol that ic_symbols_find_named() would find among all. False if there is
	// none. Any number of threads may call it.
	bool (*find)(struct ic_symbol_source *source, struct ic_range range, const char *function,
		     struct ic_symbol *symbol);
	// As ic_symbols_next_start(). Sorts the table. Any number of threads may call it.
	uint64_t (*next_start)(struct ic_symbol_source *source, uint64_t addr);
	// Announces the number of queries: many are answered from a sorted table.
	void (*expect)(struct ic_symbol_source *source, uint64_t questions);
	// Calls `visit` for the symbols that have the name, until it returns false: anything with
	// an address, as in elf/symbols/names.h. Any number of threads may call it.
	void (*each_name)(struct ic_symbol_source *source, const char *name, ic_symbol_visit *visit,
			  void *context);
	// Calls `take` for all such symbols, in the order of the files. Any number of threads may
	// call it. Time: O(n); needs no table.
	void (*each)(struct ic_symbol_source *source, ic_symbol_take *take, void *context);
	bool is_stripped;            // it has only those that other files can link to
	_Atomic(const char *) fault; // why a query could not be answered; NULL if none failed
};

#endif
