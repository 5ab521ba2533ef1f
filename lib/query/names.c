#include "query/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"

enum { MOST_SCOPES = 64, LONGEST_NAME = 4096 };

const char *ic_function_name(const struct ic_function *function)
{
	return function->name ? function->name : function->linkage_name;
}

static size_t append(char *text, size_t size, size_t length, const char *part)
{
	size_t room = size - 1 - length, part_length = strlen(part);

	if (part_length > room)
		part_length = room;
	memcpy(text + length, part, part_length);
	text[length + part_length] = 0;
	return length + part_length;
}

bool ic_function_qualified_name(const struct ic_index *index, const struct ic_function *function,
				char *text, size_t size)
{
	const char *names[MOST_SCOPES];
	uint32_t count = 0;
	size_t length = 0;

	if (function->scope == IC_NONE || !function->name)
		return false;
	const struct ic_scope *scopes = index->units[function->scope_unit].scopes;
	for (uint32_t i = function->scope; i != IC_NONE && count < MOST_SCOPES;
	     i = scopes[i].parent)
		names[count++] = scopes[i].name           ? scopes[i].name
				 : scopes[i].is_namespace ? "(anonymous namespace)"
							  : "{unnamed}";
	while (count > 0) {
		length = append(text, size, length, names[--count]);
		length = append(text, size, length, "::");
	}
	append(text, size, length, function->name);
	return true;
}

// The text that was made for a key, or a place for it: *text is NULL where it is new.
static const char **place_of(struct ic_names *names, const void *key)
{
	uint32_t *number = ic_map_at(&names->made, (uintptr_t)key);

	if (!number)
		return NULL;
	if (*number == IC_NONE) {
		const char **text = IC_ARRAY_PUSH(&names->texts);
		*number = names->texts.count - 1; // never left unset
		if (!text)
			return NULL;
		*text = NULL;
	}
	return *number < names->texts.count ? &names->texts.items[*number] : NULL;
}

static const char *keep(struct ic_names *names, char *text)
{
	const char *kept = text ? ic_arena_copy(&names->arena, text, strlen(text) + 1, 1) : NULL;

	free(text);
	return kept;
}

const char *ic_names_demangled(struct ic_names *names, const char *symbol)
{
	const char **place = place_of(names, symbol);

	if (!place)
		return symbol;
	if (!*place) {
		const char *made = keep(names, ic_demangle(symbol, IC_DEMANGLE_FULL));
		*place = made ? made : symbol;
	}
	return *place;
}

const char *ic_names_display(struct ic_names *names, const struct ic_function *function)
{
	char text[LONGEST_NAME];
	const char *plain = ic_function_name(function);
	const char **place = plain ? place_of(names, function) : NULL;

	if (!place || *place)
		return place ? *place : plain;
	const char *made = NULL;
	if (function->linkage_name)
		made = keep(names, ic_demangle(function->linkage_name, IC_DEMANGLE_FULL));
	if (!made && ic_function_qualified_name(names->index, function, text, sizeof(text)))
		made = ic_arena_copy(&names->arena, text, strlen(text) + 1, 1);
	return *place = made ? made : plain;
}

void ic_names_free(struct ic_names *names)
{
	ic_arena_free(&names->arena);
	ic_map_free(&names->made);
	IC_ARRAY_FREE(&names->texts);
}
