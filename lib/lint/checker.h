// What a check of one unit after another has at hand: the DIE that is read, the functions and
// copies around it, and what was found so far.
#ifndef LINT_CHECKER_H
#define LINT_CHECKER_H

#include "base/map.h"
#include "lint/rules.h"
#include "types/dies.h"

struct ic_lint_kept { // a finding
	enum ic_lint_rule_number rule;
	struct ic_lint_finding finding;
};

struct ic_lint_unit { // what was found in one; all of it belongs to the worker's arena
	const char *producer;
	uint32_t counts[IC_LINT_RULES];
	uint32_t copies; // that have code, and were checked
	struct ic_lint_kept *kept;
	uint32_t kept_count;
	struct ic_problems problems;
};

struct ic_lint_want {
	uint32_t most; // findings that are kept of each rule
	bool rules[IC_LINT_RULES];
};

struct ic_lint_die { // a DIE at which the walk stops
	uint64_t off;
	uint16_t tag;
	bool has_children;
	struct ic_value name, origin, specification, inlined; // `inlined`: DW_AT_inline
	struct ic_value low_pc, high_pc, ranges, entry_pc, call_file, call_line;
};

struct ic_lint_target { // what an origin leads to
	struct ic_die_place place;
	uint16_t tag;
	bool is_readable, has_name, is_cycle;
	bool is_followed;      // to the end of its own origins
	bool has_inline;       // it, or what its own origin leads to
	uint64_t inline_value; // of that
	uint64_t root;         // where its origins end, as ic_unit_global_off() returns it
	const char *name;      // if its unit is readable
	// Its parameters, in order, in the checker's `formals`; read when they are asked for.
	bool has_formals, are_formals_known;
	uint32_t first_formal, formal_count;
};

struct ic_lint_scope { // a function, a copy or a block whose children are being read
	uint64_t off;
	int32_t depth; // of its children
	uint16_t tag;
	bool is_abstract; // or in an abstract instance
	bool is_dead; // its code, or what it is in, was discarded by the linker or cannot be read
	uint32_t first_range, range_count; // its own, or those of what it is in
	uint32_t first_copy;               // of the copies in it, in the checker's `copies`
	uint32_t target;                   // IC_NONE if it has no origin
	uint32_t last_formal;              // place of its last parameter, from 1 on
	bool is_disordered;                // its parameters are in another order
	uint32_t first_seen;               // of its parameters, in the checker's `seen`
};

struct ic_lint_copy { // a range of a copy
	struct ic_range range;
	uint64_t off;
	uint32_t function; // a target, or IC_NONE
};

enum ic_lint_cost {          // what a unit may need beyond the bytes that it has
	IC_LINT_LIST_BYTES,  // of range lists
	IC_LINT_STEPS,       // over DIEs in search of parameters, and over abbreviations of others
	IC_LINT_COMPARISONS, // of ranges, and of parameters
	IC_LINT_COSTS,
};

struct ic_lint_checker { // zero-initialised but for the first three
	struct ic_reader *reader;
	const struct ic_lint_want *want;
	const struct ic_shared_tables *tables;
	const struct ic_abbrev_table *table; // of the unit, with the attributes of all tags
	struct ic_abbrev_table own;          // which is in it if no other unit shares it
	struct ic_walk walk;
	struct ic_dies dies; // of other units
	IC_ARRAY(struct ic_lint_scope) scopes;
	IC_ARRAY(struct ic_range) ranges;
	IC_ARRAY(struct ic_range) unit_ranges;
	struct ic_range_set unit_code; // of these; empty if the unit does not say where its code is
	IC_ARRAY(struct ic_lint_copy) copies;
	IC_ARRAY(struct ic_lint_target) targets;
	struct ic_map target_of;             // by ic_unit_global_off()
	IC_ARRAY(uint64_t) formals;          // of targets, as ic_unit_global_off() returns them
	IC_ARRAY(uint32_t) seen;             // places of the parameters of open scopes
	IC_ARRAY(struct ic_range) sequences; // that the line table covers
	bool has_sequences, lines_are_known; // it could be read; it was asked for
	struct ic_range_set covered;
	uint64_t budgets[IC_LINT_COSTS]; // what is left
	bool gave_up[IC_LINT_COSTS];     // which was said
	IC_ARRAY(struct ic_lint_kept) kept;
	struct ic_lint_unit *unit; // that is filled in
};

// Takes from what the unit may still need. False if too little is left, which is a problem that is
// reported once: what is asked for is then not known.
bool ic_lint_spend(struct ic_lint_checker *checker, enum ic_lint_cost cost, uint64_t amount);

void ic_lint_checker_free(struct ic_lint_checker *checker);

// Counts a finding about a DIE and keeps it, if not too many were kept. `function` is a target;
// IC_NONE if there is none, or if the DIE is that of the function. The rest is what is wrong, as
// for printf().
void ic_lint_found(struct ic_lint_checker *checker, enum ic_lint_rule_number rule,
		   const struct ic_lint_die *die, uint32_t function, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

#endif
