// The .dwo files of a program: where they are, and which of the program's skeletons they belong to.
#ifndef SCAN_SCAN_DWO_H
#define SCAN_SCAN_DWO_H

#include "elf/image.h"
#include "scan/scan_file.h"
#include "scan/scan_units.h"

struct ic_scan_skeleton {
	uint32_t unit; // its number in the list
	uint64_t id;
	const char *comp_dir, *name; // of its .dwo file; NULL where no file can have it
};

struct ic_scan_dwos { // what the units that were found borrow from; zero-initialised is empty
	IC_ARRAY(struct ic_scan_file) files;
};

// What split units have of the program that their skeletons are in, which is made readable.
struct ic_dwarf ic_scan_dwo_program(const struct ic_dwarf *program);

// The sections of a file with split units lack those that stay in the program.
void ic_scan_dwo_borrow(const struct ic_scan_file *file, const struct ic_dwarf *program);

// Looks for the .dwo files that the skeletons name, and adds to the list the units of each that
// holds one that is sought, and to `by_id` their numbers. A file is read once, be there a thousand
// names for it. What is not found is a problem. Sorts the skeletons. The image may be NULL. False
// where memory is out.
bool ic_scan_dwos_find(struct ic_scan_dwos *dwos, struct ic_scan_units *units,
		       struct ic_image *image, struct ic_scan_skeleton *skeletons, uint32_t count,
		       struct ic_map *by_id, struct ic_problems *problems, struct ic_error *err)
	IC_CHECKED;

void ic_scan_dwos_free(struct ic_scan_dwos *dwos);

#endif
