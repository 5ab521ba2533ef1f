// Where the functions begin that tables name as callers: at the symbol to which a reader of the
// table comes by that name.
#ifndef ENCODE_CALLER_START_H
#define ENCODE_CALLER_START_H

#include <inlinecall/extra/btf_inline.h>

#include "model/index.h"
#include "tables/callers.h"

struct ic_caller_starts { // zero-initialised until opened
	struct ic_callers callers;
	const struct ic_instance *last; // with what was found for it
	uint64_t last_start;
	bool last_is_told;
};

// Of the hosts of an index. False if memory runs out, or the symbols cannot be read.
bool ic_caller_starts_open(struct ic_caller_starts *starts, struct ic_image *image,
			   const struct ic_index *index, struct ic_error *err) IC_CHECKED;

// Of the functions of BTF.
bool ic_caller_starts_open_types(struct ic_caller_starts *starts, struct ic_image *image,
				 const struct ic_btf *types, struct ic_error *err) IC_CHECKED;

void ic_caller_starts_close(struct ic_caller_starts *starts);

// The symbol at which a function of that name begins; NULL if there is none, or there are several.
const struct ic_caller_code *ic_caller_begin(const struct ic_caller_starts *starts,
					     const char *name);

// Whether an address is in code of a function of that name, as far as symbols have sizes.
bool ic_caller_has(const struct ic_caller_starts *starts, const char *name, uint64_t addr);

// From where offsets in a host count whose function has that name: from where such a function
// begins, even if the code is that of a clone or of a part, so that a reader comes to the right
// address. If there is no such symbol, or there are several, it is the host's own start. Then
// *is_told is false, since a reader cannot tell which function is meant; also if the symbol is that
// of another function, as of one that overrides a weak one.
uint64_t ic_caller_start(struct ic_caller_starts *starts, const struct ic_instance *host,
			 const char *name, bool *is_told);

#endif
