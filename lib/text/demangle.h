// Symbol names to source names: C++, Rust and D.
#ifndef TEXT_DEMANGLE_H
#define TEXT_DEMANGLE_H

#include <stddef.h>

#include <inlinecall/demangle.h>

// Whether the demangler may write a word of letters, digits and underscores, which does not begin
// with a digit, though the symbol does not contain it.
bool ic_demangler_has_word(const char *word, size_t length);

// Whether the text that a symbol is demangled to may contain such a word, which is not the
// demangler's own: what is not its own is in a symbol of C++ or Rust as it is. Takes a small part
// of the time of demangling.
bool ic_demangled_may_have(const char *symbol, const char *word, size_t length);

#endif
