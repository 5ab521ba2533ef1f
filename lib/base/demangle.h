// Symbol names to source names: C++, Rust and D.
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

#include <inlinecall/demangle.h>

#endif
