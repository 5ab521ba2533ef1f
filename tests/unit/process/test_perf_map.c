#include "process/perf_map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fixtures/elf.h"
#include "unit_test.h"

enum { PID = 7 };

static struct ic_perf_map map;
static const char *dump; // path of the jitdump, if that is to be read
static struct ic_error err;

static const char *path_of(const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/root/%s", temp_dir, name);
	return path;
}

static void make_root(void)
{
	char path[512];

	// Linux 5.6 has it, qemu's user mode of 2022 does not.
	if (syscall(SYS_openat2, -1, NULL, NULL, 0) < 0 && errno == ENOSYS)
		skip();
	snprintf(path, sizeof(path), "rm -rf %s/root", temp_dir);
	assert_int_equal(system(path), 0);
	assert_int_equal(mkdir(path_of(""), 0755), 0);
	assert_int_equal(mkdir(path_of("tmp"), 0755), 0);
}

static void write_map(const char *name, const char *text)
{
	FILE *file = fopen(path_of(name), "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

// Reads the map of a process of a user.
static bool read_map(uint32_t uid)
{
	const struct ic_perf_map_owner owner = { PID, uid, dump };

	ic_perf_map_free(&map);
	map = (struct ic_perf_map){ .text = NULL };
	err = (struct ic_error){ .code = IC_ERROR_NONE };
	return ic_perf_map_read_below(&map, open(path_of(""), O_PATH | O_DIRECTORY), &owner, &err);
}

static const char *at(uint64_t addr)
{
	const struct ic_jit_function *function = ic_jit_code_find(&map.code, addr);
	static char text[64];

	snprintf(text, sizeof(text), "%.*s", function ? (int)function->name.size : 0,
		 function ? (const char *)function->name.data : "");
	return text;
}

TEST(the_list_is_the_one_with_the_number_of_the_process)
{
	make_root();
	write_map("tmp/perf-8.map", "1000 10 other\n");
	assert_true(read_map(geteuid()));
	assert_string_equal(at(0x1000), "");
	write_map("tmp/perf-7.map", "1000 10 function\n2000 10 cut");
	assert_true(read_map(geteuid()));
	assert_string_equal(at(0x100f), "function");
	assert_string_equal(at(0x2000), ""); // its line is still being written
}

TEST(invalid_lines_are_reported_and_the_others_count)
{
	make_root();
	write_map("tmp/perf-7.map", "what\n1000 10 function\n");
	assert_false(read_map(geteuid()));
	assert_error(&err, IC_ERROR_MALFORMED, "/tmp/perf-7.map: 1 of its lines are invalid");
	assert_string_equal(at(0x1000), "function");
	write_map("tmp/perf-7.map", "");
	assert_true(read_map(geteuid()));
}

TEST(only_the_end_of_a_long_list_is_read)
{
	FILE *file;

	make_root();
	write_map("tmp/perf-7.map", "1000 10 first\n");
	file = fopen(path_of("tmp/perf-7.map"), "r+");
	assert_non_null(file);
	fseek(file, (16l << 20) + 100, SEEK_SET);
	fputs("\n2000 10 last\n", file);
	fclose(file);
	assert_false(read_map(geteuid()));
	assert_error(&err, IC_ERROR_LIMIT, "/tmp/perf-7.map: only the last 16 MiB are read");
	assert_string_equal(at(0x1000), "");
	assert_string_equal(at(0x2000), "last");
}

TEST(a_file_of_another_user_is_not_believed)
{
	make_root();
	write_map("tmp/perf-7.map", "1000 10 function\n");
	if (geteuid() == 0) {
		assert_int_equal(chown(path_of("tmp/perf-7.map"), 1234, 1234), 0);
		assert_true(read_map(1234));
		assert_string_equal(at(0x1000), "function");
	}
	assert_false(read_map(4321));
	assert_error(
		&err, IC_ERROR_UNSUPPORTED,
		"/tmp/perf-7.map: not read: owned by neither the user of the process nor root");
	assert_string_equal(at(0x1000), "");
}

TEST(a_link_or_what_is_no_file_is_not_read)
{
	make_root();
	write_map("list", "1000 10 function\n");
	assert_int_equal(symlink("/list", path_of("tmp/perf-7.map")), 0);
	assert_false(read_map(geteuid()));
	assert_int_equal(err.code, IC_ERROR_SYSTEM);
	assert_string_equal(at(0x1000), "");
	unlink(path_of("tmp/perf-7.map"));
	assert_int_equal(mkfifo(path_of("tmp/perf-7.map"), 0600), 0);
	assert_false(read_map(geteuid()));
	assert_error(&err, IC_ERROR_UNSUPPORTED, "/tmp/perf-7.map: not read: not a regular file");
}

// It may not lead to another file of ours.
TEST(a_directory_that_is_a_link_is_found_below_the_root)
{
	make_root();
	rmdir(path_of("tmp"));
	assert_int_equal(mkdir(path_of("other"), 0755), 0);
	write_map("other/perf-7.map", "1000 10 function\n");
	assert_int_equal(symlink("/other", path_of("tmp")), 0);
	assert_true(read_map(geteuid()));
	assert_string_equal(at(0x1000), "function");
}

// The header of a jitdump, and a function, at whose end the file may be cut.
static void write_dump(const char *name, size_t cut)
{
	struct byte_buffer out = { .data = NULL };
	FILE *file = fopen(path_of(name), "w");

	assert_non_null(file);
	byte_buffer_put(&out, 0x4a695444, 4);
	byte_buffer_put(&out, 1, 4);
	byte_buffer_put(&out, 40, 4);
	byte_buffer_fill(&out, 0, 28);
	byte_buffer_put(&out, 0, 4); // JIT_CODE_LOAD
	byte_buffer_put(&out, 16 + 40 + 9, 4);
	byte_buffer_fill(&out, 0, 8 + 8 + 8);
	byte_buffer_put(&out, 0x1000, 8);
	byte_buffer_put(&out, 0x10, 8);
	byte_buffer_fill(&out, 0, 8);
	byte_buffer_string(&out, "function");
	fwrite(out.data, 1, out.size - cut, file);
	fclose(file);
	byte_buffer_deinit(&out);
}

TEST(a_jitdump_may_still_be_being_written)
{
	make_root();
	dump = "/jit-7.dump";
	write_dump("jit-7.dump", 0);
	assert_true(read_map(geteuid()));
	assert_string_equal(at(0x1000), "function");
	write_dump("jit-7.dump", 3);
	assert_true(read_map(geteuid()));
	assert_string_equal(at(0x1000), "");
	dump = NULL;
}

TEST(a_process_without_a_list_has_none_and_one_that_has_ended_says_so)
{
	ic_perf_map_free(&map);
	map = (struct ic_perf_map){ .text = NULL };
	for (unsigned kind = 0; kind < IC_PERF_MAP_KINDS; kind++) {
		assert_true(ic_perf_map_read(&map, getpid(), kind, &err));
		assert_int_equal(map.code.functions.count, 0);
		ic_perf_map_free(&map);
		map = (struct ic_perf_map){ .text = NULL };
	}
	assert_false(ic_perf_map_read(&map, 0x7ffffff0, IC_PERF_MAP_LIST, &err));
	assert_non_null(strstr(err.message, "has ended before"));
	ic_perf_map_free(&map);
	map = (struct ic_perf_map){ .text = NULL };
}

UNIT_TESTS(process_perf_map)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_list_is_the_one_with_the_number_of_the_process),
		cmocka_unit_test(invalid_lines_are_reported_and_the_others_count),
		cmocka_unit_test(only_the_end_of_a_long_list_is_read),
		cmocka_unit_test(a_file_of_another_user_is_not_believed),
		cmocka_unit_test(a_link_or_what_is_no_file_is_not_read),
		cmocka_unit_test(a_directory_that_is_a_link_is_found_below_the_root),
		cmocka_unit_test(a_jitdump_may_still_be_being_written),
		cmocka_unit_test(a_process_without_a_list_has_none_and_one_that_has_ended_says_so),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
