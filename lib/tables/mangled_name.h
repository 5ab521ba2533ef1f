// Names of functions in tables that have only one for each, which may be that of the linker.
#ifndef TABLES_MANGLED_NAME_H
#define TABLES_MANGLED_NAME_H

#include "read/stream.h"

// Sets a function's names: both if the name can be demangled. The name is borrowed.
void ic_mangled_name_give(struct ic_stream *stream, struct ic_function *function, const char *name);

#endif
