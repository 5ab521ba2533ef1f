// Compresses the contents of a section (gABI, "Section Compression"), or a whole file.
#ifndef ELF_FILES_SQUEEZE_H
#define ELF_FILES_SQUEEZE_H

#include "elf/files/elf_file.h"

enum ic_squeeze {
	IC_SQUEEZE_NONE,
	IC_SQUEEZE_ZLIB,
	IC_SQUEEZE_ZSTD,
};

// The contents of a compressed section in the file, including its header, to be freed. NULL if they
// would not be smaller than `bytes`, or memory runs out.
void *ic_squeeze(const struct ic_elf_file *file, enum ic_squeeze how, struct ic_bytes bytes,
		 size_t *size);

// A gzip file (RFC 1952) with these bytes, to be freed; NULL if memory runs out.
void *ic_squeeze_gzip(struct ic_bytes bytes, size_t *size);

#endif
