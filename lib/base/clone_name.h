// The names of clones: what compilers append to the name of a function for a copy of it, whose
// symbol that is then. DWARF has the name of the function only.
#ifndef BASE_CLONE_NAME_H
#define BASE_CLONE_NAME_H

// Where the suffix of a clone begins, as in "f.constprop.0"; NULL if the name has none.
const char *ic_clone_suffix(const char *name);

#endif
