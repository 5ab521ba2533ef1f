#include "unit_test.h"

#include <errno.h>
#include <stdio.h>

#include "fixtures/elf.h"

static void add(struct elf_builder *elf, const char *name, uint64_t flags, const char *bytes)
{
	elf_add_section(elf,
			(struct elf_section){ .name = name,
					      .flags = flags,
					      .bytes = { (const uint8_t *)bytes, strlen(bytes) } });
}

static void check_section(const struct ic_section *section, const char *bytes)
{
	assert_non_null(section);
	assert_int_equal(section->raw.size, strlen(bytes));
	assert_memory_equal(section->raw.data, bytes, strlen(bytes));
}

TEST(a_file_of_any_class_and_byte_order_is_read)
{
	for (int i = 0; i < 4; i++) {
		struct elf_builder *elf =
			elf_builder_new((struct elf_format){ .bits = i & 1 ? 32 : 64,
							     .big_endian = i & 2,
							     .machine = i & 2 ? EM_S390 : EM_X86_64,
							     .type = ET_EXEC,
							     .segments = true });
		struct ic_elf_file file;

		elf_add_code(elf, ".text", 0x401000, 0x123);
		elf_add_nobits(elf, ".bss", 0x404000, 0x1000, SHF_ALLOC | SHF_WRITE);
		add(elf, ".debug_info", 0, "info");
		elf_end_and_open(&file, elf);
		assert_int_equal(file.addr_size, i & 1 ? 4 : 8);
		assert_int_equal(file.swap, ((i & 2) != 0) != IC_HOST_IS_BIG_ENDIAN);
		assert_int_equal(file.machine, i & 2 ? EM_S390 : EM_X86_64);
		assert_false(file.is_relocatable);
		const struct ic_section *text = ic_elf_file_section(&file, ".text");
		assert_true(ic_section_is_code(text) && ic_section_is_loaded(text));
		assert_int_equal(text->addr, 0x401000);
		assert_int_equal(text->size, 0x123);
		const struct ic_section *bss = ic_elf_file_section(&file, ".bss");
		assert_true(ic_section_is_loaded(bss) && !ic_section_is_code(bss));
		assert_int_equal(bss->raw.size, 0);
		assert_int_equal(bss->size, 0x1000);
		assert_false(ic_section_is_loaded(ic_elf_file_section(&file, ".debug_info")));
		assert_int_equal(file.layout.code_segment_count, 1);
		assert_int_equal(file.layout.code_segments[0].range.start, 0x401000);
		assert_int_equal(file.layout.code_segments[0].range.end, 0x401123);
		ic_elf_file_close(&file);
	}
}

TEST(sections_are_found_by_their_whole_name)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct ic_elf_file file;

	add(elf, ".debug_str_offsets", 0, "offsets");
	add(elf, ".debug_str", 0, "first");
	add(elf, ".debug_str", 0, "second");
	elf_end_and_open(&file, elf);
	check_section(ic_elf_file_section(&file, ".debug_str"), "first");
	check_section(ic_elf_file_debug_section(&file, ".debug_str_offsets"), "offsets");
	assert_null(ic_elf_file_section(&file, ".debug"));
	assert_null(ic_elf_file_debug_section(&file, ".debug_line_str"));
	ic_elf_file_close(&file);
}

TEST(a_section_of_a_group_is_taken_only_where_there_is_no_other)
{
	struct elf_builder *elf = elf_begin(ET_REL);
	struct ic_elf_file file;

	add(elf, ".debug_info", SHF_GROUP, "of a type");
	add(elf, ".debug_info", 0, "of the program");
	add(elf, ".debug_macro", SHF_GROUP, "macros");
	add(elf, ".debug_macro", SHF_GROUP, "more macros");
	elf_end_and_open(&file, elf);
	check_section(ic_elf_file_section(&file, ".debug_info"), "of the program");
	check_section(ic_elf_file_section(&file, ".debug_macro"), "macros");
	ic_elf_file_close(&file);
}

TEST(a_debugging_section_may_have_its_old_name)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct ic_elf_file file;

	add(elf, ".zdebug_info", 0, "old");
	add(elf, ".zdebug_line", 0, "old");
	add(elf, ".debug_line", 0, "new");
	elf_end_and_open(&file, elf);
	check_section(ic_elf_file_debug_section(&file, ".debug_info"), "old");
	check_section(ic_elf_file_debug_section(&file, ".debug_line"), "new");
	assert_null(ic_elf_file_section(&file, ".debug_info"));
	ic_elf_file_close(&file);
}

