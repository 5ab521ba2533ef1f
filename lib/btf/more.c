#include "btf/more.h"

#include <stdlib.h>

#include "btf/out.h"

enum {
	MOST_WORDS = 2 * 255, // per added type
	// Types are equal if these are: the kind, the flag, the name, and the size or type. The
	// words follow.
	KEY_WORDS = 4,
	NAME_WORDS = 3, // key of a type by its name and size
	NAMED = 0x80,   // added to the kind in such a key
};

// The number of a name; `off` is its offset, or IC_NONE to add it to the strings. IC_NONE if memory
// runs out.
static uint32_t name_number(struct ic_btf_more *more, const char *name, uint32_t off)
{
	const struct ic_btf *types = more->types;
	uint32_t size = (uint32_t)strlen(name) + 1;
	uint32_t *place = ic_byte_map_at(&more->names, name, size);

	if (!place)
		return IC_NONE;
	uint32_t number = (uint32_t)(place - more->names.values.items);
	if (*place == IC_NONE)
		*place = off;
	if (*place != IC_NONE)
		return number;
	if (!IC_ARRAY_RESERVE(&more->strings, (uint64_t)more->strings.count + size))
		return IC_NONE;
	*place = types->first_string + types->strings_size + more->strings.count;
	memcpy(more->strings.items + more->strings.count, name, size);
	more->strings.count += size;
	return number;
}

static enum ic_btf_kind class_of(enum ic_btf_kind kind)
{
	return kind == IC_BTF_ENUM64 ? IC_BTF_ENUM : kind;
}

static void set_named_key(uint32_t key[NAME_WORDS], enum ic_btf_kind kind, uint32_t name,
			  uint64_t size)
{
	key[0] = NAMED + (uint32_t)class_of(kind);
	key[1] = name;
	key[2] = kind != IC_BTF_TYPEDEF ? (uint32_t)size : 0;
}

static void set_key(uint32_t key[KEY_WORDS], enum ic_btf_kind kind, bool flag, uint32_t name,
		    uint32_t size)
{
	key[0] = (uint32_t)kind;
	key[1] = flag;
	key[2] = name;
	key[3] = size;
}

// ---- Existing types

static bool is_named(enum ic_btf_kind kind)
{
	switch (kind) {
	case IC_BTF_INT:
	case IC_BTF_FLOAT:
	case IC_BTF_STRUCT:
	case IC_BTF_UNION:
	case IC_BTF_ENUM:
	case IC_BTF_ENUM64:
	case IC_BTF_TYPEDEF: return true;
	default: return false;
	}
}

// The number of words that follow a type, if an added one may equal it; IC_NONE for other kinds.
static uint32_t words_of(const struct ic_btf_type *type)
{
	switch (type->kind) {
	case IC_BTF_INT: return 1;
	case IC_BTF_ARRAY: return 3;
	case IC_BTF_FUNC_PROTO: return 2 * type->item_count;
	case IC_BTF_PTR:
	case IC_BTF_FWD:
	case IC_BTF_TYPEDEF:
	case IC_BTF_VOLATILE:
	case IC_BTF_CONST:
	case IC_BTF_RESTRICT:
	case IC_BTF_FUNC:
	case IC_BTF_FLOAT: return 0;
	default: return IC_NONE;
	}
}

static bool note_named(struct ic_btf_more *more, const struct ic_btf_type *type, uint32_t id,
		       uint32_t name)
{
	uint32_t key[NAME_WORDS];

	set_named_key(key, type->kind, name, type->size);
	uint32_t *slot = ic_byte_map_at(&more->ids, key, sizeof(key));
	if (!slot)
		return false;
	*slot = *slot == IC_NONE ? id : 0;
	return true;
}

static bool note_type(struct ic_btf_more *more, uint32_t id)
{
	const struct ic_btf *types = more->types;
	uint32_t key[KEY_WORDS + MOST_WORDS];
	struct ic_btf_type type;

	if (!ic_btf_type_find(types, id, &type))
		return true;
	const char *text = ic_btf_string(types, type.name_off);
	uint32_t name = text ? name_number(more, text, type.name_off) : IC_NONE;
	if (!text)
		return true;
	if (name == IC_NONE || (is_named(type.kind) && *text && !note_named(more, &type, id, name)))
		return false;
	uint32_t count = words_of(&type);
	if (count > MOST_WORDS)
		return true;
	set_key(key, type.kind, type.flag, name, type.size);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t word = ic_btf_type_word(&type, i);
		if (type.kind == IC_BTF_FUNC_PROTO && i % 2 == 0) {
			const char *parameter = ic_btf_string(types, word);
			if (!parameter)
				return true;
			word = name_number(more, parameter, word);
			if (word == IC_NONE)
				return false;
		}
		key[KEY_WORDS + i] = word;
	}
	uint32_t *slot = ic_byte_map_at(&more->ids, key, 4 * (KEY_WORDS + count));
	if (slot && *slot == IC_NONE)
		*slot = id;
	return slot;
}

bool ic_btf_more_begin(struct ic_btf_more *more, const struct ic_btf *types, struct ic_error *err)
{
	const char *first = ic_btf_string(types, 0);

	more->types = types;
	// The strings should begin with the empty name.
	if (name_number(more, "", first && !*first ? 0 : IC_NONE) == IC_NONE)
		return ic_fail_memory(err);
	for (uint32_t id = 1; id < ic_btf_count(types); id++)
		if (!note_type(more, id))
			return ic_fail_memory(err);
	return true;
}

