// Where files are loaded. The types are inlinecall/extra/placement.h's.
#ifndef PROCESS_PLACEMENT_PLACEMENT_H
#define PROCESS_PLACEMENT_PLACEMENT_H

#include <inlinecall/extra/placement.h>
#include <inlinecall/space.h>

#include "base/array.h"
#include "base/error.h"
#include "process/placement/proc_text.h"

enum { IC_MODULE_NAME_SIZE = 128 };

// Why an address is 0, in errors.
#define IC_HIDDEN_REASON                                            \
	"the kernel hides addresses from those without privileges " \
	"(kernel.kptr_restrict)"

// What a file is not, as errors say it of one that is given as a list of symbols.
#define IC_NO_KALLSYMS_REASON "no line of it is as in /proc/kallsyms"

struct ic_placements {
	struct ic_placement_options options;
	struct ic_proc_text kallsyms, modules;
	// What is known to be loaded without a text; not owned.
	const struct ic_kernel_loaded *loaded;
	size_t loaded_count;
};

// One of them, by the name of the module or NULL for the kernel; NULL if it is none of them.
const struct ic_kernel_loaded *ic_placements_loaded(const struct ic_placements *placements,
						    const char *module);

struct ic_placement {
	enum ic_placement_status status;
	char module[IC_MODULE_NAME_SIZE]; // empty if it is none
	IC_ARRAY(struct ic_window) windows;
};

struct ic_placing { // one file that is being placed
	struct ic_placements *placements;
	const char *path;
	const char *name; // of the module, if it is known; else NULL
	const struct ic_image *image;
	struct ic_symbolizer *symbolizer;
	struct ic_placement *placement;
	bool is_x86;
};

// ic_placement_find() of a module whose name is known, however its file is called; `name` may be
// NULL.
struct ic_placement *ic_placement_find_named(struct ic_placements *placements,
					     const struct ic_image *image,
					     struct ic_symbolizer *symbolizer, const char *name,
					     struct ic_error *err);

// ic_placements_list_modules() without what is in sysfs, which has those too that are in the
// kernel.
bool ic_placements_list_texts(struct ic_placements *placements,
			      void (*visit)(void *context, const char *name), void *context,
			      struct ic_error *err);

// Adds a part of the file, which then is found. False if memory runs out.
bool ic_placement_add(struct ic_placement *placement, struct ic_window window,
		      struct ic_error *err);

// The same, of a linked file of which `start` is at `given`.
bool ic_placement_add_linked(struct ic_placement *placement, uint64_t given, uint64_t start,
			     struct ic_error *err);

// What ran once is freed, and its addresses belong to others: but a module keeps the name.
bool ic_placement_is_freed(const char *section);

// Whether what is loaded is of the file's build, as far as SYSFS says: anybody may read the build
// IDs there, and a kernel shows none of what has none. False with an error.
bool ic_placing_check_build(const struct ic_placing *placing, struct ic_error *err);

// A linked file by the kernel's list of symbols.
bool ic_place_by_landmarks(struct ic_placing *placing, struct ic_error *err);

// A module by what the options say of its sections, by SYSFS/module/NAME/sections, by its symbols
// in the kernel's list, and by its line in /proc/modules. False with an error only: if there is
// nothing the placement is as it was, but for its status.
bool ic_place_by_sections(struct ic_placing *placing, struct ic_error *err);
bool ic_place_by_sysfs(struct ic_placing *placing, struct ic_error *err);
bool ic_place_by_symbols(struct ic_placing *placing, struct ic_error *err);
bool ic_place_by_modules(struct ic_placing *placing, struct ic_error *err);

#endif
