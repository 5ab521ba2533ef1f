// Named ranges of code, and which of them names an address.
#ifndef BASE_SYMBOLS_H
#define BASE_SYMBOLS_H

#include <stdatomic.h>

#include "base/arena.h"
#include "base/range.h"
#include "base/sort.h"

struct ic_symbol {
	uint64_t start;
	uint64_t end;   // by its size; of unknown size if it is `start`
	uint64_t reach; // it names what is below; at most `start` if it names nothing
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

// Takes symbols that are sorted as above and live as long as the arena. False if memory is out.
bool ic_symbols_build(struct ic_symbols *symbols, const struct ic_symbol *items, uint32_t count,
		      struct ic_arena *arena);

// The symbol that names all of a range: of those that reach so far the last. NULL if there is none.
// Time: O(log n).
const struct ic_symbol *ic_symbols_find(const struct ic_symbols *symbols, struct ic_range range);

// The same, but of several at one address the one of that function or of a clone of it
// ("f.constprop.0"), if it is among them; it may be NULL. Time: O(log n) and the clones at that
// address.
const struct ic_symbol *ic_symbols_find_named(const struct ic_symbols *symbols,
					      struct ic_range range, const char *function);

// Symbols that somebody else has, and reads as far as the questions need it.
struct ic_symbol_source {
	// Copies what ic_symbols_find_named() would find of all of them. False if there is none.
	// Any number of threads may ask.
	bool (*find)(struct ic_symbol_source *source, struct ic_range range, const char *function,
		     struct ic_symbol *symbol);
	// Says that so many questions will follow: many are answered from a sorted table.
	void (*expect)(struct ic_symbol_source *source, uint64_t questions);
	_Atomic(const char *) fault; // why questions since could not be answered; NULL if they were
};

#endif
