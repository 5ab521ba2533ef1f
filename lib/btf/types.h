// The types of BTF: where each begins, and what is in it. What BTF refers to is looked up when it
// is asked for, and may not be there.
#ifndef BTF_TYPES_H
#define BTF_TYPES_H

#include <inlinecall/extra/btf_inline.h>

#include "base/bytes.h"
#include "base/error.h"

enum ic_btf_kind {
#define KIND(name, number, extra_size, item_size) IC_BTF_##name = number,
#include "btf/kinds.def"
#undef KIND
};

enum {
	IC_BTF_MAGIC = 0xeb9f,
	IC_BTF_VERSION = 1,
	IC_BTF_HEADER_SIZE = 24, // the least
	IC_BTF_TYPE_SIZE = 12,   // of every type before what its kind adds
	IC_BTF_MOST_NAME = 4096,
	IC_BTF_MOST_TYPES = 0xfffff, // the largest number of a type (BTF_MAX_TYPE)
};

enum ic_btf_loc_layout { // of the kinds LOC_PARAM, LOC_PROTO and LOCSEC
	IC_BTF_LOC_NONE, // there are none
	IC_BTF_LOC_FIRST,
	IC_BTF_LOC_SECOND,
};

struct ic_btf {
	const char *section; // that it is in, for messages
	struct ic_bytes bytes;
	bool swap;
	const struct ic_btf *base;
	uint32_t first_id;    // of its own types: 1, or the base's count
	uint32_t type_count;  // of its own
	uint32_t *type_offs;  // in `bytes`
	uint64_t strings_off; // in `bytes`
	uint32_t strings_size;
	uint32_t first_string; // the offset in all strings at which its own begin
	enum ic_btf_loc_layout loc_layout;
};

struct ic_btf_type {
	const struct ic_btf *btf; // that it is in
	uint64_t off;             // in its bytes
	enum ic_btf_kind kind;
	uint32_t name_off;
	uint32_t item_count; // of the items that follow; of FUNC its linkage
	bool flag;
	uint32_t size;        // or the type that it refers to
	const uint8_t *extra; // what its kind adds, all of it
};

// Whether bytes begin with BTF's magic number; sets *swap if they are not in our byte order.
bool ic_btf_has_magic(struct ic_bytes bytes, bool *swap);

// ic_btf_parse() of a section of that name, which must be a literal; `err` is not NULL.
struct ic_btf *ic_btf_parse_section(const char *section, struct ic_bytes bytes,
				    const struct ic_btf *base, struct ic_error *err);

// The type with that number; false if there is none, or it is void.
bool ic_btf_type_find(const struct ic_btf *btf, uint32_t id, struct ic_btf_type *type);

// A 32-bit number in what its kind adds.
uint32_t ic_btf_type_word(const struct ic_btf_type *type, uint32_t number);

// The string at an offset in all strings; NULL if there is none, or it is longer than
// IC_BTF_MOST_NAME.
const char *ic_btf_string(const struct ic_btf *btf, uint32_t off);

// The name of a FUNC; NULL if it has none, or the number is of no FUNC.
const char *ic_btf_function_name(const struct ic_btf *btf, uint32_t id);

#endif
