// The names of clones: compilers append a suffix to the name of a function for the symbol of a
// copy. DWARF has only the function's name.
#ifndef BASE_CLONE_NAME_H
#define BASE_CLONE_NAME_H

// The suffix of a clone, as in "f.constprop.0"; NULL if the name has none.
const char *ic_clone_suffix(const char *name);

#endif
