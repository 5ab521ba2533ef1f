// Compressed sections: SHF_COMPRESSED (the ELF standard's) and .zdebug_* (GNU's, older).
#ifndef ELF_COMPRESS_H
#define ELF_COMPRESS_H

#include "elf/elf_file.h"

bool ic_section_is_compressed(const struct ic_section *section);

// The size that the section says it has once it is decompressed. False if the compressed bytes
// cannot possibly have it, or are of no kind that is known.
bool ic_section_full_size(const struct ic_elf_file *file, const struct ic_section *section,
			  uint64_t *size, struct ic_error *err) IC_CHECKED;

// Counts that size against the file's limit on memory. By one thread at a time.
bool ic_section_reserve(struct ic_elf_file *file, const struct ic_section *section,
			struct ic_error *err) IC_CHECKED;

// Puts the decompressed bytes of the section, for which there is a reservation, in its `bytes`, in
// memory that the file owns.
bool ic_section_decompress(const struct ic_elf_file *file, struct ic_section *section,
			   struct ic_error *err) IC_CHECKED;

#endif
