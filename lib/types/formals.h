// The parameters of functions, and which of them a DIE in an instance is: its formal parameter.
//
// A function's are those of its abstract instance, in its order. An instance may have fewer, in
// another order: what a compiler has optimised out, or never needed, is missing (DWARF 5, 3.3.8.2).
#ifndef TYPES_FORMALS_H
#define TYPES_FORMALS_H

#include "types/types.h"

struct ic_formal {
	struct ic_die_place place;
	const char *name;               // NULL if it has none
	const char *type;               // NULL if it is not known
	struct ic_type_text text;       // of the type
	struct ic_die_place type_place; // of the DIE that refers to it
	struct ic_value type_value;     // how it does so; none is void
	bool knows_type;                // if not, they could not be read
	bool is_artificial;             // such as `this`
	bool is_result;                 // Go declares results as parameters
};

struct ic_signature {          // of a function
	uint32_t first, count; // in ic_formals::list
	bool is_variadic;      // more arguments may follow
	bool is_described;     // what it does not have, the function does not take
	bool is_cut;           // not all could be read
};

struct ic_argument {     // a parameter in an instance
	uint32_t formal; // in ic_formals::list
	bool has_die;    // if not, the instance does not mention it
	bool is_unread;  // or a DIE that does could not be read
	struct ic_die_place place;
	struct ic_full_die_attr value; // a location, or a constant; the form is 0 if it has none
	bool is_constant;
	struct ic_value views; // of the location
};

struct ic_formals { // zero-initialised but for the types
	struct ic_types types;
	struct ic_map by_function; // by the DIE of the function: in `functions`
	struct ic_map by_die;      // by its DIE: in `list`
	struct ic_map by_unit;     // by its offset: whether functions are described
	IC_ARRAY(struct ic_signature) functions;
	IC_ARRAY(struct ic_formal) list;
	IC_ARRAY(struct ic_die_place) found;    // the last that were looked for
	IC_ARRAY(struct ic_argument) arguments; // of the last instance
	uint32_t declared_count;                // of them: those of the function, which come first
	bool is_variadic;                       // that instance's function
	bool is_described;                      // likewise
	bool is_cut;                            // likewise
	bool lacks_dies; // of parameters of that instance: they could not be read
};

// The parameters that the function declares whose DIE is at an offset among those of all files.
// Those that cannot be read are problems. NULL if memory runs out.
const struct ic_signature *ic_formals_of(struct ic_formals *formals, uint64_t function_off);

// Fills in `arguments` for an instance of a function: its parameters in their order, then those of
// the instance that the function does not declare. `dies` are those of the instance, in its unit.
// False if memory runs out.
bool ic_formals_join(struct ic_formals *formals, uint64_t function_off,
		     struct ic_die_place instance, const struct ic_parameter_die *dies,
		     uint32_t count) IC_CHECKED;

// The same for an instance whose parameters were not noted in the model.
bool ic_formals_join_unread(struct ic_formals *formals, uint64_t function_off,
			    struct ic_die_place instance) IC_CHECKED;

// Forgets the functions and types that were read, but not their texts.
void ic_formals_forget(struct ic_formals *formals);

void ic_formals_free(struct ic_formals *formals);

#endif
