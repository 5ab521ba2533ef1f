#include "byte_buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void support_fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("test support: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	abort();
}

void *support_grow(void *items, size_t count, size_t item_size)
{
	if (count != 0 && (count & (count - 1)) != 0)
		return items; // the capacity is the next power of two
	items = realloc(items, (count ? 2 * count : 1) * item_size);
	if (!items)
		support_fail("out of memory");
	return items;
}

char *support_strdup(const char *text)
{
	if (!text)
		return NULL;
	size_t size = strlen(text) + 1;
	char *copy = malloc(size);
	if (!copy)
		support_fail("out of memory");
	return memcpy(copy, text, size);
}

size_t uleb_size(uint64_t value)
{
	size_t size = 1;

	while (value >>= 7)
		size++;
	return size;
}

static void reserve(struct byte_buffer *buf, size_t more)
{
	if (buf->size + more <= buf->capacity)
		return;
	buf->capacity = 2 * (buf->size + more) + 64;
	buf->data = realloc(buf->data, buf->capacity);
	if (!buf->data)
		support_fail("out of memory");
}

void byte_buffer_append(struct byte_buffer *buf, const void *data, size_t size)
{
	reserve(buf, size);
	if (size)
		memcpy(buf->data + buf->size, data, size);
	buf->size += size;
}

void byte_buffer_fill(struct byte_buffer *buf, uint8_t byte, size_t count)
{
	reserve(buf, count);
	if (count)
		memset(buf->data + buf->size, byte, count);
	buf->size += count;
}

void byte_buffer_string(struct byte_buffer *buf, const char *text)
{
	byte_buffer_append(buf, text, strlen(text) + 1);
}

void byte_buffer_align(struct byte_buffer *buf, size_t align)
{
	if (align > 1 && buf->size % align)
		byte_buffer_fill(buf, 0, align - buf->size % align);
}

void byte_buffer_put(struct byte_buffer *buf, uint64_t value, size_t size)
{
	byte_buffer_fill(buf, 0, size);
	byte_buffer_patch(buf, buf->size - size, value, size);
}

void byte_buffer_patch(struct byte_buffer *buf, size_t off, uint64_t value, size_t size)
{
	if (size > 8 || off + size > buf->size)
		support_fail("patch of %zu bytes at %#zx is out of bounds", size, off);
	for (size_t i = 0; i < size; i++) {
		size_t at = buf->big_endian ? size - 1 - i : i;
		buf->data[off + at] = (uint8_t)(value >> (8 * i));
	}
}

void byte_buffer_patch_uleb(struct byte_buffer *buf, size_t off, uint64_t value, size_t width)
{
	if (off + width > buf->size || uleb_size(value) > width)
		support_fail("ULEB128 %#llx does not fit in %zu bytes", (unsigned long long)value,
			     width);
	for (size_t i = 0; i < width; i++) {
		uint8_t more = i + 1 < width ? 0x80 : 0;
		buf->data[off + i] = (uint8_t)(value & 0x7f) | more;
		value >>= 7;
	}
}

void byte_buffer_uleb_padded(struct byte_buffer *buf, uint64_t value, size_t width)
{
	byte_buffer_fill(buf, 0, width);
	byte_buffer_patch_uleb(buf, buf->size - width, value, width);
}

void byte_buffer_uleb(struct byte_buffer *buf, uint64_t value)
{
	byte_buffer_uleb_padded(buf, value, uleb_size(value));
}

void byte_buffer_sleb(struct byte_buffer *buf, int64_t value)
{
	bool more = true;

	while (more) {
		uint8_t byte = (uint8_t)((uint64_t)value & 0x7f);
		// The sign bit is spread by hand: >> of a negative number is the compiler's choice.
		value = value < 0 ? ~(~value >> 7) : value >> 7;
		more = !((value == 0 && !(byte & 0x40)) || (value == -1 && (byte & 0x40)));
		byte_buffer_put(buf, more ? byte | 0x80u : byte, 1);
	}
}

void byte_buffer_insert(struct byte_buffer *buf, size_t off, size_t count)
{
	byte_buffer_fill(buf, 0, count);
	memmove(buf->data + off + count, buf->data + off, buf->size - count - off);
	memset(buf->data + off, 0, count);
}

struct bytes byte_buffer_view(const struct byte_buffer *buf)
{
	return (struct bytes){ buf->data, buf->size };
}

void byte_buffer_deinit(struct byte_buffer *buf)
{
	free(buf->data);
	*buf = (struct byte_buffer){ .big_endian = buf->big_endian };
}
