// Compressed sections: SHF_COMPRESSED (the ELF standard's) and .zdebug_* (GNU's, older).
#ifndef ELF_COMPRESS_H
#define ELF_COMPRESS_H

#include "elf/elf_file.h"

bool ic_section_is_compressed(const struct ic_section *section);

// Puts the decompressed bytes of the section in its `bytes`, in memory that the file owns. A size
// that the compressed bytes cannot possibly have is refused before any memory is taken.
bool ic_section_decompress(const struct ic_elf_file *file, struct ic_section *section,
			   struct ic_error *err) IC_CHECKED;

#endif
