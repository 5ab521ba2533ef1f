// Bytes for the tests' builders: a view, and a buffer that grows and knows its byte order.
// Nothing here fails: what cannot be done is a mistake in the test, and aborts with a message.
#ifndef TESTS_SUPPORT_BYTE_BUFFER_H
#define TESTS_SUPPORT_BYTE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes { // borrowed from the builder that made them
	const uint8_t *data;
	size_t size;
};

struct byte_buffer {
	uint8_t *data;
	size_t size, capacity;
	bool big_endian;
};

// A field of a section that holds an address, or an offset into a section: what a relocation
// in an object file would describe. Made by dwarf_builder, written by elf_builder.
struct section_reloc {
	uint64_t off;       // in the section
	uint8_t size;       // bytes: 4 or 8
	uint32_t type;      // R_*; 0: what the machine uses for an absolute field of that size
	const char *target; // name of a symbol, or of a section
	int64_t addend;
};

// Puts the low `size` (1 to 8) bytes of an integer, in the buffer's byte order.
void byte_buffer_put(struct byte_buffer *buf, uint64_t value, size_t size);
void byte_buffer_uleb(struct byte_buffer *buf, uint64_t value);
void byte_buffer_sleb(struct byte_buffer *buf, int64_t value);
// An ULEB128 of exactly `width` bytes, however small the value.
void byte_buffer_uleb_padded(struct byte_buffer *buf, uint64_t value, size_t width);
void byte_buffer_append(struct byte_buffer *buf, const void *data, size_t size);
void byte_buffer_string(struct byte_buffer *buf, const char *text); // with its NUL
void byte_buffer_fill(struct byte_buffer *buf, uint8_t byte, size_t count);
void byte_buffer_align(struct byte_buffer *buf, size_t align); // with zeros

// Makes room for `count` zero bytes at `off`.
void byte_buffer_insert(struct byte_buffer *buf, size_t off, size_t count);
// Overwrites bytes that are there already.
void byte_buffer_patch(struct byte_buffer *buf, size_t off, uint64_t value, size_t size);
void byte_buffer_patch_uleb(struct byte_buffer *buf, size_t off, uint64_t value, size_t width);

struct bytes byte_buffer_view(const struct byte_buffer *buf);
void byte_buffer_deinit(struct byte_buffer *buf);

size_t uleb_size(uint64_t value);

// Room for one more item in an array that grows by doubling; its old memory may move.
void *support_grow(void *items, size_t count, size_t item_size);
char *support_strdup(const char *text); // NULL gives NULL

// Says what the test did wrong, and aborts.
_Noreturn void support_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
