// What was inlined where in the files of one build: its functions, and a tree of call paths. It
// keeps no addresses, and nothing of the indexes that it was made from.
#ifndef COMPARE_BUILD_H
#define COMPARE_BUILD_H

#include "base/arena.h"
#include "base/array.h"
#include "base/byte_pool.h"
#include "base/map.h"
#include "model/index.h"

#include <inlinecall/extra/compare.h>

// A function of any of the files; those with the same symbol name, declared at the same line, are
// one.
struct ic_built_function {
	// In the arena; NULL if unknown. The name is qualified, without parameters; the path is in
	// plain form.
	const char *name, *linkage_name, *decl_file;
	uint32_t decl_line;
	uint32_t key;  // number of the name by which functions of two builds match; in `keys`
	uint8_t facts; // enum ic_fact
	uint64_t copies;
	uint64_t size; // own bytes of the copies
	uint64_t out_of_line;
	uint64_t out_of_line_size; // own bytes of the code out of line, including parts
};

// A call path: functions inlined into each other, from an out-of-line function inwards. Copies with
// the same path are counted together, wherever they are.
struct ic_built_path {
	uint32_t parent;   // the path without the last function, which has a lower number; IC_NONE
			   // for an out-of-line function
	uint32_t function; // the last function of the path
	uint32_t copies;   // with code; for an out-of-line function, how often it was compiled
	uint32_t emptied;  // copies without code left: they were inlined, too
	uint32_t calls;    // that were not inlined
	uint64_t size;     // own bytes of the copies
};

// An argument of the copies of a path.
struct ic_built_argument {
	uint32_t path;
	uint32_t name;     // number in the build's `argument_names`
	uint32_t copies;   // that have it
	uint32_t readable; // of these, those whose location is known when they are entered
};

struct ic_build {
	IC_ARRAY(struct ic_built_function) functions; // the first one stands for all unknown ones
	IC_ARRAY(struct ic_built_path) paths;
	struct ic_byte_pool identities; // of functions, with the same numbers
	struct ic_byte_pool keys;
	// By key, the function that has code or copies: IC_BUILD_SEVERAL if there are several.
	IC_ARRAY(uint32_t) by_key;
	struct ic_map by_place; // the number of a path, by the numbers of its parent and function
	IC_ARRAY(struct ic_built_argument) arguments;
	struct ic_byte_pool argument_names; // including the terminating zero
	struct ic_map by_name; // the number of an argument, by those of its path and its name
	struct ic_arena arena;
	uint64_t code_size; // executable bytes in the files; IC_STATISTIC_NONE if unknown
	uint32_t file_count;
	bool has_calls;     // of any file
	bool has_arguments; // of any file
};

// How often the last function of a path was inlined, or compiled.
static inline uint64_t ic_built_path_count(const struct ic_built_path *path)
{
	return (uint64_t)path->copies + path->emptied;
}

enum { IC_BUILD_SEVERAL = 0 }; // the unknown function

// The text of a function's key.
static inline struct ic_bytes ic_build_key(const struct ic_build *build,
					   const struct ic_built_function *function)
{
	return ic_byte_pool_get(&build->keys, function->key);
}

#endif
