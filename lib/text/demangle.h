// Demangles symbol names: C++, Rust and D.
#ifndef TEXT_DEMANGLE_H
#define TEXT_DEMANGLE_H

#include <stddef.h>

#include <inlinecall/demangle.h>

// Whether the demangler may add a word that the symbol does not contain. A word consists of
// letters, digits and underscores, and does not begin with a digit.
bool ic_demangler_has_word(const char *word, size_t length);

// Whether the demangled text of a symbol may contain a word that the demangler does not add: C++
// and Rust symbols contain such words literally. Much faster than demangling.
bool ic_demangled_may_have(const char *symbol, const char *word, size_t length);

#endif
