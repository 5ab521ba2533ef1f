// Symbol names to source names: C++, Rust and D.
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

#include <stdbool.h>

// The name as the source has it, to be freed by the caller; NULL where `symbol` is not mangled
// or memory is out. `with_params`: "ns::f(int)" rather than "ns::f".
char *ic_demangle(const char *symbol, bool with_params);

#endif
