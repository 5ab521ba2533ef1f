// The space of a running kernel: its files, and where they are loaded.
#include "unit_test.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inlinecall/image.h>
#include <inlinecall/space.h>

#include "fixtures/kernel.h"
#include <inlinecall/extra/space.h>

enum { CODE_SIZE = 0x1000 };

// A kernel of one unit; the address of do_exit identifies it.
static const char *write_kernel_of(const char *name, uint64_t do_exit, const char *unit)
{
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = 64, .machine = EM_X86_64, .type = ET_EXEC, .segments = true });
	struct dwarf_builder *dw = scan_builder(5);

	program_put(dw, &(struct program_unit){ .name = unit, .start = KERNEL });
	elf_add_code(elf, ".text", KERNEL, CODE_SIZE);
	kernel_add_function(elf, "_text", ".text", KERNEL);
	kernel_add_function(elf, "do_exit", ".text", KERNEL + do_exit);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	return elf_end_at(elf, name);
}

static const char *write_kernel(const char *name, uint64_t do_exit)
{
	return write_kernel_of(name, do_exit, "a.c");
}

// A module that has only symbols, and a build ID if its size is not 0.
static const char *write_module_with_id(const char *name, struct ic_bytes id)
{
	struct elf_builder *elf = elf_begin(ET_REL);

	elf_add_code(elf, ".text", 0, 0x100);
	elf_add_code(elf, ".text.hot", 0, 0x40);
	if (id.size > 0)
		elf_add_build_id(elf, 0, id.data, id.size);
	elf_add_section(elf, (struct elf_section){ .name = ".data",
						   .flags = SHF_ALLOC | SHF_WRITE,
						   .bytes = { (const uint8_t *)"data", 4 } });
	kernel_add_function(elf, "xfs_read", ".text", 0x20);
	kernel_add_function(elf, "xfs_hot", ".text.hot", 0x10);
	return elf_end_at(elf, name);
}

static const char *write_module(const char *name)
{
	return write_module_with_id(name, (struct ic_bytes){ NULL, 0 });
}

static const char *write_kallsyms(void)
{
	return kernel_write_text("kallsyms", "ffffffff9f000000 T _text\n"
					     "ffffffff9f000800 T do_exit\n"
					     "ffffffffc0a00020 t xfs_read\t[xfs]\n"
					     "ffffffffc0c00010 t xfs_hot\t[xfs]\n"
					     "ffffffffc0d00000 t prog\t[bpf]\n"
					     "ffffffffc0a00020 t xfs_read\t[xfs]\n");
}

struct log { // of what was left out: "MODULE:CODE "
	char text[256];
};

static void note(void *context, const char *module, const struct ic_error *err)
{
	struct log *log = context;
	size_t used = strlen(log->text);

	assert_true(err->message[0] != 0);
	snprintf(log->text + used, sizeof(log->text) - used, "%s:%d ", module ? module : "-",
		 (int)err->code);
}

struct opened {
	struct ic_modules *modules;
	struct ic_space *space;
	struct log log;
};

static void begin(struct opened *opened)
{
	static const char *const dirs[] = { "/nonexistent" };
	const struct ic_modules_options options = {
		.image = { .allow_no_debug = true, .debug_dirs = dirs, .debug_dir_count = 1 },
		.symbolizer.jobs = 1
	};

	*opened = (struct opened){ .modules = ic_modules_new(&options, NULL) };
	assert_non_null(opened->modules);
	opened->space = ic_space_new(opened->modules, NULL);
	assert_non_null(opened->space);
}

static void end(struct opened *opened)
{
	ic_space_free(opened->space);
	ic_modules_free(opened->modules);
}

// The functions at an address, the innermost first, behind what the kernel calls the module if no
// file has them; "none" if nothing is there, or why the file cannot be opened.
static const char *text_at(struct ic_space *space, uint64_t addr)
{
	static char text[256];
	struct ic_space_answers *answers = ic_space_find(space, &addr, 1, NULL);
	struct ic_space_answer answer;

	assert_non_null(answers);
	ic_space_answers_get(answers, 0, &answer);
	text[0] = 0;
	for (size_t i = 0; i < answer.frame_count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? " " : "",
			 answer.frames[i].function);
	if (answer.status == IC_SPACE_NONE)
		strcpy(text, "none");
	else if (answer.status == IC_SPACE_UNOPENED)
		snprintf(text, sizeof(text), "%s", answer.reason);
	else if (answer.status == IC_SPACE_SYMBOL)
		snprintf(text, sizeof(text), "%s %s+0x%" PRIx64, answer.path,
			 answer.frames[0].function, addr - answer.frames[0].start);
	else
		assert_int_equal(answer.status, IC_SPACE_FILE);
	ic_space_answers_free(answers);
	return text;
}

