// Compressed sections: SHF_COMPRESSED (in the ELF standard) and GNU's older .zdebug_*.
#ifndef ELF_FILES_COMPRESS_H
#define ELF_FILES_COMPRESS_H

#include "elf/files/elf_file.h"

enum { IC_ELFCOMPRESS_ZSTD = 2 }; // missing in older <elf.h>

bool ic_section_is_compressed(const struct ic_section *section);

// The decompressed size that the section's header gives. False if the compressed bytes cannot
// expand to it, or the format is unknown.
bool ic_section_full_size(const struct ic_elf_file *file, const struct ic_section *section,
			  uint64_t *size, struct ic_error *err) IC_CHECKED;

// Counts that size against the file's memory limit. For one thread at a time.
bool ic_section_reserve(struct ic_elf_file *file, const struct ic_section *section,
			struct ic_error *err) IC_CHECKED;

// Decompresses the section, which must be reserved, into memory that the file owns, and sets its
// `bytes`.
bool ic_section_decompress(const struct ic_elf_file *file, struct ic_section *section,
			   struct ic_error *err) IC_CHECKED;

#endif
