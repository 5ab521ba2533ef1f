#include "query/find/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/demangle.h"

enum { MOST_SCOPES = 64 };

const char *ic_function_name(const struct ic_function *function)
{
	return function->name ? function->name : function->linkage_name;
}

const char *ic_function_symbol(const struct ic_function *function)
{
	const char *name = !function                ? NULL
			   : function->linkage_name ? function->linkage_name
						    : function->name;
	return name ? name : "";
}

static size_t append_part(char *text, size_t size, size_t length, const char *part)
{
	size_t room = size - 1 - length, part_length = strlen(part);

	if (part_length > room)
		part_length = room;
	memcpy(text + length, part, part_length);
	text[length + part_length] = 0;
	return length + part_length;
}

// Classes without a name, such as closures, are told apart by their lines.
static const char *name_of_scope(const struct ic_scope *scope, char *text, size_t size)
{
	if (scope->name || scope->is_namespace)
		return scope->name ? scope->name : "(anonymous namespace)";
	if (scope->decl_line == 0)
		return "{unnamed}";
	snprintf(text, size, "{unnamed:%" PRIu32 "}", scope->decl_line);
	return text;
}

void ic_name_qualify(const struct ic_scope *scopes, uint32_t scope, const char *name, char *text,
		     size_t size)
{
	const struct ic_scope *chain[MOST_SCOPES];
	uint32_t count = 0;
	size_t length = 0;
	char unnamed[32];

	for (uint32_t i = scope; i != IC_NONE && count < MOST_SCOPES; i = scopes[i].parent)
		chain[count++] = &scopes[i];
	while (count > 0) {
		const struct ic_scope *around = chain[--count];
		length = append_part(text, size, length,
				     name_of_scope(around, unnamed, sizeof(unnamed)));
		length = append_part(text, size, length, "::");
	}
	append_part(text, size, length, name);
}

bool ic_function_qualified_name(const struct ic_index *index, const struct ic_function *function,
				char *text, size_t size)
{
	if (function->scope == IC_NONE || !function->name)
		return false;
	ic_name_qualify(index->units[function->scope_unit].scopes, function->scope, function->name,
			text, size);
	return true;
}

const char **ic_names_slot(struct ic_names *names, const void *key)
{
	uint32_t *number = ic_map_at(&names->made, (uintptr_t)key);

	if (number && *number == IC_NONE) {
		const char **text = IC_ARRAY_PUSH(&names->texts);
		if (text)
			*text = NULL;
		*number = text ? names->texts.count - 1 : IC_NONE - 1; // always set
	}
	if (number && *number < names->texts.count)
		return &names->texts.items[*number];
	names->out_of_memory = true;
	return NULL;
}

const char *ic_names_keep(struct ic_names *names, const char *text)
{
	const char *kept = ic_arena_copy(&names->arena, text, strlen(text) + 1, 1);

	if (!kept)
		names->out_of_memory = true;
	return kept;
}

// A copy of the demangled symbol, NULL if it is not mangled.
static const char *keep_demangled(struct ic_names *names, const char *symbol)
{
	const char *kept = NULL;
	char *name;

	if (!ic_demangle(symbol, names->style, &name))
		names->out_of_memory = true;
	if (name)
		kept = ic_names_keep(names, name);
	free(name);
	return kept;
}

const char *ic_names_demangled(struct ic_names *names, const char *symbol)
{
	const char **place = ic_names_slot(names, symbol);

	if (!place)
		return symbol;
	if (!*place) {
		const char *made = keep_demangled(names, symbol);
		*place = made ? made : symbol;
	}
	return *place;
}

const char *ic_names_display(struct ic_names *names, const struct ic_function *function)
{
	char text[IC_LONGEST_NAME];
	const char *plain = ic_function_name(function);
	const char **place = plain ? ic_names_slot(names, function) : NULL;

	if (!place || *place)
		return place ? *place : plain;
	const char *made = NULL;
	if (function->linkage_name)
		made = keep_demangled(names, function->linkage_name);
	if (!made && ic_function_qualified_name(names->index, function, text, sizeof(text)))
		made = ic_names_keep(names, text);
	return *place = made ? made : plain;
}

void ic_names_free(struct ic_names *names)
{
	ic_arena_free(&names->arena);
	ic_map_free(&names->made);
	IC_ARRAY_FREE(&names->texts);
}