TEST(a_kernel_and_its_modules_are_found_in_directories)
{
	const char *dirs[] = { temp_path("files") };
	struct opened opened;
	const struct ic_space_kernel_options options = { .release = "6.1.0-test",
							 .kallsyms = write_kallsyms(),
							 .dirs = dirs,
							 .dir_count = 1,
							 .left_out = note,
							 .context = &opened.log };
	struct ic_space_answer answer;
	uint64_t addr = KERNEL + MOVED + 0x18;

	begin(&opened);
	write_kernel("files/vmlinux-6.1.0-test", 0x700); // another build
	write_kernel("files/vmlinux", 0x800);
	write_module("files/fs/xfs/xfs.ko");
	assert_true(ic_space_read_kernel(opened.space, &options, NULL));
	char wanted[32];
	snprintf(wanted, sizeof(wanted), "bpf:%d ", IC_ERROR_NOT_FOUND);
	assert_string_equal(opened.log.text, wanted);
	assert_string_equal(text_at(opened.space, addr), "a.c.leaf a.c.main");
	assert_string_equal(text_at(opened.space, KERNEL + MOVED - 1), "none");
	assert_string_equal(text_at(opened.space, KERNEL + MOVED + CODE_SIZE), "none");
	assert_string_equal(text_at(opened.space, KERNEL), "none");
	assert_string_equal(text_at(opened.space, MODULE + 0x21), "xfs_read");
	assert_string_equal(text_at(opened.space, MODULE + 0x100), "none");
	assert_string_equal(text_at(opened.space, 0xffffffffc0c00010), "xfs_hot");
	assert_string_equal(text_at(opened.space, 0xffffffffc0d00004), "[bpf] prog+0x4");
	struct ic_space_answers *answers = ic_space_find(opened.space, &addr, 1, NULL);
	ic_space_answers_get(answers, 0, &answer);
	assert_true(answer.addr == KERNEL + 0x18);
	assert_string_equal(answer.path, temp_path("files/vmlinux"));
	ic_space_answers_free(answers);
	ic_modules_trim(opened.modules, 0); // and opened again
	assert_string_equal(text_at(opened.space, addr), "a.c.leaf a.c.main");
	end(&opened);
}

TEST(what_a_recording_says_was_loaded_needs_no_list_of_symbols)
{
	static const uint8_t id[] = { 0xab, 0xcd, 0xef, 0x01 },
			     other[] = { 0xab, 0xcd, 0xef, 0x02 };
	const char *dirs[] = { temp_path("recorded") };
	const struct {
		const uint8_t *build_id; // of the module
		const char *text;        // of its code
		int left_out;
	} cases[] = { { NULL, "xfs_read", IC_ERROR_NONE },
		      { id, "xfs_read", IC_ERROR_NONE },
		      { other, "none", IC_ERROR_NO_DEBUG } };

	write_kernel("recorded/vmlinux", 0x800);
	write_module_with_id("recorded/fs/xfs.ko", (struct ic_bytes){ id, sizeof(id) });
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct ic_kernel_loaded loaded[] = {
			{ .module = "gone", .addr = 0xffffffffc0100000 },
			{ .module = "xfs",
			  .addr = MODULE,
			  .build_id = cases[i].build_id,
			  .build_id_size = cases[i].build_id ? sizeof(id) : 0 },
			{ .addr = KERNEL + MOVED },
		};
		struct opened opened;
		const struct ic_space_kernel_options options = { .release = "6.1.0-test",
								 .loaded = loaded,
								 .loaded_count = 3,
								 .dirs = dirs,
								 .dir_count = 1,
								 .left_out = note,
								 .context = &opened.log };
		char wanted[64];
		begin(&opened);
		assert_true(ic_space_read_kernel(opened.space, &options, NULL));
		int size = snprintf(wanted, sizeof(wanted), "gone:%d ", IC_ERROR_NOT_FOUND);
		if (cases[i].left_out != IC_ERROR_NONE)
			snprintf(wanted + size, sizeof(wanted) - (size_t)size, "xfs:%d ",
				 cases[i].left_out);
		assert_string_equal(opened.log.text, wanted);
		assert_string_equal(text_at(opened.space, KERNEL + MOVED + 0x18),
				    "a.c.leaf a.c.main");
		assert_string_equal(text_at(opened.space, KERNEL + 0x18), "none");
		assert_string_equal(text_at(opened.space, MODULE + 0x21), cases[i].text);
		assert_string_equal(text_at(opened.space, MODULE + 0x100), "none");
		end(&opened);
	}
}

