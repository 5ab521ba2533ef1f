// The files in which the stand-ins for other symbolizers look up addresses.
#ifndef CLI_STYLE_FILE_H
#define CLI_STYLE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlinecall/extra.h>

// Most addresses to look up together.
enum { CLI_STYLE_AT_ONCE = 1 << 16 };

struct cli_style_section;

struct cli_style_file {
	struct ic_image *image;
	struct ic_symbolizer *symbolizer;
	bool is_32_bit, relocatable;
	struct cli_style_section *sections; // of code, in the order of the relocatable file
	size_t section_count;
	uint64_t *addrs; // those added
	size_t addr_count, addr_capacity;
	struct ic_stacks *stacks;     // at these addresses; NULL until the first is needed
	struct ic_frame symbol_frame; // of the last answer, if only a symbol is known
};

// Takes over an image, and makes its symbolizer. If the image has no debug information, its symbols
// are used. If this returns false, the image is closed.
bool cli_style_file_begin(struct cli_style_file *file, struct ic_image *image,
			  const struct ic_symbolizer_options *options, struct ic_error *err);

// Opens an image, and does the same.
bool cli_style_file_open(struct cli_style_file *file, const char *path,
			 const struct ic_image_options *options, enum ic_symbolizer_symbols symbols,
			 struct ic_error *err);

// Prints the problems encountered, and closes the file.
void cli_style_file_close(struct cli_style_file *file);

// Adds an address, as the symbolizer counts them, to those that are looked up together; *number is
// its number among them. Prints an error and returns false if out of memory.
bool cli_style_add(struct cli_style_file *file, uint64_t addr, size_t *number);

// Gets the frames at an address that was added, until the next call; 0 if nothing is known.
size_t cli_style_frames(struct cli_style_file *file, size_t number, const struct ic_frame **frames);

// Removes the addresses that were added.
void cli_style_forget(struct cli_style_file *file);

// Converts an address as these tools count them to the symbolizer's: in a relocatable file, it is
// an offset in the first section of code that is large enough. Returns false if there is none.
bool cli_style_addr(const struct cli_style_file *file, uint64_t offset, uint64_t *addr);

// Writes a name to standard output, with question marks in place of control characters: a newline
// in the name of a function must not start another answer.
void cli_style_put(const char *name);

#endif
