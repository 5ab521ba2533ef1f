// The note of the package that a file is from. The public part is in inlinecall/extra/image.h.
#ifndef ELF_IMAGE_PACKAGE_NOTE_H
#define ELF_IMAGE_PACKAGE_NOTE_H

#include "base/bytes.h"

#include <inlinecall/extra/image.h>

// Reads the name and the version from the contents of the note, an object in JSON. False if there
// is no name, or it is malformed.
bool ic_package_note_read(struct ic_bytes json, struct ic_image_package *package);

#endif