TEST(loaded_sections_of_a_relocatable_file_have_addresses_apart)
{
	struct elf_builder *elf = elf_begin(ET_REL);
	struct ic_elf_file file;
	uint64_t end = 1;

	elf_add_code(elf, ".text.a", 0, 0x10);
	elf_add_code(elf, ".text.b", 0, 0);
	elf_add_code(elf, ".text.c", 0, 0x123);
	add(elf, ".debug_info", 0, "info");
	elf_add_code(elf, ".text.d", 0, 1);
	elf_end_and_open(&file, elf);
	assert_true(file.is_relocatable);
	const char *const names[] = { ".text.a", ".text.b", ".text.c", ".text.d" };
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		const struct ic_section *section = ic_elf_file_section(&file, names[i]);
		assert_true(section->addr >= end);
		end = section->addr + section->size + 1; // its end is not the next one's start
	}
	assert_int_equal(ic_elf_file_section(&file, ".debug_info")->addr, 0);
	ic_elf_file_close(&file);
}

// Whether two kernels of nvcc's, the second at this address, are laid out.
static bool is_laid_out(uint16_t machine, uint64_t addr)
{
	struct elf_builder *elf = elf_builder_new(
		(struct elf_format){ .bits = 64, .machine = machine, .type = ET_EXEC });
	struct ic_elf_file file;

	elf_add_code(elf, ".text.a", 0, 0x40);
	elf_add_code(elf, ".text.b", addr, 0x40);
	elf_end_and_open(&file, elf);
	bool is_apart = ic_elf_file_section(&file, ".text.b")->addr >
			ic_elf_file_section(&file, ".text.a")->addr + 0x40;
	assert_int_equal(is_apart, file.is_relocatable);
	ic_elf_file_close(&file);
	return is_apart;
}

TEST(programs_for_cuda_have_sections_without_addresses_like_objects)
{
	assert_true(is_laid_out(EM_CUDA, 0));
	assert_false(is_laid_out(EM_CUDA, 0x40));
	assert_false(is_laid_out(EM_X86_64, 0));
}

static void check_refused(const char *path, enum ic_error_code code, const char *wanted)
{
	struct ic_elf_file file;
	struct ic_error err = { .message = "" };
	char message[1024];

	assert_false(ic_elf_file_open(&file, path, &err));
	snprintf(message, sizeof(message), "%s: %s", path, wanted);
	assert_error(&err, code, message);
	assert_null(file.data);
}

TEST(what_is_not_elf_is_refused_by_name)
{
	const char *text = temp_path("text"), *empty = temp_path("empty");
	const char *archive = temp_path("archive");

	temp_write(text, "#!/bin/sh\n", 10);
	check_refused(text, IC_ERROR_NOT_ELF, "not an ELF file");
	temp_write(empty, "", 0);
	check_refused(empty, IC_ERROR_NOT_ELF, "the file is empty");
	temp_write(archive, "!<arch>\n", 8);
	check_refused(archive, IC_ERROR_ARCHIVE, "is an archive, not an ELF file");
	check_refused(temp_dir, IC_ERROR_NOT_ELF, "not a regular file");
	check_refused("/dev/null", IC_ERROR_NOT_ELF, "not a regular file");
	check_refused(temp_path("nothing"), IC_ERROR_SYSTEM,
		      "cannot open: No such file or directory");
}

// A file cut anywhere is refused or read in part, but never read beyond its end.
TEST(a_file_that_was_cut_does_no_harm)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	const char *path = temp_path("cut");
	struct ic_elf_file file;
	struct ic_error err;

	elf_add_code(elf, ".text", 0x1000, 64);
	add(elf, ".debug_info", 0, "info");
	struct bytes bytes = elf_build(elf);
	for (size_t size = 1; size < bytes.size; size++) {
		temp_write(path, bytes.data, size);
		if (ic_elf_file_open(&file, path, &err))
			ic_elf_file_close(&file);
		else
			assert_memory_equal(err.message, path, strlen(path));
	}
	elf_builder_free(elf);
}

// A download that broke off must not pass for a program without debug information.
TEST(a_file_that_was_cut_before_its_section_table_is_refused)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	const char *path = temp_path("cut");
	struct ic_elf_file file;
	struct ic_error err;

	elf_add_code(elf, ".text", 0x1000, 64);
	add(elf, ".debug_info", 0, "info");
	struct bytes bytes = elf_build(elf);
	for (size_t size = sizeof(Elf64_Ehdr); size < bytes.size; size += 40) {
		temp_write(path, bytes.data, size);
		assert_false(ic_elf_file_open(&file, path, &err));
	}
	elf_builder_free(elf);
}

