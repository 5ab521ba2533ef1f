// The files that llvm-symbolizer is asked about; each is opened once.
#ifndef CLI_STYLE_LLVM_MODULES_H
#define CLI_STYLE_LLVM_MODULES_H

#include "style/file.h"
#include "style/llvm_options.h"

struct llvm_module {
	char *name;
	bool is_build_id;
	struct cli_style_file file;
	bool found;          // it was opened
	bool complained;     // the error was reported
	struct ic_error err; // why it was not
	char *message;       // the same in LLVM's words, or NULL
};

struct llvm_modules {               // zero-initialise before use
	struct llvm_module **items; // sorted by name
	size_t count, capacity;
};

// Gets the module with this name, opening it if it is new; NULL if out of memory.
struct llvm_module *llvm_modules_get(struct llvm_modules *modules,
				     const struct llvm_options *options, const char *name,
				     bool is_build_id);

// Removes the addresses that were added to their files.
void llvm_modules_forget(struct llvm_modules *modules);

void llvm_modules_close(struct llvm_modules *modules);

#endif
