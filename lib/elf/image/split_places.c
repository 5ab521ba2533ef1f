#include "elf/image/split_places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/text.h"

// Adds the directory of a path; false if memory runs out.
static bool add_directory(struct ic_split_places *places, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t length = slash ? (size_t)(slash - path) : 0;
	char *directory = slash ? strndup(path, length ? length : 1) : strdup(".");

	if (!directory)
		return false;
	for (uint32_t i = 0; i < places->directory_count; i++) {
		if (!strcmp(places->directories[i], directory)) {
			free(directory);
			return true;
		}
	}
	places->directories[places->directory_count++] = directory;
	return true;
}

bool ic_split_places_init(struct ic_split_places *places, const struct ic_image *image)
{
	*places = (struct ic_split_places){ .image = image,
					    .real_path = realpath(image->file.disk_path, NULL) };
	bool ok = add_directory(places, image->file.disk_path) &&
		  (!places->real_path || add_directory(places, places->real_path)) &&
		  (!image->has_debug_file || add_directory(places, image->debug_file.path));
	if (ok && places->real_path && !strcmp(places->real_path, image->file.disk_path)) {
		free(places->real_path);
		places->real_path = NULL;
	}
	if (!ok)
		ic_split_places_deinit(places);
	return ok;
}

void ic_split_places_deinit(struct ic_split_places *places)
{
	for (uint32_t i = 0; i < places->directory_count; i++)
		free(places->directories[i]);
	free(places->real_path);
	*places = (struct ic_split_places){ 0 };
}

// Joins the parts; only the second if it is absolute or the first is missing.
static void join_path(char *path, size_t size, const char *directory, const char *name)
{
	bool alone = name[0] == '/' || !directory || !directory[0];
	int length = snprintf(path, size, "%s%s%s", alone ? "" : directory, alone ? "" : "/", name);

	if (length < 0 || (size_t)length >= size)
		path[0] = 0;
}

// In a directory: under the name, and under its last part if that differs.
static void place_in(char *path, size_t size, const char *directory, const char *name,
		     bool last_part)
{
	const char *base_name = ic_text_base_name(name);

	path[0] = 0;
	if (last_part ? base_name != name : name[0] != '/')
		join_path(path, size, directory, last_part ? base_name : name);
}

bool ic_split_places_dwo(const struct ic_split_places *places, const char *comp_dir,
			 const char *name, uint32_t number, char *path, size_t size)
{
	const struct ic_image *image = places->image;

	if (number < 2 * image->dwo_dir_count) {
		place_in(path, size, image->dwo_dirs[number / 2], name, number % 2);
		return true;
	}
	number -= 2 * image->dwo_dir_count;
	if (number == 0) {
		join_path(path, size, comp_dir, name);
		return true;
	}
	number--;
	if (number < 2 * places->directory_count) {
		place_in(path, size, places->directories[number / 2], name, number % 2);
		return true;
	}
	number -= 2 * places->directory_count;
	join_path(path, size, NULL, image->file.path); // it may contain both (-gsplit-dwarf=single)
	return number == 0;
}

bool ic_split_places_open(const struct ic_split_places *places, const char *path,
			  struct ic_elf_file *file, struct ic_error *err)
{
	const struct ic_elf_file *own = &places->image->file;

	return strcmp(path, own->path) == 0 ? ic_elf_file_reopen(file, own, err)
					    : ic_elf_file_open_beside(file, path, own, err);
}

bool ic_split_places_dwp(const struct ic_split_places *places, uint32_t number, char *path,
			 size_t size)
{
	const struct ic_image *image = places->image;

	if (image->dwp_path) { // then it is the only one
		join_path(path, size, NULL, image->dwp_path);
		return number == 0;
	}
	const char *const programs[] = { image->file.path, places->real_path,
					 image->has_debug_file ? image->debug_file.path : NULL };
	if (number >= sizeof(programs) / sizeof(*programs))
		return false;
	const char *program = programs[number];
	int length = snprintf(path, size, "%s.dwp", program ? program : "");
	if (!program || length < 0 || (size_t)length >= size)
		path[0] = 0;
	return true;
}
