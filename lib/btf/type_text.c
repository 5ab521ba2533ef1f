// Writes types in C notation.
#include <stdio.h>
#include <string.h>

#include "btf/types.h"
#include "text/text.h"

enum {
	MOST_TEXT = 512,  // bytes of each part
	MOST_STEPS = 64,  // from one type to the next, per text
	MOST_NESTING = 3, // prototypes within the parameters of others
};

// Declarators are built around an absent name, from the inside out.
struct speller {
	const struct ic_btf *btf;
	unsigned steps, nesting;
	bool is_cut;
};

struct spelling {
	char declarator[MOST_TEXT]; // the text around the name
	char qualifiers[64];        // of the next type
};

static void append_text(struct speller *to, char *text, const char *more)
{
	if (!ic_text_append(text, MOST_TEXT, "%s", more))
		to->is_cut = true;
}

static void prepend_text(struct speller *to, char *text, const char *more)
{
	size_t size = strlen(more), length = strlen(text);

	if (size + length >= MOST_TEXT) {
		to->is_cut = true;
		return;
	}
	memmove(text + size, text, length + 1);
	memcpy(text, more, size);
}

static void spell_type(struct speller *to, uint32_t id, char text[MOST_TEXT]);

// A suffix such as [4] binds more tightly than a pointer's star.
static void add_suffix(struct speller *to, struct spelling *spelling, const char *suffix)
{
	if (*spelling->declarator == '*') {
		prepend_text(to, spelling->declarator, "(");
		append_text(to, spelling->declarator, ")");
	}
	append_text(to, spelling->declarator, suffix);
}

static void add_parameters(struct speller *to, struct spelling *spelling,
			   const struct ic_btf_type *prototype)
{
	char all[MOST_TEXT] = "(", one[MOST_TEXT];

	for (uint32_t i = 0; i < prototype->item_count && !to->is_cut; i++) {
		uint32_t type = ic_btf_type_word(prototype, 2 * i + 1);
		if (i > 0)
			append_text(to, all, ", ");
		if (type == 0 && i + 1 == prototype->item_count) {
			append_text(to, all, "...");
			continue;
		}
		to->nesting++;
		spell_type(to, type, one);
		to->nesting--;
		append_text(to, all, one);
	}
	append_text(to, all, prototype->item_count == 0 ? "void)" : ")");
	add_suffix(to, spelling, all);
	*spelling->qualifiers = 0; // a function cannot be qualified
}

static void add_pointer(struct speller *to, struct spelling *spelling)
{
	char star[80];

	snprintf(star, sizeof(star), "*%s%s", spelling->qualifiers,
		 *spelling->qualifiers && *spelling->declarator ? " " : "");
	prepend_text(to, spelling->declarator, star);
	*spelling->qualifiers = 0;
}

static void add_qualifier(struct spelling *spelling, const char *name)
{
	if (!strstr(spelling->qualifiers, name)) // ignore repetitions
		ic_text_append(spelling->qualifiers, sizeof(spelling->qualifiers), "%s%s",
			       *spelling->qualifiers ? " " : "", name);
}

// Gets the start of a declaration; returns false if the type is derived from another one, which
// comes next.
static bool begin_of(const struct speller *to, const struct ic_btf_type *type, char *text)
{
	static const char *const words[] = {
		[IC_BTF_STRUCT] = "struct ", [IC_BTF_UNION] = "union ", [IC_BTF_ENUM] = "enum ",
		[IC_BTF_FWD] = "struct ",    [IC_BTF_ENUM64] = "enum ",
	};
	const char *name = ic_btf_string(to->btf, type->name_off), *word = "";

	switch (type->kind) {
	case IC_BTF_FWD:
	case IC_BTF_STRUCT:
	case IC_BTF_UNION:
	case IC_BTF_ENUM:
	case IC_BTF_ENUM64:
		word = type->kind == IC_BTF_FWD && type->flag ? "union " : words[type->kind];
		if (name && !*name)
			name = "{...}";
		break;
	case IC_BTF_INT:
	case IC_BTF_FLOAT:
	case IC_BTF_TYPEDEF: break;
	default: return false;
	}
	// A name that is too long is cut off.
	snprintf(text, MOST_TEXT, "%s%s", word, name && *name ? name : "??");
	return true;
}

// Steps from a derived type to the one it is made of; returns false if it is not derived.
static bool spell_step(struct speller *to, struct spelling *spelling,
		       const struct ic_btf_type *type, uint32_t *next)
{
	char suffix[32];

	*next = type->size;
	switch (type->kind) {
	case IC_BTF_PTR: add_pointer(to, spelling); break;
	case IC_BTF_CONST: add_qualifier(spelling, "const"); break;
	case IC_BTF_VOLATILE: add_qualifier(spelling, "volatile"); break;
	case IC_BTF_RESTRICT: add_qualifier(spelling, "restrict"); break;
	case IC_BTF_TYPE_TAG: break;
	case IC_BTF_ARRAY:
		snprintf(suffix, sizeof(suffix), "[%u]", ic_btf_type_word(type, 2));
		add_suffix(to, spelling, suffix);
		*next = ic_btf_type_word(type, 0);
		break;
	case IC_BTF_FUNC_PROTO:
		if (to->nesting >= MOST_NESTING)
			return false;
		add_parameters(to, spelling, type);
		break;
	default: return false;
	}
	return true;
}

static void spell_type(struct speller *to, uint32_t id, char text[MOST_TEXT])
{
	struct spelling spelling = { .declarator = "" };
	struct ic_btf_type type;
	char begin[MOST_TEXT] = "";

	while (!to->is_cut) {
		if (id == 0) {
			strcpy(begin, "void");
			break;
		}
		if (to->steps++ >= MOST_STEPS) {
			to->is_cut = true;
			break;
		}
		if (!ic_btf_type_find(to->btf, id, &type)) {
			strcpy(begin, "??");
			break;
		}
		if (begin_of(to, &type, begin))
			break;
		if (!spell_step(to, &spelling, &type, &id)) {
			strcpy(begin, "??");
			break;
		}
	}
	*text = 0;
	if (*spelling.qualifiers)
		ic_text_append(text, MOST_TEXT, "%s ", spelling.qualifiers);
	append_text(to, text, begin);
	if (*spelling.declarator) {
		append_text(to, text, " ");
		append_text(to, text, spelling.declarator);
	}
}

size_t ic_btf_type_text(const struct ic_btf *btf, uint32_t id, char *text, size_t size)
{
	struct speller to = { .btf = btf };
	char whole[MOST_TEXT];

	spell_type(&to, id, whole);
	return (size_t)snprintf(text, size, "%s", to.is_cut ? "..." : whole);
}

uint64_t ic_btf_type_size(const struct ic_btf *btf, uint32_t id, bool *is_signed)
{
	struct ic_btf_type type;

	*is_signed = false;
	for (unsigned i = 0; i < MOST_STEPS && ic_btf_type_find(btf, id, &type); i++) {
		switch (type.kind) {
		case IC_BTF_CONST:
		case IC_BTF_VOLATILE:
		case IC_BTF_RESTRICT:
		case IC_BTF_TYPE_TAG:
		case IC_BTF_TYPEDEF: id = type.size; continue;
		case IC_BTF_INT:
			*is_signed = ic_btf_type_word(&type, 0) >> 24 & 1;
			return type.size;
		case IC_BTF_ENUM:
		case IC_BTF_ENUM64: *is_signed = type.flag; return type.size;
		case IC_BTF_FLOAT:
		case IC_BTF_STRUCT:
		case IC_BTF_UNION: return type.size;
		default: return 0;
		}
	}
	return 0;
}
