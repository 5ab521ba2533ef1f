// Code of the procedure linkage table (PLT). Many linkers write no call frame information for it.
#ifndef UNWIND_FRAMES_PLT_CODE_H
#define UNWIND_FRAMES_PLT_CODE_H

#include "elf/image/image.h"

#include <inlinecall/unwind.h>

// Whether `pc`, with the load bias subtracted `addr` in the image, is in a section of stubs, at an
// instruction of a known form. Sets the number of words that were pushed since the stub was entered
// by a call or jump. Supported are x86 and AArch64, whose return address is then still in its
// register.
bool ic_plt_code_find(const struct ic_unwind_options *options, const struct ic_image *image,
		      uint64_t pc, uint64_t addr, uint8_t *pushed);

#endif
