// Files of kernel modules by the names of the modules, before any of them is opened: those that
// were named, and those that are found in directories.
#ifndef CLI_MODULE_PATHS_H
#define CLI_MODULE_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include <inlinecall/span.h>

enum { CLI_MODULE_NAME_SIZE = 128 };

struct cli_module_path {
	char *path;
	char name[CLI_MODULE_NAME_SIZE]; // as the kernel spells it
	unsigned stage;                  // in which it was found
	bool taken;
};

struct cli_module_paths {
	struct cli_module_path *items;
	size_t count, capacity;
	bool is_sorted;
};

// Adds a file. False after a complaint if there is no memory.
bool cli_module_paths_add(struct cli_module_paths *paths, const char *path, const char *name,
			  unsigned stage);

// Adds the modules in a directory and in those below it; symbolic links to directories are not
// followed. If it does not exist there are none. False after a complaint.
bool cli_module_paths_add_directory(struct cli_module_paths *paths, const char *directory,
				    unsigned stage);

// The files of a module, whose name may be spelt with "-" for "_"; their number in *count. Valid
// until one is added. Time: O(log n).
struct cli_module_path *cli_module_paths_find(struct cli_module_paths *paths, struct ic_span name,
					      size_t *count);

void cli_module_paths_deinit(struct cli_module_paths *paths);

// Whether a module of this name, as the kernel spells it, is meant.
bool cli_is_module_name(const char *module, struct ic_span name);

#endif
