#include "query/counts/size_groups.h"

#include <stdlib.h>
#include <string.h>

#include "text/template_name.h"
#include "text/text.h"

bool ic_size_groups_init(struct ic_size_groups *groups, const struct ic_index *index,
			 const struct ic_definitions *definitions, enum ic_sizes_by by,
			 struct ic_arena *arena)
{
	uint32_t count = definitions->items.count;

	*groups = (struct ic_size_groups){ .index = index,
					   .definitions = definitions,
					   .by = by,
					   .names = { .index = index, .style = IC_DEMANGLE_NAME } };
	if ((by == IC_SIZES_BY_SOURCE || by == IC_SIZES_BY_DIRECTORY) &&
	    !ic_path_groups_build(&groups->files, definitions, arena))
		return false;
	if (by == IC_SIZES_BY_UNIT && !ic_path_groups_of_units(&groups->files, index, arena))
		return false;
	groups->of_definitions = ic_items_alloc(count + 1ull, sizeof(*groups->of_definitions));
	if (groups->of_definitions)
		memset(groups->of_definitions, 0xff, count * sizeof(*groups->of_definitions));
	return groups->of_definitions != NULL;
}

// ---- Texts

struct text {
	char bytes[IC_LONGEST_NAME];
	size_t size;
};

static void add_bytes(struct text *text, const char *bytes, size_t size)
{
	size_t room = sizeof(text->bytes) - text->size;

	if (size > room)
		size = room;
	memcpy(text->bytes + text->size, bytes, size);
	text->size += size;
}

static void add_part(struct text *text, const char *part, size_t length, bool is_first)
{
	if (!is_first)
		add_bytes(text, "::", 2);
	add_bytes(text, part, length);
}

// Sets a Go package: everything before the first point after the last slash.
static void set_package(struct text *text, const char *name)
{
	size_t start = strcspn(name, "([");

	while (start > 0 && name[start - 1] != '/')
		start--;
	add_bytes(text, name, start + strcspn(name + start, "."));
}

// Sets the namespaces around a function, or only the outermost.
static void set_namespace(const struct ic_size_groups *groups, struct text *text,
			  const struct ic_function *function, bool only_outermost)
{
	enum { MOST_DEPTH = 256 };
	const struct ic_scope *path[MOST_DEPTH];
	uint32_t depth = 0;

	if (function->scope == IC_NONE) {
		if (function->name && ic_name_is_of_go(function->name))
			set_package(text, function->name);
		return;
	}
	const struct ic_unit_model *unit = &groups->index->units[function->scope_unit];
	for (uint32_t i = function->scope; i != IC_NONE && depth < MOST_DEPTH;
	     i = unit->scopes[i].parent)
		if (unit->scopes[i].is_namespace)
			path[depth++] = &unit->scopes[i];
	for (uint32_t i = depth; i > 0; i--) {
		const char *name = path[i - 1]->name ? path[i - 1]->name : "(anonymous namespace)";
		add_part(text, name, strlen(name), i == depth);
		if (only_outermost)
			return;
	}
}

static void set_directory(const struct ic_size_groups *groups, struct text *text,
			  uint32_t definition)
{
	const char *path = groups->files.paths[groups->files.numbers[definition]];
	struct ic_bytes directory = ic_text_directory(path ? path : "");

	if (path)
		add_bytes(text, (const char *)directory.data, directory.size);
}

static void set_text(struct ic_size_groups *groups, struct text *text, uint32_t definition)
{
	const struct ic_function *function = groups->definitions->items.items[definition];
	const char *name;

	text->size = 0;
	if (!function)
		return;
	switch (groups->by) {
	case IC_SIZES_BY_TEMPLATE:
		name = ic_names_display(&groups->names, function);
		if (name)
			text->size = ic_template_name(name, function->decl_file, text->bytes,
						      sizeof(text->bytes));
		break;
	case IC_SIZES_BY_NAMESPACE: set_namespace(groups, text, function, false); break;
	case IC_SIZES_BY_CRATE: set_namespace(groups, text, function, true); break;
	case IC_SIZES_BY_DIRECTORY: set_directory(groups, text, definition); break;
	default: break;
	}
}

