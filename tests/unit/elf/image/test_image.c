#include "unit_test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <inlinecall/extra/image.h>
#include <inlinecall/extra/index.h>

#include "elf/image/image.h"
#include "fixtures/elf.h"

static void add_info(struct elf_builder *elf, size_t size)
{
	elf_add_section(elf, (struct elf_section){ .name = ".debug_info",
						   .bytes = { (const uint8_t *)"info", size } });
}

// The files that the symbols come from; NULL if there is no second one.
static void check_symbol_files(struct ic_image *image, const struct ic_elf_file *file,
			       const struct ic_elf_file *mini)
{
	struct ic_symbol_files files;
	struct ic_error err = { .message = "" };

	if (!ic_image_symbol_files(image, false, &files, &err))
		fail_msg("%s", err.message);
	assert_ptr_equal(files.file, file);
	assert_ptr_equal(files.mini, mini);
}

TEST(a_file_with_dwarf_of_its_own_needs_no_other)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	add_info(elf, 4);
	elf_add_debug_link(elf, "nothing", 0);
	struct ic_image *image = ic_image_open(elf_end_at(elf, "own"), NULL, NULL);
	assert_non_null(image);
	assert_string_equal(ic_image_path(image), temp_path("own"));
	assert_string_equal(ic_image_debug_path(image), temp_path("own"));
	assert_ptr_equal(ic_image_dwarf_file(image), &image->file);
	check_symbol_files(image, &image->file, NULL);
	ic_image_free(image);
}

// Returns the image of a program whose DWARF is in a debug file beside it.
static struct ic_image *open_pair(bool stripped, size_t info_size, struct ic_error *err)
{
	struct elf_builder *debug = elf_begin(ET_EXEC), *elf = elf_begin(ET_EXEC);
	const struct elf_symbol symbol = { .name = "f", .section = "*ABS*", .bind = STB_GLOBAL };

	add_info(debug, info_size);
	elf_add_symbol(debug, symbol);
	elf_add_debug_link(elf, "prog.debug", elf_crc(elf_build(debug)));
	elf_end_at(debug, "prog.debug");
	if (!stripped)
		elf_add_symbol(elf, symbol);
	return ic_image_open(elf_end_at(elf, "prog"), NULL, err);
}

TEST(symbols_come_from_the_program_unless_it_was_stripped_of_them)
{
	struct ic_error err;

	struct ic_image *image = open_pair(true, 4, &err);
	assert_non_null(image);
	assert_true(image->has_debug_file);
	assert_ptr_equal(ic_image_dwarf_file(image), &image->debug_file);
	check_symbol_files(image, &image->debug_file, NULL);
	ic_image_free(image);

	image = open_pair(false, 4, &err);
	assert_non_null(image);
	assert_ptr_equal(ic_image_dwarf_file(image), &image->debug_file);
	check_symbol_files(image, &image->file, NULL);
	ic_image_free(image);
}

static struct elf_builder *begin_mini(bool is_object)
{
	struct elf_builder *mini = elf_begin(is_object ? ET_REL : ET_EXEC);

	elf_add_symbol(mini, (struct elf_symbol){ .name = "f", .section = "*ABS*" });
	return mini;
}

// A program without .symtab, with DWARF and with MiniDebugInfo.
static struct ic_image *open_with_mini(struct elf_builder *mini, bool with_symtab)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	add_info(elf, 4);
	elf_add_mini_debug(elf, elf_build(mini));
	elf_builder_free(mini);
	if (with_symtab)
		elf_add_symbol(elf, (struct elf_symbol){ .name = "g", .section = "*ABS*" });
	return ic_image_open(elf_end_at(elf, "prog"), NULL, NULL);
}

TEST(mini_debug_info_is_for_programs_without_any_symtab)
{
	struct ic_image *image = open_with_mini(begin_mini(false), false);
	assert_non_null(image);
	check_symbol_files(image, &image->file, &image->mini_file);
	const uint8_t *data = image->mini_file.data;
	check_symbol_files(image, &image->file, &image->mini_file);
	assert_ptr_equal(image->mini_file.data, data); // it is opened once
	ic_image_free(image);

	image = open_with_mini(begin_mini(false), true);
	assert_non_null(image);
	check_symbol_files(image, &image->file, NULL);
	assert_false(image->has_mini_file);
	ic_image_free(image);
}

