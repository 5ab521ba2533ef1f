// Files that are opened when they are asked for, and closed again if they take too much memory.
// The type is inlinecall/space.h's.
#ifndef PROCESS_MODULES_H
#define PROCESS_MODULES_H

#include "base/bytes.h"
#include "base/error.h"

#include <inlinecall/space.h>

// What a file is known by, and found with.
struct ic_module_key {
	const char *path; // or what the kernel calls the mapping
	// That the file has; an inode of 0 is any. What the kernel calls the device in a list of
	// mappings need not be what it says of the file (btrfs, overlayfs): it tells files apart.
	uint64_t device, inode;
	uint64_t modified; // when, in nanoseconds, if it must not have changed since; else 0
	struct ic_bytes build_id;
	struct ic_bytes start;  // of the file, as it was in memory; may be cut or empty
	struct ic_bytes memory; // the file, if it is only there
	bool has_file;
};

// Has a key match only the file that its path leads to, as it is now. If there is none, the key
// stays as it is.
void ic_module_key_pin(struct ic_module_key *key);

// Where a process has it mapped.
struct ic_module_place {
	int pid; // 0: in none that is known
	uint64_t start, end;
};

struct ic_module;

// How files are opened.
const struct ic_image_options *ic_modules_image_options(const struct ic_modules *modules);

// The module of that key, new or one that there is. It is there until it is released as often as it
// was taken. NULL if memory runs out.
struct ic_module *ic_module_take(struct ic_modules *modules, const struct ic_module_key *key);

// Takes one once more.
void ic_module_share(struct ic_modules *modules, struct ic_module *module);

void ic_module_release(struct ic_modules *modules, struct ic_module *module);

// What it is known by; as long-lived as the module.
const struct ic_module_key *ic_module_key(const struct ic_module *module);

// The build ID of a module of a file that was taken, which is empty if the file has none or cannot
// be read, without looking for debug information. It and the key live as long as the modules from
// then on. False if memory runs out.
bool ic_module_identify(struct ic_modules *modules, struct ic_module *module,
			const struct ic_module_place *place, struct ic_bytes *id) IC_CHECKED;

struct ic_module_open { // `symbolizer` is NULL if it cannot be opened; then `reason` says why
	struct ic_image *image;
	struct ic_symbolizer *symbolizer;
	const char *reason;
	enum ic_error_code code; // of the reason
};

// Opens a module of a file that was taken, from where it is mapped if it is not open yet, and keeps
// it open until ic_module_let_go().
struct ic_module_open ic_module_hold(struct ic_modules *modules, struct ic_module *module,
				     const struct ic_module_place *place);

// Then closes others, if there are too many.
void ic_module_let_go(struct ic_modules *modules, struct ic_module *module);

#endif
