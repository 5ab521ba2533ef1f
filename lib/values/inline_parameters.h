// The parameters of the calls in a table of inlined calls.
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

struct ic_inline_arguments { // of which the parameters are asked for
	const struct ic_btf_inline *table;
	uint32_t addr_size;
	uint32_t function;       // the number of its type
	uint64_t number;         // in the table; if beyond it, of a copy that is not in it
	uint32_t declared_count; // parameters that the function has
	uint32_t count;          // these, or as many as the table has
	bool is_variadic;
};

// Opens an instance, by the numbers that it and its function have in place of DIEs.
struct ic_inline_arguments ic_inline_arguments_open(const struct ic_btf_inline *table,
						    uint32_t addr_size, uint64_t function_off,
						    uint64_t number);

// The same by its place in the model of the table.
struct ic_inline_arguments ic_inline_arguments_of(const struct ic_btf_inline *table,
						  const struct ic_image *image,
						  const struct ic_instance_place *place);

// Fills in the parameters, an array of the count. The texts of their types are some of `texts`;
// what else they point to is in the arena, whose limit on memory both have. False if memory runs
// out.
bool ic_inline_arguments_fill(const struct ic_inline_arguments *arguments,
			      struct ic_inline_texts *texts, struct ic_arena *arena,
			      struct ic_parameter *parameters);

void ic_inline_texts_free(struct ic_inline_texts *texts);

#endif
