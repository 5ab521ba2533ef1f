// Opening a debug file by its build ID alone, for who does not have the file that it is of.
#include <inlinecall/image.h>

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "elf/build_id.h"
#include "elf/debug_dirs.h"
#include "elf/debuginfod.h"
#include "elf/image.h"

// A debug file with that build ID; NULL if the path has none.
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
	ic_image_close(image);
	ic_fail(err, IC_ERROR_NOT_FOUND, "%s: has another build ID", path);
	return NULL;
}

static struct ic_image *open_of_servers(struct ic_bytes id, const struct ic_image_options *options,
					struct ic_error *err)
{
	char *path;

	if (!ic_debuginfod_find(options->debuginfod, id, "a file that is not here", &path, err))
		return NULL;
	struct ic_image *image = open_path(path, id, options, err);
	free(path);
	return image;
}

struct ic_image *ic_image_open_build_id(const uint8_t *build_id, size_t size,
					const struct ic_image_options *options,
					struct ic_error *err)
{
	static const struct ic_image_options defaults = { 0 };
	const struct ic_bytes id = { build_id, size };
	struct ic_error unwanted;
	struct ic_image *image = NULL;
	char path[PATH_MAX];

	if (!err)
		err = &unwanted;
	if (!options)
		options = &defaults;
	for (size_t i = 0; !image && i <= options->debug_dir_count; i++) {
		if (!ic_build_id_path(id, ic_debug_dir(options, i), path, sizeof(path))) {
			ic_fail(err, IC_ERROR_ARGUMENT, "a build ID of an impossible size");
			return NULL;
		}
		image = open_path(path, id, options, err);
		if (!image && err->code == IC_ERROR_MEMORY)
			return NULL;
	}
	if (!image && options->debuginfod)
		image = open_of_servers(id, options, err);
	if (!image && err->code != IC_ERROR_MEMORY)
		ic_fail(err, IC_ERROR_NOT_FOUND, "no debug file with this build ID is here");
	return image;
}
