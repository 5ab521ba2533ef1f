// Which calls of a file's own functions may go elsewhere when it runs: the dynamic linker may bind
// a name to another file's function, and asks resolvers for indirect ones.
#ifndef ELF_IMAGE_BINDING_H
#define ELF_IMAGE_BINDING_H

#include "base/array.h"
#include "base/branch.h"
#include "base/sort.h"
#include "elf/image/image.h"

struct ic_binding {                          // zero-initialised is empty
	bool is_unknown;                     // the dynamic section or the symbols cannot be read
	IC_ARRAY(struct ic_keyed) undefined; // by the hash of the name without a version
	IC_ARRAY(struct ic_keyed) changed;   // by the address that the file has for it
};

// Reads the symbols of an image, in one pass. False if memory runs out.
bool ic_binding_read(struct ic_binding *binding, struct ic_image *image, struct ic_error *err)
	IC_CHECKED;

// Whether a call of the function at an address certainly goes there: the file is the program, or
// does not export the function, and it is no resolver.
bool ic_binding_is_certain(const struct ic_binding *binding, uint64_t addr);

// Whether the file has the name for a function of another file.
bool ic_binding_is_undefined(const struct ic_binding *binding, const char *name);

// As base/branch.h has it: for x86 and AArch64.
bool ic_image_find_branches(const struct ic_image *image, uint64_t addr, bool is_after,
			    struct ic_branches *branches);

// Whether one of these goes to another address.
bool ic_image_branches_to(const struct ic_image *image, uint64_t addr, bool is_after,
			  uint64_t target);

// Finds the target of the instruction at an address, or with `is_after` of the one before it, which
// must be one that linkers write in place of a call or a jump by the GOT: "addr32 call", or "jmp"
// and "nop" (x86-64 psABI, B.2). The DWARF of such a call is that of an indirect one.
bool ic_image_relaxed_to(const struct ic_image *image, uint64_t addr, bool is_after,
			 uint64_t *target);

// Finds the word of memory that has the address to which the instruction at an address, or if
// `is_after` the one before it, calls or jumps: it does so by that word, or goes to a stub (of the
// PLT) that jumps by it. False if there is none, or something else than the dynamic linker might
// write it after it has relocated the file: then it need not have what it had when the call was
// made. x86-64 only.
bool ic_image_called_by(const struct ic_image *image, uint64_t addr, bool is_after, uint64_t *slot);

void ic_binding_free(struct ic_binding *binding);

#endif
