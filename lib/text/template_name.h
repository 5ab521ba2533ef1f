// Names of functions without the arguments of templates and generics.
#ifndef TEXT_TEMPLATE_NAME_H
#define TEXT_TEMPLATE_NAME_H

#include <stdbool.h>
#include <stddef.h>

// Writes a name to `to`, of `size` bytes, without parameters, and with "_" in place of the
// arguments of templates and generics: "std::vector<_>::push_back". Returns its length; there is no
// 0 at the end, and a name that is too long is truncated. Lambdas are only told apart by their
// position: their names get that of `file`, unless it is NULL.
size_t ic_template_name(const char *name, const char *file, char *to, size_t size);

// Whether a name is from Go: "internal/poll.(*FD).Read", "main.Map[...]".
bool ic_name_is_of_go(const char *name);

#endif
