#include "elf/finding/debug_dirs.h"

#include <stdlib.h>

const char *ic_debug_dir(const struct ic_image_options *options, size_t number)
{
	return number < options->debug_dir_count ? options->debug_dirs[number] : "/usr/lib/debug";
}

void ic_real_directory(const struct ic_elf_file *file, char *directory, size_t size)
{
	char *real = realpath(file->disk_path, NULL);
	char *slash = real ? strrchr(real, '/') : NULL;

	directory[0] = 0;
	if (slash && (size_t)(slash - real) < size) {
		*slash = 0;
		memcpy(directory, real, (size_t)(slash - real) + 1);
	}
	free(real);
}
