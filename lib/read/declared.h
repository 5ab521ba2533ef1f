// The files of functions whose DIEs do not give the file of their declaration.
#ifndef READ_DECLARED_H
#define READ_DECLARED_H

#include "read/reader.h"

// Go's compiler does not record the file of an inlined function, or of a wrapper that it generated:
// gives such functions of the reader's unit the file that the line table has for their own code. If
// the model is to have a code map, it must have it already. Time: O(n log n) for the ranges and
// rows of the unit, if there are such functions.
void ic_declared_find(struct ic_reader *reader, struct ic_unit_model *model);

#endif
