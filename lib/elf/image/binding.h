// Which calls of a file's own functions may go elsewhere at run time: the dynamic linker may bind a
// name to another file's function, and calls resolvers for indirect ones.
#ifndef ELF_IMAGE_BINDING_H
#define ELF_IMAGE_BINDING_H

#include "base/array.h"
#include "base/branch.h"
#include "base/sort.h"
#include "elf/image/image.h"

struct ic_binding {                          // zero-initialised is empty
	bool is_unknown;                     // the dynamic section or the symbols cannot be read
	IC_ARRAY(struct ic_keyed) undefined; // sorted by the hash of the name without a version
	IC_ARRAY(struct ic_keyed) changed;   // sorted by the address that the file has for it
};

// Reads the symbols of an image, in one pass. False if memory runs out.
bool ic_binding_read(struct ic_binding *binding, struct ic_image *image, struct ic_error *err)
	IC_CHECKED;

// Whether a call of the function at an address certainly goes there: the file is the program, or
// does not export the function, and it is not a resolver.
bool ic_binding_is_certain(const struct ic_binding *binding, uint64_t addr);

// Whether the file imports the name as a function of another file.
bool ic_binding_is_undefined(const struct ic_binding *binding, const char *name);

// See base/branch.h: for x86 and AArch64.
bool ic_image_find_branches(const struct ic_image *image, uint64_t addr, bool is_after,
			    struct ic_branches *branches);

// Whether any of these goes to another address.
bool ic_image_branches_to(const struct ic_image *image, uint64_t addr, bool is_after,
			  uint64_t target);

// Finds the target of the instruction at an address, or before it if `is_after`. The instruction
// must be one that linkers substitute for a call or a jump through the GOT: "addr32 call", or "jmp"
// and "nop" (x86-64 psABI, B.2). The DWARF describes such a call as indirect.
bool ic_image_relaxed_to(const struct ic_image *image, uint64_t addr, bool is_after,
			 uint64_t *target);

// Finds the word of memory with the address that the instruction at an address, or before it if
// `is_after`, calls or jumps to: directly, or through a stub (of the PLT). False if there is none,
// or if something other than the dynamic linker might write it after relocating the file: it may
// then have changed since the call. x86-64 only.
bool ic_image_called_by(const struct ic_image *image, uint64_t addr, bool is_after, uint64_t *slot);

void ic_binding_free(struct ic_binding *binding);

#endif
