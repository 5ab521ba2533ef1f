// The supplementary file: what dwz moved out of several debug files, for all of them to refer to
// (DWARF 5, 7.3.6; .gnu_debugaltlink before).
#ifndef ELF_SUPPLEMENTARY_H
#define ELF_SUPPLEMENTARY_H

#include "elf/elf_file.h"

#include <inlinecall/image.h>

// Whether the file names one, or should: a link that cannot be read is no reason to ignore it.
bool ic_supplementary_wanted(const struct ic_elf_file *file);

// Opens the supplementary file of `file`: at the path that it names, which may be relative to its
// own directory, beside it and in a .dwz directory there, by the build-id and in a .dwz directory
// in each of the directories with debug files and, where the options have a client, on servers.
// Only the file with the build-id, or DWARF 5's checksum, that is asked for is taken. Where none
// fits, the error lists what was tried and why it was not taken.
bool ic_supplementary_open(struct ic_elf_file *supplementary, const struct ic_elf_file *file,
			   const struct ic_image_options *options, struct ic_error *err) IC_CHECKED;

#endif
