// The debug information of an image: its sections made readable and its units listed, once for all
// indexes and symbolizers that read it at the same time.
//
// What is in here does not change once it is there, and any number of threads may read it. What is
// wrong is told to each who asks.
#ifndef SCAN_SCAN_DEBUG_H
#define SCAN_SCAN_DEBUG_H

#include <pthread.h>

#include "elf/image.h"
#include "scan/scan_split.h"

struct ic_debug {
	struct ic_image *image; // NULL if the sections were given
	uint32_t users;         // under the image's lock

	pthread_mutex_t lock; // of the loading and the listing
	bool is_loaded, is_listed;
	// Loaded: of the file itself, and of its supplementary file.
	struct ic_scan_file main, supplementary;
	struct ic_dwarf **dwarfs; // of both
	uint32_t dwarf_count;
	// The one with the units of the file itself; NULL where there are several: objects may have
	// a section for each function.
	struct ic_dwarf *main_dwarf;
	// Listed.
	struct ic_scan_units units;
	struct ic_scan_split split;
	// What was wrong with each; the arena is theirs.
	struct ic_problems of_sections, of_units;
	struct ic_arena arena;
};

// The debug information of an image, of which nothing is loaded before it is needed; to be released
// before the image is closed. NULL if memory is out.
struct ic_debug *ic_debug_hold(struct ic_image *image, struct ic_error *err);

// That of sections which are given, in the order of their units.
struct ic_debug *ic_debug_of_sections(struct ic_dwarf *const *dwarfs, uint32_t count,
				      struct ic_error *err);

// Gives back what nobody else holds, but for what names are borrowed from. NULL is allowed.
void ic_debug_release(struct ic_debug *debug);

// Makes the sections readable on `jobs` threads, but for relocations of .debug_info, which
// ic_scan_file_need() applies. What is missing is a problem. False if they cannot be made readable,
// or memory is out.
bool ic_debug_load(struct ic_debug *debug, uint32_t jobs, struct ic_problems *problems,
		   struct ic_error *err) IC_CHECKED;

// Lists the units of what is loaded, and of split units what belongs to them, which is looked for.
// What cannot be read is a problem. False if memory is out, or headers cannot be made readable.
bool ic_debug_list(struct ic_debug *debug, uint32_t jobs, struct ic_problems *problems,
		   struct ic_error *err) IC_CHECKED;

#endif
