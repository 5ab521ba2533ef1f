// Finds the .dwo files of a program, and the program's skeletons that they belong to.
#ifndef DEBUG_DWO_H
#define DEBUG_DWO_H

#include "debug/file.h"
#include "elf/image/image.h"
#include "units/units.h"

struct ic_skeleton {
	uint32_t unit; // its index in the list
	uint64_t id;
	const char *comp_dir, *name; // of its .dwo file; NULL if the name is impossible
};

struct ic_dwos { // what the split units borrow from; empty if zero-initialised
	IC_ARRAY(struct ic_dwarf_file) files;
};

// The program's sections that split units use, made readable.
struct ic_dwarf ic_dwo_program(const struct ic_dwarf *program);

// A split file lacks the sections that stay in the program: borrows these.
void ic_dwo_borrow(const struct ic_dwarf_file *file, const struct ic_dwarf *program);

struct ic_dwo_query {           // about the split units of skeletons
	struct ic_units *units; // they are added to this list
	struct ic_image *image; // may be NULL
	struct ic_skeleton *skeletons;
	uint32_t count;
	struct ic_map *by_id; // indexes of split units
	struct ic_problems *problems;
};

// Finds the .dwo files that the skeletons name. If a file contains a wanted unit, adds its units to
// the list, and their indexes to `by_id`. A file is read once, however many names it has. Missing
// files become problems. Sorts the skeletons. Returns false if memory runs out.
bool ic_dwos_find(struct ic_dwos *dwos, const struct ic_dwo_query *query, struct ic_error *err)
	IC_CHECKED;

void ic_dwos_free(struct ic_dwos *dwos);

#endif
