// Parameters of the calls in a table of inlined calls.
#ifndef VALUES_INLINE_PARAMETERS_H
#define VALUES_INLINE_PARAMETERS_H

#include "base/arena.h"
#include "base/array.h"
#include "base/map.h"
#include "values/parameter_list.h"

#include <inlinecall/extra/btf_inline.h>
#include <inlinecall/parameters.h>

struct ic_inline_texts { // of types, each made once; all zeros is empty
	struct ic_map numbers;
	IC_ARRAY(const char *) list;
	struct ic_arena arena;
};

struct ic_inline_arguments { // of one instance
	const struct ic_btf_inline *table;
	uint32_t addr_size;
	uint32_t function;       // number of its type
	uint64_t number;         // in the table; if beyond it, of a copy that is not in the table
	uint32_t declared_count; // number of parameters of the function
	uint32_t count;          // that, or the number in the table
	bool is_variadic;
};

// Opens an instance, by the numbers that replace the DIEs of instances and functions.
struct ic_inline_arguments ic_inline_arguments_open(const struct ic_btf_inline *table,
						    uint32_t addr_size, uint64_t function_off,
						    uint64_t number);

// The same by its place in the table's model.
struct ic_inline_arguments ic_inline_arguments_of(const struct ic_btf_inline *table,
						  const struct ic_image *image,
						  const struct ic_instance_place *place);

// Fills in the parameters, an array of `count`. The texts of their types are in `texts`, and
// everything else they point to in the arena; both have the same memory limit. False if memory runs
// out.
bool ic_inline_arguments_fill(const struct ic_inline_arguments *arguments,
			      struct ic_inline_texts *texts, struct ic_arena *arena,
			      struct ic_parameter *parameters);

void ic_inline_texts_free(struct ic_inline_texts *texts);

#endif
