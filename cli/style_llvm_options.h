// The options of llvm-symbolizer and llvm-addr2line.
#ifndef CLI_STYLE_LLVM_OPTIONS_H
#define CLI_STYLE_LLVM_OPTIONS_H

#include <inlinecall/inlinecall.h>

#include "arguments.h"
#include "cli.h"
#include "style.h"
#include "style_llvm_print.h"

enum llvm_names { LLVM_NAMES_NONE, LLVM_NAMES_SHORT, LLVM_NAMES_LINKAGE };

struct llvm_options {
	struct ic_image_options image;
	struct ic_symbolizer_options symbolizer;
	struct llvm_printer printer;
	enum llvm_names names;
	const char *program; // its own name
	bool is_addr2line, inlines;
	bool ask_servers;
	bool of_14;       // LLVM 14 is what answers
	uint64_t adjust;  // subtracted from every address
	char *object;     // the file; NULL if each line names one
	char *build_id;   // the same; one of the two, or neither
	const char *arch; // of a member of an archive, if there are several; or NULL
	char **inputs;
	int input_count;
	const char **debug_dirs;
};

// Reads those of the environment, then the arguments, whose strings stay in use. False where there
// is nothing to answer, with the status to exit with; only after true is there something to end.
bool llvm_options_read(struct llvm_options *options, struct cli_arguments *arguments,
		       enum cli_style style, enum cli_status *status);

void llvm_options_end(struct llvm_options *options);

// Makes capital digits of a build ID; false if the text is none.
bool llvm_build_id_read(char *text);

#endif
