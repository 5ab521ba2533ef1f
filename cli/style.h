// What the stand-ins for other symbolizers share: their names, and the files that addresses are
// looked up in.
#ifndef CLI_STYLE_H
#define CLI_STYLE_H

#include <inlinecall/inlinecall.h>

#include "arguments.h"
#include "cli.h"

enum cli_style {
	CLI_STYLE_NONE, // inlinecall's own
	CLI_STYLE_GNU,
	CLI_STYLE_LLVM,
	CLI_STYLE_LLVM_ADDR2LINE,
};

// What those tools exit with, whatever is wrong.
#define CLI_STYLE_FAILED ((enum cli_status)1)

// The tool whose name this program was called by: "addr2line", "x86_64-linux-gnu-addr2line",
// "llvm-symbolizer-14" and the like.
enum cli_style cli_style_of_program(const char *path);

// What `inlinecall addr --style=NAME` asks for.
enum cli_style cli_style_of_name(const char *name);

// Runs as that tool.
enum cli_status cli_style_run(enum cli_style style, int argc, char **argv);

enum cli_status cli_style_gnu(struct cli_arguments *arguments);
enum cli_status cli_style_llvm(struct cli_arguments *arguments, bool is_addr2line);

// A complaint with a hint at the help of `program`; returns CLI_STYLE_FAILED.
enum cli_status cli_style_usage_error(const char *program, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

struct cli_style_section;

struct cli_style_file { // that addresses are looked up in
	struct ic_image *image;
	struct ic_symbolizer *symbolizer;
	bool is_32_bit, relocatable;
	struct cli_style_section *sections; // relocatable: of code, in the order of the file
	size_t section_count;
	struct ic_frame *frames; // of the last answer
	size_t frame_capacity;
};

// One without debug information is opened too: its symbols are what is known.
bool cli_style_file_open(struct cli_style_file *file, const char *path,
			 const struct ic_image_options *options, struct ic_error *err);

// Closes it, after complaints about whatever was left out of the answers.
void cli_style_file_close(struct cli_style_file *file);

// The frames at an address as the symbolizer numbers them: see file->frames. 0 where nothing is
// known.
size_t cli_style_frames(struct cli_style_file *file, uint64_t addr);

// Takes an address as these tools count them to what the symbolizer calls it: in relocatable files
// that is an offset in the first section of code that is so large. False where there is none.
bool cli_style_addr(const struct cli_style_file *file, uint64_t offset, uint64_t *addr);

// Writes a name to standard output, with question marks for control characters: a new line in the
// name of a function must not begin an answer.
void cli_style_put(const char *name);

const char *cli_style_base_name(const char *path);

#endif
