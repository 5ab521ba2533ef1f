// The lines of input of llvm-symbolizer and llvm-addr2line.
#ifndef CLI_STYLE_LLVM_INPUT_H
#define CLI_STYLE_LLVM_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "style/llvm_options.h"

enum llvm_command { LLVM_COMMAND_CODE, LLVM_COMMAND_DATA, LLVM_COMMAND_FRAME };

struct llvm_query { // one line of input, whose texts it borrows
	enum llvm_command command;
	const char *module; // a file, or a build ID in hexadecimal
	bool is_build_id;
	const char *symbol; // NULL if there is an address instead
	uint64_t address;   // or what to add to that of the symbol
	const char *why;    // it was not understood; for versions later than 14
	bool understood;
};

// `line` is changed.
struct llvm_query llvm_query_read(const struct llvm_options *options, char *line);

#endif
