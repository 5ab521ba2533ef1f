// The directories in which debug files and supplementary files are searched for.
#ifndef ELF_FINDING_DEBUG_DIRS_H
#define ELF_FINDING_DEBUG_DIRS_H

#include "elf/files/elf_file.h"

#include <inlinecall/image.h>

// Directory `number`, up to options->debug_dir_count: those of the options, then the default one.
const char *ic_debug_dir(const struct ic_image_options *options, size_t number);

// The directory of the file, with links resolved and without a trailing slash; "" if unknown.
void ic_real_directory(const struct ic_elf_file *file, char *directory, size_t size);

#endif
