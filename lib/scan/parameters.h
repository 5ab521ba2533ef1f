// What a reader of parameters has, for whoever reads more of functions.
#ifndef SCAN_PARAMETERS_H
#define SCAN_PARAMETERS_H

#include <inlinecall/parameters.h>

#include "scan/scan_formals.h"

// As long-lived as the reader; its DIEs may be read until the next search.
struct ic_scan_formals *ic_parameters_formals(struct ic_parameters *parameters);

#endif
