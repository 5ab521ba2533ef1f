// Core files, made up: segments of memory and notes, in that order.
#ifndef TESTS_SUPPORT_CORE_BUILDER_H
#define TESTS_SUPPORT_CORE_BUILDER_H

#include "byte_buffer.h"

struct core_segment {
	uint64_t addr, size; // in memory; the bytes are those of the file
	struct bytes bytes;
	uint32_t flags; // PF_*
};

struct core_file {
	uint16_t machine; // EM_*
	bool is_32_bit, big_endian;
	const struct core_segment *segments;
	size_t segment_count;
	struct byte_buffer notes; // freed by core_build()
	const uint64_t *physical; // addresses of the segments; NULL if all are 0
};

void core_add_note(struct core_file *core, const char *owner, uint32_t type, struct bytes bytes);

// A note NT_FILE of one mapping of a file.
void core_add_file(struct core_file *core, uint64_t start, uint64_t end, uint64_t page,
		   const char *path);

// The bytes of the file, to be freed with byte_buffer_deinit().
struct byte_buffer core_build(struct core_file *core);

#endif
