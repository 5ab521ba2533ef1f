#include "types/members/strings.h"

#include <string.h>

#include "dwarf/units/constants.h"

enum { MOST_STEPS = 6, GO_KIND_STRING = 24 };

struct steps {
	struct ic_member_step list[MOST_STEPS];
	uint32_t count;
};

struct layout {
	const char *type; // its name, up to the first argument of a template; NULL for Go's strings
	struct steps data, length;
};

#define STEP(step)             \
	{                      \
		.name = (step) \
	}
#define STEPS(count, ...)                \
	{                                \
		{ __VA_ARGS__ }, (count) \
	}

static const struct layout layouts[] = {
	{ NULL, STEPS(1, STEP("str")), STEPS(1, STEP("len")) },
	// Rust
	{ "&str", STEPS(1, STEP("data_ptr")), STEPS(1, STEP("length")) },
	{ "&mut str", STEPS(1, STEP("data_ptr")), STEPS(1, STEP("length")) },
	{ "alloc::boxed::Box<str", STEPS(1, STEP("data_ptr")), STEPS(1, STEP("length")) },
	{ "&std::path::Path", STEPS(1, STEP("data_ptr")), STEPS(1, STEP("length")) },
	{ "&std::ffi::os_str::OsStr", STEPS(1, STEP("data_ptr")), STEPS(1, STEP("length")) },
	{ "String",
	  STEPS(6, STEP("vec"), STEP("buf"), STEP("inner"), STEP("ptr"), STEP("pointer"),
		STEP("pointer")),
	  STEPS(2, STEP("vec"), STEP("len")) },
	{ "String", // before Rust 1.83
	  STEPS(5, STEP("vec"), STEP("buf"), STEP("ptr"), STEP("pointer"), STEP("pointer")),
	  STEPS(2, STEP("vec"), STEP("len")) },
	// libstdc++, also with -gsimple-template-names
	{ "basic_string", STEPS(2, STEP("_M_dataplus"), STEP("_M_p")),
	  STEPS(1, STEP("_M_string_length")) },
	{ "basic_string_view", STEPS(1, STEP("_M_str")), STEPS(1, STEP("_M_len")) },
	{ "basic_string<char", STEPS(2, STEP("_M_dataplus"), STEP("_M_p")),
	  STEPS(1, STEP("_M_string_length")) },
	{ "basic_string_view<char", STEPS(1, STEP("_M_str")), STEPS(1, STEP("_M_len")) },
	// libc++, whose basic_string keeps short strings elsewhere
	{ "basic_string_view<char", STEPS(1, STEP("__data_")), STEPS(1, STEP("__size_")) },
};

// Whether Go says that a type is a string.
static bool is_gos(struct ic_dies *dies, struct ic_die_place place)
{
	struct ic_full_die_attr attr;
	uint64_t kind;

	if (!ic_full_die_find(dies, place, DW_AT_GO_kind, &attr) || attr.spec.form == 0)
		return false;
	const struct ic_value value = ic_value_read(&attr.cur, &attr.spec, place.unit);
	return ic_full_die_constant(&value, &kind) && kind == GO_KIND_STRING;
}

// Whether a layout is for the type of a DIE.
static bool is_for(const struct layout *layout, struct ic_dies *dies, struct ic_die_place place,
		   const struct ic_full_die *die)
{
	if (!layout->type)
		return is_gos(dies, place);
	const char *name = ic_full_die_text(dies, place, &die->attrs.name);
	size_t length = strlen(layout->type);
	return name && strncmp(name, layout->type, length) == 0 &&
	       (name[length] == '\0' || name[length] == ',' || name[length] == '>');
}

// Moves to the structure that a type is, or that it points to.
static bool open_structure(struct ic_dies *dies, struct ic_die_place *place,
			   const struct ic_value *type, struct ic_full_die *die)
{
	if (!ic_value_is_given(type) || !ic_full_die_type(dies, place, type, die))
		return false;
	switch (die->die.tag) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return ic_value_is_given(&die->attrs.type) &&
		       ic_full_die_type(dies, place, &die->attrs.type, die);
	default: return true;
	}
}