TEST(mini_debug_info_that_cannot_be_read_leaves_the_program)
{
	struct ic_image *image = open_with_mini(begin_mini(true), false);
	struct ic_symbol_files files;
	struct ic_error err;

	assert_non_null(image);
	assert_false(ic_image_symbol_files(image, false, &files, &err));
	assert_fault(&err, ".gnu_debugdata", 0,
		     ".gnu_debugdata+0x0: contains a file of another kind or for another machine");
	assert_ptr_equal(files.file, &image->file);
	assert_null(files.mini);
	ic_image_free(image);
}

TEST(a_debug_file_without_dwarf_is_no_use_and_named)
{
	struct ic_error err;
	char wanted[1024];

	assert_null(open_pair(true, 0, &err));
	snprintf(wanted, sizeof(wanted), "%s: no .debug_info, not even in its debug file %s",
		 temp_path("prog"), temp_path("prog.debug"));
	assert_error(&err, IC_ERROR_NO_DEBUG, wanted);
}

TEST(a_file_without_dwarf_is_opened_where_that_is_allowed)
{
	const struct ic_image_options options = { .allow_no_debug = true };
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct ic_error err;

	elf_add_symbol(elf, (struct elf_symbol){ .name = "f", .section = "*ABS*" });
	const char *path = elf_end_at(elf, "bare");
	assert_null(ic_image_open(path, NULL, &err));
	struct ic_image *image = ic_image_open(path, &options, &err);
	assert_non_null(image);
	assert_ptr_equal(ic_image_dwarf_file(image), &image->file);
	check_symbol_files(image, &image->file, NULL);
	ic_image_free(image);

	assert_null(ic_image_open(temp_path("absent"), &options, &err));
	assert_int_equal(err.code, IC_ERROR_SYSTEM);

	assert_null(open_pair(true, 0, &err)); // its debug file has only symbols
	image = ic_image_open(temp_path("prog"), &options, &err);
	assert_non_null(image);
	check_symbol_files(image, &image->debug_file, NULL);
	ic_image_free(image);
}

static void add_lines(struct elf_builder *elf)
{
	elf_add_section(elf, (struct elf_section){ .name = ".debug_line",
						   .bytes = { (const uint8_t *)"line", 4 } });
}

TEST(a_line_table_will_do_where_there_is_nothing_else)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct ic_error err;

	add_lines(elf);
	struct ic_image *image = ic_image_open(elf_end_at(elf, "lines"), NULL, &err);
	assert_non_null(image);
	assert_false(image->has_debug_file);
	ic_image_free(image);

	struct elf_builder *debug = elf_begin(ET_EXEC);
	elf = elf_begin(ET_EXEC);
	add_lines(debug);
	elf_add_debug_link(elf, "lines.debug", elf_crc(elf_build(debug)));
	elf_end_at(debug, "lines.debug");
	add_lines(elf); // the debug file is tried first
	image = ic_image_open(elf_end_at(elf, "stripped"), NULL, &err);
	assert_non_null(image);
	assert_true(image->has_debug_file);
	ic_image_free(image);
}

TEST(the_build_id_is_that_of_the_file)
{
	static const uint8_t id[] = { 0xab, 0xcd, 0xef };
	const uint8_t *bytes;

	for (size_t size = 0; size <= sizeof(id); size += sizeof(id)) {
		struct elf_builder *elf = elf_begin(ET_EXEC);
		add_info(elf, 4);
		if (size > 0)
			elf_add_build_id(elf, 0x1000, id, size);
		struct ic_image *image = ic_image_open(elf_end_at(elf, "built"), NULL, NULL);
		assert_int_equal(ic_image_build_id(image, &bytes), size);
		if (size > 0)
			assert_memory_equal(bytes, id, size);
		else
			assert_null(bytes);
		ic_image_free(image);
	}
}

