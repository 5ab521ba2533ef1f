// Files that are opened on demand, and closed again if they take too much memory. The type is
// inlinecall/space.h's.
#ifndef PROCESS_MODULES_H
#define PROCESS_MODULES_H

#include "base/bytes.h"
#include "base/error.h"

#include <inlinecall/space.h>

// What identifies a file, and helps to find it.
struct ic_module_key {
	const char *path; // or the kernel's name for the mapping
	// Of the file; any file if the inode is 0. The device in a list of mappings may differ from
	// that of the file itself (btrfs, overlayfs): it only tells files apart.
	uint64_t device, inode;
	uint64_t modified; // modification time in nanoseconds if it must not have changed since;
			   // otherwise 0
	struct ic_bytes build_id;
	struct ic_bytes start;  // start of the file, as it was in memory; may be truncated or empty
	struct ic_bytes memory; // the whole file, if it is only in memory
	bool has_file;
};

// Makes a key match only the file at its path as it is now. Unchanged if there is no file.
void ic_module_key_pin(struct ic_module_key *key);

// Where a process has it mapped.
struct ic_module_place {
	int pid; // 0: no known process
	uint64_t start, end;
};

struct ic_module;

// How to open files.
const struct ic_image_options *ic_modules_image_options(const struct ic_modules *modules);

// The module with that key, existing or new. It lives until it has been released as often as it was
// taken. NULL if memory runs out.
struct ic_module *ic_module_take(struct ic_modules *modules, const struct ic_module_key *key);

// Adds a reference.
void ic_module_share(struct ic_modules *modules, struct ic_module *module);

void ic_module_release(struct ic_modules *modules, struct ic_module *module);

// The key of a module; valid as long as the module.
const struct ic_module_key *ic_module_key(const struct ic_module *module);

// Gets the build ID of a module for which a reference is held, without searching for debug
// information; empty if the file has none or cannot be read. From then on, the build ID and the key
// live as long as the modules. False if memory runs out.
bool ic_module_identify(struct ic_modules *modules, struct ic_module *module,
			const struct ic_module_place *place, struct ic_bytes *id) IC_CHECKED;

struct ic_module_open { // if `symbolizer` is NULL it cannot be opened, for the reason `reason`
	struct ic_image *image;
	struct ic_symbolizer *symbolizer;
	const char *reason;
	enum ic_error_code code; // of the reason
};

// Opens a module for which a reference is held, from where it is mapped if it is not open yet, and
// keeps it open until ic_module_let_go().
struct ic_module_open ic_module_hold(struct ic_modules *modules, struct ic_module *module,
				     const struct ic_module_place *place);

// Ends that; then closes other modules, if too many are open.
void ic_module_let_go(struct ic_modules *modules, struct ic_module *module);

#endif
