// Internals of a reader of parameters, for code that reads more about functions.
#ifndef VALUES_PARAMETERS_H
#define VALUES_PARAMETERS_H

#include <inlinecall/parameters.h>

#include "types/formals.h"

// Valid as long as the reader; its DIEs may be read until the next search.
struct ic_formals *ic_parameters_formals(struct ic_parameters *parameters);

// Finds only the parameters that an instance's function declares, like ic_parameters_find(), but
// not their locations.
bool ic_parameters_declared(struct ic_parameters *parameters, const struct ic_site *site,
			    struct ic_error *err) IC_CHECKED;

// Omits what is only for people about locations: the text of expressions, and their category and
// shape.
void ic_parameters_leave_texts(struct ic_parameters *parameters);

#endif
