// Load addresses of files, from what kernels list.
#include "unit_test.h"

#include <stdio.h>

#include <inlinecall/extra/placement.h>
#include <inlinecall/extra/symbolizer.h>

#include "alloc_meter.h"
#include "fixtures/kernel.h"

// Ends in 2 where it is the build that runs.
static const char note[] = "\4\0\0\0\5\0\0\0\3\0\0\0GNU\0\xab\xcd\xef\1\2\0\0";
#define SAME_ID BYTES(0xab, 0xcd, 0xef, 1, 2)

// Without a build ID if its size is 0.
static void open_kernel_with_id(struct lookup *lookup, bool has_text, struct ic_bytes id)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_code(elf, ".text", KERNEL, 0x10000);
	if (has_text)
		kernel_add_function(elf, "_text", ".text", KERNEL);
	kernel_add_function(elf, "do_exit", ".text", KERNEL + 0x4000);
	if (id.size > 0)
		elf_add_build_id(elf, 0, id.data, id.size);
	kernel_open(lookup, elf_end_at(elf, "vmlinux"));
}

static void open_kernel(struct lookup *lookup, bool has_text)
{
	open_kernel_with_id(lookup, has_text, (struct ic_bytes){ NULL, 0 });
}

// A module whose second section of code is .text.hot.
static void open_module(struct lookup *lookup, const char *name)
{
	struct elf_builder *elf = elf_begin(ET_REL);

	elf_add_code(elf, ".text", 0, 0x100);
	elf_add_code(elf, ".text.hot", 0, 0x40);
	elf_add_code(elf, ".init.text", 0, 0x40);
	kernel_add_function(elf, "xfs_read", ".text", 0x20);
	kernel_add_function(elf, "xfs_hot", ".text.hot", 0x10);
	kernel_add_function(elf, "xfs_init", ".init.text", 0);
	kernel_open(lookup, elf_end_at(elf, name));
}

static struct ic_placement *find(const struct ic_placement_options *options,
				 const struct lookup *lookup, struct ic_error *err)
{
	struct ic_placements *placements = ic_placements_new(options, NULL);

	assert_non_null(placements);
	struct ic_placement *placement =
		ic_placement_find(placements, lookup->image, lookup->symbolizer, err);
	ic_placements_free(placements);
	return placement;
}

static enum ic_placement_status status_of(const struct ic_placement_options *options,
					  const struct lookup *lookup)
{
	struct ic_placement *placement = find(options, lookup, NULL);
	uint64_t addr;

	assert_non_null(placement);
	enum ic_placement_status status = ic_placement_status(placement);
	assert_false(ic_placement_addr(placement, KERNEL, &addr));
	ic_placement_free(placement);
	return status;
}

// The offset in a section of an address in memory, which must be known.
static uint64_t off_in(const struct ic_placement *placement, const struct lookup *lookup,
		       uint64_t loaded, const char *section)
{
	struct ic_index_section found;
	uint64_t addr;

	assert_true(ic_placement_addr(placement, loaded, &addr));
	assert_true(ic_symbolizer_section_at(lookup->symbolizer, addr, &found));
	assert_string_equal(found.name, section);
	return addr - found.start;
}

TEST(a_kernel_is_where_its_symbols_are)
{
	const struct ic_placement_options options = {
		.kallsyms = kernel_write_text("moved", "ffffffff9f000000 T _text\n"
						       "ffffffffc0a00000 t do_exit\t[xfs]\n"
						       "no line\n"
						       "ffffffff9f004000 T do_exit\n"),
	};
	struct lookup lookup;
	uint64_t addr;

	open_kernel(&lookup, true);
	struct ic_placement *placement = find(&options, &lookup, NULL);
	assert_non_null(placement);
	assert_int_equal(ic_placement_status(placement), IC_PLACEMENT_FOUND);
	assert_null(ic_placement_module(placement));
	assert_true(ic_placement_addr(placement, KERNEL + MOVED + 0x123, &addr));
	assert_true(addr == KERNEL + 0x123);
	assert_false(ic_placement_addr(placement, KERNEL + MOVED - 1, &addr));
	ic_placement_free(placement);
	lookup_close(&lookup);
}

