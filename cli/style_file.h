// The files that the stand-ins for other symbolizers look addresses up in.
#ifndef CLI_STYLE_FILE_H
#define CLI_STYLE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlinecall/inlinecall.h>

// How many questions are answered together at most.
enum { CLI_STYLE_AT_ONCE = 1 << 16 };

struct cli_style_section;

struct cli_style_file { // that addresses are looked up in
	struct ic_image *image;
	struct ic_symbolizer *symbolizer;
	bool is_32_bit, relocatable;
	struct cli_style_section *sections; // relocatable: of code, in the order of the file
	size_t section_count;
	uint64_t *addrs; // that were added
	size_t addr_count, addr_capacity;
	struct ic_stacks *stacks;     // at these; NULL until the first is asked for
	struct ic_frame symbol_frame; // of the last answer, if all that is known is a symbol
};

// Takes over an image, of which the symbolizer is made. The image may be without debug information:
// then its symbols are what is known. False after it was closed.
bool cli_style_file_begin(struct cli_style_file *file, struct ic_image *image,
			  const struct ic_symbolizer_options *options, struct ic_error *err);

// Opens a file for it.
bool cli_style_file_open(struct cli_style_file *file, const char *path,
			 const struct ic_image_options *options, enum ic_symbolizer_symbols symbols,
			 struct ic_error *err);

// Closes it, after complaints about whatever was left out of the answers.
void cli_style_file_close(struct cli_style_file *file);

// What comes together is looked up together. Adds an address as the symbolizer numbers them;
// *number is its number. False, after a complaint, if memory is out.
bool cli_style_add(struct cli_style_file *file, uint64_t addr, size_t *number);

// The frames at an address that was added, until the next call; 0 if nothing is known.
size_t cli_style_frames(struct cli_style_file *file, size_t number, const struct ic_frame **frames);

// Forgets the addresses that were added.
void cli_style_forget(struct cli_style_file *file);

// Takes an address as these tools count them to what the symbolizer calls it: in relocatable files
// that is an offset in the first section of code that is so large. False where there is none.
bool cli_style_addr(const struct cli_style_file *file, uint64_t offset, uint64_t *addr);

// Writes a name to standard output, with question marks for control characters: a new line in the
// name of a function must not begin an answer.
void cli_style_put(const char *name);

#endif
