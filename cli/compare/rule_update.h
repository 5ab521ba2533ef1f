// Writes rules: those that files keep today.
#ifndef CLI_COMPARE_RULE_UPDATE_H
#define CLI_COMPARE_RULE_UPDATE_H

#include <inlinecall/extra.h>

struct cli_rule_line { // about a function
	char *name;    // with its source file, as in a rule
	uint64_t copies;
	bool is_out_of_line; // it has code of its own, too
};

struct cli_rule_writer { // zero-initialised is empty
	struct cli_rule_line *lines;
	size_t count, capacity;
};

// Adds the functions of a file that were inlined.
bool cli_rule_writer_add(struct cli_rule_writer *writer, const struct ic_index *index,
			 struct ic_error *err);

// Prints the rules, and frees everything. Prints an error and returns false if they cannot be
// written.
bool cli_rule_writer_end(struct cli_rule_writer *writer);

// Changes the lines of the file that are not kept: a limit becomes the number that was found, and
// other rules become comments. Lines of included files stay. Prints an error and returns false if
// it cannot be written.
bool cli_rules_update(const struct ic_rules *rules, const char *path);

#endif
