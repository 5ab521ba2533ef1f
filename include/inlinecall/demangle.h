// Symbol names as written in the source. These functions keep no state: any number of threads may
// call them.
#ifndef INLINECALL_DEMANGLE_H
#define INLINECALL_DEMANGLE_H

#include <stdbool.h>

#include <inlinecall/version.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ic_demangle_style {
	IC_DEMANGLE_NAME,   // "ns::f<int>"
	IC_DEMANGLE_PARAMS, // "ns::f<int>(int)"
	IC_DEMANGLE_FULL    // "void ns::f<int>(int)"; only templates have a return type
};

/**
 * Demangles a C++, Rust or D symbol, with libiberty's spelling.
 *
 * @param symbol  NULL counts as not mangled.
 * @param name    [out] Release with free(). NULL if the symbol is not mangled, or the demangled
 *                name exceeds 64 KiB.
 *
 * @return false if memory runs out.
 */
IC_API bool ic_demangle(const char *symbol, enum ic_demangle_style style, char **name) IC_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