TEST(sections_are_where_sysfs_has_them)
{
	const char *dirs[] = { temp_path("files") };
	struct opened opened;
	const struct ic_space_kernel_options options = { .release = "6.1.0-test",
							 .kallsyms = write_kallsyms(),
							 .sysfs = temp_path("sys"),
							 .dirs = dirs,
							 .dir_count = 1 };

	begin(&opened);
	write_module("files/fs/xfs/xfs.ko");
	kernel_write_text("sys/module/xfs/sections/.text", "0xffffffffc0b00000\n");
	kernel_write_text("sys/module/xfs/sections/.data", "0xffffffffc0b10000\n");
	kernel_write_text("sys/module/printk/parameters/time", "Y\n"); // in the kernel itself
	assert_true(ic_space_read_kernel(opened.space, &options, NULL));
	assert_string_equal(text_at(opened.space, 0xffffffffc0b00020), "xfs_read");
	assert_string_equal(text_at(opened.space, MODULE + 0x1f), "none");
	assert_string_equal(text_at(opened.space, 0xffffffffc0b10000), "none");
	end(&opened);
}

TEST(of_a_modules_files_that_of_the_loaded_build_is_used)
{
	static const char note[] = "\4\0\0\0\2\0\0\0\3\0\0\0GNU\0\xab\xcd\0";
	const char *dirs[] = { temp_path("builds") };
	struct opened opened;
	const struct ic_space_kernel_options options = { .release = "6.1.0-test",
							 .kallsyms = write_kallsyms(),
							 .sysfs = temp_path("noted"),
							 .dirs = dirs,
							 .dir_count = 1 };
	struct ic_space_answer answer;
	uint64_t addr = 0xffffffffc0b00020;

	begin(&opened);
	write_module_with_id("builds/1/xfs.ko", BYTES(0xab, 0xce));
	write_module_with_id("builds/2/xfs.ko", BYTES(0xab, 0xcd));
	kernel_write_text("noted/module/xfs/sections/.text", "0xffffffffc0b00000\n");
	temp_write(temp_path("noted/module/xfs/notes/.note.gnu.build-id"), note, sizeof(note));
	assert_true(ic_space_read_kernel(opened.space, &options, NULL));
	struct ic_space_answers *answers = ic_space_find(opened.space, &addr, 1, NULL);
	ic_space_answers_get(answers, 0, &answer);
	assert_int_equal(answer.status, IC_SPACE_FILE);
	assert_string_equal(answer.path, temp_path("builds/2/xfs.ko"));
	ic_space_answers_free(answers);
	end(&opened);
}

TEST(a_file_that_changes_after_it_was_placed_is_not_opened_again)
{
	const char *dirs[] = { temp_path("changing") }, *path = temp_path("changing/vmlinux");
	struct opened opened;
	const struct ic_space_kernel_options options = {
		.release = "6.1.0-test", .kallsyms = write_kallsyms(), .dirs = dirs, .dir_count = 1
	};
	const uint64_t addr = KERNEL + MOVED + 0x18;
	const struct timespec times[] = { { 1000, 0 }, { 1000, 0 } },
			      later[] = { { 2000, 0 }, { 2000, 0 } };

	begin(&opened);
	write_kernel("changing/vmlinux", 0x800);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	assert_true(ic_space_read_kernel(opened.space, &options, NULL));
	write_kernel_of("changing/new", 0x800, "b.c"); // of the same places
	assert_int_equal(utimensat(AT_FDCWD, temp_path("changing/new"), times, 0), 0);
	assert_int_equal(rename(temp_path("changing/new"), path), 0);
	assert_string_equal(text_at(opened.space, addr), "a.c.leaf a.c.main"); // it is open
	for (int i = 0; i < 2; i++) {
		ic_modules_trim(opened.modules, 0);
		assert_non_null(strstr(text_at(opened.space, addr),
				       "changing/vmlinux: not the file that was placed"));
		assert_true(ic_space_read_kernel(opened.space, &options, NULL));
		assert_string_equal(text_at(opened.space, addr), "b.c.leaf b.c.main");
		assert_int_equal(utimensat(AT_FDCWD, path, later, 0), 0); // the same inode
	}
	// Nor is the old one taken for it if that is still open.
	write_kernel_of("changing/new", 0x800, "c.c");
	assert_int_equal(rename(temp_path("changing/new"), path), 0);
	assert_true(ic_space_read_kernel(opened.space, &options, NULL));
	assert_string_equal(text_at(opened.space, addr), "c.c.leaf c.c.main");
	end(&opened);
}

