#include "elf/files/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"

// The message includes the path if the place has another name: a member of a thin archive is a
// separate file, which may be missing.
static bool fail_call(const struct ic_place *place, const char *call, struct ic_error *err)
{
	char what[PATH_MAX + 16];

	if (!strcmp(place->name, place->path))
		return ic_fail_system(err, call, place->path);
	snprintf(what, sizeof(what), "%s %s", call, place->path);
	return ic_fail_system(err, what, place->name);
}

static bool check_kind(const struct ic_place *place, const struct stat *st, struct ic_error *err)
{
	return S_ISREG(st->st_mode) ||
	       ic_fail(err, IC_ERROR_NOT_ELF, "%s: not a regular file", place->name);
}

// Reopens the file of `found`, an O_PATH descriptor, for reading; -1 if the system has no way to.
static int reopen_file(int found)
{
	char path[40];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", found);
	return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

// Opens a regular file for reading; -1 after an error. Without O_PATH and /proc (Linux) another
// file can take its place between the two calls; O_NONBLOCK then avoids waiting for it.
static int open_regular(const struct ic_place *place, struct stat *st, struct ic_error *err)
{
	int fd = -1;

#ifdef O_PATH
	IC_AUTO(ic_close_fd) int found = open(place->path, O_PATH | O_CLOEXEC);
	if (found < 0) {
		fail_call(place, "open", err);
		return -1;
	}
	if (fstat(found, st) < 0) {
		fail_call(place, "stat", err);
		return -1;
	}
	if (!check_kind(place, st, err))
		return -1;
	fd = reopen_file(found);
	if (fd >= 0)
		return fd;
#endif
	if (stat(place->path, st) < 0) {
		fail_call(place, "open", err);
		return -1;
	}
	if (!check_kind(place, st, err))
		return -1;
	fd = open(place->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		fail_call(place, "open", err);
	return fd;
}

static void *own_pages(size_t size, struct ic_error *err)
{
	void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		ic_fail_memory(err);
	return pages;
}

// Anonymous pages with the file's bytes.
static void *read_pages(const struct ic_place *place, int fd, size_t size, off_t off,
			struct ic_error *err)
{
	uint8_t *pages = own_pages(size, err);

	if (pages == MAP_FAILED)
		return MAP_FAILED;
	for (size_t done = 0; done < size;) {
		ssize_t count = pread(fd, pages + done, size - done, off + (off_t)done);
		if (count < 0 && errno == EINTR)
			continue;
		if (count > 0) {
			done += (size_t)count;
			continue;
		}
		if (count < 0)
			fail_call(place, "read", err);
		else
			ic_fail(err, IC_ERROR_MALFORMED, "%s: truncated while it was being read",
				place->name);
		munmap(pages, size);
		return MAP_FAILED;
	}
	return pages;
}

static void *map_pages(const struct ic_place *place, int fd, size_t size, off_t off,
		       struct ic_error *err)
{
	if (place->is_read)
		return read_pages(place, fd, size, off, err);
	void *pages = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, off);
	if (pages == MAP_FAILED)
		fail_call(place, "map", err);
	return pages;
}

static bool copy_bytes(struct ic_mapping *mapping, const struct ic_place *place,
		       struct ic_error *err)
{
	size_t size = place->bytes.size;

	if (size == 0)
		return ic_fail(err, IC_ERROR_NOT_ELF, "%s: the file is empty", place->name);
	void *pages = own_pages(size, err);
	if (pages == MAP_FAILED)
		return false;
	memcpy(pages, place->bytes.data, size);
	*mapping = (struct ic_mapping){ pages, size, pages, size };
	return true;
}

bool ic_mapping_open(struct ic_mapping *mapping, const struct ic_place *place, struct ic_error *err)
{
	struct stat st = { .st_mode = 0 };
	uint64_t before = place->off & ((uint64_t)sysconf(_SC_PAGESIZE) - 1);

	if (place->bytes.data)
		return copy_bytes(mapping, place, err);
	IC_AUTO(ic_close_fd) int opened = place->has_fd ? -1 : open_regular(place, &st, err);
	int fd = place->has_fd ? place->fd : opened;
	if (fd < 0 && !place->has_fd)
		return false;
	if (fstat(fd, &st) < 0)
		return fail_call(place, "stat", err);
	if (!check_kind(place, &st, err))
		return false;
	uint64_t left = (uint64_t)st.st_size, size = place->size;
	if (place->off <= left && size == IC_PLACE_TO_END)
		size = left - place->off;
	if (place->off > left || size > left - place->off)
		return ic_fail(err, IC_ERROR_MALFORMED, "%s: extends beyond the end of %s",
			       place->name, place->path);
	if (size == 0)
		return ic_fail(err, IC_ERROR_NOT_ELF, "%s: the file is empty", place->name);
	void *pages =
		map_pages(place, fd, (size_t)(before + size), (off_t)(place->off - before), err);
	if (pages == MAP_FAILED)
		return false;
	*mapping = (struct ic_mapping){ .data = (uint8_t *)pages + before,
					.size = (size_t)size,
					.pages = pages,
					.pages_size = (size_t)(before + size) };
	return true;
}

// Moves the bytes to twice as many pages.
static bool grow_buffer(struct ic_mapping *mapping, struct ic_error *err)
{
	enum { FIRST_SIZE = 1 << 20 };
	size_t size = mapping->pages ? mapping->pages_size * 2 : FIRST_SIZE;
	void *pages = own_pages(size, err);

	if (pages == MAP_FAILED)
		return false;
	if (mapping->pages) {
		memcpy(pages, mapping->data, mapping->size);
		munmap(mapping->pages, mapping->pages_size);
	}
	mapping->pages = mapping->data = pages;
	mapping->pages_size = size;
	return true;
}

bool ic_mapping_read(struct ic_mapping *mapping, int fd, const char *name, uint64_t most,
		     struct ic_error *err)
{
	ssize_t count = 1;

	while (count != 0) {
		if (mapping->size == mapping->pages_size && !grow_buffer(mapping, err))
			break;
		count = read(fd, mapping->data + mapping->size,
			     mapping->pages_size - mapping->size);
		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0) {
			ic_fail_system(err, "read", name);
			break;
		}
		mapping->size += (size_t)count;
		if (mapping->size > most) {
			ic_fail(err, IC_ERROR_LIMIT, "%s: longer than %" PRIu64 " bytes", name,
				most);
			break;
		}
	}
	if (count == 0 && mapping->size == 0) {
		ic_fail(err, IC_ERROR_NOT_ELF, "%s: nothing to read", name);
		count = -1;
	}
	if (count != 0)
		ic_mapping_close(mapping);
	return count == 0;
}

void ic_mapping_close(struct ic_mapping *mapping)
{
	if (mapping->pages)
		munmap(mapping->pages, mapping->pages_size);
	*mapping = (struct ic_mapping){ 0 };
}
