// The names of clones: compilers append a suffix to the name of a function for the symbol of a
// copy. DWARF has only the function's name.
#ifndef TEXT_CLONE_NAME_H
#define TEXT_CLONE_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The suffix of a clone, as in "f.constprop.0"; NULL if the name has none.
const char *ic_clone_suffix(const char *name);

// Compares names without what was appended for clones, as strcmp() does.
int ic_clone_compare(const char *left, const char *right);

// A hash that is the same for names that are equal without that.
uint64_t ic_clone_hash(const char *name);

// The length of the function's name in what GCC calls a clone in DWARF, as "f.constprop", in which
// the suffix has no number; that of all of it if it is no such name.
size_t ic_clone_base_length(const char *name);

// Whether it is the name of a piece of a function, as "f.part.0" and "f.cold": calls of the
// function do not arrive there.
bool ic_clone_is_part(const char *name);

#endif
