// Members of what arguments are, or point to: which of those that were asked for an argument has,
// and where they are.
//
// A path is as in C, without the name of the argument: "a.b->c[2]". "." and "->" are the same,
// since the types say which it is. What a formal parameter has is found once.
#ifndef TYPES_MEMBERS_H
#define TYPES_MEMBERS_H

#include "types/formals.h"
#include "types/member_paths.h"

struct ic_type_member {          // of a formal parameter
	const char *name, *type; // the name with the parameter's: "p->a"
	struct ic_type_text text;
	struct ic_die_place type_place;
	struct ic_value type_value;
	// The member is at offsets[0] in the argument, or, if `is_behind`, in what the argument
	// points to. Each further offset follows the pointer found there.
	bool is_behind;
	uint32_t load_count;
	uint64_t offsets[IC_LOCATION_MOST_LOADS + 1];
	uint32_t addr_size;
	bool is_big_endian;
	uint32_t bit_size, bit_offset; // as in struct ic_parameter
};

struct ic_type_members { // zero-initialised but for the first, and what the paths need
	struct ic_types *types;
	struct ic_member_paths paths; // that are asked for
	struct ic_map by_formal;      // by its number, and that of the path: in `list`
	IC_ARRAY(struct ic_type_member) list;
};

// The member that formal parameter number `number` has by a path; NULL in *member if there is none.
// It is valid until the next is asked for. False if memory runs out.
bool ic_type_member_find(struct ic_type_members *members, uint32_t number,
			 const struct ic_formal *formal, uint32_t path,
			 const struct ic_type_member **member) IC_CHECKED;

// Fills in the location of a member, and which of its bits count, from the location of its
// argument.
void ic_type_member_locate(const struct ic_type_member *member, const struct ic_parameter *argument,
			   struct ic_parameter *parameter);

// Forgets what formal parameters have.
void ic_type_members_forget(struct ic_type_members *members);

void ic_type_members_free(struct ic_type_members *members);

#endif
