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
	const char *program; // the program's name
	bool is_addr2line, inlines;
	bool ask_servers;
	bool of_14;       // print what LLVM 14 does
	uint64_t adjust;  // subtracted from every address
	char *object;     // the file; NULL if each line names one
	char *build_id;   // of a file, in place of `object`; or NULL
	const char *arch; // to choose among several members of an archive; or NULL
	char **inputs;
	int input_count;
	const char **debug_dirs;
};

// Reads the options from the environment, then the arguments, whose strings stay in use. Returns
// false if there is nothing to look up; *status is then the exit status, and there is nothing to
// free.
bool llvm_options_read(struct llvm_options *options, struct cli_arguments *arguments,
		       enum cli_style style, enum cli_status *status);

void llvm_options_end(struct llvm_options *options);

// Converts the digits of a build ID to upper case; returns false if the text is not one.
bool llvm_build_id_read(char *text);

#endif
