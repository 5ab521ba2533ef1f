// The lines of input of llvm-symbolizer and llvm-addr2line.
#ifndef CLI_STYLE_LLVM_INPUT_H
#define CLI_STYLE_LLVM_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "style/llvm_options.h"

enum llvm_command { LLVM_COMMAND_CODE, LLVM_COMMAND_DATA, LLVM_COMMAND_FRAME };

struct llvm_query { // one line of input; the strings point into it
	enum llvm_command command;
	const char *module; // a file, or a build ID in hexadecimal
	bool is_build_id;
	const char *symbol; // NULL if there is an address
	uint64_t address;   // or the offset from the symbol
	const char *why;    // why it was not understood; for versions later than 14
	bool understood;
};

// Modifies `line`.
struct llvm_query llvm_query_read(const struct llvm_options *options, char *line);

#endif
