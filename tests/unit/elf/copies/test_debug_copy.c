// Debug files that cannot be written: the error has the cause.
#include "unit_test.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>

#include "alloc_meter.h"
#include "elf/copies/debug_copy.h"
#include "fixtures/elf.h"

static const uint8_t bytes[20000] = { 1 };

static const struct ic_image_addition section = { ".debug_info", bytes, sizeof(bytes) };

static const struct ic_debug_symbol symbol = { "main", 0x1000, 0x10 };

static const struct ic_debug_contents contents = { .sections = &section,
						   .section_count = 1,
						   .squeeze = IC_SQUEEZE_ZLIB,
						   .symbols = &symbol,
						   .symbol_count = 1 };

static void open_program(struct ic_elf_file *file)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_code(elf, ".text", 0x1000, 0x100);
	elf_end_and_open(file, elf);
}

static bool write_uncompressed(const struct ic_elf_file *file, const char *path,
			       struct ic_error *err)
{
	struct ic_debug_contents plain = contents;
	FILE *out = fopen(path, "wb");

	assert_non_null(out);
	plain.squeeze = IC_SQUEEZE_NONE;
	bool ok = ic_debug_copy_write(file, &plain, out, err);
	fclose(out);
	return ok;
}

static void check_message(const struct ic_elf_file *file, const struct ic_error *err,
			  const char *what, int os_error)
{
	char reason[IC_ERROR_TEXT_SIZE], message[sizeof(err->message)];

	snprintf(message, sizeof(message), "%s: cannot %s: %s", file->path, what,
		 ic_error_text(os_error, reason));
	assert_error(err, IC_ERROR_SYSTEM, message);
	assert_int_equal(err->os_error, os_error);
}

static void limit_file_sizes(rlim_t limit)
{
	struct rlimit limits;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limits), 0);
	limits.rlim_cur = limit < limits.rlim_max ? limit : limits.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limits), 0);
}

TEST(failed_allocations_are_reported_as_such)
{
	bool has_failed = true;
	struct ic_elf_file file;
	uint64_t failures = 0;

	open_program(&file);
	for (uint64_t fail_at = 1; has_failed; fail_at++) {
		FILE *out = fopen(temp_path("out"), "wb");
		struct ic_error err = { .message = "" };
		assert_non_null(out);
		alloc_meter_start(fail_at, false);
		bool ok = ic_debug_copy_write(&file, &contents, out, &err);
		has_failed = alloc_meter_calls() >= fail_at;
		alloc_meter_stop();
		if (!ok)
			assert_error(&err, IC_ERROR_MEMORY, "out of memory");
		failures += !ok;
		fclose(out);
	}
	assert_true(failures >= 5); // not for all: without memory, sections are not compressed
	ic_elf_file_close(&file);
}

TEST(a_temporary_file_that_cannot_be_written_is_named_with_the_reason)
{
	struct ic_elf_file file;
	struct ic_error err = { .message = "" };

	open_program(&file);
	void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
	limit_file_sizes(4096);
	bool ok = write_uncompressed(&file, temp_path("out"), &err);
	limit_file_sizes(RLIM_INFINITY);
	signal(SIGXFSZ, before);
	assert_false(ok);
	check_message(&file, &err, "write a temporary file", EFBIG);
	ic_elf_file_close(&file);
}

TEST(a_full_disk_is_reported)
{
	struct ic_elf_file file;
	struct ic_error err = { .message = "" };

	open_program(&file);
	assert_false(write_uncompressed(&file, "/dev/full", &err));
	check_message(&file, &err, "write its debug file", ENOSPC);
	ic_elf_file_close(&file);
}

UNIT_TESTS(elf_copies_debug_copy)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(failed_allocations_are_reported_as_such),
		cmocka_unit_test(a_temporary_file_that_cannot_be_written_is_named_with_the_reason),
		cmocka_unit_test(a_full_disk_is_reported),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
