// Bytes of a file, mapped: all of it, or a part, such as one member of an archive.
#ifndef ELF_FILES_MAPPING_H
#define ELF_FILES_MAPPING_H

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"

#define IC_PLACE_TO_END UINT64_MAX // the size of a place that ends where its file does

struct ic_place {
	const char *name; // the name in messages: "lib.a(member.o)"
	const char *path; // of the file on disk; `name` if they are the same
	uint64_t off, size;
	// Used instead of opening the file by its path; the path then only determines where to
	// search for other files.
	struct ic_bytes bytes; // all bytes of the place, which are copied; NULL data if not given
	bool has_fd;
	int fd;                   // of the file, if has_fd; stays open
	bool is_read;             // read into memory, instead of mapped
	struct ic_memory *memory; // counts the memory made from the file; may be NULL
};

struct ic_mapping {
	uint8_t *data; // of the place; at any alignment
	size_t size;
	void *pages; // the mapping, from the start of a page
	size_t pages_size;
};

// Maps the place privately: changes to it, once made writable, stay in this process. An empty
// place, or one outside its file, is an error. Anything but a regular file is never opened: just
// opening some devices has effects.
bool ic_mapping_open(struct ic_mapping *mapping, const struct ic_place *place, struct ic_error *err)
	IC_CHECKED;

// Reads from a descriptor, such as a pipe, up to its end: at most `most` bytes.
bool ic_mapping_read(struct ic_mapping *mapping, int fd, const char *name, uint64_t most,
		     struct ic_error *err) IC_CHECKED;

// A mapping that was never opened, all zeros, can be closed too.
void ic_mapping_close(struct ic_mapping *mapping);

#endif
