// What an index has of its image besides units: executable ranges, sections and symbols.
#ifndef INDEX_BUILD_H
#define INDEX_BUILD_H

#include "elf/image/image.h"
#include "model/index.h"

// Sets the code and the sections of the index, and reports contradictions in the headers of the
// image's files. Returns false if memory runs out.
bool ic_index_begin(struct ic_index *index, struct ic_image *image, struct ic_problems *problems,
		    struct ic_error *err) IC_CHECKED;

// Opens the symbols of the image for the index. Unreadable ones become a problem. Returns false if
// none are readable or memory runs out.
bool ic_index_find_symbols(struct ic_index *index, struct ic_image *image, enum ic_symtab_rule rule,
			   uint32_t jobs, struct ic_problems *problems, struct ic_error *err)
	IC_CHECKED;

#endif
