// Parameters of functions, and the matching of an instance's DIEs to them: formal parameters.
//
// A function's formal parameters are those of its abstract instance, in that order. An instance may
// have fewer, in a different order: what the compiler optimised out, or never needed, is missing
// (DWARF 5, 3.3.8.2).
#ifndef TYPES_FORMALS_H
#define TYPES_FORMALS_H

#include "types/types.h"

struct ic_formal {
	struct ic_die_place place;
	const char *name;               // NULL if it has none
	const char *type;               // NULL if unknown
	struct ic_type_text text;       // of the type
	struct ic_die_place type_place; // of the DIE that refers to it
	struct ic_value type_value;     // the reference; none means void
	bool knows_type;                // otherwise it could not be read
	bool is_artificial;             // such as `this`
	bool is_result;                 // Go declares results as parameters
};

struct ic_signature {          // of a function
	uint32_t first, count; // range in ic_formals::list
	bool is_variadic;      // takes further arguments
	bool is_described;     // the description is complete: the function takes nothing else
	bool is_cut;           // not all parameters could be read
};

struct ic_argument {     // a parameter in an instance
	uint32_t formal; // index in ic_formals::list
	bool has_die;    // otherwise the instance does not mention it
	bool is_unread;  // or its DIE could not be read
	struct ic_die_place place;
	struct ic_full_die_attr value; // a location, or a constant; the form is 0 if absent
	bool is_constant;
	struct ic_value views; // of the location
};

struct ic_formals { // zero-initialised except the types
	struct ic_types types;
	struct ic_map by_function; // index in `functions`, by the function's DIE
	struct ic_map by_die;      // index in `list`, by DIE
	struct ic_map by_unit;     // by unit offset: whether functions are described
	IC_ARRAY(struct ic_signature) functions;
	IC_ARRAY(struct ic_formal) list;
	IC_ARRAY(struct ic_die_place) found;    // by the last search
	IC_ARRAY(struct ic_argument) arguments; // of the last instance
	uint32_t declared_count;                // number of those of the function, which come first
	bool is_variadic;                       // the function of the last instance
	bool is_described;                      // the same
	bool is_cut;                            // the same
	bool lacks_dies; // some parameters' DIEs in the last instance could not be read
};

// The parameters declared by the function whose DIE is at an offset among those of all files.
// Unreadable ones are problems. NULL if memory runs out.
const struct ic_signature *ic_formals_of(struct ic_formals *formals, uint64_t function_off);

// Fills in `arguments` for an instance of a function: the function's parameters in order, then
// those of the instance that the function does not declare. `dies` are the instance's, in its unit.
// False if memory runs out.
bool ic_formals_join(struct ic_formals *formals, uint64_t function_off,
		     struct ic_die_place instance, const struct ic_parameter_die *dies,
		     uint32_t count) IC_CHECKED;

// The same for an instance whose parameters were not recorded in the model.
bool ic_formals_join_unread(struct ic_formals *formals, uint64_t function_off,
			    struct ic_die_place instance) IC_CHECKED;

// Appends the argument at a DIE that no function declares as a parameter, such as that of a
// variable. False if memory runs out.
bool ic_formals_push(struct ic_formals *formals, struct ic_die_place place) IC_CHECKED;

// Drops the functions and types that were read, but not their texts.
void ic_formals_forget(struct ic_formals *formals);

void ic_formals_free(struct ic_formals *formals);

#endif
