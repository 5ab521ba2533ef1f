// The names of clones: for the symbol of a copy, compilers append a suffix to the function's name.
// DWARF has only the function's name.
#ifndef TEXT_CLONE_NAME_H
#define TEXT_CLONE_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The suffix of a clone, as in "f.constprop.0"; NULL if the name has none.
const char *ic_clone_suffix(const char *name);

// Compares names, ignoring the suffixes of clones, like strcmp().
int ic_clone_compare(const char *left, const char *right);

// A hash that is equal for names that ic_clone_compare() finds equal.
uint64_t ic_clone_hash(const char *name);

// The length of the function's name in the name that GCC gives a clone in DWARF, such as
// "f.constprop", in which the suffix has no number; the whole length if it is not such a name.
size_t ic_clone_base_length(const char *name);

// Whether the name is that of a part of a function, such as "f.part.0" or "f.cold": calls of the
// function do not go there.
bool ic_clone_is_part(const char *name);

#endif
