// Functions that BTF lacks, and the types of their parameters, added to it from DWARF.
#ifndef ENCODE_TYPE_ADDER_H
#define ENCODE_TYPE_ADDER_H

#include "btf/more.h"
#include "types/formals.h"

struct ic_type_adder { // zero-initialised but for the first
	struct ic_formals *formals;
	struct ic_btf_more more;
	struct ic_map by_die; // the number of a type, by its DIE, or why it has none
	bool is_out_of_memory;
};

// Adds the function at a DIE, by its place among those of all files, unless an equal one is there.
// Structures, unions and enumerations that are not there are added without what is in them. False
// if BTF cannot have one of the types, or memory runs out.
bool ic_type_adder_add(struct ic_type_adder *adder, uint64_t function_off, const char *name,
		       uint32_t *id);

// To be called between units, whose types mostly are their own: those that were read are forgotten
// if there are many, but not what was added.
void ic_type_adder_forget(struct ic_type_adder *adder);

void ic_type_adder_free(struct ic_type_adder *adder);

#endif
