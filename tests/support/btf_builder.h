// BTF, and `.BTF.inline`, written by tests: in either byte order, with the types in the order in
// which they are added.
#ifndef TESTS_SUPPORT_BTF_BUILDER_H
#define TESTS_SUPPORT_BTF_BUILDER_H

#include "byte_buffer.h"

struct btf_builder {
	struct byte_buffer types, strings, layout, out;
	uint32_t next_id;      // of the type that is added next
	uint32_t first_string; // of the base's strings, which come before these
};

// `base` is what it is split on, NULL for none.
void btf_builder_init(struct btf_builder *btf, const struct btf_builder *base, bool big_endian);
void btf_builder_deinit(struct btf_builder *btf);

// Adds a type and returns its number; the words that its kind adds follow. NULL is no name.
uint32_t btf_type(struct btf_builder *btf, const char *name, unsigned kind, uint32_t count,
		  bool flag, uint32_t size);
void btf_word(struct btf_builder *btf, uint32_t word);
// The offset of a string, for words that are one.
uint32_t btf_string(struct btf_builder *btf, const char *text);

// Types that functions need.
uint32_t btf_int(struct btf_builder *btf, const char *name, uint32_t size, bool is_signed);
uint32_t btf_pointer(struct btf_builder *btf, uint32_t type);
// A FUNC and, before it, its FUNC_PROTO with parameters of the types, called a, b and so on; a
// type of 0 at the end makes it variadic.
uint32_t btf_function(struct btf_builder *btf, const char *name, const uint32_t *types,
		      uint32_t count);

// The section: with a header of 24 bytes, or of 32 if there is a layout.
struct bytes btf_section(struct btf_builder *btf);

// The example of a table in the form of the RFC: three calls, sites of two functions.
void btf_example_write(struct byte_buffer *out, bool big_endian);

// The types of the example: int, and the functions number 7 (two parameters), 8 (one) and 9.
void btf_example_types(struct btf_builder *btf, bool big_endian);

#endif
