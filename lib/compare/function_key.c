#include "compare/function_key.h"

#include <string.h>

#include "text/clone_name.h"
#include "text/text.h"

enum { RUST_HASH_LENGTH = 19 }; // "17h" and 16 hexadecimal digits

static size_t base_length(const char *name)
{
	const char *suffix = ic_clone_suffix(name);

	return suffix ? (size_t)(suffix - name) : strlen(name);
}

// Whether a name of Rust's first mangling ends in a hash: "17h0123456789abcdefE".
static bool has_rust_hash(const char *name, size_t length)
{
	const char *hash = name + length - RUST_HASH_LENGTH - 1;

	if (length <= RUST_HASH_LENGTH + 1 || strncmp(name, "_ZN", 3) != 0 ||
	    name[length - 1] != 'E' || memcmp(hash, "17h", 3) != 0)
		return false;
	for (size_t i = 3; i < RUST_HASH_LENGTH; i++)
		if (ic_text_hex_digit(hash[i]) < 0)
			return false;
	return true;
}

static bool is_base_62(char letter)
{
	return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
	       (letter >= 'A' && letter <= 'Z');
}

// Of Rust's second mangling: the number of characters of a crate's disambiguator, "s1a2b_" after
// "C"; 0 if there is none.
static size_t disambiguator_length(const char *text, const char *end)
{
	size_t length = 1;

	if (text == end || *text != 's')
		return 0;
	while (text + length < end && is_base_62(text[length]))
		length++;
	return text + length < end && text[length] == '_' ? length + 1 : 0;
}

size_t ic_function_key(const char *name, char *to, size_t size)
{
	size_t length = base_length(name), written = 0;
	bool is_rust = strncmp(name, "_R", 2) == 0;
	const char *end = name + length;

	if (has_rust_hash(name, length))
		end -= RUST_HASH_LENGTH + 1;
	for (const char *at = name; at < end && written < size;) {
		to[written++] = *at++;
		if (is_rust && at[-1] == 'C')
			at += disambiguator_length(at, end);
	}
	return written;
}
