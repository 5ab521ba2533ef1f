// A file of debugging information for another one, as 'objcopy --only-keep-debug' would make it:
// the headers of all that is loaded, without the contents, and sections that are not.
#ifndef ELF_COPIES_DEBUG_COPY_H
#define ELF_COPIES_DEBUG_COPY_H

#include <stdio.h>

#include "elf/files/squeeze.h"

#include <inlinecall/extra/image.h>

struct ic_debug_symbol { // of a function
	const char *name;
	uint64_t start, size;
};

struct ic_debug_contents {
	const struct ic_image_addition *sections; // those that are empty are left out
	size_t section_count;
	enum ic_squeeze squeeze; // how these are compressed, where that makes them smaller
	const struct ic_debug_symbol *symbols; // for .symtab, if the file has none
	uint32_t symbol_count;
};

// Writes the file. False if it could not be written, or memory runs out.
bool ic_debug_copy_write(const struct ic_elf_file *file, const struct ic_debug_contents *contents,
			 FILE *out, struct ic_error *err) IC_CHECKED;

#endif
