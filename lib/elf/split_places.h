// Where the .dwo files of a program, and the package that holds them, are looked for.
#ifndef ELF_SPLIT_PLACES_H
#define ELF_SPLIT_PLACES_H

#include "elf/image.h"

struct ic_split_places {
	const struct ic_image *image;
	char *directories[3]; // owned: of the program as it was named, as it is, of its debug file
	uint32_t directory_count;
	char *real_path; // owned: of the program, without links; NULL where that is the same
};

bool ic_split_places_init(struct ic_split_places *places, const struct ic_image *image) IC_CHECKED;
void ic_split_places_deinit(struct ic_split_places *places);

// Writes place number `number`, from 0, to `path` (of `size` bytes): "" where there is nothing to
// look at under that number. False where there are no more. The .dwo file has the name and the
// directory that its skeleton gives (the latter may be NULL). It is looked for in the directories
// of the image's options, then where the skeleton says, then beside the program.
bool ic_split_places_dwo(const struct ic_split_places *places, const char *comp_dir,
			 const char *name, uint32_t number, char *path, size_t size);

// The same for the package: the one that the options name, or FILE.dwp.
bool ic_split_places_dwp(const struct ic_split_places *places, uint32_t number, char *path,
			 size_t size);

// Opens one of these places. The image's own file is opened where it is, also in an archive.
bool ic_split_places_open(const struct ic_split_places *places, const char *path,
			  struct ic_elf_file *file, struct ic_error *err) IC_CHECKED;

#endif
