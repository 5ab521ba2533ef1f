// The supplementary file, to which dwz moves what several debug files share (DWARF 5, 7.3.6;
// .gnu_debugaltlink before that).
#ifndef ELF_FINDING_SUPPLEMENTARY_H
#define ELF_FINDING_SUPPLEMENTARY_H

#include "elf/files/elf_file.h"

#include <inlinecall/image.h>

// Whether the file names one, or should: an unreadable link is not ignored.
bool ic_supplementary_wanted(const struct ic_elf_file *file);

// Opens the supplementary file of `file`: at the path that it names, which may be relative to its
// own directory, next to it and in a .dwz directory there, by build ID and in a .dwz directory in
// each of the debug directories and, if the options have a client, from servers. Only a file with
// the right build ID, or DWARF 5 checksum, is accepted. If none fits, the error lists what was
// tried and why it was rejected.
bool ic_supplementary_open(struct ic_elf_file *supplementary, const struct ic_elf_file *file,
			   const struct ic_image_options *options, struct ic_error *err) IC_CHECKED;

#endif
