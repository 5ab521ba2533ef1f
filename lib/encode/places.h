// Addresses of a file in the form used by tables of inlined calls.
#ifndef ENCODE_PLACES_H
#define ENCODE_PLACES_H

#include <inlinecall/extra/btf_encode.h>
#include <inlinecall/image.h>

// Whether an address is in a section of code, in linked files too.
bool ic_section_has(const struct ic_image *image, uint64_t addr);

enum { IC_LOCSEC_NAME_SIZE = 512 };

// Sets the place of a call in the terms of a LOCSEC: the section, whose name is written to `name`,
// and the offset in it. False if the address is not in a section of code, or too far from its
// start.
bool ic_section_place_write(const struct ic_image *image, uint64_t addr,
			    char name[IC_LOCSEC_NAME_SIZE], struct ic_btf_writer_call *call);

// The start of the section for a LOCSEC's name: the same name, or with "inline" in front of it.
// False if the file has none.
bool ic_section_place_named(const struct ic_image *image, const char *name, uint64_t *start);

// Whether the file is always at its own addresses: one that kept the relocations of its code, such
// as a kernel, may be moved.
bool ic_image_has_fixed_addresses(const struct ic_image *image);

#endif
