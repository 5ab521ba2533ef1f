// Load addresses of files. The types are inlinecall/extra/placement.h's.
#ifndef PROCESS_PLACEMENT_PLACEMENT_H
#define PROCESS_PLACEMENT_PLACEMENT_H

#include <inlinecall/extra/placement.h>
#include <inlinecall/space.h>

#include "base/array.h"
#include "base/error.h"
#include "process/placement/proc_text.h"

enum { IC_MODULE_NAME_SIZE = 128 };

// Why an address is 0, for errors.
#define IC_HIDDEN_REASON "the kernel hides addresses from unprivileged users (kernel.kptr_restrict)"

// Why a file is not a list of symbols, for errors.
#define IC_NO_KALLSYMS_REASON "no line has the format of /proc/kallsyms"

struct ic_placements {
	struct ic_placement_options options;
	struct ic_proc_text kallsyms, modules;
	// Modules known to be loaded without a text file; not owned.
	const struct ic_kernel_loaded *loaded;
	size_t loaded_count;
};

// The loaded part with a module's name, or the kernel's if the name is NULL; NULL if it is not
// there.
const struct ic_kernel_loaded *ic_placements_loaded(const struct ic_placements *placements,
						    const char *module);

struct ic_placement {
	enum ic_placement_status status;
	char module[IC_MODULE_NAME_SIZE]; // empty if it is not a module
	IC_ARRAY(struct ic_window) windows;
};

struct ic_placing { // a file whose load address is being determined
	struct ic_placements *placements;
	const char *path;
	const char *name; // of the module, if known; otherwise NULL
	const struct ic_image *image;
	struct ic_symbolizer *symbolizer;
	struct ic_placement *placement;
	bool is_x86;
};

// ic_placement_find() for a module whose name is known, whatever the name of its file; `name` may
// be NULL.
struct ic_placement *ic_placement_find_named(struct ic_placements *placements,
					     const struct ic_image *image,
					     struct ic_symbolizer *symbolizer, const char *name,
					     struct ic_error *err);

// ic_placements_list_modules() without sysfs, which also lists those built into the kernel.
bool ic_placements_list_texts(struct ic_placements *placements,
			      void (*visit)(void *context, const char *name), void *context,
			      struct ic_error *err);

// Adds a part of the file; the file then counts as found. False if memory runs out.
bool ic_placement_add(struct ic_placement *placement, struct ic_window window,
		      struct ic_error *err);

// The same, for a linked file whose `start` is at `given`.
bool ic_placement_add_linked(struct ic_placement *placement, uint64_t given, uint64_t start,
			     struct ic_error *err);

// Whether a section is freed after running once: its addresses may belong to something else,
// although the module still lists it.
bool ic_placement_is_freed(const char *section);

// Whether the loaded module or kernel is the same build as the file, according to SYSFS: the build
// IDs there are world-readable, and modules without one have no entry. False with an error.
bool ic_placing_check_build(const struct ic_placing *placing, struct ic_error *err);

// Places a linked file by the kernel's list of symbols.
bool ic_place_by_landmarks(struct ic_placing *placing, struct ic_error *err);

// Places a module by sections from the options, by SYSFS/module/NAME/sections, by its symbols in
// the kernel's list, or by its line in /proc/modules. False only with an error: if nothing is
// found, only the placement's status changes.
bool ic_place_by_sections(struct ic_placing *placing, struct ic_error *err);
bool ic_place_by_sysfs(struct ic_placing *placing, struct ic_error *err);
bool ic_place_by_symbols(struct ic_placing *placing, struct ic_error *err);
bool ic_place_by_modules(struct ic_placing *placing, struct ic_error *err);

#endif
