#include "btf_builder.h"

#include <string.h>

enum { KIND_INT = 1, KIND_PTR = 2, KIND_FUNC = 12, KIND_FUNC_PROTO = 13 };

void btf_builder_init(struct btf_builder *btf, const struct btf_builder *base, bool big_endian)
{
	*btf = (struct btf_builder){ .next_id = base ? base->next_id : 1 };
	btf->types.big_endian = btf->layout.big_endian = btf->out.big_endian = big_endian;
	if (base)
		btf->first_string = base->first_string + (uint32_t)base->strings.size;
	else
		byte_buffer_string(&btf->strings, "");
}

void btf_builder_deinit(struct btf_builder *btf)
{
	byte_buffer_deinit(&btf->types);
	byte_buffer_deinit(&btf->strings);
	byte_buffer_deinit(&btf->layout);
	byte_buffer_deinit(&btf->out);
}

uint32_t btf_string(struct btf_builder *btf, const char *text)
{
	uint32_t off = btf->first_string + (uint32_t)btf->strings.size;

	if (!text)
		return 0;
	byte_buffer_string(&btf->strings, text);
	return off;
}

void btf_word(struct btf_builder *btf, uint32_t word)
{
	byte_buffer_put(&btf->types, word, 4);
}

uint32_t btf_type(struct btf_builder *btf, const char *name, unsigned kind, uint32_t count,
		  bool flag, uint32_t size)
{
	btf_word(btf, btf_string(btf, name));
	btf_word(btf, (uint32_t)flag << 31 | kind << 24 | count);
	btf_word(btf, size);
	return btf->next_id++;
}

uint32_t btf_int(struct btf_builder *btf, const char *name, uint32_t size, bool is_signed)
{
	uint32_t id = btf_type(btf, name, KIND_INT, 0, false, size);

	btf_word(btf, (uint32_t)is_signed << 24 | 8 * size);
	return id;
}

uint32_t btf_pointer(struct btf_builder *btf, uint32_t type)
{
	return btf_type(btf, NULL, KIND_PTR, 0, false, type);
}

uint32_t btf_function(struct btf_builder *btf, const char *name, const uint32_t *types,
		      uint32_t count)
{
	uint32_t prototype = btf_type(btf, NULL, KIND_FUNC_PROTO, count, false, 0);

	for (uint32_t i = 0; i < count; i++) {
		char letter[2] = { (char)('a' + i), 0 };
		btf_word(btf, types[i] ? btf_string(btf, letter) : 0);
		btf_word(btf, types[i]);
	}
	return btf_type(btf, name, KIND_FUNC, 0, false, prototype);
}

static void put_header(struct byte_buffer *out, uint32_t size)
{
	byte_buffer_put(out, 0xeb9f, 2);
	byte_buffer_put(out, 1, 1);
	byte_buffer_put(out, 0, 1);
	byte_buffer_put(out, size, 4);
}

struct bytes btf_section(struct btf_builder *btf)
{
	struct byte_buffer *out = &btf->out;
	bool has_layout = btf->layout.size > 0;

	out->size = 0;
	put_header(out, has_layout ? 32 : 24);
	byte_buffer_put(out, 0, 4);
	byte_buffer_put(out, btf->types.size, 4);
	byte_buffer_put(out, btf->types.size + btf->layout.size, 4);
	byte_buffer_put(out, btf->strings.size, 4);
	if (has_layout) {
		byte_buffer_put(out, btf->types.size, 4);
		byte_buffer_put(out, btf->layout.size, 4);
	}
	byte_buffer_append(out, btf->types.data, btf->types.size);
	byte_buffer_append(out, btf->layout.data, btf->layout.size);
	byte_buffer_append(out, btf->strings.data, btf->strings.size);
	return byte_buffer_view(out);
}

// ---- The example of a table

static void put_record(struct byte_buffer *out, uint32_t callee, uint32_t offset, uint32_t count,
		       const uint32_t *locations)
{
	byte_buffer_put(out, callee, 4);
	byte_buffer_put(out, 9, 4);
	byte_buffer_put(out, offset, 4);
	byte_buffer_put(out, count, 2);
	for (uint32_t i = 0; i < count; i++)
		byte_buffer_put(out, locations[i], 4);
}

void btf_example_write(struct byte_buffer *out, bool big_endian)
{
	out->big_endian = big_endian;
	put_header(out, 24);
	byte_buffer_put(out, 0, 4);
	byte_buffer_put(out, 62, 4);
	byte_buffer_put(out, 62, 4);
	byte_buffer_put(out, 20, 4);
	put_record(out, 7, 0x30, 2, (const uint32_t[]){ 1, 4 });
	put_record(out, 7, 0x12, 2, (const uint32_t[]){ 1, 0 });
	put_record(out, 8, 0x41, 1, (const uint32_t[]){ 7 });
	byte_buffer_put(out, 0, 1);
	byte_buffer_append(out, (const uint8_t[]){ 0x09, 5, 0 }, 3);
	byte_buffer_append(out, (const uint8_t[]){ 0x05, 3, 0 }, 3);
	byte_buffer_append(out, (const uint8_t[]){ 0x0a, 5 }, 2);
	byte_buffer_put(out, 12, 8);
	byte_buffer_append(out, (const uint8_t[]){ 0x0b, 4, 0 }, 3);
}

void btf_example_types(struct btf_builder *btf, bool big_endian)
{
	btf_builder_init(btf, NULL, big_endian);
	btf_int(btf, "int", 4, true);                      // 1
	btf_int(btf, "unsigned int", 4, false);            // 2
	btf_type(btf, NULL, KIND_FUNC_PROTO, 2, false, 0); // 3
	btf_word(btf, btf_string(btf, "value"));
	btf_word(btf, 1);
	btf_word(btf, btf_string(btf, "factor"));
	btf_word(btf, 1);
	btf_type(btf, NULL, KIND_FUNC_PROTO, 1, false, 0); // 4
	btf_word(btf, btf_string(btf, "count"));
	btf_word(btf, 2);
	btf_type(btf, NULL, KIND_FUNC_PROTO, 0, false, 0); // 5
	btf_pointer(btf, 1);                               // 6
	btf_type(btf, "mid", KIND_FUNC, 0, false, 3);      // 7
	btf_type(btf, "leaf", KIND_FUNC, 0, false, 4);     // 8
	btf_type(btf, "top", KIND_FUNC, 1, false, 5);      // 9
}
