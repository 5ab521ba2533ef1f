// How calls reach functions of other files: words that the dynamic linker fills in, and stubs (of
// the PLT) that jump through them.
#ifndef ELF_IMAGE_STUBS_H
#define ELF_IMAGE_STUBS_H

#include "base/sort.h"
#include "elf/files/symbol.h"
#include "elf/image/image.h"

struct ic_slots { // zero-initialised is empty
	struct ic_named_symbols symbols;
	IC_ARRAY(struct ic_keyed) by_addr; // indexes of symbols
	// The global offset table, with the addresses of the file itself filled in.
	uint64_t got_addr, got_size;
	uint8_t *got;
	uint8_t addr_size;
	bool swap;
};

// Reads the dynamic relocations that fill in addresses of functions. False if memory runs out;
// unreadable ones are left out.
bool ic_slots_read(struct ic_slots *slots, const struct ic_image *image) IC_CHECKED;

// The name of the function whose address the dynamic linker writes to a word, without a version;
// NULL if unknown.
const char *ic_slots_name(const struct ic_slots *slots, uint64_t addr);

// The address that a word of the global offset table has once the file is loaded, if it is one of
// the file itself; otherwise IC_NO_ADDR.
uint64_t ic_slots_addr(const struct ic_slots *slots, uint64_t addr);

void ic_slots_free(struct ic_slots *slots);

#endif
