// Fuzzes the adding of types to BTF: types that the input chooses, to whatever can be read.
// Wanted: what was there is the same as before; what was added is found as it was added, and is
// added once.
#include <stdlib.h>
#include <string.h>

#include "btf/more.h"

#include "fuzz_input.h"

enum { MOST_ADDED = 64, MOST_WORDS = 8 };

static const enum ic_btf_kind kinds[] = { IC_BTF_INT,      IC_BTF_PTR,       IC_BTF_ARRAY,
					  IC_BTF_STRUCT,   IC_BTF_UNION,     IC_BTF_ENUM,
					  IC_BTF_FWD,      IC_BTF_CONST,     IC_BTF_VOLATILE,
					  IC_BTF_RESTRICT, IC_BTF_TYPEDEF,   IC_BTF_FUNC,
					  IC_BTF_FLOAT,    IC_BTF_FUNC_PROTO };

static const char *const names[] = { NULL, "int", "value", "mid", "a_new_name", "", "long" };

struct added {
	struct ic_btf_new_type type;
	uint32_t words[MOST_WORDS];
	const char *names[MOST_WORDS / 2];
	uint32_t id;
};

static const char *take_name(struct fuzz_input *in)
{
	return names[fuzz_take_u8(in) % (sizeof(names) / sizeof(*names))];
}

// As many words as the kind has in BTF.
static uint32_t words_of(enum ic_btf_kind kind, uint8_t choice)
{
	switch (kind) {
	case IC_BTF_INT: return 1;
	case IC_BTF_ARRAY: return 3;
	case IC_BTF_FUNC_PROTO: return choice % (MOST_WORDS / 2 + 1) * 2;
	default: return 0;
	}
}

static void take_type(struct fuzz_input *in, struct added *added)
{
	struct ic_btf_new_type *type = &added->type;
	uint8_t choice = fuzz_take_u8(in);

	type->kind = kinds[(choice & 15) % (sizeof(kinds) / sizeof(*kinds))];
	type->flag = choice & 16 && type->kind == IC_BTF_FWD;
	type->name = take_name(in);
	type->size = fuzz_take_u16(in);
	type->words = added->words;
	type->word_count = words_of(type->kind, choice >> 5);
	for (uint32_t i = 0; i < type->word_count; i++)
		added->words[i] = fuzz_take_u8(in);
	if (type->kind == IC_BTF_FUNC_PROTO && choice & 16)
		type->names = added->names;
	for (uint32_t i = 0; type->names && i < type->word_count / 2; i++)
		added->names[i] = take_name(in);
}

static bool same_text(const char *one, const char *other)
{
	return one && other ? strcmp(one, other) == 0 : one == other;
}

// ---- What was there

static void check_same(const struct ic_btf *before, const struct ic_btf *after, uint32_t id)
{
	struct ic_btf_type old, new;

	PROMISE(ic_btf_type_find(before, id, &old) && ic_btf_type_find(after, id, &new));
	PROMISE(old.kind == new.kind &&old.flag == new.flag &&old.size == new.size);
	PROMISE(old.item_count == new.item_count &&old.name_off == new.name_off);
	// A name behind the strings, which breaks the format, can be in those that are added.
	if (ic_btf_string(before, old.name_off))
		PROMISE(same_text(ic_btf_name(before, id), ic_btf_name(after, id)));
}

// ---- What was added

static void check_words(const struct ic_btf *after, const struct ic_btf_new_type *wanted,
			const struct ic_btf_type *found)
{
	for (uint32_t i = 0; i < wanted->word_count; i++) {
		uint32_t word = ic_btf_type_word(found, i);
		if (wanted->kind != IC_BTF_FUNC_PROTO || i % 2 == 1) {
			PROMISE(word == wanted->words[i]);
			continue;
		}
		const char *name = wanted->names ? wanted->names[i / 2] : NULL;
		PROMISE(same_text(ic_btf_string(after, word), name ? name : ""));
	}
}

