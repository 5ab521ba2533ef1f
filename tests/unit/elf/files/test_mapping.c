#include "unit_test.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "elf/files/mapping.h"
#include "fixtures/elf.h"

static const char *write_pages(size_t size)
{
	static uint8_t bytes[1 << 18];
	const char *path = temp_path("pages");

	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(i * 7 >> 3);
	temp_write(path, bytes, size);
	return path;
}

TEST(a_place_may_begin_and_end_anywhere)
{
	const uint64_t places[][2] = { { 0, 1 },           { 1, 0x3000 },    { 0xfff, 2 },
				       { 0x1000, 0x1000 }, { 0x12345, 678 }, { 0x1ffff, 1 } };
	const char *path = write_pages(0x20000);
	struct ic_mapping whole, part;
	struct ic_error err;

	assert_true(ic_mapping_open(
		&whole,
		&(struct ic_place){ .name = path, .path = path, .off = 0, .size = IC_PLACE_TO_END },
		&err));
	assert_int_equal(whole.size, 0x20000);
	for (size_t i = 0; i < COUNT_OF(places); i++) {
		const struct ic_place place = {
			.name = "part", .path = path, .off = places[i][0], .size = places[i][1]
		};
		assert_true(ic_mapping_open(&part, &place, &err));
		assert_int_equal(part.size, place.size);
		assert_memory_equal(part.data, whole.data + place.off, part.size);
		ic_mapping_close(&part);
		assert_null(part.data);
	}
	ic_mapping_close(&whole);
}

TEST(what_is_written_to_a_mapping_is_seen_by_no_other)
{
	const char *path = write_pages(0x3000);
	const struct ic_place place = { .name = path, .path = path, .off = 0x1001, .size = 0x100 };
	struct ic_mapping first, second;
	struct ic_error err;

	assert_true(ic_mapping_open(&first, &place, &err));
	assert_int_equal(mprotect(first.pages, first.pages_size, PROT_READ | PROT_WRITE), 0);
	uint8_t before = first.data[0];
	first.data[0] ^= 0xff;
	assert_true(ic_mapping_open(&second, &place, &err));
	assert_int_equal(second.data[0], before);
	ic_mapping_close(&first);
	ic_mapping_close(&second);
}

static void check_failure(const struct ic_place *place, enum ic_error_code code, const char *wanted)
{
	struct ic_mapping mapping;
	struct ic_error err;

	assert_false(ic_mapping_open(&mapping, place, &err));
	assert_error(&err, code, wanted);
}

TEST(a_place_that_is_not_in_its_file_is_refused)
{
	const char *path = write_pages(0x2000);
	const uint64_t places[][2] = {
		{ 0x2000, 1 },
		{ 0x1fff, 2 },
		{ 0x2001, IC_PLACE_TO_END },
		{ 1, IC_PLACE_TO_END - 1 },
		{ UINT64_MAX, 1 },
		{ UINT64_MAX, UINT64_MAX - 1 },
		{ 0x1000, UINT64_MAX - 0xfff },
	};
	char wanted[1024];

	snprintf(wanted, sizeof(wanted), "lib.a(m): extends beyond the end of %s", path);
	for (size_t i = 0; i < COUNT_OF(places); i++)
		check_failure(&(struct ic_place){ .name = "lib.a(m)",
						  .path = path,
						  .off = places[i][0],
						  .size = places[i][1] },
			      IC_ERROR_MALFORMED, wanted);
	check_failure(
		&(struct ic_place){
			.name = "lib.a(m)", .path = path, .off = 0x2000, .size = IC_PLACE_TO_END },
		IC_ERROR_NOT_ELF, "lib.a(m): the file is empty");
	check_failure(&(struct ic_place){ .name = "lib.a(m)", .path = path, .off = 5, .size = 0 },
		      IC_ERROR_NOT_ELF, "lib.a(m): the file is empty");
}

TEST(a_file_that_cannot_be_opened_is_named_beside_the_place)
{
	check_failure(&(struct ic_place){ .name = "/no/a", .path = "/no/a", .off = 0, .size = 1 },
		      IC_ERROR_SYSTEM, "/no/a: cannot open: No such file or directory");
	check_failure(
		&(struct ic_place){ .name = "thin.a(a)", .path = "/no/a", .off = 0, .size = 1 },
		IC_ERROR_SYSTEM, "thin.a(a): cannot open /no/a: No such file or directory");
	check_failure(&(struct ic_place){ .name = "/", .path = "/", .off = 0, .size = 1 },
		      IC_ERROR_NOT_ELF, "/: not a regular file");
}

TEST(a_file_that_is_read_may_become_shorter)
{
	const char *path = write_pages(0x4000);
	const struct ic_place place = {
		.name = path, .path = path, .off = 0x1234, .size = 0x2000, .is_read = true
	};
	struct ic_mapping read;
	struct ic_error err;

	assert_true(ic_mapping_open(&read, &place, &err));
	assert_int_equal(read.size, 0x2000);
	assert_int_equal(truncate(path, 1), 0);
	for (size_t i = 0; i < read.size; i++)
		assert_int_equal(read.data[i], (uint8_t)((i + 0x1234) * 7 >> 3));
	ic_mapping_close(&read);
}

// The master of a terminal is told when its other side was opened and closed.
TEST(a_device_is_not_even_opened)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	struct pollfd wanted = { .fd = master, .events = POLLIN };
	char message[200];

	if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
		skip();
	const char *path = ptsname(master);
	assert_non_null(path);
	snprintf(message, sizeof(message), "%s: not a regular file", path);
	check_failure(&(struct ic_place){ .name = path, .path = path, .size = 1 }, IC_ERROR_NOT_ELF,
		      message);
	assert_int_equal(poll(&wanted, 1, 0), 0);
	int other = open(path, O_RDONLY | O_NOCTTY); // which the test would notice
	assert_true(other >= 0);
	close(other);
	assert_int_equal(poll(&wanted, 1, 0), 1);
	close(master);
}

UNIT_TESTS(elf_files_mapping)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_place_may_begin_and_end_anywhere),
		cmocka_unit_test(what_is_written_to_a_mapping_is_seen_by_no_other),
		cmocka_unit_test(a_place_that_is_not_in_its_file_is_refused),
		cmocka_unit_test(a_file_that_cannot_be_opened_is_named_beside_the_place),
		cmocka_unit_test(a_file_that_is_read_may_become_shorter),
		cmocka_unit_test(a_device_is_not_even_opened),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
