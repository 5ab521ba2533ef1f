// Functions in BTF, by name and parameters.
#ifndef ENCODE_FUNCTION_NAMES_H
#define ENCODE_FUNCTION_NAMES_H

#include <inlinecall/extra/btf_inline.h>
#include <inlinecall/parameters.h>

#include "base/byte_pool.h"
#include "base/error.h"

struct ic_function_names { // zero-initialised until built
	const struct ic_btf *types;
	struct ic_byte_map first; // by name, with its NUL: the first FUNC with it
	uint32_t *next;           // by FUNC: the next with its name; IC_NONE if there is none
};

enum ic_function_match {
	IC_FUNCTION_FOUND,
	IC_FUNCTION_NONE,        // none has the name
	IC_FUNCTION_OTHER,       // those with the name have other parameters
	IC_FUNCTION_SEVERAL,     // several match
	IC_FUNCTION_UNDESCRIBED, // its parameters are unknown, so none can be identified
	IC_FUNCTION_UNTYPED,     // none matches, and it cannot be added because of the types of its
				 // parameters
};

bool ic_function_names_build(struct ic_function_names *names, const struct ic_btf *types,
			     struct ic_error *err) IC_CHECKED;
void ic_function_names_free(struct ic_function_names *names);

// The first FUNC with the name; IC_NONE if there is none.
uint32_t ic_function_names_first(const struct ic_function_names *names, const char *name);

// Finds the FUNC with a name and parameters; parameters that the function does not declare are
// ignored. A parameter without a name matches any.
enum ic_function_match ic_function_names_find(struct ic_function_names *names, const char *name,
					      const struct ic_parameter *list, size_t count,
					      uint32_t *id);

// Finds the only FUNC with a name.
enum ic_function_match ic_function_names_only(const struct ic_function_names *names,
					      const char *name, uint32_t *id);

#endif
