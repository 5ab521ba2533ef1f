// Adds functions that BTF lacks, and the types of their parameters, from DWARF.
#ifndef ENCODE_TYPE_ADDER_H
#define ENCODE_TYPE_ADDER_H

#include "btf/more.h"
#include "types/formals.h"

struct ic_type_adder { // zero-initialised except the first
	struct ic_formals *formals;
	struct ic_btf_more more;
	struct ic_map by_die; // the number of a type, or why it has none, by its DIE
	bool is_out_of_memory;
};

// Adds the function at a DIE, given by its offset among those of all files, unless an equal one
// exists. Structures, unions and enumerations that do not exist are added without contents. False
// if BTF cannot express one of the types, or memory runs out.
bool ic_type_adder_add(struct ic_type_adder *adder, uint64_t function_off, const char *name,
		       uint32_t *id);

// To be called between units, which mostly have types of their own: drops the types that were read
// if there are many, but not what was added.
void ic_type_adder_forget(struct ic_type_adder *adder);

void ic_type_adder_free(struct ic_type_adder *adder);

#endif
