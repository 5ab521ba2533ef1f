// Rules and their results. The public part is inlinecall/extra/rules.h.
#ifndef RULES_RULES_H
#define RULES_RULES_H

#include "base/arena.h"
#include "base/array.h"
#include "base/byte_pool.h"
#include "base/map.h"
#include "model/index.h"

#include <inlinecall/extra/rules.h>

enum ic_rule_kind {
#define FORM(kind, words) IC_RULE_##kind,
#include "rules/forms.def"
#undef FORM
};

// The name of functions in a rule. The same names in several rules have one subject.
struct ic_rule_subject {
	const char *name;
	const char *file; // a glob for the file that declares them; NULL for all
	bool is_glob;
};

// A list of names or globs of a rule, in ic_rules::words.
struct ic_rule_list {
	uint32_t first, count;
};

struct ic_rule_item {
	struct ic_rule rule; // its strings are in the arena
	enum ic_rule_kind kind;
	uint32_t name, host; // subjects; IC_NONE for none
	const char *argument;
	const char *source; // a path, or its last components
	uint32_t source_line;
	struct ic_rule_list unless; // subjects: hosts that do not count
	struct ic_rule_list
		files;     // texts: globs of the files that it is about; all if there are none
	uint64_t hosts;    // number of functions that `host` is about
	uint64_t copies;   // of functions that `name` is about
	uint64_t readable; // of these, for arguments
	bool has_own_code; // a function that `name` is about
	// Where it is broken or, for a limit, where it would be: the first IC_RULES_MOST_BREAKS.
	IC_ARRAY(struct ic_rule_break) breaks;
};

struct ic_rules {
	IC_ARRAY(struct ic_rule_item) items;
	IC_ARRAY(struct ic_rule_subject) subjects;
	struct ic_byte_map by_word;   // numbers of subjects
	IC_ARRAY(uint32_t) unless;    // subjects
	IC_ARRAY(const char *) files; // globs
	struct ic_arena arena;
};

#endif
