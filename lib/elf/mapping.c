#include "elf/mapping.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/auto.h"

// The path as well, where the place is called something else: a member of a thin archive is a file
// of its own, and it is that which may be gone.
static bool fail_call(const struct ic_place *place, const char *call, struct ic_error *err)
{
	char what[PATH_MAX + 16];

	if (!strcmp(place->name, place->path))
		return ic_fail_system(err, call, place->path);
	snprintf(what, sizeof(what), "%s %s", call, place->path);
	return ic_fail_system(err, what, place->name);
}

bool ic_mapping_open(struct ic_mapping *mapping, const struct ic_place *place, struct ic_error *err)
{
	IC_AUTO(ic_close_fd)
	int fd = open(place->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	uint64_t before = place->off & ((uint64_t)sysconf(_SC_PAGESIZE) - 1);
	struct stat st;

	if (fd < 0)
		return fail_call(place, "open", err);
	if (fstat(fd, &st) < 0)
		return fail_call(place, "stat", err);
	if (!S_ISREG(st.st_mode))
		return ic_fail(err, IC_ERROR_NOT_ELF, "%s: not a regular file", place->name);
	uint64_t left = (uint64_t)st.st_size, size = place->size;
	if (place->off <= left && size == IC_PLACE_TO_END)
		size = left - place->off;
	if (place->off > left || size > left - place->off)
		return ic_fail(err, IC_ERROR_MALFORMED, "%s: reaches beyond the end of %s",
			       place->name, place->path);
	if (size == 0)
		return ic_fail(err, IC_ERROR_NOT_ELF, "%s: the file is empty", place->name);
	void *pages = mmap(NULL, (size_t)(before + size), PROT_READ, MAP_PRIVATE, fd,
			   (off_t)(place->off - before));
	if (pages == MAP_FAILED)
		return fail_call(place, "map", err);
	*mapping = (struct ic_mapping){ .data = (uint8_t *)pages + before,
					.size = (size_t)size,
					.pages = pages,
					.pages_size = (size_t)(before + size) };
	return true;
}

void ic_mapping_close(struct ic_mapping *mapping)
{
	if (mapping->pages)
		munmap(mapping->pages, mapping->pages_size);
	*mapping = (struct ic_mapping){ 0 };
}
