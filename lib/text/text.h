// Text for output: UTF-8 characters, paths, and buffers of fixed size.
#ifndef TEXT_TEXT_H
#define TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

// The size of the UTF-8 character (RFC 3629) at `text`; 0 if it is invalid. `text` must not be at
// its end.
size_t ic_text_character(const char *text);

// Whether text may begin with this byte: in no encoding does it begin with a control character,
// 0xfe or 0xff, except 1, which LLVM puts before names that must not be changed.
static inline bool ic_text_may_begin(uint8_t byte)
{
	return (byte >= 0x20 && byte != 0x7f && byte < 0xfe) || byte == 1;
}

// FNV-1a, 64 bits: not safe against deliberate collisions.
uint64_t ic_text_hash(const char *text);

// The same for the first `size` bytes.
uint64_t ic_text_hash_up_to(const char *text, size_t size);

// Whether a text contains another one, of `length` bytes. For short texts, faster than memmem(),
// which builds a table.
bool ic_text_contains(const char *text, const char *part, size_t length);

// Whether two texts are equal; each may be NULL, which only equals NULL.
bool ic_text_is_same(const char *left, const char *right);

// The value of a hexadecimal digit; -1 for other characters.
int ic_text_hex_digit(char character);

// Removes the first line from a text, without its end, which is a newline, perhaps preceded by a
// carriage return. Returns false if the text is empty.
bool ic_text_take_line(struct ic_bytes *text, struct ic_bytes *line);

// A blank or a tab.
static inline bool ic_text_is_blank(char character)
{
	return character == ' ' || character == '\t';
}

// The part of a path after the last slash.
const char *ic_text_base_name(const char *path);

// The directory of a path: what precedes the last slash, "/" for the root, "." if there is none.
struct ic_bytes ic_text_directory(const char *path);

// Writes the path to `to` (of `size` bytes, truncated if too long) without "." and with ".."
// resolved, without looking at the file system: "/src/build/../a.c", as recorded by build systems,
// becomes "/src/a.c".
void ic_text_plain_path(const char *path, char *to, size_t size);

// Whether a path matches a glob: by its last component or, if the glob has a slash, as it is or in
// the form of ic_text_plain_path() or, if the glob is relative, by any end of that.
bool ic_text_path_matches(const char *path, const char *glob);

// Compares two paths in the form of ic_text_plain_path(); NULL comes first, and equals NULL.
int ic_text_compare_paths(const char *left, const char *right);

// Appends to a text in a buffer of `size` bytes. If there is not enough room, the text stays
// unchanged, since half a sentence may mean something else.
bool ic_text_append(char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
