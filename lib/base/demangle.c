#include "base/demangle.h"

#include <stddef.h>
#include <string.h>

#include <libiberty/demangle.h>

enum { LONGEST_SYMBOL = 64 << 10 }; // the demangler recurses: no input may exhaust the stack

char *ic_demangle(const char *symbol, bool with_params)
{
	if (symbol[0] != '_' || strnlen(symbol, LONGEST_SYMBOL) == LONGEST_SYMBOL)
		return NULL; // every mangling that we know begins with _Z, _R or _D
	return cplus_demangle(symbol, DMGL_AUTO | DMGL_ANSI | (with_params ? DMGL_PARAMS : 0));
}
