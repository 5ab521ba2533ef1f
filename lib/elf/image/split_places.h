// The paths where a program's .dwo files, and the package of them, are searched for.
#ifndef ELF_IMAGE_SPLIT_PLACES_H
#define ELF_IMAGE_SPLIT_PLACES_H

#include "elf/image/image.h"

struct ic_split_places {
	const struct ic_image *image;
	char *directories[3]; // owned: of the program as named, as it is, of its debug file
	uint32_t directory_count;
	char *real_path; // owned: of the program, with links resolved; NULL if the same
};

bool ic_split_places_init(struct ic_split_places *places, const struct ic_image *image) IC_CHECKED;
void ic_split_places_deinit(struct ic_split_places *places);

// Writes path number `number`, from 0, to `path` (of `size` bytes); "" if there is none for that
// number. False if there are no more. `name` and `comp_dir` (which may be NULL) are the .dwo
// file's, from its skeleton. It is searched for in the directories of the image's options, then at
// the skeleton's path, then next to the program.
bool ic_split_places_dwo(const struct ic_split_places *places, const char *comp_dir,
			 const char *name, uint32_t number, char *path, size_t size);

// The same for the package: the one that the options name, or FILE.dwp.
bool ic_split_places_dwp(const struct ic_split_places *places, uint32_t number, char *path,
			 size_t size);

// Opens one of these paths. The image's own file is opened in place, even in an archive.
bool ic_split_places_open(const struct ic_split_places *places, const char *path,
			  struct ic_elf_file *file, struct ic_error *err) IC_CHECKED;

#endif