TEST(another_kernel_is_refused_and_a_hidden_one_too)
{
	struct ic_placement_options options = {
		.kallsyms = kernel_write_text("other", "ffffffff9f000000 T _text\n"
						       "ffffffff9f004040 T do_exit\n"),
	};
	struct ic_error err;
	struct lookup lookup;

	open_kernel(&lookup, true);
	assert_null(find(&options, &lookup, &err));
	assert_int_equal(err.code, IC_ERROR_MISMATCH);
	assert_non_null(
		strstr(err.message, "_text and do_exit are 0x4040 bytes apart, but 0x4000"));
	options.kallsyms = kernel_write_text("hidden", "0000000000000000 T _text\n");
	assert_null(find(&options, &lookup, &err));
	assert_int_equal(err.code, IC_ERROR_HIDDEN);
	options.kallsyms = kernel_write_text("empty", "");
	assert_null(find(&options, &lookup, &err));
	assert_int_equal(err.code, IC_ERROR_MISMATCH);
	lookup_close(&lookup);
}

TEST(a_kernel_of_another_build_id_than_sysfs_has_is_refused)
{
	const struct ic_placement_options options = {
		.kallsyms = kernel_write_text("moved", "ffffffff9f000000 T _text\n"
						       "ffffffff9f004000 T do_exit\n"),
		.sysfs = temp_path("sys"),
	};
	char wanted[600];
	struct ic_error err;
	struct lookup lookup;
	uint64_t addr;

	temp_write(temp_path("sys/kernel/notes"), note, sizeof(note));
	open_kernel_with_id(&lookup, true, BYTES(0xab, 0xcd, 0xef, 1, 3));
	assert_null(find(&options, &lookup, &err));
	snprintf(wanted, sizeof(wanted),
		 "%s: build ID is abcdef0103, but the kernel in %s has abcdef0102: a different "
		 "build of the"
		 " kernel",
		 temp_path("vmlinux"), options.sysfs);
	assert_error(&err, IC_ERROR_MISMATCH, wanted);
	lookup_close(&lookup);
	open_kernel_with_id(&lookup, true, SAME_ID);
	struct ic_placement *placement = find(&options, &lookup, NULL);
	assert_true(ic_placement_addr(placement, KERNEL + MOVED, &addr));
	assert_true(addr == KERNEL);
	ic_placement_free(placement);
	lookup_close(&lookup);
}

TEST(a_file_that_is_no_list_of_symbols_is_called_so)
{
	struct ic_placement_options options = {
		.kallsyms = kernel_write_text("notes", "Nothing of this\nis a symbol.\n"),
	};
	char wanted[600];
	struct ic_error err;
	struct lookup lookup;

	open_kernel(&lookup, true);
	assert_null(find(&options, &lookup, &err));
	snprintf(wanted, sizeof(wanted),
		 "%s: shares neither _text nor _stext with %s: no line has the format of "
		 "/proc/kallsyms",
		 temp_path("notes"), temp_path("vmlinux"));
	assert_error(&err, IC_ERROR_MISMATCH, wanted);
	options.kallsyms = kernel_write_text("list", "ffffffff9f000000 T start_kernel\n");
	assert_null(find(&options, &lookup, &err));
	assert_null(strstr(err.message, "no line of it"));
	lookup_close(&lookup);
	open_module(&lookup, "xfs.ko");
	assert_int_equal(status_of(&options, &lookup), IC_PLACEMENT_NOT_LOADED);
	options.kallsyms = temp_path("notes");
	assert_null(find(&options, &lookup, &err));
	snprintf(wanted, sizeof(wanted), "%s: no line has the format of /proc/kallsyms",
		 temp_path("notes"));
	assert_error(&err, IC_ERROR_MISMATCH, wanted);
	lookup_close(&lookup);
}

TEST(what_is_no_kernel_is_none)
{
	struct ic_placement_options options = {
		.kallsyms = kernel_write_text("kernel", "ffffffff9f000000 T _text\n"),
	};
	struct lookup lookup;

	open_kernel(&lookup, false);
	assert_int_equal(status_of(&options, &lookup), IC_PLACEMENT_NO_KERNEL);
	options = (struct ic_placement_options){ .sysfs = temp_dir };
	assert_int_equal(status_of(&options, &lookup), IC_PLACEMENT_NOT_ASKED);
	lookup_close(&lookup);
}