// Whether a member is a pointer to bytes, or to something of no known size, as Rust's paths are.
static bool points_to_bytes(struct ic_dies *dies, const struct ic_type_member *member)
{
	struct ic_die_place place = member->type_place;
	struct ic_full_die die;
	uint64_t size;

	return member->text.encoding == IC_TYPE_POINTER &&
	       ic_full_die_type(dies, &place, &member->type_value, &die) &&
	       ic_value_is_given(&die.attrs.type) &&
	       (!ic_full_die_type_size(dies, place, &die.attrs.type, &size) || size <= 1);
}

static bool read_string(struct ic_type_members *members, const struct ic_formal *formal,
			struct ic_member_steps path, const struct layout *layout,
			struct ic_type_string *string)
{
	const struct ic_member_steps data = { layout->data.list, layout->data.count };
	const struct ic_member_steps length = { layout->length.list, layout->length.count };

	return ic_type_member_read(members, formal, path, data, &string->data) &&
	       ic_type_member_read(members, formal, path, length, &string->length) &&
	       points_to_bytes(members->types->dies, &string->data) &&
	       string->length.text.encoding == IC_TYPE_INTEGER && string->length.text.size <= 8;
}

static void find_string(struct ic_type_members *members, const struct ic_formal *formal,
			const struct ic_type_member *member, struct ic_member_steps path,
			struct ic_type_string *string)
{
	struct ic_dies *dies = members->types->dies;
	struct ic_die_place place = member ? member->type_place : formal->type_place;
	const struct ic_value type = member ? member->type_value : formal->type_value;
	struct ic_full_die die;

	if (!open_structure(dies, &place, &type, &die) ||
	    (die.die.tag != DW_TAG_structure_type && die.die.tag != DW_TAG_class_type))
		return;
	for (size_t i = 0; !string->is_string && i < sizeof(layouts) / sizeof(layouts[0]); i++)
		string->is_string = is_for(&layouts[i], dies, place, &die) &&
				    read_string(members, formal, path, &layouts[i], string);
}

// Of Go's and Rust's pointers it is not known here what they point to.
static bool may_be_string(const struct ic_type_text *text)
{
	bool is_pointer = text->encoding == IC_TYPE_POINTER || text->encoding == IC_TYPE_REFERENCE;

	return text->encoding == IC_TYPE_STRUCTURE ||
	       (is_pointer && (text->item_encoding == IC_TYPE_STRUCTURE ||
			       text->item_encoding == IC_TYPE_UNKNOWN));
}

const struct ic_type_string *ic_type_string_find(struct ic_type_strings *strings,
						 struct ic_type_members *members, uint32_t number,
						 const struct ic_formal *formal, uint32_t path,
						 bool *ok)
{
	uint64_t key = (uint64_t)number * (IC_NO_PATH + 1) + path;
	struct ic_member_steps steps = { .count = 0 };
	const struct ic_type_member *member = NULL;

	if (path != IC_NO_PATH) {
		*ok = ic_type_member_find(members, number, formal, path, &member);
		if (!member)
			return NULL;
		steps = ic_member_steps_of(members, path);
	}
	if (!formal->knows_type || !may_be_string(member ? &member->text : &formal->text))
		return NULL;
	uint32_t *found = ic_map_at(&strings->by_formal, key);
	if (found && *found == IC_NONE) {
		struct ic_type_string *made = IC_ARRAY_PUSH(&strings->list);
		if (made) {
			*made = (struct ic_type_string){ .is_string = false };
			*found = strings->list.count - 1;
			find_string(members, formal, member, steps, made);
		}
	}
	*ok = found && *found != IC_NONE && !members->types->dies->reader->out_of_memory;
	return *ok && strings->list.items[*found].is_string ? &strings->list.items[*found] : NULL;
}

void ic_type_strings_forget(struct ic_type_strings *strings)
{
	ic_map_clear(&strings->by_formal);
	strings->list.count = 0;
}

void ic_type_strings_free(struct ic_type_strings *strings)
{
	ic_map_free(&strings->by_formal);
	IC_ARRAY_FREE(&strings->list);
}
