#include "probe/tracer.h"

#include <string.h>

static const struct ic_tracer_row tracers[] = {
#define TRACER(identifier, name, comment, comment_end, first, returns, shell) \
	{ #name, comment, comment_end, first, returns, shell, ic_spell_##name },
#include "probe/tracers.def"
#undef TRACER
};

enum { TRACER_COUNT = sizeof(tracers) / sizeof(*tracers) };

const struct ic_tracer_row *ic_tracer_row(enum ic_tracer tracer)
{
	return (unsigned)tracer < TRACER_COUNT ? &tracers[tracer] : NULL;
}

bool ic_tracer_find(const char *name, enum ic_tracer *tracer)
{
	for (unsigned i = 0; i < TRACER_COUNT; i++) {
		if (strcmp(tracers[i].name, name) == 0) {
			*tracer = (enum ic_tracer)i;
			return true;
		}
	}
	return false;
}

const char *ic_tracer_name(enum ic_tracer tracer)
{
	const struct ic_tracer_row *row = ic_tracer_row(tracer);

	return row ? row->name : NULL;
}
