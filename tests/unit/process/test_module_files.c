#include "unit_test.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inlinecall/extra/module_files.h>

#include "fixtures/elf.h"

TEST(a_module_is_called_by_its_file)
{
	static const char path[] = "/lib/modules/6.1.0/kernel/net/nf-nat.ko.debug";
	char name[8];

	assert_true(ic_module_name(path, strlen(path), name, sizeof(name)));
	assert_string_equal(name, "nf_nat");
	assert_true(ic_module_name("a.ko.xz", 4, name, sizeof(name)));
	assert_string_equal(name, "a");
	assert_false(ic_module_name("a.ko2", 5, name, sizeof(name)));
	assert_false(ic_module_name(".ko", 3, name, sizeof(name)));
	assert_false(ic_module_name("toolong7.ko", 11, name, sizeof(name)));
}

TEST(names_may_be_spelt_with_hyphens)
{
	assert_true(ic_module_name_is("nf_nat", (struct ic_span){ "nf-nat", 6 }));
	assert_true(ic_module_name_is("nf_nat", (struct ic_span){ "nf_nat", 6 }));
	assert_false(ic_module_name_is("nf_nat", (struct ic_span){ "nf_na", 5 }));
	assert_false(ic_module_name_is("", (struct ic_span){ NULL, 0 }));
}

static struct ic_module_file *find(struct ic_module_files *files, const char *name, size_t wanted)
{
	size_t count;
	struct ic_module_file *found =
		ic_module_files_find(files, (struct ic_span){ name, strlen(name) }, &count);

	assert_int_equal(count, wanted);
	assert_int_equal(found != NULL, wanted > 0);
	return found;
}

TEST(files_are_found_by_rank_and_path)
{
	struct ic_module_files *files = ic_module_files_new(NULL);
	struct ic_error err;

	assert_int_equal(ic_module_files_count(files), 0);
	find(files, "xfs", 0);
	assert_true(ic_module_files_add(files, "/b/xfs.ko", 1, NULL));
	assert_true(ic_module_files_add(files, "/a/xfs.ko.debug", 1, NULL));
	assert_true(ic_module_files_add(files, "/c/xfs.ko.xz", 0, NULL));
	assert_true(ic_module_files_add(files, "/c/nf-nat.ko", 0, NULL));
	ic_module_files_get(files, 0)->is_taken = true;
	assert_true(ic_module_files_add(files, "/b/xfs.ko", 1, NULL)); // twice
	assert_int_equal(ic_module_files_count(files), 5);
	struct ic_module_file *found = find(files, "xfs", 3);
	assert_string_equal(found[0].path, "/c/xfs.ko.xz");
	assert_string_equal(found[1].path, "/a/xfs.ko.debug");
	assert_string_equal(found[2].path, "/b/xfs.ko");
	assert_true(found[2].is_taken && !found[1].is_taken);
	assert_string_equal(find(files, "nf-nat", 1)->name, "nf_nat");
	find(files, "xf", 0);
	find(files, "", 0);
	assert_int_equal(ic_module_files_count(files), 4);
	assert_false(ic_module_files_add(files, "/b/xfs.o", 1, &err));
	assert_error(&err, IC_ERROR_ARGUMENT, "/b/xfs.o: not the name of a kernel module file");
	ic_module_files_free(files);
}

static void count_call(void *context, const char *directory, const struct ic_error *err)
{
	assert_non_null(strstr(err->message, directory));
	++*(int *)context;
}

