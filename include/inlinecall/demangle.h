// The names of symbols as the source has them. These functions keep nothing: any number of threads
// may call them.
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
 * Finds what the source calls a symbol, of C++, Rust and D, as libiberty spells it.
 *
 * @param symbol  NULL is not mangled.
 * @param name    [out] To be freed with free(); NULL if the symbol is not mangled, or its name
 * is longer than 64 KiB.
 *
 * @return false if memory is out.
 */
IC_API bool ic_demangle(const char *symbol, enum ic_demangle_style style, char **name) IC_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
