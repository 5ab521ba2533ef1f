// What llvm-symbolizer prints, in its three styles.
#ifndef CLI_STYLE_LLVM_PRINT_H
#define CLI_STYLE_LLVM_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum llvm_output { LLVM_OUTPUT_LLVM, LLVM_OUTPUT_GNU, LLVM_OUTPUT_JSON };

struct llvm_printer {
	enum llvm_output output;
	bool addresses, pretty, verbose, functions, base_names, demangle;
	uint32_t context; // lines of the source around each; 0 for none
	bool in_list;     // JSON: answers are the items of one array
	bool has_items;
};

struct llvm_request {
	const char *module;
	uint64_t address;
};

struct llvm_frame { // texts that are not known are NULL, numbers 0
	const char *function, *file, *start_file;
	uint32_t start_line, line, column, discriminator;
	uint64_t start;
	bool has_start;
};

void llvm_print_begin(struct llvm_printer *printer);
void llvm_print_frames(struct llvm_printer *printer, const struct llvm_request *request,
		       const struct llvm_frame *frames, size_t count);
void llvm_print_data(struct llvm_printer *printer, const struct llvm_request *request,
		     const char *name, uint64_t start, uint64_t size);
// The variables of a frame: none are known.
void llvm_print_variables(struct llvm_printer *printer, const struct llvm_request *request);
// JSON: in place of an answer.
void llvm_print_error(struct llvm_printer *printer, const struct llvm_request *request,
		      const char *message);
// A line that could not be understood; the module's name is what was found in it.
void llvm_print_invalid(struct llvm_printer *printer, const char *module, const char *line);
void llvm_print_end(struct llvm_printer *printer);

#endif