TEST(a_base_is_where_a_linked_file_begins)
{
	const struct ic_placement_options options = { .has_base = true, .base = 0x555500000000 };
	struct lookup lookup;
	uint64_t addr;

	open_kernel(&lookup, true);
	struct ic_placement *placement = find(&options, &lookup, NULL);
	assert_true(ic_placement_addr(placement, 0x555500000010, &addr));
	assert_true(addr == KERNEL + 0x10);
	ic_placement_free(placement);
	placement = ic_placement_new(0x1000, 0x400000, NULL);
	assert_true(ic_placement_addr(placement, 0x1010, &addr));
	assert_int_equal(addr, 0x400010);
	ic_placement_free(placement);
	lookup_close(&lookup);
}

// A kernel below whose _text is another segment.
static void open_kernel_with_data(struct lookup *lookup)
{
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = 64, .machine = EM_X86_64, .type = ET_EXEC, .segments = true });

	elf_add_section(elf, (struct elf_section){ .name = ".data..percpu",
						   .flags = SHF_ALLOC | SHF_WRITE,
						   .addr = 0x1000,
						   .bytes = { (const uint8_t *)"data", 4 } });
	elf_add_code(elf, ".text", KERNEL, 0x10000);
	kernel_add_function(elf, "_text", ".text", KERNEL);
	kernel_add_function(elf, "do_exit", ".text", KERNEL + 0x4000);
	kernel_open(lookup, elf_end_at(elf, "vmlinux"));
}

static void open_xfs(struct lookup *lookup)
{
	open_module(lookup, "xfs.ko");
}

// Fails each allocation of a search in turn: what is at KERNEL or MODULE then is found where it is,
// or memory is out.
static void fail_each(const struct ic_placement_options *options,
		      void (*open)(struct lookup *lookup), uint64_t loaded)
{
	bool has_failed = true;
	uint64_t failures = 0, wanted = UINT64_MAX, addr;

	for (uint64_t fail_at = 0; has_failed; fail_at++) {
		struct ic_error err = { .message = "" };
		struct ic_symbolizer_symbol symbol;
		struct lookup lookup;

		open(&lookup);
		for (int i = 0; i < 16; i++) // so that names are listed now
			assert_false(
				ic_symbolizer_symbol_find(lookup.symbolizer, "absent", 0, &symbol));
		alloc_meter_start(fail_at, false);
		struct ic_placements *placements = ic_placements_new(options, &err);
		struct ic_placement *placement =
			placements ? ic_placement_find(placements, lookup.image, lookup.symbolizer,
						       &err)
				   : NULL;
		has_failed = fail_at == 0 || alloc_meter_calls() >= fail_at;
		alloc_meter_stop();
		if (placement) {
			assert_true(ic_placement_addr(placement, loaded, &addr));
			wanted = fail_at == 0 ? addr : wanted;
			assert_true(addr == wanted);
		} else {
			assert_error(&err, IC_ERROR_MEMORY, "out of memory");
			failures++;
		}
		ic_placement_free(placement);
		ic_placements_free(placements);
		lookup_close(&lookup);
	}
	assert_true(failures > 3);
}

TEST(where_memory_is_out_that_is_what_is_told)
{
	const struct ic_placement_options base = { .has_base = true, .base = 0x555500000000 };
	const struct ic_placement_options list = {
		.kallsyms = kernel_write_text("whole", "ffffffff9f000000 T _text\n"
						       "ffffffff9f004000 T do_exit\n"
						       "ffffffffc0a00020 t xfs_read\t[xfs]\n"
						       "ffffffffc0c00010 t xfs_hot\t[xfs]\n"),
	};
	struct lookup lookup;

	fail_each(&base, open_kernel_with_data, 0x555500000010);
	fail_each(&list, open_kernel_with_data, KERNEL + MOVED);
	fail_each(&list, open_xfs, MODULE + 0x20);
	open_kernel_with_data(&lookup);
	assert_true(ic_symbolizer_symbols_check(lookup.symbolizer, NULL));
	lookup_close(&lookup);
}