static bool find(void *context, const char *module, char *path, size_t capacity)
{
	(void)context;
	if (module && strcmp(module, "xfs") != 0)
		return false;
	snprintf(path, capacity, "%s", temp_path(module ? "cache/debuginfo" : "cache/kernel"));
	return true;
}

TEST(a_caller_may_have_the_files_whatever_they_are_called)
{
	struct opened opened;
	const struct ic_space_kernel_options options = {
		.kallsyms = write_kallsyms(), .find = find, .left_out = note, .context = &opened.log
	};

	begin(&opened);
	write_kernel("cache/kernel", 0x800);
	write_module("cache/debuginfo");
	assert_true(ic_space_read_kernel(opened.space, &options, NULL));
	assert_string_equal(text_at(opened.space, KERNEL + MOVED), "a.c.main");
	assert_string_equal(text_at(opened.space, MODULE + 0x20), "xfs_read");
	assert_non_null(strstr(opened.log.text, "bpf:"));
	end(&opened);
}

TEST(what_is_of_another_kernel_is_left_out)
{
	const char *dirs[] = { temp_path("other") };
	struct opened opened;
	const struct ic_space_kernel_options options = { .release = "6.1.0-test",
							 .kallsyms = write_kallsyms(),
							 .dirs = dirs,
							 .dir_count = 1,
							 .left_out = note,
							 .context = &opened.log };
	char wanted[64];

	begin(&opened);
	write_kernel("other/vmlinux", 0x700);
	write_kernel("other/xfs.ko", 0x800); // linked, and so no module
	assert_true(ic_space_read_kernel(opened.space, &options, NULL));
	snprintf(wanted, sizeof(wanted), "-:%d xfs:%d bpf:%d ", IC_ERROR_MISMATCH,
		 IC_ERROR_MISMATCH, IC_ERROR_NOT_FOUND);
	assert_string_equal(opened.log.text, wanted);
	assert_string_equal(text_at(opened.space, KERNEL + MOVED), "[kernel] _text+0x0");
	end(&opened);
}

