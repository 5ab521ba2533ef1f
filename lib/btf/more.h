// Adds types to BTF. Existing types keep their numbers; a type that equals an existing or an added
// one is not added again.
#ifndef BTF_MORE_H
#define BTF_MORE_H

#include "base/byte_pool.h"
#include "btf/types.h"

struct ic_btf_more { // zero-initialise before ic_btf_more_begin()
	const struct ic_btf *types;
	struct ic_byte_map names;  // by name, with its NUL: its offset in BTF's strings
	struct ic_byte_map ids;    // by the key of a type: its number; 0 if several have it
	IC_ARRAY(uint8_t) added;   // the added types
	IC_ARRAY(uint8_t) strings; // the added strings
	uint32_t added_count, function_count;
};

struct ic_btf_new_type {
	enum ic_btf_kind kind;
	const char *name; // NULL if unnamed
	bool flag;
	uint32_t size;         // or the type referred to
	const uint32_t *words; // what follows; for a FUNC_PROTO, pairs of a name and a type
	uint32_t word_count;
	const char *const *names; // of a FUNC_PROTO's parameters; NULL if unnamed
};

bool ic_btf_more_begin(struct ic_btf_more *more, const struct ic_btf *types, struct ic_error *err)
	IC_CHECKED;
void ic_btf_more_free(struct ic_btf_more *more);

// Adds a type, and returns its number; IC_NONE if memory runs out.
uint32_t ic_btf_more_add(struct ic_btf_more *more, const struct ic_btf_new_type *type);

// The only INT, FLOAT, STRUCT, UNION, enumeration or TYPEDEF of this name and size, whatever its
// contents; 0 if there is none, or more than one. The size of a TYPEDEF is ignored.
uint32_t ic_btf_more_named(const struct ic_btf_more *more, enum ic_btf_kind kind, const char *name,
			   uint64_t size);

// Writes all types as BTF, split on the same base; to be freed. NULL if memory runs out or there
// are too many types.
void *ic_btf_more_write(const struct ic_btf_more *more, size_t *size, struct ic_error *err);

#endif