void ic_btf_more_free(struct ic_btf_more *more)
{
	ic_byte_map_free(&more->names);
	ic_byte_map_free(&more->ids);
	IC_ARRAY_FREE(&more->added);
	IC_ARRAY_FREE(&more->strings);
}

uint32_t ic_btf_more_named(const struct ic_btf_more *more, enum ic_btf_kind kind, const char *name,
			   uint64_t size)
{
	uint32_t number = ic_byte_pool_find(&more->names.keys, name, (uint32_t)strlen(name) + 1);
	uint32_t key[NAME_WORDS];

	if (number == IC_NONE || size > UINT32_MAX)
		return 0;
	set_named_key(key, kind, number, size);
	uint32_t id = ic_byte_map_find(&more->ids, key, sizeof(key));
	return id == IC_NONE ? 0 : id;
}

// ---- Adding

static bool put_type(struct ic_btf_more *more, const struct ic_btf_new_type *type,
		     const uint32_t *key)
{
	uint32_t size = IC_BTF_TYPE_SIZE + 4 * type->word_count;
	uint32_t items = type->kind == IC_BTF_FUNC_PROTO ? type->word_count / 2 : 0;

	if (!IC_ARRAY_RESERVE(&more->added, (uint64_t)more->added.count + size))
		return false;
	struct ic_btf_out out = { more->added.items + more->added.count, more->types->swap };
	ic_btf_put(&out, more->names.values.items[key[2]], 4);
	ic_btf_put(&out, (uint32_t)type->flag << 31 | (uint32_t)type->kind << 24 | items, 4);
	ic_btf_put(&out, type->size, 4);
	for (uint32_t i = 0; i < type->word_count; i++) {
		bool is_name = type->kind == IC_BTF_FUNC_PROTO && i % 2 == 0;
		uint32_t word = key[KEY_WORDS + i];
		ic_btf_put(&out, is_name ? more->names.values.items[word] : word, 4);
	}
	more->added.count += size;
	more->added_count++;
	more->function_count += type->kind == IC_BTF_FUNC;
	return true;
}

uint32_t ic_btf_more_add(struct ic_btf_more *more, const struct ic_btf_new_type *type)
{
	uint32_t key[KEY_WORDS + MOST_WORDS];

	if (type->word_count > MOST_WORDS)
		return IC_NONE;
	uint32_t number = name_number(more, type->name ? type->name : "", IC_NONE);
	if (number == IC_NONE)
		return IC_NONE;
	set_key(key, type->kind, type->flag, number, type->size);
	for (uint32_t i = 0; i < type->word_count; i++) {
		bool is_name = type->kind == IC_BTF_FUNC_PROTO && i % 2 == 0;
		const char *name = is_name && type->names ? type->names[i / 2] : NULL;
		key[KEY_WORDS + i] = is_name ? name_number(more, name ? name : "", IC_NONE)
					     : type->words[i];
		if (is_name && key[KEY_WORDS + i] == IC_NONE)
			return IC_NONE;
	}
	uint32_t *slot = ic_byte_map_at(&more->ids, key, 4 * (KEY_WORDS + type->word_count)),
		 id = ic_btf_count(more->types) + more->added_count;
	if (!slot)
		return IC_NONE;
	if (*slot != IC_NONE)
		return *slot;
	if (!put_type(more, type, key))
		return IC_NONE;
	*slot = id;
	return id;
}

// ---- Writing

void *ic_btf_more_write(const struct ic_btf_more *more, size_t *size, struct ic_error *err)
{
	const struct ic_btf *types = more->types;
	const uint8_t *old = types->bytes.data;
	struct ic_cursor cur =
		ic_cursor_at(types->bytes, types->section, 2, types->bytes.size - 2, types->swap);
	const struct ic_btf_header header = ic_btf_header_read(&cur);
	uint64_t new_types = (uint64_t)header.types_size + more->added.count;
	uint64_t strings_size = (uint64_t)types->strings_size + more->strings.count;

	*size = header.size + new_types + header.layout_size + strings_size;
	if (*size > UINT32_MAX || types->first_string + strings_size > UINT32_MAX ||
	    ic_btf_count(types) + (uint64_t)more->added_count > IC_BTF_MOST_TYPES + 1ull) {
		ic_fail(err, IC_ERROR_LIMIT,
			"the types and strings would exceed the limits of BTF");
		return NULL;
	}
	uint8_t *bytes = malloc(*size);
	if (!bytes) {
		ic_fail_memory(err);
		return NULL;
	}
	struct ic_btf_out out = { bytes, types->swap };
	ic_btf_put_bytes(&out, old, header.size);
	ic_btf_put_bytes(&out, old + header.size + header.types_off, header.types_size);
	ic_btf_put_bytes(&out, more->added.items, more->added.count);
	ic_btf_put_bytes(&out, old + header.size + header.layout_off, header.layout_size);
	ic_btf_put_bytes(&out, old + types->strings_off, types->strings_size);
	ic_btf_put_bytes(&out, more->strings.items, more->strings.count);
	out.at = bytes + 8;
	ic_btf_put(&out, 0, 4);
	ic_btf_put(&out, new_types, 4);
	ic_btf_put(&out, new_types + header.layout_size, 4);
	ic_btf_put(&out, strings_size, 4);
	if (header.layout_size > 0)
		ic_btf_put(&out, new_types, 4);
	return bytes;
}