// The list has no sizes.
TEST(functions_without_a_file_reach_to_the_next_symbol)
{
	struct opened opened;
	const struct ic_space_kernel_options options = {
		.kallsyms = kernel_write_text("functions",
					      "0000000000000000 A per_cpu\n"
					      "ffffffff81200000 t near\n" // out of order
					      "ffffffff81000000 t local\n"
					      "ffffffff81000000 T global\n"
					      "ffffffff81000000 T alias\n"
					      "ffffffff81000800 d data\n"
					      "ffffffff81000900 W weak\n"
					      "ffffffff81010000 T next\n"
					      "ffffffffc0a00ff0 t last\t[xfs]\n"
					      "ffffffffc0a01800 t first\t[btrfs]\n"
					      "ffffffffc0a10000 t far\t[btrfs]\n"
					      "ffffffffc1a10000 b data\t[btrfs]\n"
					      "fffffffffffffff0 t top\t[bpf]\n"),
		.sysfs = "/nonexistent",
		.find = find
	};
	static const struct {
		uint64_t addr;
		const char *text;
	} wanted[] = {
		{ 0, "none" },
		{ 0xffffffff80ffffff, "none" },
		{ 0xffffffff81000000, "[kernel] global+0x0" },
		{ 0xffffffff810007ff, "[kernel] global+0x7ff" },
		{ 0xffffffff81000800, "none" },
		{ 0xffffffff8100ffff, "[kernel] weak+0xf6ff" },
		{ 0xffffffff81011fff, "[kernel] next+0x1fff" }, // the next is far away
		{ 0xffffffff81012000, "none" },
		{ 0xffffffff81201fff, "[kernel] near+0x1fff" }, // the next is another's
		{ 0xffffffff81202000, "none" },
		{ 0xffffffffc0a017ff, "[xfs] last+0x80f" },
		{ 0xffffffffc0a01800, "[btrfs] first+0x0" },
		{ 0xffffffffc0a11fff, "[btrfs] far+0x1fff" },
		{ 0xffffffffc0a12000, "none" },
		{ UINT64_MAX - 1, "[bpf] top+0xe" },
	};

	begin(&opened);
	assert_int_equal(remove(temp_path("cache/kernel")), 0); // of tests before
	assert_int_equal(remove(temp_path("cache/debuginfo")), 0);
	assert_true(ic_space_read_kernel(opened.space, &options, NULL));
	for (size_t i = 0; i < COUNT_OF(wanted); i++)
		assert_string_equal(text_at(opened.space, wanted[i].addr), wanted[i].text);
	// Answers keep the names that a space has no more.
	struct ic_space_answers *answers = ic_space_find(opened.space, &wanted[2].addr, 1, NULL);
	struct ic_space_answer answer;
	assert_true(ic_space_read_process(opened.space, getpid(), NULL));
	assert_string_equal(text_at(opened.space, wanted[2].addr), "none");
	ic_space_answers_get(answers, 0, &answer);
	assert_int_equal(answer.lookup, IC_LOOKUP_NO_DEBUG);
	assert_string_equal(answer.frames[0].function, "global");
	assert_true(answer.frames[0].is_symbol && answer.addr == UINT64_MAX);
	ic_space_answers_free(answers);
	end(&opened);
}

TEST(a_kernel_that_hides_its_addresses_leaves_the_space_as_it_was)
{
	const char *dirs[] = { temp_path("files") };
	struct opened opened;
	struct ic_space_kernel_options options = {
		.release = "6.1.0-test", .kallsyms = write_kallsyms(), .dirs = dirs, .dir_count = 1
	};
	struct ic_error err;

	begin(&opened);
	write_kernel("files/vmlinux", 0x800);
	assert_true(ic_space_read_kernel(opened.space, &options, NULL));
	options.kallsyms = kernel_write_text("hidden", "0000000000000000 T _text\n");
	assert_false(ic_space_read_kernel(opened.space, &options, &err));
	assert_int_equal(err.code, IC_ERROR_HIDDEN);
	// This shows without a kernel's file, and without any: modules are hidden as well.
	const char *modules[] = { temp_path("modules_alone") };
	options.dirs = modules;
	assert_false(ic_space_read_kernel(opened.space, &options, &err));
	assert_int_equal(err.code, IC_ERROR_HIDDEN);
	write_module("modules_alone/xfs.ko");
	options.kallsyms = kernel_write_text("all_hidden", "0000000000000000 T _text\n"
							   "0000000000000000 t xfs_read\t[xfs]\n");
	assert_false(ic_space_read_kernel(opened.space, &options, &err));
	assert_int_equal(err.code, IC_ERROR_HIDDEN);
	options.kallsyms = "/nonexistent/kallsyms";
	assert_false(ic_space_read_kernel(opened.space, &options, &err));
	assert_int_equal(err.code, IC_ERROR_SYSTEM);
	assert_string_equal(text_at(opened.space, KERNEL + MOVED), "a.c.main");
	end(&opened);
}

UNIT_TESTS(process_kernel)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_and_its_modules_are_found_in_directories),
		cmocka_unit_test(what_a_recording_says_was_loaded_needs_no_list_of_symbols),
		cmocka_unit_test(sections_are_where_sysfs_has_them),
		cmocka_unit_test(of_a_modules_files_that_of_the_loaded_build_is_used),
		cmocka_unit_test(a_file_that_changes_after_it_was_placed_is_not_opened_again),
		cmocka_unit_test(a_caller_may_have_the_files_whatever_they_are_called),
		cmocka_unit_test(what_is_of_another_kernel_is_left_out),
		cmocka_unit_test(functions_without_a_file_reach_to_the_next_symbol),
		cmocka_unit_test(a_kernel_that_hides_its_addresses_leaves_the_space_as_it_was),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
