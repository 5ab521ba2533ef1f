// Distributions of argument values: the part of inlinecall/extra/trace.h about them.
#include <inttypes.h>
#include <stdlib.h>

#include "trace/trace.h"

void ic_trace_distribution_add(struct ic_trace_distribution *distribution,
			       const struct ic_trace_value *value)
{
	if (!value->number) {
		distribution->unavailable++;
		return;
	}
	bool is_negative = value->number[0] == '-';
	uint64_t size = strtoull(value->number + is_negative, NULL, 0);
	unsigned power = size ? 64 - (unsigned)__builtin_clzll(size) : 0;

	(is_negative ? distribution->negative : distribution->counts)[power]++;
	distribution->count++;
}

static const char *skip_arrow(const char *text)
{
	return text + (text[0] == '-' && text[1] == '>');
}

bool ic_trace_is_name(const char *name, const char *wanted)
{
	for (;; name++, wanted++) {
		bool is_step = *(name = skip_arrow(name)) == '>' || *name == '.';
		bool is_wanted_step = *(wanted = skip_arrow(wanted)) == '>' || *wanted == '.';
		if (is_step != is_wanted_step || (!is_step && *name != *wanted))
			return false;
		if (*name == '\0')
			return true;
	}
}

size_t ic_trace_argument_find(const struct ic_trace_copy *copy, const char *name)
{
	for (size_t i = 0; i < copy->argument_count; i++)
		if (copy->arguments[i].name && ic_trace_is_name(copy->arguments[i].name, name))
			return i;
	return SIZE_MAX;
}
