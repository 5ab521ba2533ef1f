// Abbreviation tables, compiled for walking.
//
// A declaration is read once and used thousands of times, so it is compiled to a step: the number
// of bytes to add if every form has a fixed size (nine DIEs of ten), else a short plan of what to
// skip. The attributes themselves are kept only for the tags that the reader wants.
#ifndef DWARF_UNITS_ABBREV_H
#define DWARF_UNITS_ABBREV_H

#include "base/array.h"
#include "dwarf/units/form.h"

// ic_step::size of a DIE that needs its plan. Larger DIEs, which are rare, have one too, so that a
// walk checks for the end of the unit only near it.
enum { IC_STEP_PLANNED = 128 };

enum {                      // ic_step::kind: what DIEs of an abbreviation mean to the reader
	IC_KIND_OTHER = 0,  // nothing
	IC_KIND_PASSED = 1, // its attributes were kept, since others refer to it; a walk skips it
	IC_KIND_FIRST = 2,  // the reader's own kinds are this bit and those above: a walk stops at
			    // such DIEs if it is to
};

struct ic_step {
	uint16_t size;       // bytes of the attributes, if all are of fixed size
	int8_t depth_change; // 1: children follow; -1: the null entry; 0
	uint8_t kind;        // IC_KIND_*
	uint32_t detail;     // index of its plan or, if its attributes were kept, in `kept`
};

struct ic_abbrev { // a declaration whose attributes were kept
	uint16_t tag;
	bool has_children;
	uint32_t first_spec, spec_count; // in ic_abbrev_table::specs
	uint32_t plan;                   // if it has one: see ic_step::size
};

enum ic_plan_op { // what to do after adding the bytes before it
	IC_PLAN_END,
	IC_PLAN_ADD, // nothing: more bytes than fit one item
	IC_PLAN_LEB,
	IC_PLAN_CSTRING,
	IC_PLAN_BLOCK, // its length in `length_size` bytes, a LEB128 if that is 0
	IC_PLAN_INDIRECT,
	IC_PLAN_UNKNOWN, // an unknown form: the rest of the unit cannot be read
	IC_PLAN_ABSENT,  // the code has no declaration; likewise
};

struct ic_plan_item {
	uint16_t add; // bytes to skip first
	uint8_t op;   // enum ic_plan_op
	uint8_t length_size;
};

// Returns the kind of a wanted abbreviation's DIEs: an IC_KIND_*, not OTHER.
typedef uint8_t ic_abbrev_classify(const struct ic_abbrev *abbrev, const struct ic_attr_spec *specs,
				   const void *context);

struct ic_abbrev_reader {
	// Whether the attributes of a tag are wanted: only then `classify` is called.
	bool (*wants_tag)(uint16_t tag);
	ic_abbrev_classify *classify;
	const void *context;
};

struct ic_code_step { // of a table whose codes are not 1, 2, 3, ...
	uint32_t code;
	uint32_t order; // of its declaration: the first with a code counts
	struct ic_step step;
};

struct ic_abbrev_table {
	IC_ARRAY(struct ic_step) steps;       // by code; steps[0] is the null entry's; absent ones
					      // have plan 0, which is IC_PLAN_ABSENT
	IC_ARRAY(struct ic_code_step) sparse; // sorted by code: those that `steps` has no room for
	IC_ARRAY(struct ic_abbrev) kept;
	IC_ARRAY(struct ic_attr_spec) specs;
	IC_ARRAY(struct ic_plan_item) plans;
	uint32_t declared; // abbreviations in all
};

// Reads the table at the cursor, to its terminating zero, and replaces the contents of `table`. The
// steps depend on the sizes of `unit`: only units with the same sizes may share the table.
bool ic_abbrev_table_parse(struct ic_abbrev_table *table, struct ic_cursor *cur,
			   const struct ic_unit *unit, const struct ic_abbrev_reader *reader,
			   struct ic_error *err) IC_CHECKED;

// The same for the declaration of only one code: the others are absent. Costs a tenth.
bool ic_abbrev_table_parse_code(struct ic_abbrev_table *table, struct ic_cursor *cur,
				const struct ic_unit *unit, const struct ic_abbrev_reader *reader,
				uint64_t code, struct ic_error *err) IC_CHECKED;

// The step of a code; without a declaration, one whose plan is IC_PLAN_ABSENT.
const struct ic_step *ic_abbrev_table_find_sparse(const struct ic_abbrev_table *table,
						  uint64_t code);

static inline const struct ic_step *ic_abbrev_table_find(const struct ic_abbrev_table *table,
							 uint64_t code)
{
	if (__builtin_expect(code < table->steps.count, 1))
		return &table->steps.items[code];
	return ic_abbrev_table_find_sparse(table, code);
}

// Whether the step is that of a code without a declaration.
bool ic_abbrev_step_is_absent(const struct ic_abbrev_table *table, const struct ic_step *step);

void ic_abbrev_table_free(struct ic_abbrev_table *table);

#endif
