// The names of arguments.
#include "trace/hits/trace.h"

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
