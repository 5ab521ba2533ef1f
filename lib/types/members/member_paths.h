// Paths to members of structures, as in C without the name of the variable: "a.b->c[2]". "." and
// "->" are equivalent, because the types decide which applies. "a.*" are all members of a
// structure.
#ifndef TYPES_MEMBER_PATHS_H
#define TYPES_MEMBER_PATHS_H

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"

enum { IC_MOST_MEMBERS = 64 }; // that can be requested

struct ic_member_step {
	const char *name; // NULL: item number `index`
	uint64_t index;
};

struct ic_member_path {
	uint32_t first_step, step_count;
	const char *text;
	bool is_found; // in any argument so far
	bool is_all;   // the last step is "*": it stands for all members of a structure
};

struct ic_member_paths {        // zero-initialised except the first
	struct ic_arena *arena; // owns the texts
	IC_ARRAY(struct ic_member_step) steps;
	IC_ARRAY(struct ic_member_path) list;
};

// Parses comma-separated paths, dropping duplicates. False if one is invalid, or memory runs out.
bool ic_member_paths_read(struct ic_member_paths *paths, const char *text, struct ic_error *err)
	IC_CHECKED;

// Adds a member of the structure that path number `all` is about, unless it is there. If there are
// as many paths as can be, it is left out and *is_full is true. False if memory runs out.
bool ic_member_paths_add(struct ic_member_paths *paths, uint32_t all, const char *name,
			 bool *is_full) IC_CHECKED;

void ic_member_paths_free(struct ic_member_paths *paths);

#endif
