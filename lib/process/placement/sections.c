// Modules placed by their sections: from a caller, and from SYSFS/module/NAME/sections.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "process/placement/placement.h"
#include "text/span.h"

#include <inlinecall/extra/symbolizer.h>

enum { MOST_NAME_SIZE = 512 };

static bool add_section(struct ic_placing *placing, const struct ic_symbolizer_section *section,
			uint64_t loaded, struct ic_error *err)
{
	const struct ic_window window = { loaded, section->start, section->size };

	return ic_placement_add(placing->placement, window, err);
}

bool ic_place_by_sections(struct ic_placing *placing, struct ic_error *err)
{
	const struct ic_placement_options *options = &placing->placements->options;

	for (size_t i = 0; i < options->section_count; i++) {
		const struct ic_placement_section *said = &options->sections[i];
		struct ic_symbolizer_section section, other;
		char name[MOST_NAME_SIZE];

		snprintf(name, sizeof(name), "%.*s", (int)said->name.size, said->name.text);
		if (!ic_symbolizer_section_find(placing->symbolizer, name, 0, &section))
			return ic_fail(err, IC_ERROR_NOT_FOUND, "%s: no loaded section %s",
				       placing->path, name);
		if (ic_symbolizer_section_find(placing->symbolizer, name, 1, &other))
			return ic_fail(err, IC_ERROR_ARGUMENT, "%s: several sections named %s",
				       placing->path, name);
		if (!add_section(placing, &section, said->addr, err))
			return false;
	}
	return true;
}

// False if the file cannot be read, which needs privileges.
static bool read_section_addr(int directory, const char *name, uint64_t *addr)
{
	char text[32];
	IC_AUTO(ic_close_fd) int fd = openat(directory, name, O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof(text));

	while (size > 0 && text[size - 1] == '\n')
		size--;
	return size > 0 && ic_span_hex((struct ic_span){ text, (size_t)size }, addr);
}

// There is one file per section; without the directory nothing is known.
bool ic_place_by_sysfs(struct ic_placing *placing, struct ic_error *err)
{
	struct ic_placement *placement = placing->placement;
	struct ic_symbolizer_section section, other;
	bool hidden = false, placed = true;
	char path[4096];
	uint64_t addr;

	if (!ic_placing_check_build(placing, err))
		return false;
	snprintf(path, sizeof(path), "%s/module/%s/sections", placing->placements->options.sysfs,
		 placement->module);
	DIR *directory = opendir(path);
	if (!directory)
		return true;
	for (struct dirent *entry; placed && (entry = readdir(directory));) {
		const char *name = entry->d_name;
		if (!ic_symbolizer_section_find(placing->symbolizer, name, 0, &section) ||
		    ic_symbolizer_section_find(placing->symbolizer, name, 1, &other) ||
		    ic_placement_is_freed(name))
			continue;
		if (!read_section_addr(dirfd(directory), name, &addr) || addr == 0)
			hidden = true;
		else
			placed = add_section(placing, &section, addr, err);
	}
	closedir(directory);
	if (hidden && placement->status != IC_PLACEMENT_FOUND)
		placement->status = IC_PLACEMENT_HIDDEN;
	return placed;
}