TEST(a_module_is_where_its_sections_are_said_to_be)
{
	const struct ic_placement_section sections[] = { { { ".text.hot,", 9 }, MODULE } };
	const struct ic_placement_section absent = { { ".data", 5 }, MODULE };
	struct ic_placement_options options = { .sections = sections, .section_count = 1 };
	struct ic_error err;
	struct lookup lookup;
	uint64_t addr;

	open_module(&lookup, "a.o");
	struct ic_placement *placement = find(&options, &lookup, NULL);
	assert_int_equal(off_in(placement, &lookup, MODULE + 0x12, ".text.hot"), 0x12);
	assert_false(ic_placement_addr(placement, MODULE + 0x40, &addr));
	ic_placement_free(placement);
	options.sections = &absent;
	assert_null(find(&options, &lookup, &err));
	assert_int_equal(err.code, IC_ERROR_NOT_FOUND);
	lookup_close(&lookup);
}

TEST(a_module_is_where_sysfs_has_its_sections)
{
	const struct ic_placement_options options = { .sysfs = temp_dir };
	struct lookup lookup;

	kernel_write_text("module/nf_nat/sections/.text", "0xffffffffc0a00000\n");
	kernel_write_text("module/nf_nat/sections/.init.text", "0xffffffffc0b00000\n");
	kernel_write_text("module/hidden/sections/.text", "0x0000000000000000\n");
	open_module(&lookup, "nf-nat.ko");
	struct ic_placement *placement = find(&options, &lookup, NULL);
	const struct ic_window *windows;
	assert_string_equal(ic_placement_module(placement), "nf_nat");
	assert_int_equal(ic_placement_windows(placement, &windows), 1);
	assert_int_equal(off_in(placement, &lookup, MODULE + 0x20, ".text"), 0x20);
	ic_placement_free(placement);
	lookup_close(&lookup);
	open_module(&lookup, "hidden.ko");
	assert_int_equal(status_of(&options, &lookup), IC_PLACEMENT_HIDDEN);
	lookup_close(&lookup);
	open_module(&lookup, "absent.ko");
	assert_int_equal(status_of(&options, &lookup), IC_PLACEMENT_NOT_LOADED);
	lookup_close(&lookup);
	open_module(&lookup, "object.o");
	assert_int_equal(status_of(&options, &lookup), IC_PLACEMENT_NO_MODULE);
	lookup_close(&lookup);
}

// A module with a build ID; without one if the size is 0.
static void open_module_with_id(struct lookup *lookup, struct ic_bytes id)
{
	struct elf_builder *elf = elf_begin(ET_REL);

	elf_add_code(elf, ".text", 0, 0x100);
	if (id.size > 0)
		elf_add_build_id(elf, 0, id.data, id.size);
	kernel_open(lookup, elf_end_at(elf, "built.ko"));
}

TEST(a_module_of_another_build_id_than_sysfs_has_is_refused)
{
	const struct ic_placement_options options = { .sysfs = temp_dir };
	const struct ic_bytes others[] = { BYTES(0xab, 0xcd, 0xef, 1, 3),
					   BYTES(0xab, 0xcd, 0xef, 1),
					   { NULL, 0 } };
	static const char *const texts[] = { "abcdef0103", "abcdef01", "none" };
	char wanted[600];
	struct ic_error err;
	struct lookup lookup;

	kernel_write_text("module/built/sections/.text", "0xffffffffc0a00000\n");
	open_module_with_id(&lookup, others[2]); // nothing says of what build the loaded one is
	ic_placement_free(find(&options, &lookup, NULL));
	lookup_close(&lookup);
	temp_write(temp_path("module/built/notes/.note.gnu.build-id"), note, sizeof(note));
	for (size_t i = 0; i < COUNT_OF(others); i++) {
		open_module_with_id(&lookup, others[i]);
		assert_null(find(&options, &lookup, &err));
		snprintf(wanted, sizeof(wanted),
			 "%s: build ID is %s, but module built in %s has abcdef0102: a different "
			 "build of the"
			 " module",
			 temp_path("built.ko"), texts[i], temp_dir);
		assert_error(&err, IC_ERROR_MISMATCH, wanted);
		lookup_close(&lookup);
	}
	open_module_with_id(&lookup, SAME_ID);
	struct ic_placement *placement = find(&options, &lookup, NULL);
	assert_int_equal(off_in(placement, &lookup, MODULE + 0x20, ".text"), 0x20);
	ic_placement_free(placement);
	lookup_close(&lookup);
}

