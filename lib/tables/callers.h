// Locates functions that are known only by name, as those of BTF are, by their symbols.
#ifndef TABLES_CALLERS_H
#define TABLES_CALLERS_H

#include "base/map.h"
#include "base/range.h"
#include "elf/image/image.h"

enum ic_caller_part {  // how a symbol relates to the function it is named after
	CALLER_ITSELF, // the function itself
	CALLER_CLONE,  // "f.constprop.0"
	CALLER_PART,   // "f.part.0", which the function calls
	CALLER_COLD,   // "f.cold", to which the function jumps
};

struct ic_caller_code { // a symbol
	uint32_t caller;
	enum ic_caller_part part;
	struct ic_range range; // empty if the size is unknown
};

struct ic_caller {
	const char *name;
	uint32_t next; // the next one with the same hash; IC_NONE if there is none
	// Its symbols, sorted by part and address, one per address.
	uint32_t first, count;
	uint32_t start; // the symbol of its entry: see ic_callers_find()
};

struct ic_callers { // empty if zero-initialised
	IC_ARRAY(struct ic_caller) list;
	IC_ARRAY(struct ic_caller_code) code;
	struct ic_map by_name; // by hash of the name
	bool out_of_memory;
};

// Adds a caller, or returns the number it already has; IC_NONE if memory runs out. `name` must
// outlive `callers`.
uint32_t ic_callers_add(struct ic_callers *callers, const char *name);

// The number of a name; IC_NONE if it was not added.
uint32_t ic_callers_number(const struct ic_callers *callers, const char *name);

// Finds the symbols of all names in one pass. The entry of a caller is the only symbol of its name;
// if there is none, its only clone or part. In other cases `start` is IC_NONE. Returns false if
// memory runs out or function descriptors cannot be read. Unreadable MiniDebugInfo is ignored,
// because the index of the image reports it; callers without an index must check it themselves.
bool ic_callers_find(struct ic_callers *callers, struct ic_image *image, struct ic_error *err)
	IC_CHECKED;

// The symbol, among the caller's first few, that has the code at an address; NULL if there is none.
const struct ic_caller_code *ic_callers_at(const struct ic_callers *callers, uint32_t caller,
					   uint64_t addr);

void ic_callers_free(struct ic_callers *callers);

#endif
