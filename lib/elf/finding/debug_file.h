// Searches for the separate file with a program's debug information.
#ifndef ELF_FINDING_DEBUG_FILE_H
#define ELF_FINDING_DEBUG_FILE_H

#include "elf/files/elf_file.h"

#include <inlinecall/image.h>

// Opens the debug file of `file`: by build ID in each of the directories, then by .gnu_debuglink
// next to the file, in its .debug directory, and under and in each of the directories; then from
// servers, if the options have a client. If none fits, the error lists what was tried and why it
// was rejected.
bool ic_debug_file_open(struct ic_elf_file *debug_file, const struct ic_elf_file *file,
			const struct ic_image_options *options, struct ic_error *err) IC_CHECKED;

#endif
