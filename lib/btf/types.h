// The types of BTF: locates each type, and decodes it. References are resolved on demand, and may
// be dangling.
#ifndef BTF_TYPES_H
#define BTF_TYPES_H

#include <inlinecall/extra/btf_inline.h>

#include "base/bytes.h"
#include "base/cursor.h"
#include "base/error.h"

enum ic_btf_kind {
#define KIND(name, number, extra_size, item_size) IC_BTF_##name = number,
#include "btf/kinds.def"
#undef KIND
};

enum {
	IC_BTF_MAGIC = 0xeb9f,
	IC_BTF_VERSION = 1,
	IC_BTF_HEADER_SIZE = 24, // the minimum
	IC_BTF_TYPE_SIZE = 12,   // of every type, before what its kind adds
	IC_BTF_MOST_NAME = 4096,
	IC_BTF_MOST_TYPES = 0xfffff, // the largest type number (BTF_MAX_TYPE)
};

// The header of BTF, and of tables in the RFC's format, which have calls in place of types and
// locations in place of strings. Offsets count from its end.
struct ic_btf_header {
	unsigned version, flags;
	uint32_t size, types_off, types_size, strings_off, strings_size;
	uint32_t layout_off, layout_size; // 0 if it is too short to have them
};

struct ic_btf {
	const char *section; // its name, for messages
	struct ic_bytes bytes;
	bool swap;
	const struct ic_btf *base;
	uint32_t first_id;    // of its own types: 1, or the base's count
	uint32_t type_count;  // of its own types
	uint32_t *type_offs;  // in `bytes`
	uint64_t strings_off; // in `bytes`
	uint32_t strings_size;
	uint32_t first_string; // its own strings begin at this offset in all strings
};

struct ic_btf_type {
	const struct ic_btf *btf; // which it is in
	uint64_t off;             // in its bytes
	enum ic_btf_kind kind;
	uint32_t name_off;
	uint32_t item_count; // number of items that follow; for a FUNC its linkage
	bool flag;
	uint32_t size;        // or the type referred to
	const uint8_t *extra; // all that its kind adds
};

// Whether the bytes begin with BTF's magic number; sets *swap if they are not in the host's byte
// order.
bool ic_btf_has_magic(struct ic_bytes bytes, bool *swap);

// Reads what follows the magic number.
struct ic_btf_header ic_btf_header_read(struct ic_cursor *cur);

// Like ic_btf_parse(), for a section of this name, which must be a literal; `err` must not be NULL.
struct ic_btf *ic_btf_parse_section(const char *section, struct ic_bytes bytes,
				    const struct ic_btf *base, struct ic_error *err);

// Finds a type by number; returns false if there is none, or it is void.
bool ic_btf_type_find(const struct ic_btf *btf, uint32_t id, struct ic_btf_type *type);

// A 32-bit number of what its kind adds.
uint32_t ic_btf_type_word(const struct ic_btf_type *type, uint32_t number);

// The string at an offset in all strings; NULL if there is none, or it is longer than
// IC_BTF_MOST_NAME.
const char *ic_btf_string(const struct ic_btf *btf, uint32_t off);

// The name of a FUNC; NULL if it has none, or the type is not a FUNC.
const char *ic_btf_function_name(const struct ic_btf *btf, uint32_t id);

#endif
