#include "tables/mangled_name.h"

#include <stdlib.h>
#include <string.h>

#include "text/demangle.h"

void ic_mangled_name_give(struct ic_stream *stream, struct ic_function *function, const char *name)
{
	char *demangled;

	function->name = name;
	if (!ic_demangle(name, IC_DEMANGLE_NAME, &demangled)) {
		stream->reader.out_of_memory = true;
		return;
	}
	if (!demangled)
		return;
	function->linkage_name = name;
	function->name = ic_arena_copy(stream->reader.arena, demangled, strlen(demangled) + 1, 1);
	stream->reader.out_of_memory |= !function->name;
	free(demangled);
}
