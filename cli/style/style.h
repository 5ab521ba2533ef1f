// The names of the symbolizers that this program can stand in for.
#ifndef CLI_STYLE_STYLE_H
#define CLI_STYLE_STYLE_H

#include <inlinecall/extra.h>

#include "base/arguments.h"
#include "base/cli.h"

enum cli_style {
	CLI_STYLE_NONE, // inlinecall's own
	CLI_STYLE_GNU,
	CLI_STYLE_LLVM,
	CLI_STYLE_LLVM_ADDR2LINE,
	CLI_STYLE_LLVM_14, // its output differs in places from later versions'
	CLI_STYLE_LLVM_ADDR2LINE_14,
};

// The exit status of those tools after any error.
#define CLI_STYLE_FAILED ((enum cli_status)1)

// The tool by whose name this program was called: "addr2line", "x86_64-linux-gnu-addr2line",
// "llvm-symbolizer-14" etc.
enum cli_style cli_style_of_program(const char *path);

// The tool of `inlinecall addr --style=NAME`.
enum cli_style cli_style_of_name(const char *name);

// Acts as that tool.
enum cli_status cli_style_run(enum cli_style style, int argc, char **argv);

enum cli_status cli_style_gnu(struct cli_arguments *arguments);
enum cli_status cli_style_llvm(struct cli_arguments *arguments, enum cli_style style);

#endif
