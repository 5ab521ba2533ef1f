#include "archive_builder.h"

#include <stdio.h>
#include <string.h>

void archive_begin(struct byte_buffer *buf, bool thin)
{
	byte_buffer_append(buf, thin ? "!<thin>\n" : "!<arch>\n", 8);
}

void archive_header(struct byte_buffer *buf, const char *name, const char *size)
{
	char header[61];

	snprintf(header, sizeof(header), "%-16.16s%-12s%-6s%-6s%-8s%-10.10s`\n", name, "0", "0",
		 "0", "644", size);
	byte_buffer_append(buf, header, 60);
}

static void add(struct byte_buffer *buf, const char *name, struct bytes first, struct bytes second)
{
	char size[32];

	snprintf(size, sizeof(size), "%zu", first.size + second.size);
	archive_header(buf, name, size);
	byte_buffer_append(buf, first.data, first.size);
	byte_buffer_append(buf, second.data, second.size);
	if (buf->size & 1)
		byte_buffer_append(buf, "\n", 1);
}

void archive_add(struct byte_buffer *buf, const char *name, struct bytes bytes)
{
	add(buf, name, (struct bytes){ 0 }, bytes);
}

void archive_add_bsd(struct byte_buffer *buf, const char *name, struct bytes bytes)
{
	char text[32], padded[256] = "";
	size_t size = (strlen(name) + 4) & ~(size_t)3; // padded with NULs

	snprintf(padded, sizeof(padded), "%s", name);
	snprintf(text, sizeof(text), "#1/%zu", size);
	add(buf, text, (struct bytes){ (const uint8_t *)padded, size }, bytes);
}
