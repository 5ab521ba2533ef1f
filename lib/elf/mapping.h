// Bytes of a file, mapped: all of it, or a part, such as one member of an archive.
#ifndef ELF_MAPPING_H
#define ELF_MAPPING_H

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"

#define IC_PLACE_TO_END UINT64_MAX // the size of a place that ends where its file does

struct ic_place {
	const char *name; // what messages call it: "lib.a(member.o)"
	const char *path; // of the file on disk; `name` where they are the same
	uint64_t off, size;
	// Instead of a file that is found by its path; `path` is where others are looked for then.
	struct ic_bytes bytes; // those of the whole place, which are copied; no data if not given
	bool has_fd;
	int fd;                   // with has_fd: of the file; stays open
	bool is_read;             // into memory, rather than mapped
	struct ic_memory *memory; // what is made of the file counts against it; may be NULL
};

struct ic_mapping {
	uint8_t *data; // of the place; at any alignment
	size_t size;
	void *pages; // what was mapped, from the start of a page on
	size_t pages_size;
};

// Maps the place privately: what is written to it, once made writable, nobody else sees. A place
// without bytes is an error, as is one that is not in its file. What is not a regular file is never
// opened: merely opening some devices does something.
bool ic_mapping_open(struct ic_mapping *mapping, const struct ic_place *place, struct ic_error *err)
	IC_CHECKED;

// One that was never opened, all zeros, can be closed too.
void ic_mapping_close(struct ic_mapping *mapping);

#endif
