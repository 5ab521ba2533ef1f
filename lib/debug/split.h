// Split DWARF: the .dwo files and packages with the DIEs of skeleton units.
#ifndef DEBUG_SPLIT_H
#define DEBUG_SPLIT_H

#include "debug/dwo.h"
#include "dwarf/units/package.h"

struct ic_split { // what the split units borrow from; empty if zero-initialised
	struct ic_package package;
	struct ic_dwarf_file package_file;
	struct ic_dwos dwos;
};

// Finds the split unit of every skeleton, first in the package, then in .dwo files, and adds its
// units to the list; the skeleton of a unit that was found then becomes passive. A missing split
// unit becomes a problem; its skeleton stays in use, since compilers may describe inlined functions
// in it (-fsplit-dwarf-inlining). Only units with the same dwo_id belong together (DWARF 5, 7.3.2).
// The image may be NULL; meanwhile, other threads that open files for it have to wait. Returns
// false if memory runs out.
bool ic_split_find(struct ic_split *split, struct ic_units *units, struct ic_image *image,
		   struct ic_problems *problems, struct ic_error *err) IC_CHECKED;

// The file with these sections of split units; NULL if they are not of any.
struct ic_elf_file *ic_split_file_of(const struct ic_split *split, const struct ic_dwarf *dwarf);

// Call this after the scan.
void ic_split_free(struct ic_split *split);

#endif
