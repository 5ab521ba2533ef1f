// Modules placed by their address in /proc/modules, or in a recording. That is the address of the
// first section only: alignment and gaps of the others are known only to the kernel's loader.
#include <string.h>

#include "process/placement/placement.h"

#include <inlinecall/extra/symbolizer.h>

// Whether the module's memory starts with .text: code sections come first, in file order. This
// holds on x86; other machines put tables before them, or enlarge sections while loading.
static bool begins_with_text(const struct ic_placing *placing, struct ic_symbolizer_section *text)
{
	struct ic_index_section section;
	uint64_t size;

	for (size_t i = 0; ic_symbolizer_section_get(placing->symbolizer, i, &section, &size);
	     i++) {
		if (size == 0 || ic_placement_is_freed(section.name))
			continue;
		*text = (struct ic_symbolizer_section){ section.start, size };
		return placing->is_x86 && strcmp(section.name, ".text") == 0;
	}
	return false;
}

// The start of a module, if it is loaded. False with an error.
static bool find_module(const struct ic_placing *placing, bool *found, uint64_t *addr,
			struct ic_error *err)
{
	struct ic_placements *placements = placing->placements;
	struct ic_proc_text *text = &placements->modules;
	const char *name = placing->placement->module;
	const struct ic_kernel_loaded *loaded = ic_placements_loaded(placements, name);
	struct ic_proc_module module = { .addr = 0 };
	size_t at = 0;

	*found = loaded != NULL;
	*addr = loaded ? loaded->addr : 0;
	if (loaded || !placements->options.modules)
		return true;
	while (!*found && ic_proc_module_next(text, &at, &module))
		*found = ic_span_is(module.name, name);
	*addr = module.addr;
	return ic_proc_text_check(text, err) &&
	       (!*found || module.addr != 0 ||
		ic_fail(err, IC_ERROR_HIDDEN, "%s: the address of %s is 0: " IC_HIDDEN_REASON,
			text->path, name));
}

bool ic_place_by_modules(struct ic_placing *placing, struct ic_error *err)
{
	struct ic_placement *placement = placing->placement;
	struct ic_symbolizer_section section;
	uint64_t addr;
	bool found;

	if (!find_module(placing, &found, &addr, err))
		return false;
	if (found && begins_with_text(placing, &section)) {
		const struct ic_window window = { addr, section.start, section.size };
		return ic_placement_add(placement, window, err);
	}
	if (found)
		placement->status = IC_PLACEMENT_NO_SECTIONS;
	return true;
}
