// Named ranges of code, to look up by address.
#ifndef TEXT_SYMBOLS_H
#define TEXT_SYMBOLS_H

#include <stdatomic.h>

#include "base/arena.h"
#include "base/range.h"
#include "base/sort.h"

struct ic_symbol {
	uint64_t start;
	uint64_t end;   // according to its size; equal to `start` if unknown
	uint64_t reach; // it names addresses below this; at most `start` if it names none
	const char *name;
	const char *source; // the source file, if known from the symbol table
};

enum { IC_SYMBOLS_LEVELS = 9 }; // enough for 2^32 symbols

struct ic_symbols {
	const struct ic_symbol *items; // sorted by start; at one address, the best name is last
	uint32_t count;
	// The largest `reach` of each symbol, of every 16 symbols, of every 256, and so on.
	const uint64_t *reaches[IC_SYMBOLS_LEVELS];
	// Indexes of symbols that share their start with many others, by the start and the name up
	// to its first dot.
	const struct ic_keyed *crowded;
	uint32_t crowded_count;
};

// Uses symbols that are sorted as above; they must live as long as the arena. Returns false if
// memory runs out.
bool ic_symbols_build(struct ic_symbols *symbols, const struct ic_symbol *items, uint32_t count,
		      struct ic_arena *arena);

// The symbol that covers all of a range: the last one that reaches its end. NULL if there is none.
// Time: O(log n).
const struct ic_symbol *ic_symbols_find(const struct ic_symbols *symbols, struct ic_range range);

// The same, but if several start at one address, prefers that of `function`, which may be NULL, or
// of one of its clones ("f.constprop.0"). Time: O(log n) plus the clones at that address.
const struct ic_symbol *ic_symbols_find_named(const struct ic_symbols *symbols,
					      struct ic_range range, const char *function);

// The start of the first symbol that starts after an address; UINT64_MAX if there is none. Time:
// O(log n).
uint64_t ic_symbols_next_start(const struct ic_symbols *symbols, uint64_t addr);

typedef bool ic_symbol_visit(void *context, const struct ic_symbol *symbol);

enum ic_symbol_kind {
	IC_SYMBOL_FUNCTION,
	IC_SYMBOL_RESOLVER, // of an indirect function: decides at run time which code to use
	IC_SYMBOL_OTHER,    // data, or unknown: assembly may omit it
};

typedef void ic_symbol_take(void *context, const struct ic_symbol *symbol,
			    enum ic_symbol_kind kind);

// A source of symbols from another layer, which reads them as far as needed.
struct ic_symbol_source {
	// Copies the symbol that ic_symbols_find_named() would find among all. Returns false if
	// there is none. May be called from any number of threads.
	bool (*find)(struct ic_symbol_source *source, struct ic_range range, const char *function,
		     struct ic_symbol *symbol);
	// Like ic_symbols_next_start(). Sorts the table. May be called from any number of threads.
	uint64_t (*next_start)(struct ic_symbol_source *source, uint64_t addr);
	// Announces the number of look-ups: for many, the table is sorted.
	void (*expect)(struct ic_symbol_source *source, uint64_t questions);
	// Calls `visit` for the symbols with this name, until it returns false: anything that has
	// an address, as in elf/symbols/names.h. May be called from any number of threads.
	void (*each_name)(struct ic_symbol_source *source, const char *name, ic_symbol_visit *visit,
			  void *context);
	// Calls `take` for all such symbols, in the order of the files. May be called from any
	// number of threads. Time: O(n); needs no sorted table.
	void (*each)(struct ic_symbol_source *source, ic_symbol_take *take, void *context);
	bool is_stripped;            // only the symbols that other files can link to are left
	_Atomic(const char *) fault; // why a look-up failed; NULL if none has
};

#endif
