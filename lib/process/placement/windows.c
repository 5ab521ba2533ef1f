// Shared by all ways to place a file: the parts found, and what is known to be loaded.
#include <string.h>

#include "process/placement/placement.h"

bool ic_placement_is_freed(const char *section)
{
	return strncmp(section, ".init", 5) == 0;
}

bool ic_placement_add(struct ic_placement *placement, struct ic_window window, struct ic_error *err)
{
	if (!IC_ARRAY_ADD(&placement->windows, window))
		return ic_fail_memory(err);
	placement->status = IC_PLACEMENT_FOUND;
	return true;
}

bool ic_placement_add_linked(struct ic_placement *placement, uint64_t given, uint64_t start,
			     struct ic_error *err)
{
	const struct ic_window window = { given, start,
					  UINT64_MAX - (given > start ? given : start) };

	return ic_placement_add(placement, window, err);
}

const struct ic_kernel_loaded *ic_placements_loaded(const struct ic_placements *placements,
						    const char *module)
{
	for (size_t i = 0; i < placements->loaded_count; i++) {
		const char *name = placements->loaded[i].module;
		if (name && module ? strcmp(name, module) == 0 : name == module)
			return &placements->loaded[i];
	}
	return NULL;
}
