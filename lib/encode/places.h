// Addresses of a file in the form used by tables of inlined calls.
#ifndef ENCODE_PLACES_H
#define ENCODE_PLACES_H

#include <inlinecall/image.h>

struct ic_section_place {
	const char *name;
	uint64_t start;
};

// The section of code that contains an address, also in linked files.
bool ic_section_place_find(const struct ic_image *image, uint64_t addr,
			   struct ic_section_place *place);

// The start of the section for a LOCSEC's name: the same name, or with "inline" in front of it.
// False if the file has none.
bool ic_section_place_named(const struct ic_image *image, const char *name, uint64_t *start);

// Whether the file is always at its own addresses: one that kept the relocations of its code, such
// as a kernel, may be moved.
bool ic_image_has_fixed_addresses(const struct ic_image *image);

#endif