static void check_added(const struct ic_btf *after, const struct added *added)
{
	const struct ic_btf_new_type *wanted = &added->type;
	struct ic_btf_type found;

	PROMISE(ic_btf_type_find(after, added->id, &found));
	PROMISE(found.kind == wanted->kind && found.flag == wanted->flag);
	PROMISE(found.size == wanted->size);
	PROMISE(same_text(ic_btf_string(after, found.name_off), wanted->name ? wanted->name : ""));
	if (wanted->kind == IC_BTF_FUNC_PROTO)
		PROMISE(found.item_count == wanted->word_count / 2);
	check_words(after, wanted, &found);
}

static void check_named(const struct ic_btf_more *more, const struct ic_btf *after,
			const struct added *added)
{
	const struct ic_btf_new_type *wanted = &added->type;
	struct ic_btf_type found;

	if (!wanted->name || !*wanted->name)
		return;
	uint32_t id = ic_btf_more_named(more, wanted->kind, wanted->name, wanted->size);
	if (id == 0)
		return;
	PROMISE(ic_btf_type_find(after, id, &found));
	PROMISE(same_text(ic_btf_name(after, id), wanted->name));
	PROMISE(found.size == wanted->size || found.kind == IC_BTF_TYPEDEF);
}

static void check_all(const struct ic_btf_more *more, const struct ic_btf *base,
		      const struct added *added, uint32_t count)
{
	const struct ic_btf *before = more->types;
	struct ic_error err = { .code = IC_ERROR_NONE };
	size_t size;
	void *bytes = ic_btf_more_write(more, &size, &err);

	if (!bytes) {
		PROMISE_REASON(err);
		return;
	}
	struct ic_btf *after = ic_btf_parse(bytes, size, base, &err);
	PROMISE(after);
	PROMISE(ic_btf_count(after) == ic_btf_count(before) + more->added_count);
	for (uint32_t id = before->first_id; id < ic_btf_count(before); id++)
		check_same(before, after, id);
	for (uint32_t i = 0; i < count; i++) {
		check_added(after, &added[i]);
		check_named(more, after, &added[i]);
	}
	ic_btf_free(after);
	free(bytes);
}

static void add_all(struct fuzz_input *in, const struct ic_btf *types, const struct ic_btf *base)
{
	struct added added[MOST_ADDED] = { { .id = 0 } };
	struct ic_btf_more more = { .types = NULL };
	struct ic_error err = { .code = IC_ERROR_NONE };
	uint32_t count = 0;

	PROMISE(ic_btf_more_begin(&more, types, &err)); // memory suffices
	for (; in->pos < in->end && count < MOST_ADDED; count++) {
		struct added *one = &added[count];
		take_type(in, one);
		one->id = ic_btf_more_add(&more, &one->type);
		PROMISE(one->id != 0 && one->id < ic_btf_count(types) + more.added_count);
		uint32_t so_far = more.added_count;
		PROMISE(ic_btf_more_add(&more, &one->type) == one->id);
		PROMISE(more.added_count == so_far);
	}
	check_all(&more, base, added, count);
	ic_btf_more_free(&more);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	struct ic_bytes sections[3]; // what it is split on, the BTF itself, the types to add
	struct ic_error err = { .code = IC_ERROR_NONE };

	fuzz_take_sections(&in, sections, 3);
	struct ic_btf *base = ic_btf_parse(sections[0].data, sections[0].size, NULL, &err);
	struct ic_btf *types = ic_btf_parse(sections[1].data, sections[1].size, base, &err);
	if (types && sections[2].size > 0) {
		in = (struct fuzz_input){ sections[2].data, sections[2].data + sections[2].size };
		add_all(&in, types, base);
	}
	ic_btf_free(types);
	ic_btf_free(base);
	fuzz_free_sections(sections, 3);
	return 0;
}