TEST(an_offset_in_the_file_is_an_address_if_code_is_loaded_from_there)
{
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = 64, .machine = EM_X86_64, .type = ET_EXEC, .segments = true });
	uint64_t addr = 0;

	elf_add_code(elf, ".text", 0x401000, 0x20);
	elf_add_code(elf, ".fini", 0x405000, 0x10);
	add_info(elf, 4);
	struct ic_image *image = ic_image_open(elf_end_at(elf, "segments"), NULL, NULL);
	const struct ic_elf_file *file = &image->file;
	uint64_t text = (uint64_t)(ic_elf_file_section(file, ".text")->raw.data - file->data);
	uint64_t fini = (uint64_t)(ic_elf_file_section(file, ".fini")->raw.data - file->data);
	uint64_t info = (uint64_t)(ic_elf_file_section(file, ".debug_info")->raw.data - file->data);

	assert_true(ic_image_addr_of_offset(image, text, &addr));
	assert_int_equal(addr, 0x401000);
	assert_true(ic_image_addr_of_offset(image, text + 0x1f, &addr));
	assert_int_equal(addr, 0x40101f);
	assert_true(ic_image_addr_of_offset(image, fini + 1, &addr));
	assert_int_equal(addr, 0x405001);
	assert_false(ic_image_addr_of_offset(image, info, &addr));
	assert_false(ic_image_addr_of_offset(image, UINT64_MAX, &addr));
	uint64_t off = 0;
	assert_true(ic_image_offset_of_addr(image, 0x40101f, &off));
	assert_int_equal(off, text + 0x1f);
	assert_true(ic_image_offset_of_addr(image, 0x405001, &off));
	assert_int_equal(off, fini + 1);
	assert_false(ic_image_offset_of_addr(image, 0x400fff, &off));
	assert_false(ic_image_offset_of_addr(image, UINT64_MAX, &off));
	ic_image_free(image);
}

TEST(constants_are_in_segments_that_cannot_be_written)
{
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = 64, .machine = EM_X86_64, .type = ET_EXEC, .segments = true });
	const struct ic_image_options options = { .allow_no_debug = true };

	elf_add_section(elf, (struct elf_section){ .name = ".rodata",
						   .flags = SHF_ALLOC,
						   .addr = 0x1000,
						   .bytes = { (const uint8_t *)"a\0bc", 5 } });
	elf_add_section(elf, (struct elf_section){ .name = ".data",
						   .flags = SHF_ALLOC | SHF_WRITE,
						   .addr = 0x2000,
						   .bytes = { (const uint8_t *)"de", 3 } });
	struct ic_image *image = ic_image_open(elf_end_at(elf, "constants"), &options, NULL);
	assert_non_null(image);
	assert_int_equal(ic_image_constants_at(image, 0x1002).size, 3);
	assert_string_equal((const char *)ic_image_constants_at(image, 0x1002).data, "bc");
	assert_int_equal(ic_image_constants_at(image, 0x1004).size, 1);
	assert_int_equal(ic_image_constants_at(image, 0x1005).size, 0);
	assert_int_equal(ic_image_constants_at(image, 0xfff).size, 0);
	assert_int_equal(ic_image_constants_at(image, 0x2000).size, 0);
	assert_int_equal(ic_image_constants_at(image, UINT64_MAX).size, 0);
	ic_image_free(image);
}

static uint64_t code_addr(uint16_t machine, uint64_t addr)
{
	struct elf_builder *elf = elf_builder_new(
		(struct elf_format){ .bits = 32, .machine = machine, .type = ET_EXEC });
	const struct ic_image_options options = { .allow_no_debug = true };

	elf_add_code(elf, ".text", 0x1000, 0x20);
	struct ic_image *image = ic_image_open(elf_end_at(elf, "code_addr"), &options, NULL);
	assert_non_null(image);
	addr = ic_image_code_addr(image, addr);
	ic_image_free(image);
	return addr;
}

TEST(bit_0_of_an_address_says_which_instructions_it_is_of)
{
	assert_int_equal(code_addr(EM_ARM, 0x100f3), 0x100f2);
	assert_int_equal(code_addr(EM_MIPS, 0x100f3), 0x100f2);
	assert_int_equal(code_addr(EM_386, 0x100f3), 0x100f3);
}

// The bytes of a file, to be freed.
static void *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	char *bytes = NULL;

	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	*size = (size_t)ftell(file);
	rewind(file);
	assert_non_null(bytes = malloc(*size));
	assert_int_equal(fread(bytes, 1, *size, file), *size);
	fclose(file);
	return bytes;
}

// Checks the contents of the same file, opened in any way; closes the image.
static void check_given(struct ic_image *image, const char *path)
{
	struct ic_error err = { .message = "" };

	if (!image)
		fail_msg("%s was not opened", path);
	struct ic_image *other = ic_image_open(path, NULL, &err);
	struct ic_index *index = ic_index_build(image, NULL, &err);
	struct ic_index *others = ic_index_build(other, NULL, &err);
	assert_non_null(index);
	assert_non_null(others);
	struct ic_index_counts counts = ic_index_count(index), wanted = ic_index_count(others);
	assert_memory_equal(&counts, &wanted, sizeof(counts));
	assert_string_equal(ic_image_path(image), ic_image_path(other));
	assert_string_equal(ic_image_debug_path(image), ic_image_debug_path(other));
	ic_index_free(index);
	ic_index_free(others);
	ic_image_free(image);
	ic_image_free(other);
}

