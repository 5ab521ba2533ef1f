// Where functions begin that are known by their names only, as those of BTF are: at their symbols.
#ifndef TABLES_CALLERS_H
#define TABLES_CALLERS_H

#include "base/map.h"
#include "base/range.h"
#include "elf/image/image.h"

enum ic_caller_part {  // what a symbol is of the function that it is named after
	CALLER_ITSELF, // it has the name
	CALLER_CLONE,  // "f.constprop.0"
	CALLER_PART,   // "f.part.0", which is called by the function itself
	CALLER_COLD,   // "f.cold", to which it jumps
};

struct ic_caller_code { // a symbol
	uint32_t caller;
	enum ic_caller_part part;
	struct ic_range range; // ends where it starts if the size is not known
};

struct ic_caller {
	const char *name;
	uint32_t next; // with the same hash, IC_NONE if there is none
	// Its symbols, sorted by part and address, each address once.
	uint32_t first, count;
	uint32_t start; // the one that it begins at: see ic_callers_find()
};

struct ic_callers { // zero-initialised is empty
	IC_ARRAY(struct ic_caller) list;
	IC_ARRAY(struct ic_caller_code) code;
	struct ic_map by_name; // by hash
	bool out_of_memory;
};

// The number of the caller of a name, which must live as long; the same name has one number. If
// memory runs out, IC_NONE.
uint32_t ic_callers_add(struct ic_callers *callers, const char *name);

// The same of a name that may not have been added: then IC_NONE.
uint32_t ic_callers_number(const struct ic_callers *callers, const char *name);

// Finds the symbols of all names, in one pass over the symbols. A caller begins at the only one
// that has its name; if none has it, at its only clone or part. Otherwise `start` is IC_NONE. False
// if memory runs out, or the symbols cannot be read.
bool ic_callers_find(struct ic_callers *callers, struct ic_image *image, struct ic_error *err)
	IC_CHECKED;

// The symbol of the caller that has the code at an address, of the first few; NULL if there is
// none.
const struct ic_caller_code *ic_callers_at(const struct ic_callers *callers, uint32_t caller,
					   uint64_t addr);

void ic_callers_free(struct ic_callers *callers);

#endif
