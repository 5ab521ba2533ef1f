#include "elf_fixture.h"

#include "unit_test.h"

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

char temp_dir[PATH_MAX];

int temp_dir_make(void **state)
{
	const char *parent = getenv("TMPDIR");
	char name[PATH_MAX];

	(void)state;
	snprintf(name, sizeof(name), "%s/inlinecall-XXXXXX", parent ? parent : "/tmp");
	return mkdtemp(name) && realpath(name, temp_dir) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

int temp_dir_remove(void **state)
{
	(void)state;
	return nftw(temp_dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *temp_path(const char *name)
{
	static char paths[64][PATH_MAX];
	static unsigned next;
	char *path = paths[next++ % 64];

	snprintf(path, PATH_MAX, "%.2000s/%.2000s", temp_dir, name);
	for (char *slash = path + strlen(temp_dir) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = 0;
		mkdir(path, 0700);
		*slash = '/';
	}
	return path;
}

void temp_write(const char *path, const void *data, size_t size)
{
	FILE *out = fopen(path, "wb");

	assert_non_null(out);
	assert_int_equal(fwrite(data, 1, size, out), size);
	assert_int_equal(fclose(out), 0);
}

struct elf_builder *elf_begin(uint16_t type)
{
	return elf_builder_new(
		(struct elf_format){ .bits = 64, .machine = EM_X86_64, .type = type });
}

struct elf_builder *elf_begin_native(uint16_t type)
{
	return elf_builder_new((struct elf_format){ .bits = 64,
						    .big_endian = IC_HOST_IS_BIG_ENDIAN,
						    .machine = EM_X86_64,
						    .type = type });
}

const char *elf_end_at(struct elf_builder *elf, const char *name)
{
	const char *path = temp_path(name);

	assert_true(elf_write_file(elf, path));
	elf_builder_free(elf);
	return path;
}

void elf_end_and_open(struct ic_elf_file *file, struct elf_builder *elf)
{
	struct ic_error err = { .message = "" };

	if (!ic_elf_file_open(file, elf_end_at(elf, "a.out"), &err))
		fail_msg("%s", err.message);
}
