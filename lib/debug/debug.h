// The debug information of an image, with its sections made readable and its units listed, once for
// all indexes and symbolizers that read it at the same time.
//
// Nothing here changes once it is set, so any number of threads may read it. Every caller is given
// the problems.
#ifndef DEBUG_DEBUG_H
#define DEBUG_DEBUG_H

#include <pthread.h>

#include "debug/split.h"
#include "elf/image/image.h"
#include "tables/breakpad_table.h"
#include "tables/go_table.h"
#include "tables/gsym_table.h"
#include "tables/inline_table.h"

struct ic_debug {
	struct ic_image *image; // NULL if the caller gave the sections
	uint32_t users;         // under the image's lock

	pthread_mutex_t lock; // held while loading and listing
	bool is_loaded, is_listed;
	// Once loaded: those of the file itself, and of its supplementary file.
	struct ic_dwarf_file main, supplementary;
	struct ic_go_table go; // if has_go: of a program without DIEs in Go
	bool has_go;
	struct ic_gsym_table gsym;         // if has_gsym: the file is one
	struct ic_breakpad_table breakpad; // if has_breakpad: the file is one
	bool has_gsym, has_breakpad;
	struct ic_inline_table inline_table; // used instead, if the caller gave a table
	struct ic_dwarf **dwarfs;            // all of these
	uint32_t dwarf_count;
	// The one with the file's own units; NULL if there are several, as in relocatable files,
	// which may have a section for each function.
	struct ic_dwarf *main_dwarf;
	// Once listed.
	struct ic_units units;
	struct ic_split split;
	// The problems of loading and of listing, in their own arena.
	struct ic_problems of_sections, of_units;
	struct ic_arena arena;
};

// If the image has an unusable debug file, adds that as a problem, unless it has been added before.
void ic_debug_add_fault(const struct ic_image *image, struct ic_problems *problems);

// Holds the debug information of an image, which is loaded on demand; release it before the image
// is closed. NULL if memory runs out.
struct ic_debug *ic_debug_hold(struct ic_image *image, struct ic_error *err);

// The debug information in the given sections, in the order of their units.
struct ic_debug *ic_debug_of_sections(struct ic_dwarf *const *dwarfs, uint32_t count,
				      struct ic_error *err);

// The same, to read a table of inlined calls, which must outlive it, in place of the image's DWARF.
// For one user.
struct ic_debug *ic_debug_of_table(struct ic_image *image, const struct ic_btf_inline *table,
				   struct ic_error *err);

// Frees it with its last user, except for the sections that names are borrowed from. NULL is
// allowed.
void ic_debug_release(struct ic_debug *debug);

// Makes the sections readable, using `jobs` threads, except for the relocations of .debug_info,
// which ic_dwarf_file_need() applies. Missing sections become problems. Returns false if this fails
// or memory runs out.
bool ic_debug_load(struct ic_debug *debug, uint32_t jobs, struct ic_problems *problems,
		   struct ic_error *err) IC_CHECKED;

// Lists the units of the loaded sections, and finds their split units. Unreadable units become
// problems. Returns false if memory runs out, or headers cannot be made readable.
bool ic_debug_list(struct ic_debug *debug, uint32_t jobs, struct ic_problems *problems,
		   struct ic_error *err) IC_CHECKED;

#endif
