// Opening files by build ID only.
#include "elf/image/image_build_id.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "elf/files/build_id.h"
#include "elf/finding/debug_dirs.h"
#include "elf/finding/debuginfod.h"
#include "elf/image/image.h"

// Opens a file with that build ID; NULL if the path has none.
static struct ic_image *open_path(const char *path, struct ic_bytes id,
				  const struct ic_image_options *options, struct ic_error *err)
{
	struct ic_image *image = ic_image_open(path, options, err);
	struct ic_bytes found = { NULL, 0 };

	if (!image)
		return NULL;
	found.size = ic_image_build_id(image, &found.data);
	if (found.size == id.size && memcmp(found.data, id.data, id.size) == 0)
		return image;
	ic_image_free(image);
	ic_fail(err, IC_ERROR_NOT_FOUND, "%s: has another build ID", path);
	return NULL;
}

static struct ic_image *open_of_servers(enum ic_debuginfod_kind kind, struct ic_bytes id,
					const struct ic_image_options *options,
					struct ic_error *err)
{
	char *path;

	if (!ic_debuginfod_find(options->debuginfod, kind, id, "a file that was not found", &path,
				err))
		return NULL;
	struct ic_image *image = open_path(path, id, options, err);
	free(path);
	return image;
}

// Opens a file in a debug directory under one of the names, whose list is terminated by NULL, or
// from a server.
static struct ic_image *open_build_id(enum ic_debuginfod_kind kind, const char *const *ends,
				      struct ic_bytes id, const struct ic_image_options *options,
				      struct ic_error *err)
{
	struct ic_image *image = NULL;
	char path[PATH_MAX];

	for (size_t i = 0; !image && i <= options->debug_dir_count; i++) {
		for (size_t j = 0; !image && ends[j]; j++) {
			if (!ic_build_id_path(id, ic_debug_dir(options, i), ends[j], path,
					      sizeof(path))) {
				ic_fail(err, IC_ERROR_ARGUMENT, "invalid size of a build ID");
				return NULL;
			}
			image = open_path(path, id, options, err);
			if (!image && err->code == IC_ERROR_MEMORY)
				return NULL;
		}
	}
	return image || !options->debuginfod ? image : open_of_servers(kind, id, options, err);
}

struct ic_image *ic_image_open_build_id(const uint8_t *build_id, size_t size,
					const struct ic_image_options *options,
					struct ic_error *err)
{
	static const struct ic_image_options defaults = { 0 };
	static const char *const ends[] = { ".debug", NULL };
	const struct ic_bytes id = { build_id, size };
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	struct ic_image *image = open_build_id(IC_DEBUGINFOD_DEBUG_FILE, ends, id,
					       options ? options : &defaults, err);
	if (!image && err->code != IC_ERROR_MEMORY && err->code != IC_ERROR_ARGUMENT)
		ic_fail(err, IC_ERROR_NOT_FOUND, "no debug file with this build ID");
	return image;
}

struct ic_image *ic_image_open_program(struct ic_bytes build_id,
				       const struct ic_image_options *options, struct ic_error *err)
{
	// A link, as for GDB and distributions; and perf's cache of recorded files.
	static const char *const ends[] = { "", "/elf", NULL };

	return open_build_id(IC_DEBUGINFOD_PROGRAM, ends, build_id, options, err);
}
