// Members of arguments, or of what they point to: which of the requested members an argument has,
// and where they are.
//
// A path is as in C, without the name of the argument: "a.b->c[2]". "." and "->" are equivalent,
// because the types decide which applies. The members of each formal parameter are determined once.
#ifndef TYPES_MEMBERS_H
#define TYPES_MEMBERS_H

#include "types/formals.h"
#include "types/members/member_paths.h"

struct ic_type_member {          // of a formal parameter
	const char *name, *type; // the name includes the parameter's: "p->a"
	struct ic_type_text text;
	struct ic_die_place type_place;
	struct ic_value type_value;
	// The member is at offsets[0] in the argument or, if `is_behind`, in what the argument
	// points to. Each further offset applies after following the pointer found there.
	bool is_behind;
	uint32_t load_count;
	uint64_t offsets[IC_LOCATION_MOST_LOADS + 1];
	uint32_t addr_size;
	bool is_big_endian;
	uint32_t bit_size, bit_offset; // see struct ic_parameter
};

struct ic_type_members { // zero-initialised except the first, and what the paths need
	struct ic_types *types;
	struct ic_member_paths paths; // the requested paths
	// Index in `list`, by the numbers of the formal parameter and the path.
	struct ic_map by_formal;
	IC_ARRAY(struct ic_type_member) list;
};

struct ic_member_steps {
	const struct ic_member_step *list;
	uint32_t count;
};

static inline struct ic_member_steps ic_member_steps_of(const struct ic_type_members *members,
							uint32_t path)
{
	const struct ic_member_path *of = &members->paths.list.items[path];
	return (struct ic_member_steps){ members->paths.steps.items + of->first_step,
					 of->step_count };
}

// Finds where steps lead from a formal parameter: `first`, and then `more`. False if it has no such
// member, or memory runs out.
bool ic_type_member_read(struct ic_type_members *members, const struct ic_formal *formal,
			 struct ic_member_steps first, struct ic_member_steps more,
			 struct ic_type_member *member) IC_CHECKED;

// The member of formal parameter number `number` for a path; *member is NULL if there is none.
// Valid until the next call. False if memory runs out.
bool ic_type_member_find(struct ic_type_members *members, uint32_t number,
			 const struct ic_formal *formal, uint32_t path,
			 const struct ic_type_member **member) IC_CHECKED;

// Adds the members of a structure that formal parameter number `number` is, contains or points to,
// if the path is about all of them, to the paths. False if memory runs out.
bool ic_type_members_expand(struct ic_type_members *members, uint32_t number,
			    const struct ic_formal *formal, uint32_t path) IC_CHECKED;

// Fills in the location of a member, and which of its bits count, from the location of its
// argument.
void ic_type_member_locate(const struct ic_type_member *member, const struct ic_parameter *argument,
			   struct ic_parameter *parameter);

// Drops the members of formal parameters.
void ic_type_members_forget(struct ic_type_members *members);

void ic_type_members_free(struct ic_type_members *members);

#endif
