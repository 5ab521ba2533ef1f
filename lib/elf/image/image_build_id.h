// Opening files by build ID only. The public part is ic_image_open_build_id().
#ifndef ELF_IMAGE_IMAGE_BUILD_ID_H
#define ELF_IMAGE_IMAGE_BUILD_ID_H

#include "base/bytes.h"
#include "base/error.h"

#include <inlinecall/image.h>

// Opens the program or library with a build ID: DIR/.build-id/ab/cdef or DIR/.build-id/ab/cdef/elf
// in a debug directory, or one from a server. NULL if there is none.
struct ic_image *ic_image_open_program(struct ic_bytes build_id,
				       const struct ic_image_options *options,
				       struct ic_error *err);

#endif
