// An image made ready for a scan: its sections decoded, what counts as code, its symbols.
#ifndef SCAN_SCAN_IMAGE_H
#define SCAN_SCAN_IMAGE_H

#include "elf/image.h"
#include "scan/scan.h"
#include "scan/scan_file.h"

struct ic_scan_image { // zero-initialised is empty
	struct ic_image *image;
	struct ic_scan_file main, supplementary;
	struct ic_dwarf **dwarfs; // all of both; owned
	uint32_t dwarf_count;
	// The one with the units of the file itself; NULL where there are several: objects may have
	// a section for each function.
	struct ic_dwarf *main_dwarf;
};

// Fills in the code and the sections of the index. False if memory is out; then too it must be
// closed.
bool ic_scan_image_begin(struct ic_scan_image *scan_image, struct ic_index *index,
			 struct ic_image *image, struct ic_problems *problems, struct ic_error *err)
	IC_CHECKED;

// Then loads the sections of the image, whole or by parts, and of its supplementary file on `jobs`
// threads. What is missing is a problem. False if sections cannot be made readable, or memory is
// out; then too it must be closed.
bool ic_scan_image_load(struct ic_scan_image *scan_image, enum ic_scan_file_kind kind,
			uint32_t jobs, struct ic_problems *problems, struct ic_error *err)
	IC_CHECKED;

// Both.
bool ic_scan_image_open(struct ic_scan_image *scan_image, struct ic_index *index,
			struct ic_image *image, enum ic_scan_file_kind kind, uint32_t jobs,
			struct ic_problems *problems, struct ic_error *err) IC_CHECKED;

// What a scan reads of it.
struct ic_scan_input ic_scan_image_input(const struct ic_scan_image *scan_image);

// Opens the symbols of the image for the index. Those that cannot be read are a problem. False if
// none can be, or memory is out.
bool ic_scan_image_symbols(struct ic_index *index, struct ic_image *image, enum ic_symtab_rule rule,
			   uint32_t jobs, struct ic_problems *problems, struct ic_error *err)
	IC_CHECKED;

// For when nothing is scanned any more: gives back what no name is borrowed from.
void ic_scan_image_close(struct ic_scan_image *scan_image);

#endif
