#include "encode/function_names.h"

#include <stdlib.h>

#include "btf/types.h"

bool ic_function_names_build(struct ic_function_names *names, const struct ic_btf *types,
			     struct ic_error *err)
{
	uint32_t count = ic_btf_count(types);

	names->types = types;
	names->next = ic_items_alloc(count, sizeof(*names->next));
	if (!names->next)
		return ic_fail_memory(err);
	// Last first, so that the first with a name is found first.
	for (uint32_t id = count; id-- > 1;) {
		const char *name = ic_btf_function_name(types, id);
		if (!name)
			continue;
		uint32_t *first = ic_byte_map_at(&names->first, name, (uint32_t)strlen(name) + 1);
		if (!first)
			return ic_fail_memory(err);
		names->next[id] = *first;
		*first = id;
	}
	return true;
}

void ic_function_names_free(struct ic_function_names *names)
{
	ic_byte_map_free(&names->first);
	free(names->next);
}

uint32_t ic_function_names_first(const struct ic_function_names *names, const char *name)
{
	return ic_byte_map_find(&names->first, name, (uint32_t)strlen(name) + 1);
}

static size_t declared_of(const struct ic_parameter *list, size_t count)
{
	while (count > 0 && list[count - 1].is_undeclared)
		count--;
	return count;
}

static bool is_alike(const struct ic_btf *types, uint32_t id, const struct ic_parameter *list,
		     size_t count)
{
	struct ic_btf_function function;
	const char *name;
	uint32_t type;

	if (!ic_btf_function(types, id, &function) || function.parameter_count != count)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (!ic_btf_function_parameter(types, id, i, &name, &type) ||
		    (name && list[i].name && strcmp(name, list[i].name) != 0))
			return false;
	return true;
}

static bool has_types(const struct ic_btf *types, uint32_t id, const struct ic_parameter *list,
		      size_t count)
{
	char text[512];
	const char *name;
	uint32_t type;

	for (uint32_t i = 0; i < count; i++) {
		if (!list[i].type || !ic_btf_function_parameter(types, id, i, &name, &type) ||
		    ic_btf_type_text(types, type, text, sizeof(text)) >= sizeof(text) ||
		    strcmp(text, list[i].type) != 0)
			return false;
	}
	return true;
}

enum ic_function_match ic_function_names_find(struct ic_function_names *names, const char *name,
					      const struct ic_parameter *list, size_t count,
					      uint32_t *id)
{
	uint32_t first = ic_function_names_first(names, name);
	uint32_t alike = 0, same = 0;

	if (first == IC_NONE)
		return IC_FUNCTION_NONE;
	count = declared_of(list, count);
	for (uint32_t i = first; i != IC_NONE; i = names->next[i]) {
		if (!is_alike(names->types, i, list, count))
			continue;
		// Types are only compared if there are several candidates.
		if (alike++ == 0)
			*id = i;
	}
	if (alike == 0)
		return IC_FUNCTION_OTHER;
	if (alike == 1)
		return IC_FUNCTION_FOUND;
	for (uint32_t i = first; i != IC_NONE; i = names->next[i])
		if (is_alike(names->types, i, list, count) &&
		    has_types(names->types, i, list, count) && same++ == 0)
			*id = i;
	return same == 1 ? IC_FUNCTION_FOUND : IC_FUNCTION_SEVERAL;
}

enum ic_function_match ic_function_names_only(const struct ic_function_names *names,
					      const char *name, uint32_t *id)
{
	*id = ic_function_names_first(names, name);
	if (*id == IC_NONE)
		return IC_FUNCTION_NONE;
	return names->next[*id] == IC_NONE ? IC_FUNCTION_FOUND : IC_FUNCTION_SEVERAL;
}
