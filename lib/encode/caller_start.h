// Start addresses of the functions that tables name as callers: the symbol that a reader of the
// table finds by that name.
#ifndef ENCODE_CALLER_START_H
#define ENCODE_CALLER_START_H

#include <inlinecall/extra/btf_inline.h>

#include "model/index.h"
#include "tables/callers.h"

struct ic_caller_starts { // zero-initialised until opened
	struct ic_callers callers;
	const struct ic_instance *last; // cached, with its start
	uint64_t last_start;
	bool last_is_told;
};

// For the hosts of an index. False if memory runs out, or the symbols cannot be read.
bool ic_caller_starts_open(struct ic_caller_starts *starts, struct ic_image *image,
			   const struct ic_index *index, struct ic_error *err) IC_CHECKED;

// For the functions of BTF.
bool ic_caller_starts_open_types(struct ic_caller_starts *starts, struct ic_image *image,
				 const struct ic_btf *types, struct ic_error *err) IC_CHECKED;

void ic_caller_starts_close(struct ic_caller_starts *starts);

// The symbol where a function of that name starts; NULL if there is none, or several.
const struct ic_caller_code *ic_caller_begin(const struct ic_caller_starts *starts,
					     const char *name);

// Whether an address is in code of a function with that name, as far as symbols have sizes.
bool ic_caller_has(const struct ic_caller_starts *starts, const char *name, uint64_t addr);

// The address that offsets in a host with that name are relative to: where a function of that name
// starts, even if the code is a clone's or a part's, so that a reader gets the right address. If
// there is no such symbol, or several, it is the host's own start. *is_told is then false, because
// a reader cannot tell which function is meant; and also if the symbol belongs to another function,
// such as one that overrides a weak one.
uint64_t ic_caller_start(struct ic_caller_starts *starts, const struct ic_instance *host,
			 const char *name, bool *is_told);

#endif
