#include "read/function_names.h"

#include <stdlib.h>

#include "units/name_needles.h"

void ic_named_function_take(struct ic_named_function *named, uint16_t attribute,
			    const struct ic_value *value)
{
	switch (attribute) {
	case DW_AT_name: named->name = *value; break;
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name: named->linkage_name = *value; break;
	case DW_AT_abstract_origin:
	case DW_AT_specification: named->origin = *value; break;
	}
}

// Whether a reference is to a DIE of the same unit.
static bool is_local(const struct ic_value *reference)
{
	switch (reference->form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata: return true;
	}
	return false;
}

bool ic_named_function_may_be_wanted(const struct ic_stream *stream,
				     const struct ic_named_function *named)
{
	const struct ic_name_needles *needles = stream->reader.context->needles;
	const struct ic_unit *unit = stream->reader.unit;

	if (!needles)
		return true;
	// If another DIE of the unit has the name, it is found there.
	if (ic_value_is_given(&named->origin) && !is_local(&named->origin))
		return true;
	if (!needles->are_symbols_clear && !ic_value_is_given(&named->name) &&
	    ic_value_is_given(&named->linkage_name))
		return true;
	return (ic_value_is_given(&named->name) &&
		ic_name_needles_may_be(needles, unit, &named->name)) ||
	       (ic_value_is_given(&named->linkage_name) &&
		ic_name_needles_may_be(needles, unit, &named->linkage_name));
}

static struct ic_kept_names *names_of(struct ic_stream *stream)
{
	const struct ic_dwarf *dwarf = stream->reader.unit->dwarf;

	if (!stream->names)
		stream->names = calloc(1, sizeof(*stream->names));
	if (stream->names && stream->names->dwarf != dwarf) {
		memset(stream->names->seen, 0, sizeof(stream->names->seen));
		stream->names->dwarf = dwarf;
	}
	stream->reader.out_of_memory |= !stream->names;
	return stream->names;
}

void ic_named_function_keep(struct ic_stream *stream, const struct ic_named_function *named,
			    uint64_t die_off)
{
	const struct ic_value *name = &named->name;
	struct ic_kept_names *names = ic_value_is_given(name) ? names_of(stream) : NULL;
	struct ic_error err;
	const char *text;

	if (!names)
		return;
	struct ic_seen_name *seen =
		&names->seen[(name->number ^ name->number >> 12) % IC_SEEN_NAMES];
	if (seen->number == name->number && seen->form == name->form)
		return;
	*seen = (struct ic_seen_name){ name->number, name->form };
	if (!ic_value_string(name, stream->reader.unit, &text, &err)) {
		ic_reader_problem(&stream->reader, die_off, &err);
		return;
	}
	const char **place = IC_ARRAY_PUSH(&names->texts);
	if (place)
		*place = text;
	else
		stream->reader.out_of_memory = true;
}

void ic_named_functions_add(struct ic_stream *stream)
{
	struct ic_kept_names *names = stream->names;

	for (uint32_t i = 0; names && i < names->texts.count; i++) {
		struct ic_function *function = IC_ARRAY_PUSH(&stream->built.functions);
		if (!function) {
			stream->reader.out_of_memory = true;
			return;
		}
		*function = (struct ic_function){ .name = names->texts.items[i],
						  .scope = IC_NONE,
						  .inlining = IC_INLINING_ABSENT };
	}
	if (names)
		names->texts.count = 0;
}
