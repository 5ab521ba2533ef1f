// Symbol names to source names: C++, Rust and D.
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

#include <stdbool.h>

#include <inlinecall/version.h>

enum ic_demangle_style {
	IC_DEMANGLE_NAME,   // "ns::f<int>"
	IC_DEMANGLE_PARAMS, // "ns::f<int>(int)"
	IC_DEMANGLE_FULL,   // "void ns::f<int>(int)"; templates alone have a return type
};

// Puts the name as the source has it in *name, to be freed by the caller; NULL where `symbol` is
// not mangled, or its name is endless. False where memory is out.
bool ic_demangle(const char *symbol, enum ic_demangle_style style, char **name) IC_CHECKED;

#endif
