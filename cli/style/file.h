// The files in which the stand-ins for other symbolizers look addresses up.
#ifndef CLI_STYLE_FILE_H
#define CLI_STYLE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlinecall/extra.h>

// The most questions that are answered together.
enum { CLI_STYLE_AT_ONCE = 1 << 16 };

struct cli_style_section;

struct cli_style_file {
	struct ic_image *image;
	struct ic_symbolizer *symbolizer;
	bool is_32_bit, relocatable;
	struct cli_style_section *sections; // of code, in the order of a relocatable file
	size_t section_count;
	uint64_t *addrs; // that were added
	size_t addr_count, addr_capacity;
	struct ic_stacks *stacks;     // at these; NULL until the first is asked for
	struct ic_frame symbol_frame; // of the last answer, if only a symbol is known
};

// Takes ownership of an image, and makes its symbolizer. An image without debug information is
// answered for by its symbols. If it returns false, the image is closed.
bool cli_style_file_begin(struct cli_style_file *file, struct ic_image *image,
			  const struct ic_symbolizer_options *options, struct ic_error *err);

// Opens an image and begins with it.
bool cli_style_file_open(struct cli_style_file *file, const char *path,
			 const struct ic_image_options *options, enum ic_symbolizer_symbols symbols,
			 struct ic_error *err);

// Prints the problems of what was read, and closes the file.
void cli_style_file_close(struct cli_style_file *file);

// Adds an address, as the symbolizer numbers them, to those that are looked up together; *number is
// its number among them. False, after a complaint, if out of memory.
bool cli_style_add(struct cli_style_file *file, uint64_t addr, size_t *number);

// The frames at an address that was added, until the next call; 0 if nothing is known.
size_t cli_style_frames(struct cli_style_file *file, size_t number, const struct ic_frame **frames);

// Forgets the addresses that were added.
void cli_style_forget(struct cli_style_file *file);

// From an address as these tools number them to the symbolizer's: in a relocatable file, an offset
// in the first section of code that is large enough. False if there is none.
bool cli_style_addr(const struct cli_style_file *file, uint64_t offset, uint64_t *addr);

// Writes a name to standard output, with question marks for control characters: a newline in the
// name of a function must not begin another answer.
void cli_style_put(const char *name);

#endif
