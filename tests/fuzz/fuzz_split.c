// Fuzzes a program together with a file of split DWARF: a .dwo file or a package.
// Wanted: an error that says why, or a sound index, the same when it is built again with another
// number of threads; and no file outside the target's own directory is opened.
#include <inlinecall/image.h>
#include <inlinecall/index.h>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "api_walk.h"
#include "fuzz_input.h"
#include "model_check.h"
#include "open_guard.h"

enum { PROGRAM, DWO, FILE_COUNT };

// The directory; the split file is there under the names that the program may look for.
static char directory[] = "/tmp/inlinecall-fuzz-XXXXXX";
static char program_path[64], dwo_path[64], package_path[64];

int LLVMFuzzerInitialize(int *argc, char ***argv);

static void remove_directory(void)
{
	unlink(program_path);
	unlink(dwo_path);
	unlink(package_path);
	rmdir(directory);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	if (!mkdtemp(directory))
		abort();
	atexit(remove_directory);
	snprintf(program_path, sizeof(program_path), "%s/a", directory);
	snprintf(dwo_path, sizeof(dwo_path), "%s/a.dwo", directory);
	snprintf(package_path, sizeof(package_path), "%s/a.dwp", directory);
	open_guard_allow(directory);
	return 0;
}

static void write_file(const char *path, struct ic_bytes bytes)
{
	FILE *file = fopen(path, "wb"); // not by open(), which is guarded

	if (!file || fwrite(bytes.data, 1, bytes.size, file) != bytes.size || fclose(file) != 0)
		abort();
}

static struct ic_index *build(struct ic_image *image, uint32_t jobs)
{
	const struct ic_index_options options = { .jobs = jobs, .calls = true };
	struct ic_error err = { 0 };
	struct ic_index *index = ic_index_build(image, &options, &err);
	uint64_t hash;

	if (!index) {
		PROMISE_REASON(err);
		return NULL;
	}
	model_check(index);
	PROMISE(api_walk(image, index, &hash, &err)); // memory suffices
	return index;
}

static struct ic_image *open_program(struct ic_error *err)
{
	static const char *const nowhere[] = { "/nonexistent" };
	const struct ic_image_options options = { .debug_dirs = nowhere, .debug_dir_count = 1 };

	return ic_image_open(program_path, &options, err);
}

static void check_image(struct ic_image *image)
{
	struct ic_error err = { 0 };
	struct ic_image *again = open_program(&err);

	PROMISE(again);
	struct ic_index *one = build(image, 1), *two = build(again, 2);
	struct ic_index *three = build(image, 2); // of the files that are open already
	PROMISE(!one == !two && !one == !three);
	if (one)
		model_check_same(one, two);
	if (one && one->problem_count ==
			   0) // a later use of a section that failed to load reports only that
		model_check_same(one, three);
	ic_index_free(one);
	ic_index_free(two);
	ic_index_free(three);
	ic_image_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	bool is_package = fuzz_take_u8(&in) & 1;
	struct ic_bytes files[FILE_COUNT];
	struct ic_error err = { 0 };

	fuzz_take_sections(&in, files, FILE_COUNT);
	unlink(is_package ? dwo_path : package_path);
	write_file(program_path, files[PROGRAM]);
	write_file(is_package ? package_path : dwo_path, files[DWO]);
	struct ic_image *image = open_program(&err);
	if (image)
		check_image(image);
	else
		PROMISE_REASON(err);
	ic_image_free(image);
	fuzz_free_sections(files, FILE_COUNT);
	return 0;
}
