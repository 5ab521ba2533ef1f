// Types added to BTF. What is there keeps its number; what is equal to it, or was added before, is
// not added again.
#ifndef BTF_MORE_H
#define BTF_MORE_H

#include "base/byte_pool.h"
#include "btf/types.h"

struct ic_btf_more { // zero-initialised until begun
	const struct ic_btf *types;
	struct ic_byte_pool names;    // all, with their NUL
	IC_ARRAY(uint32_t) name_offs; // of each: among BTF's strings
	struct ic_byte_pool keys;     // what makes types equal
	IC_ARRAY(uint32_t) ids;       // of each; 0 if several types have the key
	IC_ARRAY(uint8_t) added;      // the types
	IC_ARRAY(uint8_t) strings;    // added ones
	uint32_t added_count, function_count;
};

struct ic_btf_new_type {
	enum ic_btf_kind kind;
	const char *name; // NULL if it has none
	bool flag;
	uint32_t size;         // or the type that it refers to
	const uint32_t *words; // what follows; of a FUNC_PROTO pairs of a name and a type
	uint32_t word_count;
	const char *const *names; // of the parameters of a FUNC_PROTO; NULL if they have none
};

bool ic_btf_more_begin(struct ic_btf_more *more, const struct ic_btf *types, struct ic_error *err)
	IC_CHECKED;
void ic_btf_more_free(struct ic_btf_more *more);

// The number of the type; IC_NONE if memory runs out.
uint32_t ic_btf_more_add(struct ic_btf_more *more, const struct ic_btf_new_type *type);

// The only INT, FLOAT, STRUCT, UNION, enumeration or TYPEDEF with a name and size, whatever else is
// in it; 0 if there is none, or there are several. The size of a TYPEDEF does not count.
uint32_t ic_btf_more_named(const struct ic_btf_more *more, enum ic_btf_kind kind, const char *name,
			   uint64_t size);

// All of it as BTF, split on what the types are split on; to be freed. NULL if memory runs out, or
// there are too many types.
void *ic_btf_more_write(const struct ic_btf_more *more, size_t *size, struct ic_error *err);

#endif
