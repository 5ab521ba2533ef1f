// The options of llvm-symbolizer and llvm-addr2line.
#ifndef CLI_STYLE_LLVM_OPTIONS_H
#define CLI_STYLE_LLVM_OPTIONS_H

#include <inlinecall/extra.h>

#include "base/arguments.h"
#include "base/cli.h"
#include "style/llvm_print.h"
#include "style/style.h"

enum llvm_names { LLVM_NAMES_NONE, LLVM_NAMES_SHORT, LLVM_NAMES_LINKAGE };

struct llvm_options {
	struct ic_image_options image;
	struct ic_symbolizer_options symbolizer;
	struct llvm_printer printer;
	enum llvm_names names;
	const char *program; // its own name
	bool is_addr2line, inlines;
	bool ask_servers;
	bool of_14;       // answer as LLVM 14 does
	uint64_t adjust;  // subtracted from every address
	char *object;     // the file; NULL if each line names one
	char *build_id;   // of the file instead, or NULL
	const char *arch; // of a member of an archive, if there are several; or NULL
	char **inputs;
	int input_count;
	const char **debug_dirs;
};

// Reads the options in the environment, then the arguments, whose strings stay in use. False if
// there is nothing to answer; *status is then the exit status, and nothing is to be ended.
bool llvm_options_read(struct llvm_options *options, struct cli_arguments *arguments,
		       enum cli_style style, enum cli_status *status);

void llvm_options_end(struct llvm_options *options);

// Puts the digits of a build ID in upper case; false if the text is not one.
bool llvm_build_id_read(char *text);

#endif