TEST(a_module_is_where_its_symbols_are)
{
	struct ic_placement_options options = {
		.kallsyms = kernel_write_text("symbols", "ffffffffc0a00020 t xfs_read\t[xfs]\n"
							 "ffffffffc0c00010 t xfs_hot\t[xfs]\n"
							 "ffffffffc0d00000 t xfs_init\t[xfs]\n"
							 "ffffffffc0e00020 t xfs_read\t[other]\n"),
	};
	struct ic_error err;
	struct lookup lookup;

	open_module(&lookup, "xfs.ko");
	struct ic_placement *placement = find(&options, &lookup, NULL);
	const struct ic_window *windows;
	assert_int_equal(ic_placement_windows(placement, &windows), 2);
	assert_int_equal(off_in(placement, &lookup, MODULE + 0x20, ".text"), 0x20);
	assert_int_equal(off_in(placement, &lookup, 0xffffffffc0c00010, ".text.hot"), 0x10);
	ic_placement_free(placement);
	options.kallsyms = kernel_write_text("rebuilt", "ffffffffc0a00020 t xfs_read\t[xfs]\n"
							"ffffffffc0a00028 t xfs_read\t[xfs]\n");
	assert_null(find(&options, &lookup, &err));
	assert_int_equal(err.code, IC_ERROR_MISMATCH);
	lookup_close(&lookup);
}

TEST(a_module_whose_symbols_say_nothing_of_its_sections_is_loaded_all_the_same)
{
	struct ic_placement_options options = {
		.kallsyms = kernel_write_text("others", "ffffffffc0a00020 t xfs_unknown\t[xfs]\n"),
	};
	struct lookup lookup;

	open_module(&lookup, "xfs.ko");
	assert_int_equal(status_of(&options, &lookup), IC_PLACEMENT_NO_SECTIONS);
	options.kallsyms = kernel_write_text("nobody", "ffffffffc0a00020 t ext4_read\t[ext4]\n");
	assert_int_equal(status_of(&options, &lookup), IC_PLACEMENT_NOT_LOADED);
	lookup_close(&lookup);
}

TEST(a_section_of_a_module_may_have_the_name_of_another)
{
	struct ic_placement_options options = {
		.kallsyms = kernel_write_text("twins", "ffffffffc0a00014 t xfs_twin\t[xfs]\n"),
	};
	struct elf_builder *elf = elf_begin(ET_REL);
	struct lookup lookup;

	elf_add_code(elf, ".text", 0, 0x100);
	elf_add_code(elf, ".text.twin", 0, 0x40);
	elf_add_code(elf, ".text.twin", 0, 0x40);
	kernel_add_function(elf, "xfs_twin", ".text.twin", 0x10);
	kernel_open(&lookup, elf_end_at(elf, "xfs.ko"));
	struct ic_placement *placement = find(&options, &lookup, NULL);
	const struct ic_window *windows;
	assert_int_equal(ic_placement_status(placement), IC_PLACEMENT_FOUND);
	assert_int_equal(ic_placement_windows(placement, &windows), 1);
	assert_true(windows[0].given == 0xffffffffc0a00004);
	assert_int_equal(windows[0].size, 0x40);
	ic_placement_free(placement);
	lookup_close(&lookup);
}

TEST(without_options_nothing_is_asked)
{
	struct ic_placements *placements = ic_placements_new(NULL, NULL);
	struct lookup lookup;

	assert_non_null(placements);
	open_module(&lookup, "xfs.ko");
	struct ic_placement *placement =
		ic_placement_find(placements, lookup.image, lookup.symbolizer, NULL);
	assert_int_equal(ic_placement_status(placement), IC_PLACEMENT_NOT_ASKED);
	ic_placement_free(placement);
	ic_placements_free(placements);
	lookup_close(&lookup);
}

TEST(a_module_begins_where_its_line_says)
{
	struct ic_placement_options options = {
		.modules = kernel_write_text(
			"modules", "ext4 1 0 - Live 0xffffffffc0100000\n"
				   "xfs 1957888 2 libcrc32c,dm_mod, Live 0xffffffffc0a00000\n"),
	};
	struct ic_error err;
	struct lookup lookup;

	open_module(&lookup, "xfs.ko");
	struct ic_placement *placement = find(&options, &lookup, NULL);
	const struct ic_window *windows;
	assert_int_equal(ic_placement_windows(placement, &windows), 1);
	assert_int_equal(off_in(placement, &lookup, MODULE, ".text"), 0);
	ic_placement_free(placement);
	options.modules = kernel_write_text("hidden", "xfs 1 2 - Live 0x0000000000000000\n");
	assert_null(find(&options, &lookup, &err));
	assert_int_equal(err.code, IC_ERROR_HIDDEN);
	lookup_close(&lookup);
}

