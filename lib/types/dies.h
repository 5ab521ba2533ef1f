// DIEs with all their attributes, for rare queries: nothing is cached.
#ifndef TYPES_DIES_H
#define TYPES_DIES_H

#include "read/reader.h"

enum { // the kinds of DIE at which a walk with such a table can stop
	IC_DIE_OTHER = IC_KIND_FIRST,
	IC_DIE_SCOPE = IC_KIND_FIRST << 1,     // a function, or anything that types are declared in
	IC_DIE_PARAMETER = IC_KIND_FIRST << 2, // or its replacement
};

struct ic_die_place {
	struct ic_unit *unit;
	uint64_t off; // in its section
};

struct ic_full_die_attr {     // an attribute that has not been read yet
	struct ic_cursor cur; // at its bytes
	struct ic_attr_spec spec;
};

struct ic_member_attrs { // for a member of a structure
	struct ic_value declaration, bit_size, bit_offset, data_bit_offset;
	struct ic_full_die_attr location;
};

struct ic_full_die_attrs { // only those that matter; the form is 0 if absent
	struct ic_value name, type, origin, specification, byte_size, count, lower, upper;
	struct ic_value tag_offset, decl_file, decl_line, lists_base;
	struct ic_value encoding, signature, containing_type, prototyped, artificial, is_vector;
	struct ic_value is_result; // DW_AT_variable_parameter
	struct ic_value const_value, enum_class;
	struct ic_value stride; // DW_AT_bit_stride or byte_stride
	struct ic_member_attrs member;
	struct ic_full_die_attr location, frame_base;
};

struct ic_full_die {
	struct ic_die die; // after its attributes
	struct ic_full_die_attrs attrs;
};

struct ic_die_table { // of all tags in a unit
	const struct ic_unit *unit;
	struct ic_abbrev_table table;
	uint64_t lists_base;
};

enum {
	IC_DIE_MOST_LINKS = 32, // references from a DIE to its origin or declaration, or from a
				// type to its base type
	IC_DIE_TABLES = 4,
};

struct ic_dies {                  // zero-initialised except the first two
	struct ic_reader *reader; // with an open unit; receives the problems
	uint32_t most;            // limit on the DIEs that may be read
	struct ic_die_table tables[IC_DIE_TABLES];
	uint32_t next_table, count;
	bool gave_up;                 // `most` was reached
	struct ic_problems *of_roots; // receives those of root DIEs; NULL: the reader does
};

// The table of a unit, cached for the last few units; NULL if it cannot be read.
struct ic_die_table *ic_dies_table(struct ic_dies *dies, struct ic_unit *unit,
				   struct ic_error *err);

// Opens a DIE and reads its attributes. False after a problem.
bool ic_full_die_open(struct ic_dies *dies, struct ic_die_place place, struct ic_full_die *die);

// Opens a DIE whose attributes are then read with ic_die_next(). False after a problem.
bool ic_full_die_begin(struct ic_dies *dies, struct ic_die_place place, struct ic_die *die);

// The attribute that ic_die_next() has just read, with its bytes at `pos`.
static inline struct ic_full_die_attr ic_full_die_attr_at(const struct ic_die *die,
							  const uint8_t *pos)
{
	struct ic_full_die_attr attr = { die->cur, die->spec[-1] };

	attr.cur.pos = pos;
	return attr;
}

// Whether all attributes could be read; if not, that is a problem.
bool ic_full_die_end(struct ic_dies *dies, struct ic_die_place place, const struct ic_die *die);

// Finds one attribute of a DIE; the form is 0 if it is absent. False after a problem.
bool ic_full_die_find(struct ic_dies *dies, struct ic_die_place place, uint16_t name,
		      struct ic_full_die_attr *attr);

// The place of a DIE with an offset among the DIEs of all files. False if no unit contains it.
bool ic_full_die_place_at(const struct ic_read_context *context, uint64_t off,
			  struct ic_die_place *place);

// Moves the place to the target of a reference. False without a reference; an invalid one is a
// problem.
bool ic_full_die_follow(struct ic_dies *dies, const struct ic_value *value,
			struct ic_die_place *place);

// Moves to the next DIE below the one with depth 0; false after the last one.
bool ic_full_die_below(struct ic_dies *dies, struct ic_die_place *place, struct ic_full_die *die,
		       int *depth);

// Follows a type reference through names, qualifiers and signatures to the DIE of the type itself.
// False if there is none.
bool ic_full_die_type(struct ic_dies *dies, struct ic_die_place *place, const struct ic_value *type,
		      struct ic_full_die *die);

// A string; NULL if it is absent, or after a problem.
const char *ic_full_die_text(struct ic_dies *dies, struct ic_die_place place,
			     const struct ic_value *value);

// A constant; false if the value is of another class.
bool ic_full_die_constant(const struct ic_value *value, uint64_t *number);

// The size of the type that a value of the DIE refers to, in bytes.
bool ic_full_die_type_size(struct ic_dies *dies, struct ic_die_place place,
			   const struct ic_value *type, uint64_t *size);

// The path of the file that declares the DIE; NULL if unknown.
const char *ic_full_die_decl_file(struct ic_dies *dies, struct ic_die_place place,
				  const struct ic_full_die *die);

void ic_full_die_problem(struct ic_dies *dies, struct ic_die_place place,
			 const struct ic_error *err);

void ic_dies_free(struct ic_dies *dies);

#endif
