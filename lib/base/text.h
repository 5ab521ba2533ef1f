// Text that others will read: characters of UTF-8, paths, and buffers of a fixed size.
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How many bytes at the start of `text` are one character of UTF-8 (RFC 3629); 0 where they are
// none. `text` is not at its end.
size_t ic_text_character(const char *text);

// Whether a text may begin with the byte: in no encoding do control characters, 0xfe or 0xff begin
// one. Byte 1 does: LLVM puts it before names that are to stay as they are.
static inline bool ic_text_may_begin(uint8_t byte)
{
	return (byte >= 0x20 && byte != 0x7f && byte < 0xfe) || byte == 1;
}

// FNV-1a, of 64 bits: for telling texts apart, not for who would have them collide.
uint64_t ic_text_hash(const char *text);

// The same of its first bytes.
uint64_t ic_text_hash_up_to(const char *text, size_t size);

// What a hexadecimal digit is worth; -1 if it is none.
int ic_text_hex_digit(char character);

// A blank or a tab.
static inline bool ic_text_is_blank(char character)
{
	return character == ' ' || character == '\t';
}

// What follows the last slash of a path.
const char *ic_text_base_name(const char *path);

// Writes the path without "." and with ".." resolved, by the text alone, to `to` (of `size` bytes,
// cut where it is too long): what a build system records as "/src/build/../a.c" is "/src/a.c" to
// people.
void ic_text_plain_path(const char *path, char *to, size_t size);

// The order of two paths as ic_text_plain_path() has them; NULL, of which there may be two, comes
// first.
int ic_text_compare_paths(const char *left, const char *right);

// Appends to a text in a buffer of `size` bytes; where there is no room for all of it, the text
// stays as it is: half a sentence says something else.
bool ic_text_append(char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
