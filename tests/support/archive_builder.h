// Writes archives, header by header, in the ways that GNU's and BSD's tools do:
//
//	struct byte_buffer ar = { 0 };
//	archive_begin(&ar, false);
//	archive_add(&ar, "a.o/", bytes);
#ifndef TESTS_SUPPORT_ARCHIVE_BUILDER_H
#define TESTS_SUPPORT_ARCHIVE_BUILDER_H

#include "byte_buffer.h"

#include <stdbool.h>

void archive_begin(struct byte_buffer *buf, bool thin);
// A header with this name and this size, whatever follows.
void archive_header(struct byte_buffer *buf, const char *name, const char *size);
// A member and its padding; `name` as the header has it: "a.o/", "/0", "//".
void archive_add(struct byte_buffer *buf, const char *name, struct bytes bytes);
// The same with a name of BSD's kind: "#1/SIZE" in the header, and before the bytes.
void archive_add_bsd(struct byte_buffer *buf, const char *name, struct bytes bytes);

#endif
