// The functions of BTF by their names and parameters.
#ifndef ENCODE_FUNCTION_NAMES_H
#define ENCODE_FUNCTION_NAMES_H

#include <inlinecall/extra/btf_inline.h>
#include <inlinecall/parameters.h>

#include "base/byte_pool.h"
#include "base/error.h"

struct ic_function_names { // zero-initialised until built
	const struct ic_btf *types;
	struct ic_byte_pool names;
	IC_ARRAY(uint32_t) first; // of a name: the FUNC with it
	uint32_t *next;           // of a FUNC: the next with its name; IC_NONE if there is none
};

enum ic_function_match {
	IC_FUNCTION_FOUND,
	IC_FUNCTION_NONE,        // none has the name
	IC_FUNCTION_OTHER,       // those that have it have other parameters
	IC_FUNCTION_SEVERAL,     // several are alike
	IC_FUNCTION_UNDESCRIBED, // what it takes is not known, so that none can be said to be it
	IC_FUNCTION_UNTYPED,     // none is it, and none can be added with the types that it takes
};

bool ic_function_names_build(struct ic_function_names *names, const struct ic_btf *types,
			     struct ic_error *err) IC_CHECKED;
void ic_function_names_free(struct ic_function_names *names);

// Whether any FUNC has a name.
bool ic_function_names_has(const struct ic_function_names *names, const char *name);

// The FUNC with a name and parameters, of which those that the function does not declare do not
// count. A parameter without a name can be any.
enum ic_function_match ic_function_names_find(struct ic_function_names *names, const char *name,
					      const struct ic_parameter *list, size_t count,
					      uint32_t *id);

// The only FUNC with a name.
enum ic_function_match ic_function_names_only(const struct ic_function_names *names,
					      const char *name, uint32_t *id);

#endif