static void check_given_twice(const char *path)
{
	size_t size;
	void *bytes = read_file(path, &size);
	int fd = open(path, O_RDONLY);

	assert_true(fd >= 0);
	struct ic_image *image = ic_image_open_fd(fd, path, NULL, NULL);
	close(fd);
	check_given(image, path);
	image = ic_image_open_memory(bytes, size, path, NULL, NULL);
	memset(bytes, 0, size);
	free(bytes);
	check_given(image, path);
}

TEST(a_file_may_be_given_by_a_descriptor_or_in_memory)
{
	struct ic_error err;

	check_given_twice("/proc/self/exe");
	ic_image_free(open_pair(true, 4, &err)); // its DWARF is beside its path
	check_given_twice(temp_path("prog"));
}

// Like an object of -gsplit-dwarf=single, which is its own .dwo file.
TEST(what_was_given_is_opened_again_without_its_path)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct ic_elf_file again;
	struct ic_error err = { .message = "" };
	size_t size;

	add_info(elf, 4);
	void *bytes = read_file(elf_end_at(elf, "gone"), &size);
	assert_int_equal(unlink(temp_path("gone")), 0);
	struct ic_image *image = ic_image_open_memory(bytes, size, temp_path("gone"), NULL, NULL);
	assert_non_null(image);
	if (!ic_elf_file_reopen(&again, &image->file, &err))
		fail_msg("%s", err.message);
	assert_int_equal(again.size, size);
	assert_memory_equal(again.data, bytes, size);
	ic_elf_file_close(&again);
	ic_image_free(image);
	free(bytes);
}

TEST(what_is_given_may_be_no_file)
{
	struct ic_error err = { .message = "" };
	int ends[2];

	assert_null(ic_image_open_memory(NULL, 5, "name", NULL, &err));
	assert_error(&err, IC_ERROR_NOT_ELF, "name: the file is empty");
	assert_null(ic_image_open_memory("text", 4, "name", NULL, &err));
	assert_int_equal(err.code, IC_ERROR_NOT_ELF);
	assert_null(ic_image_open_memory("text", 4, NULL, NULL, &err));
	assert_int_equal(err.code, IC_ERROR_ARGUMENT);
	assert_null(ic_image_open_fd(-1, "name", NULL, &err));
	assert_int_equal(err.code, IC_ERROR_SYSTEM);
	assert_int_equal(pipe(ends), 0);
	assert_null(ic_image_open_fd(ends[0], "name", NULL, &err));
	assert_error(&err, IC_ERROR_NOT_ELF, "name: not a regular file");
	close(ends[0]);
	close(ends[1]);
}

TEST(an_image_that_was_never_opened_can_be_closed)
{
	ic_image_free(NULL);
	assert_null(ic_image_open(temp_path("nothing"), NULL, NULL));
}

TEST(without_a_path_no_image_is_opened)
{
	struct ic_error err = { .message = "" };

	assert_null(ic_image_open(NULL, NULL, &err));
	assert_int_equal(err.code, IC_ERROR_ARGUMENT);
	assert_null(ic_image_open(NULL, NULL, NULL));
}

UNIT_TESTS(elf_image_image)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constants_are_in_segments_that_cannot_be_written),
		cmocka_unit_test(bit_0_of_an_address_says_which_instructions_it_is_of),
		cmocka_unit_test(a_file_with_dwarf_of_its_own_needs_no_other),
		cmocka_unit_test(symbols_come_from_the_program_unless_it_was_stripped_of_them),
		cmocka_unit_test(mini_debug_info_is_for_programs_without_any_symtab),
		cmocka_unit_test(mini_debug_info_that_cannot_be_read_leaves_the_program),
		cmocka_unit_test(a_debug_file_without_dwarf_is_no_use_and_named),
		cmocka_unit_test(a_file_without_dwarf_is_opened_where_that_is_allowed),
		cmocka_unit_test(a_line_table_will_do_where_there_is_nothing_else),
		cmocka_unit_test(the_build_id_is_that_of_the_file),
		cmocka_unit_test(an_offset_in_the_file_is_an_address_if_code_is_loaded_from_there),
		cmocka_unit_test(a_file_may_be_given_by_a_descriptor_or_in_memory),
		cmocka_unit_test(what_was_given_is_opened_again_without_its_path),
		cmocka_unit_test(what_is_given_may_be_no_file),
		cmocka_unit_test(an_image_that_was_never_opened_can_be_closed),
		cmocka_unit_test(without_a_path_no_image_is_opened),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