// The group of a definition for a text, which is empty if it has none.
static uint32_t group_by_text(struct ic_size_groups *groups, uint32_t definition)
{
	uint32_t *group = &groups->of_definitions[definition];
	struct text text;

	if (*group != IC_NONE)
		return *group;
	set_text(groups, &text, definition);
	*group = ic_byte_pool_add(&groups->texts, text.bytes, (uint32_t)text.size);
	groups->out_of_memory |= *group == IC_NONE || groups->names.out_of_memory;
	return *group == IC_NONE ? 0 : *group;
}

// ---- Groups

// The index of an address's section; the section count if there is none.
static uint32_t section_of(const struct ic_index *index, uint64_t addr)
{
	const struct ic_code_section *section = ic_index_code_section(index, addr);

	return section ? (uint32_t)(section - index->all_sections) : index->all_section_count;
}

uint32_t ic_size_groups_of(struct ic_size_groups *groups, uint32_t unit, uint32_t definition,
			   uint64_t addr)
{
	switch (groups->by) {
	case IC_SIZES_BY_FUNCTION:
	case IC_SIZES_OF_ALL: break;
	case IC_SIZES_BY_UNIT: return groups->files.numbers[unit];
	case IC_SIZES_BY_SOURCE: return groups->files.numbers[definition];
	case IC_SIZES_BY_SECTION: return section_of(groups->index, addr);
	case IC_SIZES_BY_TEMPLATE:
	case IC_SIZES_BY_NAMESPACE:
	case IC_SIZES_BY_CRATE:
	case IC_SIZES_BY_DIRECTORY: return group_by_text(groups, definition);
	}
	return definition;
}

static void name_function(const struct ic_function *function, struct ic_size *size)
{
	if (!function)
		return;
	size->function = ic_function_name(function);
	size->linkage_name = function->linkage_name;
	size->decl_file = function->decl_file;
	size->decl_line = function->decl_line;
}

static bool name_by_text(const struct ic_size_groups *groups, uint32_t number,
			 struct ic_arena *arena, struct ic_size *size)
{
	struct ic_bytes text = ic_byte_pool_get(&groups->texts, number);
	char *copy = text.size > 0 ? ic_arena_alloc(arena, text.size + 1) : NULL;

	if (copy) {
		memcpy(copy, text.data, text.size);
		copy[text.size] = 0;
	}
	if (groups->by == IC_SIZES_BY_DIRECTORY)
		size->decl_file = copy;
	else
		size->group = copy;
	return copy || text.size == 0;
}

bool ic_size_groups_name(const struct ic_size_groups *groups, uint32_t number,
			 struct ic_arena *arena, struct ic_size *size)
{
	const struct ic_index *index = groups->index;

	switch (groups->by) {
	case IC_SIZES_BY_FUNCTION:
		name_function(groups->definitions->items.items[number], size);
		break;
	case IC_SIZES_BY_UNIT: size->group = groups->files.paths[number]; break;
	case IC_SIZES_BY_SOURCE: size->decl_file = groups->files.paths[number]; break;
	case IC_SIZES_BY_SECTION:
		if (number < index->all_section_count)
			size->group = index->all_sections[number].name;
		break;
	case IC_SIZES_BY_TEMPLATE:
	case IC_SIZES_BY_NAMESPACE:
	case IC_SIZES_BY_CRATE:
	case IC_SIZES_BY_DIRECTORY: return name_by_text(groups, number, arena, size);
	case IC_SIZES_OF_ALL: break;
	}
	return true;
}

void ic_size_groups_free(struct ic_size_groups *groups)
{
	ic_path_groups_free(&groups->files);
	ic_names_free(&groups->names);
	ic_byte_pool_free(&groups->texts);
	free(groups->of_definitions);
}