static void count_call(void *context, const char *message)
{
	assert_non_null(strstr(message, "cannot open"));
	++*(int *)context;
}

TEST(a_file_that_cannot_be_read_is_told_once_and_fails_each_time)
{
	int told = 0;
	const struct ic_placement_options options = { .kallsyms = "/nonexistent/kallsyms",
						      .unreadable = count_call,
						      .context = &told };
	struct ic_placements *placements = ic_placements_new(&options, NULL);
	struct ic_error err;
	struct lookup lookup;

	open_kernel(&lookup, true);
	for (int i = 0; i < 2; i++) {
		assert_null(ic_placement_find(placements, lookup.image, lookup.symbolizer, &err));
		assert_error(&err, IC_ERROR_SYSTEM,
			     "/nonexistent/kallsyms: cannot open: No such file or directory");
	}
	assert_int_equal(told, 1);
	ic_placements_free(placements);
	lookup_close(&lookup);
}

static void append(void *context, const char *name)
{
	strcat(context, name);
	strcat(context, " ");
}

TEST(loaded_modules_are_listed_as_far_as_can_be_read)
{
	int told = 0;
	char names[64] = "";
	const struct ic_placement_options options = {
		.kallsyms = kernel_write_text("list", "ffffffff81000000 T _text\n"
						      "ffffffffc0a00000 t a\t[xfs]\n"
						      "ffffffffc0a00010 t b\t[xfs]\n"
						      "ffffffffc0b00000 t c\t[ext4]\n"),
		.modules = "/nonexistent/modules",
		.unreadable = count_call,
		.context = &told,
	};
	struct ic_placements *placements = ic_placements_new(&options, NULL);
	struct ic_error err;

	assert_false(ic_placements_list_modules(placements, append, names, &err));
	assert_string_equal(names, "xfs ext4 ");
	assert_int_equal(err.code, IC_ERROR_SYSTEM);
	assert_int_equal(told, 1);
	ic_placements_free(placements);
}

TEST(files_are_known_by_their_first_line)
{
	const char *list = kernel_write_text("k", "ffffffff81000000 T _text\n");
	const char *modules = kernel_write_text("m", "xfs 1 2 - Live 0x0000000000000000\n");

	assert_true(ic_placement_is_kallsyms(list));
	assert_false(ic_placement_is_kallsyms(modules));
	assert_true(ic_placement_is_modules(modules));
	assert_false(ic_placement_is_modules(list));
	assert_false(ic_placement_is_kallsyms("/nonexistent"));
}

UNIT_TESTS(process_placement_placement)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_is_where_its_symbols_are),
		cmocka_unit_test(another_kernel_is_refused_and_a_hidden_one_too),
		cmocka_unit_test(a_file_that_is_no_list_of_symbols_is_called_so),
		cmocka_unit_test(what_is_no_kernel_is_none),
		cmocka_unit_test(a_base_is_where_a_linked_file_begins),
		cmocka_unit_test(where_memory_is_out_that_is_what_is_told),
		cmocka_unit_test(a_module_is_where_its_sections_are_said_to_be),
		cmocka_unit_test(a_module_is_where_sysfs_has_its_sections),
		cmocka_unit_test(a_kernel_of_another_build_id_than_sysfs_has_is_refused),
		cmocka_unit_test(a_module_of_another_build_id_than_sysfs_has_is_refused),
		cmocka_unit_test(a_module_is_where_its_symbols_are),
		cmocka_unit_test(
			a_module_whose_symbols_say_nothing_of_its_sections_is_loaded_all_the_same),
		cmocka_unit_test(a_section_of_a_module_may_have_the_name_of_another),
		cmocka_unit_test(without_options_nothing_is_asked),
		cmocka_unit_test(a_module_begins_where_its_line_says),
		cmocka_unit_test(a_file_that_cannot_be_read_is_told_once_and_fails_each_time),
		cmocka_unit_test(loaded_modules_are_listed_as_far_as_can_be_read),
		cmocka_unit_test(files_are_known_by_their_first_line),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
