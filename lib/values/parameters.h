// What a reader of parameters has, for whoever reads more of functions.
#ifndef VALUES_PARAMETERS_H
#define VALUES_PARAMETERS_H

#include <inlinecall/parameters.h>

#include "types/formals.h"

// As long-lived as the reader; its DIEs may be read until the next search.
struct ic_formals *ic_parameters_formals(struct ic_parameters *parameters);

// Finds only the parameters that the function of an instance declares, as ic_parameters_find()
// does, but not where they are.
bool ic_parameters_declared(struct ic_parameters *parameters, const struct ic_site *site,
			    struct ic_error *err) IC_CHECKED;

// Leaves out what only people read of where an argument is: the text of its expression, and the
// category and the shape of that.
void ic_parameters_leave_texts(struct ic_parameters *parameters);

#endif
