// Prints answers in the three styles of llvm-symbolizer.
#ifndef CLI_STYLE_LLVM_PRINT_H
#define CLI_STYLE_LLVM_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlinecall/extra.h>

enum llvm_output { LLVM_OUTPUT_LLVM, LLVM_OUTPUT_GNU, LLVM_OUTPUT_JSON };

struct llvm_printer {
	enum llvm_output output;
	bool of_14; // print as LLVM 14 does
	bool addresses, pretty, verbose, functions, base_names, demangle;
	uint32_t context; // number of source lines to show around each position; 0 for none
	bool in_list;     // JSON: answers are the items of one array
	// JSON: the currently open structure
	unsigned depth;
	bool has_items;
};

struct llvm_request {
	const char *module;
	const char *symbol; // the one queried; NULL if it is an address, or neither
	uint64_t address;
	bool has_address;
};

struct llvm_frame { // unknown texts are NULL, and unknown numbers 0
	const char *function, *file, *start_file;
	const char *source; // contents of `file`; NULL to read it
	uint32_t start_line, line, column, discriminator;
	uint64_t start;
	bool has_start, is_approximate;
};

struct llvm_data {
	const char *name, *file;
	uint64_t start, size;
	uint32_t line;
};

void llvm_print_begin(struct llvm_printer *printer);
// Prints a function, and what it was inlined into.
void llvm_print_frames(struct llvm_printer *printer, const struct llvm_request *request,
		       const struct llvm_frame *frames, size_t count);
// Prints one frame for each symbol with the query's name.
void llvm_print_places(struct llvm_printer *printer, const struct llvm_request *request,
		       const struct llvm_frame *frames, size_t count);
void llvm_print_data(struct llvm_printer *printer, const struct llvm_request *request,
		     const struct llvm_data *data);
void llvm_print_variables(struct llvm_printer *printer, const struct llvm_request *request,
			  const struct ic_local *locals, size_t count);
// JSON: prints an error in place of an answer.
void llvm_print_error(struct llvm_printer *printer, const struct llvm_request *request,
		      const char *message);
// Prints what LLVM 14 does for a line that it does not understand; `module` is what it took for the
// file.
void llvm_print_invalid(struct llvm_printer *printer, const char *module, const char *line);
void llvm_print_end(struct llvm_printer *printer);

// For all styles: demangles a symbol; the result is to be freed. NULL if the name does not change,
// or names are not to be demangled.
char *llvm_demangled(const struct llvm_printer *printer, const char *symbol);
const char *llvm_shown_file(const struct llvm_printer *printer, const char *file);
// The source lines around a frame's, each after its number; to be freed. NULL if there are none.
char *llvm_source_context(const struct llvm_printer *printer, const struct llvm_frame *frame);

// The same functions for JSON.
void llvm_json_begin(struct llvm_printer *printer);
void llvm_json_frames(struct llvm_printer *printer, const struct llvm_request *request,
		      const char *key, const struct llvm_frame *frames, size_t count);
void llvm_json_data(struct llvm_printer *printer, const struct llvm_request *request,
		    const struct llvm_data *data);
void llvm_json_variables(struct llvm_printer *printer, const struct llvm_request *request,
			 const struct ic_local *locals, size_t count);
void llvm_json_error(struct llvm_printer *printer, const struct llvm_request *request,
		     const char *message);
void llvm_json_end(struct llvm_printer *printer);

#endif
