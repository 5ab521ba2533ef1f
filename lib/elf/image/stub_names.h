// The stubs of the procedure linkage table (PLT), and the functions that they jump to.
#ifndef ELF_IMAGE_STUB_NAMES_H
#define ELF_IMAGE_STUB_NAMES_H

#include "elf/image/image.h"

struct ic_stub {
	uint64_t start;    // where its jump begins, in the image; the requested address
			   // if that is before
	const char *name;  // of the function, without a version; NULL if it has none
	uint64_t resolver; // the function that returns the function's address at run time;
			   // IC_NO_ADDR if there is none
};

// The section of stubs that contains an address; NULL if none does.
const struct ic_section *ic_image_stub_section(const struct ic_image *image, uint64_t addr);

// Finds the stub that contains an address, and what a relocation has in the word that it jumps
// through. False if there is no stub or no such relocation. Supported are x86 and AArch64. Time:
// O(n) for n relocations.
bool ic_image_stub_find(const struct ic_image *image, uint64_t addr, struct ic_stub *stub);

#endif
