// A bit for each command (commands.def): options.def lists the commands that take each option.
#ifndef CLI_BASE_COMMAND_BITS_H
#define CLI_BASE_COMMAND_BITS_H

enum command_bits {
#define COMMAND(name, bit, group, what) COMMAND_NUMBER_##name,
#include "base/commands.def"
#undef COMMAND
	COMMAND_COUNT,
#define COMMAND(name, bit, group, what) bit = 1 << COMMAND_NUMBER_##name,
#include "base/commands.def"
#undef COMMAND
	DWARF = SITES | ADDR | LINES | TREE | STATS | SIZES | WHY | PROBE |
		TRACE,                    // commands that read debug information
	BUILDS = DIFF | CHECK | AFFECTED, // commands that read all files below a directory
	REPORTS = DWARF | LINT | BTF | CFI | BACKTRACE | PROFILE |
		  BUILDS, // commands that print rows
	EVERY = REPORTS | EMIT | EXPORT,
};

#endif
