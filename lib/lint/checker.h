// State for checking one unit after another: the current DIE, the functions and copies around it,
// and the findings so far.
#ifndef LINT_CHECKER_H
#define LINT_CHECKER_H

#include "base/map.h"
#include "lint/rules.h"
#include "types/dies.h"

struct ic_lint_kept { // a finding
	enum ic_lint_rule_number rule;
	struct ic_lint_finding finding;
};

struct ic_lint_unit { // the findings in a unit; owned by the worker's arena
	const char *producer;
	uint32_t counts[IC_LINT_RULES];
	uint32_t copies; // checked copies with code
	struct ic_lint_kept *kept;
	uint32_t kept_count;
	struct ic_problems problems;
};

struct ic_lint_want {
	uint32_t limit; // findings to keep for each rule
	bool rules[IC_LINT_RULES];
};

struct ic_lint_die { // a DIE at which the walk stops
	uint64_t off;
	uint16_t tag;
	bool has_children;
	struct ic_value name, origin, specification, inlined; // `inlined`: DW_AT_inline
	struct ic_value low_pc, high_pc, ranges, entry_pc, call_file, call_line;
};

struct ic_lint_target { // the target of an origin
	struct ic_die_place place;
	uint16_t tag;
	bool is_readable, has_name, is_cycle;
	bool is_followed;      // to the end of its own origins
	bool has_inline;       // it has the attribute, or the end of its origins does
	uint64_t inline_value; // of that
	uint64_t root;         // the end of its origins, as returned by ic_unit_global_off()
	const char *name;      // set if its unit is readable
	// Its parameters, in order, in the checker's `formals`; read on demand.
	bool has_formals, are_formals_known;
	uint32_t first_formal, formal_count;
};

struct ic_lint_scope { // a function, copy or block whose children are being read
	uint64_t off;
	int32_t depth; // of its children
	uint16_t tag;
	bool is_abstract; // is an abstract instance, or inside one
	bool is_dead; // its code, or that around it, was discarded by the linker or cannot be read
	uint32_t first_range, range_count; // its own, or those of the enclosing scope
	uint32_t first_copy;  // the copies inside it start here in the checker's `copies`
	uint32_t target;      // IC_NONE if it has no origin
	uint32_t last_formal; // index of its last parameter, from 1
	bool is_disordered;   // its parameters are in a different order
	uint32_t first_seen;  // its parameters start here in the checker's `seen`
};

struct ic_lint_copy { // a range of a copy
	struct ic_range range;
	uint64_t off;
	uint32_t function; // a target, or IC_NONE
};

enum ic_lint_cost {         // work for a unit beyond reading its bytes
	IC_LINT_LIST_BYTES, // of range lists
	IC_LINT_STEPS, // over DIEs in search of parameters, and over abbreviations of other units
	IC_LINT_COMPARISONS, // of ranges, and of parameters
	IC_LINT_COSTS,
};

struct ic_lint_checker { // zero-initialised except the first three
	struct ic_reader *reader;
	const struct ic_lint_want *want;
	const struct ic_shared_tables *tables;
	const struct ic_abbrev_table *table; // of the unit, with the attributes of all tags
	struct ic_abbrev_table own;          // holds it if no other unit shares it
	struct ic_walk walk;
	struct ic_dies dies; // of other units
	IC_ARRAY(struct ic_lint_scope) scopes;
	IC_ARRAY(struct ic_range) ranges;
	IC_ARRAY(struct ic_range) unit_ranges;
	// Code of the scopes' unit; empty if the unit does not describe its code.
	struct ic_range_set unit_code;
	IC_ARRAY(struct ic_lint_copy) copies;
	IC_ARRAY(struct ic_lint_target) targets;
	struct ic_map target_of;             // by ic_unit_global_off()
	IC_ARRAY(uint64_t) formals;          // of targets, as returned by ic_unit_global_off()
	IC_ARRAY(uint32_t) seen;             // indexes of the parameters of open scopes
	IC_ARRAY(struct ic_range) sequences; // covered by the line table
	bool has_sequences, lines_are_known; // it could be read; reading was attempted
	struct ic_range_set covered;
	uint64_t budgets[IC_LINT_COSTS]; // remaining amounts
	bool gave_up[IC_LINT_COSTS];     // exceeding it was reported
	IC_ARRAY(struct ic_lint_kept) kept;
	struct ic_lint_unit *unit; // that is being filled in
};

// Takes `amount` from the unit's budget. False if too little is left, which is a problem that is
// reported once: the data requested is then unknown.
bool ic_lint_spend(struct ic_lint_checker *checker, enum ic_lint_cost cost, uint64_t amount);

void ic_lint_checker_free(struct ic_lint_checker *checker);

// Counts a finding about a DIE, and keeps it unless enough are kept. `function` is a target;
// IC_NONE if there is none, or if the DIE is the function itself. The rest describes the error, as
// for printf().
void ic_lint_found(struct ic_lint_checker *checker, enum ic_lint_rule_number rule,
		   const struct ic_lint_die *die, uint32_t function, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

#endif
