// What checks an index: the rules, and what is known of the index.
#ifndef RULES_CHECKER_H
#define RULES_CHECKER_H

#include "query/find/names.h"
#include "query/find/parts.h"
#include "query/find/sites.h"
#include "rules/subjects.h"

struct ic_awaited_copy { // a copy that a rule wants in an out-of-line function
	uint32_t rule, unit, host;
	bool is_there;
};

struct ic_callee { // a function that may be called, and one subject that it is
	const struct ic_function *function; // NULL if it only has a symbol
	const char *symbol;
	uint32_t subject;
	uint32_t next; // another one at the same address: IC_NONE if there is none
};

struct ic_noted_host {
	uint32_t unit, host;
	bool is_read; // rules need its code
};

// A copy whose arguments or entries a rule is about, or a function whose stack.
struct ic_rule_site {
	uint32_t rule;
	struct ic_site_place place;
};

struct ic_rule_checker {
	struct ic_rules *rules;
	struct ic_image *image;
	const struct ic_index *index;
	struct ic_rule_readers readers;
	struct ic_definitions definitions;
	struct ic_rule_subjects subjects;
	struct ic_parts parts;
	struct ic_names names;
	const char *path; // of the image, in the rules' arena
	bool *is_about;   // by rule: the file is one that it is about
	// By subject: the first rule with this NAME and this HOST, and by rule the next one.
	uint32_t *first_named, *first_hosted, *next_named, *next_hosted;
	uint32_t first_always;     // the first rule "always inline"; next_hosted has the next one
	IC_ARRAY(uint32_t) around; // by instance of the unit: the out-of-line function
	uint32_t first;            // the number of the unit's first instance among all
	IC_ARRAY(struct ic_awaited_copy) awaited;
	struct ic_map by_host; // awaited copies, by rule and number of the out-of-line function
	IC_ARRAY(struct ic_rule_site) sites;
	// Functions that rules are about, and by address the number of the last one there.
	IC_ARRAY(struct ic_callee) callees;
	struct ic_map by_entry;
	// Calls that are described in functions whose code is read: by the address after them, or
	// their own.
	struct ic_map described_before, described_at;
	struct ic_noted_host noted; // the last one whose calls were described
};

// The function of an instance; NULL if unknown, or if there is no instance.
static inline const struct ic_function *ic_rule_checker_function(const struct ic_unit_model *unit,
								 uint32_t instance)
{
	return instance == IC_NONE || unit->instances[instance].function == IC_NONE
		       ? NULL
		       : &unit->functions[unit->instances[instance].function];
}

static inline uint32_t ic_rule_checker_definition(const struct ic_rule_checker *checker,
						  uint32_t unit, uint32_t instance)
{
	return ic_definition_of(&checker->definitions, unit,
				&checker->index->units[unit].instances[instance]);
}

// Adds a place where a rule is broken; `broken` has its position, not its file and address, and the
// name of the function if `function` is NULL. False if memory runs out.
bool ic_rule_checker_break(struct ic_rule_checker *checker, uint32_t rule,
			   struct ic_rule_break broken, const struct ic_function *function,
			   const struct ic_function *host, uint64_t addr) IC_CHECKED;

// The same at an instance: at the call of a copy, or the declaration of a function. `broken` has
// what is wrong; the address is that of the entry, unless another one is given.
bool ic_rule_checker_break_at(struct ic_rule_checker *checker, uint32_t rule,
			      struct ic_rule_break broken, uint32_t unit, uint32_t instance,
			      uint64_t addr) IC_CHECKED;

// Notes why a function does not tell whether a rule is kept; the first one is kept. False if memory
// runs out.
bool ic_rule_checker_doubt(struct ic_rule_checker *checker, uint32_t rule, uint32_t unit,
			   uint32_t instance, const char *why) IC_CHECKED;

// Whether a rule does not count what is in this out-of-line function, a definition.
bool ic_rule_checker_excepts(const struct ic_rule_checker *checker, const struct ic_rule_item *item,
			     uint32_t host);

// Takes the calls of a unit, after its instances. False if memory runs out.
bool ic_rule_checker_take_calls(struct ic_rule_checker *checker, uint32_t unit) IC_CHECKED;

// Reads the calls from the code of functions that rules are about. False if memory runs out.
bool ic_rule_checker_read_calls(struct ic_rule_checker *checker) IC_CHECKED;

// Check the copies in `sites`, once all are there; the code of lines; and the stack of functions.
bool ic_rule_checker_check_sites(struct ic_rule_checker *checker, struct ic_error *err) IC_CHECKED;
bool ic_rule_checker_check_lines(struct ic_rule_checker *checker, struct ic_error *err) IC_CHECKED;
bool ic_rule_checker_check_stacks(struct ic_rule_checker *checker, struct ic_error *err) IC_CHECKED;

#endif
