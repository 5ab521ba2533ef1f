#include "base/demangle.h"

#include <stddef.h>
#include <string.h>

#include <libiberty/demangle.h>

enum { LONGEST_SYMBOL = 64 << 10 }; // the demangler recurses: no input may exhaust the stack

char *ic_demangle(const char *symbol, enum ic_demangle_style style)
{
	static const int options[] = {
		[IC_DEMANGLE_NAME] = 0,
		[IC_DEMANGLE_PARAMS] = DMGL_PARAMS | DMGL_RET_DROP,
		[IC_DEMANGLE_FULL] = DMGL_PARAMS,
	};

	if (symbol[0] != '_' || strnlen(symbol, LONGEST_SYMBOL) == LONGEST_SYMBOL)
		return NULL; // every mangling that we know begins with _Z, _R or _D
	return cplus_demangle(symbol, DMGL_AUTO | DMGL_ANSI | options[style]);
}