TEST(a_section_beyond_the_end_of_the_file_is_named)
{
	struct elf_builder *elf = elf_begin_native(ET_EXEC);
	const char *path = temp_path("beyond");
	uint8_t copy[4096];

	add(elf, ".debug_info", 0, "info");
	struct bytes bytes = elf_build(elf);
	assert_true(bytes.size < sizeof(copy));
	memcpy(copy, bytes.data, bytes.size);
	Elf64_Ehdr header;
	memcpy(&header, copy, sizeof(header));
	uint64_t size = 1 << 20;
	memcpy(copy + header.e_shoff + sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_size), &size,
	       sizeof(size));
	temp_write(path, copy, bytes.size);
	check_refused(path, IC_ERROR_MALFORMED,
		      "truncated: section 1 (.debug_info) extends beyond the end of the file");
	elf_builder_free(elf);
}

static void check_lowest(const uint64_t *addrs, size_t count, bool segments, uint16_t type,
			 uint64_t wanted)
{
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = 64, .machine = EM_X86_64, .type = type, .segments = segments });
	struct ic_elf_file file;

	for (size_t i = 0; i < count; i++)
		elf_add_nobits(elf, ".section", addrs[i], 0x10, SHF_ALLOC | SHF_WRITE);
	elf_add_code(elf, ".text", 0xffff0000, 0x10);
	elf_end_and_open(&file, elf);
	assert_int_equal(file.layout.lowest_addr, wanted);
	ic_elf_file_close(&file);
}

// What the kernel and the dynamic linker map begins with a page.
TEST(the_lowest_address_is_that_of_the_first_page_that_is_loaded)
{
	check_lowest((const uint64_t[]){ 0x402345, 0x401fff, 0x403000 }, 3, true, ET_EXEC,
		     0x401000);
	check_lowest((const uint64_t[]){ 0x401000, 0x400fff }, 2, true, ET_EXEC, 0x400000);
	check_lowest((const uint64_t[]){ 0x401000 }, 1, true, ET_EXEC, 0x401000);
	check_lowest((const uint64_t[]){ 0x123 }, 1, true, ET_DYN, 0);
	check_lowest(NULL, 0, true, ET_EXEC, 0xffff0000);
	check_lowest((const uint64_t[]){ 0x401000 }, 1, false, ET_REL, 0);
}

TEST(what_is_wrong_with_a_file_that_was_tried_is_not_guessed)
{
	const struct ic_error missing = { .code = IC_ERROR_SYSTEM, .os_error = ENOENT };
	const struct ic_error large = { .code = IC_ERROR_LIMIT };
	const struct ic_error damaged = { .code = IC_ERROR_MALFORMED,
					  .message = "a.dwo: section 1 reaches beyond the end" };
	char text[IC_ERROR_TEXT_SIZE];

	assert_string_equal(ic_elf_file_open_fault(&missing, "a.dwo", text), strerror(ENOENT));
	assert_string_equal(ic_elf_file_open_fault(&large, "a.dwo", text),
			    "would exceed the memory limit");
	assert_string_equal(ic_elf_file_open_fault(&damaged, "a.dwo", text),
			    "section 1 reaches beyond the end");
}

UNIT_TESTS(elf_files_elf_file)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_of_any_class_and_byte_order_is_read),
		cmocka_unit_test(sections_are_found_by_their_whole_name),
		cmocka_unit_test(a_section_of_a_group_is_taken_only_where_there_is_no_other),
		cmocka_unit_test(a_debugging_section_may_have_its_old_name),
		cmocka_unit_test(loaded_sections_of_a_relocatable_file_have_addresses_apart),
		cmocka_unit_test(programs_for_cuda_have_sections_without_addresses_like_objects),
		cmocka_unit_test(what_is_not_elf_is_refused_by_name),
		cmocka_unit_test(a_file_that_was_cut_does_no_harm),
		cmocka_unit_test(a_file_that_was_cut_before_its_section_table_is_refused),
		cmocka_unit_test(a_section_beyond_the_end_of_the_file_is_named),
		cmocka_unit_test(the_lowest_address_is_that_of_the_first_page_that_is_loaded),
		cmocka_unit_test(what_is_wrong_with_a_file_that_was_tried_is_not_guessed),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
