// Fuzzes whole archives, and all that the public API returns for each member. Their directory has
// an archive and an object, which thin archives may name.
// Wanted: a list of members, each of which is an error that says why or a sound index; no file
// outside that directory is touched.
#include <inlinecall/extra/archive.h>

#include <stdio.h>
#include <unistd.h>

#include <inlinecall/index.h>

#include "api_walk.h"
#include "archive_builder.h"
#include "fuzz_input.h"
#include "linked_file.h"
#include "model_check.h"
#include "open_guard.h"

enum { MOST_OPENED = 16 }; // members: a thin archive can name one file a thousand times

static char directory[] = "/tmp/inlinecall-fuzz-XXXXXX";
static char path[64], object_path[64], inner_path[64];

int LLVMFuzzerInitialize(int *argc, char ***argv);

static void remove_directory(void)
{
	unlink(path);
	unlink(object_path);
	unlink(inner_path);
	rmdir(directory);
}

static void write_inner(struct bytes object)
{
	struct byte_buffer buf = { .data = NULL };
	FILE *out = fopen(inner_path, "wb");

	archive_begin(&buf, false);
	archive_add(&buf, "o/", object);
	if (!out || fwrite(buf.data, 1, buf.size, out) != buf.size || fclose(out) != 0)
		abort();
	byte_buffer_deinit(&buf);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct elf_builder *elf = linked_file_new();
	(void)argc;
	(void)argv;

	if (!mkdtemp(directory))
		abort();
	atexit(remove_directory);
	snprintf(path, sizeof(path), "%s/lib.a", directory);
	snprintf(object_path, sizeof(object_path), "%s/o", directory);
	snprintf(inner_path, sizeof(inner_path), "%s/i", directory);
	write_inner(elf_build(elf));
	if (!elf_write_file(elf, object_path))
		abort();
	elf_builder_free(elf);
	open_guard_allow(directory);
	return 0;
}

static void check_image(struct ic_image *image)
{
	const struct ic_index_options options = {
		.jobs = 1, .calls = true, .declarations = true, .parameters = true, .entries = true
	};
	struct ic_error err = { 0 };
	struct ic_index *index = ic_index_build(image, &options, &err);
	uint64_t hash;

	PROMISE(!strncmp(ic_image_path(image), path, strlen(path)));
	if (index) {
		model_check(index);
		PROMISE(api_walk(image, index, &hash, &err));
	} else {
		PROMISE_REASON(err);
	}
	ic_index_free(index);
}

static void check_archive(const struct ic_archive *archive, size_t size)
{
	const struct ic_image_options options = { .debug_dirs = NULL };
	struct ic_error err = { 0 };
	size_t count = ic_archive_count(archive), names_size = 0;

	PROMISE(count <= size / 60);
	PROMISE(ic_archive_is_whole(archive, &err) || (err.code && err.message[0]));
	for (size_t i = 0; i < count; i++)
		names_size += fuzz_read_text(ic_archive_member(archive, i), NULL);
	PROMISE(names_size <= count * 4095);
	PROMISE(!ic_archive_member(archive, count));
	for (size_t i = 0; i < count && i < MOST_OPENED; i++) {
		struct ic_image *image = ic_archive_image_open(archive, i, &options, &err);
		if (image)
			check_image(image);
		else
			PROMISE_REASON(err);
		ic_image_free(image);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ic_error err = { 0 };
	FILE *out = fopen(path, "wb");

	if (!out || fwrite(data, 1, size, out) != size || fclose(out) != 0)
		abort();
	struct ic_archive *archive = ic_archive_open(path, &err);
	if (archive)
		check_archive(archive, size);
	else
		PROMISE_REASON(err);
	ic_archive_free(archive);
	return 0;
}
