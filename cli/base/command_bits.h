// A bit for each command (commands.def): options.def gives the commands that take an option.
#ifndef CLI_BASE_COMMAND_BITS_H
#define CLI_BASE_COMMAND_BITS_H

enum command_bits {
#define COMMAND(name, group, what) COMMAND_NUMBER_##name,
#include "base/commands.def"
#undef COMMAND
	COMMAND_COUNT,
	SITES = 1 << COMMAND_NUMBER_sites,
	ADDR = 1 << COMMAND_NUMBER_addr,
	LINES = 1 << COMMAND_NUMBER_lines,
	TREE = 1 << COMMAND_NUMBER_tree,
	STATS = 1 << COMMAND_NUMBER_stats,
	SIZES = 1 << COMMAND_NUMBER_sizes,
	WHY = 1 << COMMAND_NUMBER_why,
	LINT = 1 << COMMAND_NUMBER_lint,
	EMIT = 1 << COMMAND_NUMBER_emit,
	PROBE = 1 << COMMAND_NUMBER_probe,
	TRACE = 1 << COMMAND_NUMBER_trace,
	BTF = 1 << COMMAND_NUMBER_btf,
	CFI = 1 << COMMAND_NUMBER_cfi,
	PROFILE = 1 << COMMAND_NUMBER_profile,
	BACKTRACE = 1 << COMMAND_NUMBER_backtrace,
	DWARF = SITES | ADDR | LINES | TREE | STATS | SIZES | WHY | PROBE |
		TRACE, // those that ask the debug information
	REPORTS = DWARF | LINT | BTF | CFI | BACKTRACE | PROFILE, // those that print rows
	EVERY = REPORTS | EMIT,
};

#endif
