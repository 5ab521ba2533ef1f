// Addresses of a file as tables of inlined calls say them.
#ifndef ENCODE_PLACES_H
#define ENCODE_PLACES_H

#include <inlinecall/image.h>

struct ic_section_place {
	const char *name;
	uint64_t start;
};

// The section of code that an address is in, in linked files too.
bool ic_section_place_find(const struct ic_image *image, uint64_t addr,
			   struct ic_section_place *place);

// The start of the section that a LOCSEC is about, by its name: as it is or behind "inline". False
// if the file has none.
bool ic_section_place_named(const struct ic_image *image, const char *name, uint64_t *start);

// Whether the file is always at its own addresses: one that kept the relocations of its code, as a
// kernel does, may be moved.
bool ic_image_has_fixed_addresses(const struct ic_image *image);

#endif
