// Fuzzes how a separate debug file is found: the notes with the build ID, and .gnu_debuglink.
// Wanted: the debug file is used only if its build ID or its checksum matches; else an error lists
// the paths that were tried. No file outside the target's own directory is touched.
#include "elf/finding/debug_file.h"

#include <elf.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/files/build_id.h"
#include "fuzz_input.h"
#include "linked_file.h"
#include "open_guard.h"

enum { NOTES = 1, LINK, SECTION_COUNT, INPUT_SECTIONS = 2 };

// The directory, with the debug file in both of the places that a search leads to.
static char directory[] = "/tmp/inlinecall-fuzz-XXXXXX";
static char program_path[64], linked_path[64], by_id_path[64];

int LLVMFuzzerInitialize(int *argc, char ***argv);

static void remove_directory(void)
{
	char path[64];

	unlink(program_path);
	unlink(linked_path);
	unlink(by_id_path);
	snprintf(path, sizeof(path), "%s/.build-id/ab", directory);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/.build-id", directory);
	rmdir(path);
	rmdir(directory);
}

static void write_debug_file(const char *path)
{
	struct elf_builder *elf = linked_file_new();

	if (!elf_write_file(elf, path))
		abort();
	elf_builder_free(elf);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char path[64];
	(void)argc;
	(void)argv;

	if (!mkdtemp(directory))
		abort();
	atexit(remove_directory);
	snprintf(path, sizeof(path), "%s/.build-id", directory);
	bool ok = mkdir(path, 0700) == 0;
	snprintf(path, sizeof(path), "%s/.build-id/ab", directory);
	if (!ok || mkdir(path, 0700) != 0)
		abort();
	snprintf(program_path, sizeof(program_path), "%s/a", directory);
	snprintf(linked_path, sizeof(linked_path), "%s/a.debug", directory);
	snprintf(by_id_path, sizeof(by_id_path), "%s/.build-id/ab/cdef.debug", directory);
	write_debug_file(program_path);
	write_debug_file(linked_path);
	write_debug_file(by_id_path);
	open_guard_allow(directory);
	return 0;
}

static void check_debug_file(struct ic_elf_file *debug_file, const struct ic_elf_file *file)
{
	struct ic_bytes wanted = ic_build_id_find(file), found = ic_build_id_find(debug_file);
	const struct ic_bytes link = file->sections[LINK].raw;

	PROMISE(!strncmp(debug_file->path, directory, strlen(directory)));
	if (strstr(debug_file->path, "/.build-id/")) {
		PROMISE(wanted.size == found.size);
		PROMISE(!memcmp(wanted.data, found.data, found.size));
	} else {
		const struct bytes bytes = { debug_file->data, debug_file->size };
		size_t crc_off = (strlen((const char *)link.data) + 4) & ~(size_t)3;
		PROMISE(ic_load32(link.data + crc_off, file->swap) == elf_crc(bytes));
	}
	ic_elf_file_close(debug_file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *const debug_dirs[] = { directory };
	const struct ic_image_options options = { .debug_dirs = debug_dirs, .debug_dir_count = 1 };
	struct fuzz_input in = { data, data + size };
	bool swap = fuzz_take_u8(&in) & 1;
	struct ic_bytes input[INPUT_SECTIONS];
	struct ic_elf_file debug_file = { 0 };
	struct ic_error err = { 0 };

	fuzz_take_sections(&in, input, INPUT_SECTIONS);
	struct ic_section sections[SECTION_COUNT] = {
		[0] = { .name = "" },
		[NOTES] = { .name = ".note.gnu.build-id", .type = SHT_NOTE, .raw = input[0] },
		[LINK] = { .name = ".gnu_debuglink", .type = SHT_PROGBITS, .raw = input[1] },
	};
	const struct ic_elf_file file = { .path = program_path,
					  .disk_path = program_path,
					  .addr_size = 8,
					  .swap = swap,
					  .sections = sections,
					  .section_count = SECTION_COUNT };
	if (ic_debug_file_open(&debug_file, &file, &options, &err)) {
		check_debug_file(&debug_file, &file);
	} else {
		PROMISE_REASON(err);
		PROMISE(err.code == IC_ERROR_NO_DEBUG ||
			err.code == IC_ERROR_MALFORMED); // one is there, and of no use
		PROMISE(!debug_file.data);
	}
	fuzz_free_sections(input, INPUT_SECTIONS);
	return 0;
}