TEST(directories_are_walked_for_modules)
{
	struct ic_module_files *files = ic_module_files_new(NULL);
	const char *tree = temp_path("tree"), *closed = temp_path("tree/closed/fs/a.ko");
	int left_out = 0;

	temp_write(temp_path("tree/kernel/fs/xfs.ko.zst"), "", 0);
	temp_write(temp_path("tree/kernel/fs/.ext4.ko.cmd"), "", 0);
	temp_write(temp_path("tree/kernel/fs/ext4.ko.cmd"), "", 0);
	temp_write(temp_path("tree/zram.ko"), "", 0);
	temp_write(closed, "", 0);
	assert_int_equal(symlink(tree, temp_path("tree/kernel/again")), 0);
	assert_true(ic_module_files_add_directory(files, tree, 0, count_call, &left_out));
	assert_int_equal(ic_module_files_count(files), 3);
	assert_string_equal(find(files, "xfs", 1)->path, temp_path("tree/kernel/fs/xfs.ko.zst"));
	assert_true(ic_module_files_add_directory(files, "/nonexistent", 0, NULL, NULL));
	if (geteuid() != 0) { // to whom nothing is closed
		assert_int_equal(chmod(temp_path("tree/closed/fs"), 0), 0);
		assert_false(ic_module_files_add_directory(files, tree, 1, count_call, &left_out));
		assert_int_equal(left_out, 1);
		assert_int_equal(ic_module_files_count(files), 5);
		assert_int_equal(chmod(temp_path("tree/closed/fs"), 0700), 0);
	}
	ic_module_files_free(files);
}

static void note_depth(void *context, const char *directory, const struct ic_error *err)
{
	(void)directory;
	assert_non_null(strstr(err->message, "too deep"));
	++*(int *)context;
}

TEST(what_is_too_deep_is_told)
{
	struct ic_module_files *files = ic_module_files_new(NULL);
	char path[512];
	int left_out = 0;

	snprintf(path, sizeof(path), "deep");
	for (int i = 0; i < 40; i++)
		strcat(path, "/d");
	strcat(path, "/a.ko");
	temp_write(temp_path(path), "", 0);
	assert_false(
		ic_module_files_add_directory(files, temp_path("deep"), 0, note_depth, &left_out));
	assert_int_equal(left_out, 1);
	assert_int_equal(ic_module_files_count(files), 0);
	ic_module_files_free(files);
}

// How many entries of directories can be read; -1 for all.
static int readable = -1;

static struct dirent *read_entry(struct dirent *(*real)(DIR *entries), DIR *entries)
{
	if (readable == 0) {
		errno = EIO;
		return NULL;
	}
	readable -= readable > 0;
	return real(entries);
}

// The library calls one of them; not every C library has the second.
struct dirent *__real_readdir(DIR *entries) __attribute__((weak));
struct dirent *__real_readdir64(DIR *entries) __attribute__((weak));
struct dirent *__wrap_readdir(DIR *entries);
struct dirent *__wrap_readdir64(DIR *entries);

struct dirent *__wrap_readdir(DIR *entries)
{
	return read_entry(__real_readdir, entries);
}

struct dirent *__wrap_readdir64(DIR *entries)
{
	return read_entry(__real_readdir64, entries);
}

static void note_error(void *context, const char *directory, const struct ic_error *err)
{
	struct ic_error *noted = context;

	assert_int_equal(noted->code, IC_ERROR_NONE); // once
	assert_string_equal(directory, temp_path("torn"));
	*noted = *err;
}

TEST(a_directory_that_cannot_be_read_to_its_end_is_told)
{
	struct ic_module_files *files = ic_module_files_new(NULL);
	struct ic_error noted = { .code = IC_ERROR_NONE };
	char path[] = "torn/0.ko";

	for (; path[5] < '4'; path[5]++)
		temp_write(temp_path(path), "", 0);
	readable = 3; // of which two may be "." and ".."
	assert_false(
		ic_module_files_add_directory(files, temp_path("torn"), 0, note_error, &noted));
	readable = -1;
	assert_int_equal(noted.code, IC_ERROR_SYSTEM);
	assert_int_equal(noted.os_error, EIO);
	assert_in_range(ic_module_files_count(files), 1, 3); // what was read is kept
	ic_module_files_free(files);
}

UNIT_TESTS(process_module_files)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_module_is_called_by_its_file),
		cmocka_unit_test(names_may_be_spelt_with_hyphens),
		cmocka_unit_test(files_are_found_by_rank_and_path),
		cmocka_unit_test(directories_are_walked_for_modules),
		cmocka_unit_test(what_is_too_deep_is_told),
		cmocka_unit_test(a_directory_that_cannot_be_read_to_its_end_is_told),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
