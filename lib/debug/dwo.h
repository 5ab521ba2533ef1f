// The .dwo files of a program: where they are, and which of the program's skeletons they belong to.
#ifndef DEBUG_DWO_H
#define DEBUG_DWO_H

#include "debug/file.h"
#include "elf/image/image.h"
#include "units/units.h"

struct ic_skeleton {
	uint32_t unit; // its number in the list
	uint64_t id;
	const char *comp_dir, *name; // of its .dwo file; NULL if no file can have it
};

struct ic_dwos { // what the split units borrow from; zero-initialised is empty
	IC_ARRAY(struct ic_dwarf_file) files;
};

// The sections of the program that split units use, made readable.
struct ic_dwarf ic_dwo_program(const struct ic_dwarf *program);

// The sections of a split file lack those that stay in the program: borrows them.
void ic_dwo_borrow(const struct ic_dwarf_file *file, const struct ic_dwarf *program);

struct ic_dwo_query {           // for the split units of skeletons
	struct ic_units *units; // the list that they are added to
	struct ic_image *image; // may be NULL
	struct ic_skeleton *skeletons;
	uint32_t count;
	struct ic_map *by_id; // the numbers of split units
	struct ic_problems *problems;
};

// Looks for the .dwo files that the skeletons name. If a file holds a unit that is sought, adds its
// units to the list, and their numbers to `by_id`. A file is read once, whatever the number of
// names for it. Files that are not found are problems. Sorts the skeletons. False if memory runs
// out.
bool ic_dwos_find(struct ic_dwos *dwos, const struct ic_dwo_query *query, struct ic_error *err)
	IC_CHECKED;

void ic_dwos_free(struct ic_dwos *dwos);

#endif
