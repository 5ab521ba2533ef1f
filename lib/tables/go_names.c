#include "tables/go_names.h"

#include <stdlib.h>
#include <string.h>

#include "text/text.h"

// In practice, functions have distinct names: the names are no larger than the table.
enum { MOST_NAME_BYTES = 4 }; // per byte of the table

// Reads a function, and returns its name; NULL if it has none, or it cannot be read.
static const char *read_function(const struct ic_go_table *go, uint32_t number,
				 struct ic_go_function *function, struct ic_error *err)
{
	if (!ic_go_function_read(&go->table, number, go->dwarf.info_name, function, err))
		return NULL;
	const char *name = ic_go_name_at(&go->table, function->name_off);
	if (!name && function->name_off != 0)
		ic_fail_at(err, go->dwarf.info_name, function->record_off,
			   "name of a function is not in the name table");
	return name;
}

bool ic_go_names_build(struct ic_go_names *names, const struct ic_go_table *go,
		       struct ic_error *err)
{
	uint64_t left = MOST_NAME_BYTES * (uint64_t)go->dwarf.info.size;
	uint32_t count = go->table.function_count;
	struct ic_go_function function;
	struct ic_error fault = { .code = IC_ERROR_NONE };

	names->by_hash = ic_items_alloc(count + 1ull, sizeof(*names->by_hash));
	for (uint32_t i = 0; names->by_hash && i < count; i++) {
		struct ic_error *unread = fault.code == IC_ERROR_NONE ? &fault : err;
		const char *name = read_function(go, i, &function, unread);
		size_t size = name ? strlen(name) + 1 : 0;
		if (size > left)
			return ic_fail_at(err, go->dwarf.info_name, function.record_off,
					  "function names overlap");
		left -= size;
		if (name)
			names->by_hash[names->count++] = (struct ic_keyed){ ic_text_hash(name), i };
	}
	*err = fault;
	return (names->by_hash && ic_keyed_sort(names->by_hash, names->count)) ||
	       ic_fail_memory(err);
}

bool ic_go_names_find(const struct ic_go_names *names, const struct ic_go_table *go,
		      const char *name, uint32_t number, struct ic_symbol *found)
{
	uint64_t hash = ic_text_hash(name);
	struct ic_go_function function;
	struct ic_error known;

	for (uint32_t i = ic_keyed_find(names->by_hash, names->count, hash);
	     i < names->count && names->by_hash[i].key == hash; i++) {
		const char *own = read_function(go, names->by_hash[i].number, &function, &known);
		if (!own || strcmp(own, name) != 0 || number-- > 0)
			continue;
		*found = (struct ic_symbol){ .start = function.entry,
					     .end = function.end,
					     .reach = function.end,
					     .name = own };
		return true;
	}
	return false;
}

void ic_go_names_free(struct ic_go_names *names)
{
	free(names->by_hash);
	*names = (struct ic_go_names){ .count = 0 };
}
