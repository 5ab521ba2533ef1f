// Makes a debug file for another file, as 'objcopy --only-keep-debug' would: the headers of all
// loaded sections, without contents, and sections that are not loaded.
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
	const struct ic_image_addition *sections; // empty ones are left out
	size_t section_count;
	enum ic_squeeze squeeze;               // how to compress them, if that makes them smaller
	const struct ic_debug_symbol *symbols; // for .symtab, if the file has none
	uint32_t symbol_count;
};

// Writes the file. False if it could not be written, or memory runs out.
bool ic_debug_copy_write(const struct ic_elf_file *file, const struct ic_debug_contents *contents,
			 FILE *out, struct ic_error *err) IC_CHECKED;

#endif
