// What holds in every model, whatever it was made from.
#ifndef TESTS_FUZZ_MODEL_CHECK_H
#define TESTS_FUZZ_MODEL_CHECK_H

#include "model/index.h"

// Every index is in bounds, parents come before their children, ranges are not empty and begin in
// code, and strings can be read.
void model_check(const struct ic_index *index);

// The two have the same contents, problems included.
void model_check_same_unit(const struct ic_unit_model *left, const struct ic_unit_model *right);

// The same for all units, and for what is in none.
void model_check_same(const struct ic_index *left, const struct ic_index *right);

#endif
