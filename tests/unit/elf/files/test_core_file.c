#include "unit_test.h"

#include <elf.h>
#include <stdlib.h>

#include "core_builder.h"
#include "elf/files/core_file.h"
#include "fixtures/elf.h"

#define WHOLE(text)                                       \
	{                                                 \
		(const uint8_t *)(text), sizeof(text) - 1 \
	}

// They are not in order, and the third lies in the second.
static const struct core_segment segments[] = {
	{ 0x3000, 0x1000, WHOLE("third"), PF_R | PF_X },
	{ 0x1000, 4, WHOLE("firs"), PF_R },
	{ 0x1002, 0x10, WHOLE("overlaps"), PF_R },
	{ 0x1004, 4, WHOLE("t to"), PF_R },
};

static struct core_file begin(bool is_32_bit, bool big_endian)
{
	return (struct core_file){ .machine = EM_X86_64,
				   .is_32_bit = is_32_bit,
				   .big_endian = big_endian,
				   .segments = segments,
				   .segment_count = COUNT_OF(segments) };
}

// Writes and opens a file without its last bytes.
static bool open_cut(struct ic_core_file *core, struct core_file *file, size_t less,
		     struct ic_error *err)
{
	struct byte_buffer bytes = core_build(file);
	const char *path = temp_path("core");

	temp_write(path, bytes.data, bytes.size - less);
	byte_buffer_deinit(&bytes);
	return ic_core_file_open(core, path, 0, err);
}

static void open_whole(struct ic_core_file *core, struct core_file *file)
{
	struct ic_error err;

	if (!open_cut(core, file, 0, &err))
		fail_msg("%s", err.message);
}

static void check_memory(const struct ic_core_file *core)
{
	char text[9] = "";

	assert_int_equal(core->segment_count, 3);
	assert_true(ic_core_read(core, 0x1000, text, 8)); // of two that touch
	assert_string_equal(text, "first to");
	assert_false(ic_core_read(core, 0x1000, text, 9));
	assert_false(ic_core_read(core, 0xfff, text, 1));
	assert_true(ic_core_read(core, 0x3004, text, 1) && text[0] == 'd');
	assert_false(ic_core_read(core, 0x3005, text, 1)); // not in the file
	assert_true(ic_core_read(core, 0x9999, text, 0));
	assert_false(ic_core_read(core, UINT64_MAX, text, 2));
	assert_true(ic_core_segment_at(core, 0x3fff)->is_code);
	assert_false(ic_core_segment_at(core, 0x1007)->is_code);
	assert_null(ic_core_segment_at(core, 0x4000));
	assert_null(ic_core_segment_at(core, 0));
}

TEST(segments_are_sorted_and_those_that_overlap_are_left_out)
{
	for (unsigned way = 0; way < 4; way++) {
		struct core_file file = begin(way & 1, way & 2);
		struct ic_core_file core;

		open_whole(&core, &file);
		assert_int_equal(core.addr_size, way & 1 ? 4 : 8);
		assert_int_equal(core.swap, ((way & 2) != 0) != IC_HOST_IS_BIG_ENDIAN);
		assert_int_equal(core.missing, 0);
		assert_int_equal(core.impossible, 1);
		check_memory(&core);
		ic_core_file_close(&core);
	}
}

TEST(physical_memory_that_segments_share_is_read_once)
{
	static const uint64_t physical[] = { 0x9000, 0x500e, 0x5000, UINT64_MAX };
	struct core_file file = begin(false, false);
	struct ic_core_file core;
	char text[9] = "";

	file.physical = physical;
	open_whole(&core, &file);
	assert_true(core.has_physical);
	assert_int_equal(core.impossible, 0);     // of a machine these addresses may mean nothing
	assert_int_equal(core.physical_count, 3); // one goes beyond all addresses
	assert_true(ic_core_read_physical(&core, 0x5000, text, 8));
	assert_string_equal(text, "overlaps");
	assert_true(ic_core_read_physical(&core, 0x5010, text, 2)); // the rest of another
	assert_memory_equal(text, "rs", 2);
	assert_false(ic_core_read_physical(&core, 0x500e, text, 2));
	assert_true(ic_core_read_physical(&core, 0x9002, text, 3));
	assert_memory_equal(text, "ird", 3);
	assert_false(ic_core_read_physical(&core, 0x9002, text, 4));
	assert_false(ic_core_read_physical(&core, 0x3000, text, 1));
	ic_core_file_close(&core);
	file = begin(false, false);
	open_whole(&core, &file);
	assert_false(core.has_physical);
	ic_core_file_close(&core);
}

TEST(segments_without_bytes_may_overlap)
{
	static const struct core_segment empty[] = { { 0x1000, 0x20, { NULL, 0 }, PF_R },
						     { 0x1010, 0x20, { NULL, 0 }, PF_R } };
	static const uint64_t physical[] = { 0x1000, 0x1010 };
	struct core_file file = begin(false, false);
	struct ic_core_file core;
	char byte;

	file.segments = empty;
	file.segment_count = 2;
	file.physical = physical;
	open_whole(&core, &file);
	assert_int_equal(core.physical_count, 2);
	assert_false(ic_core_read_physical(&core, 0x1020, &byte, 1));
	ic_core_file_close(&core);
}

TEST(forms_of_dumps_that_are_not_read_are_named)
{
	static const struct {
		const char *magic, *words;
	} forms[] = { { "KDUMP   \6", "makedumpfile -E" },
		      { "makedumpfile\0\0\0", "flattened form" } };
	struct ic_core_file core;
	struct ic_error err;

	for (size_t i = 0; i < COUNT_OF(forms); i++) {
		temp_write(temp_path("core"), forms[i].magic, strlen(forms[i].magic));
		assert_false(ic_core_file_open(&core, temp_path("core"), 0, &err));
		assert_int_equal(err.code, IC_ERROR_UNSUPPORTED);
		assert_non_null(strstr(err.message, forms[i].words));
	}
}

TEST(a_file_that_is_cut_short_has_what_is_left)
{
	struct core_file file = begin(false, false);
	struct ic_core_file core;
	struct ic_error err;
	char text[8];

	assert_true(open_cut(&core, &file, 10, &err)); // 4, and 6 of the one that overlaps
	assert_true(core.missing >= 4);
	assert_true(ic_core_read(&core, 0x1000, text, 4));
	assert_false(ic_core_read(&core, 0x1004, text, 1));
	ic_core_file_close(&core);
	file = begin(false, false);
	assert_false(open_cut(&core, &file, 80, &err)); // within the program headers
	assert_int_equal(err.code, IC_ERROR_MALFORMED);
}

static bool open_changed(size_t off, uint64_t value, size_t size, struct ic_error *err)
{
	struct core_file file = begin(false, false);
	struct byte_buffer bytes = core_build(&file);
	struct ic_core_file core;
	const char *path = temp_path("core");

	byte_buffer_patch(&bytes, off, value, size);
	temp_write(path, bytes.data, bytes.size);
	byte_buffer_deinit(&bytes);
	bool ok = ic_core_file_open(&core, path, 0, err);
	if (ok)
		ic_core_file_close(&core);
	return ok;
}

TEST(what_is_no_core_is_refused)
{
	struct ic_error err;

	assert_false(open_changed(offsetof(Elf64_Ehdr, e_type), ET_EXEC, 2, &err));
	assert_int_equal(err.code, IC_ERROR_NOT_ELF);
	assert_false(open_changed(0, 0, 4, &err));
	assert_int_equal(err.code, IC_ERROR_NOT_ELF);
	// PN_XNUM: the number is that of a section header, of which there is none.
	assert_false(open_changed(offsetof(Elf64_Ehdr, e_phnum), 0xffff, 2, &err));
	assert_int_equal(err.code, IC_ERROR_MALFORMED);
	assert_false(open_changed(offsetof(Elf64_Ehdr, e_phnum), 0x7fff, 2, &err));
	assert_int_equal(err.code, IC_ERROR_MALFORMED);
	assert_true(open_changed(offsetof(Elf64_Ehdr, e_phnum), 0, 2, &err));
}

TEST(a_segment_beyond_all_addresses_is_left_out)
{
	const size_t second = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr);
	struct ic_error err;

	assert_true(open_changed(second + offsetof(Elf64_Phdr, p_vaddr), UINT64_MAX - 3, 8, &err));
	assert_true(open_changed(second + offsetof(Elf64_Phdr, p_memsz), UINT64_MAX, 8, &err));
	assert_true(open_changed(second + offsetof(Elf64_Phdr, p_offset), UINT64_MAX - 3, 8, &err));
	assert_true(open_changed(second + offsetof(Elf64_Phdr, p_filesz), UINT64_MAX, 8, &err));
}

TEST(a_segment_with_more_in_the_file_than_in_memory_is_counted)
{
	static const struct core_segment more[] = { { 0x1000, 2, WHOLE("more"), PF_R },
						    { 0x2000, 0, WHOLE("most"), PF_R },
						    { 0x3000, 8, WHOLE("less"), PF_R } };
	struct core_file file = begin(false, false);
	struct ic_core_file core;
	char text[3];

	file.segments = more;
	file.segment_count = COUNT_OF(more);
	open_whole(&core, &file);
	assert_int_equal(core.impossible, 2);
	assert_true(ic_core_read(&core, 0x1000, text, 2));
	assert_false(ic_core_read(&core, 0x1000, text, 3));
	ic_core_file_close(&core);
}

TEST(notes_are_read_one_after_the_other_whoever_owns_them)
{
	struct core_file file = begin(false, false);
	struct ic_core_notes walk = { 0 };
	struct ic_core_note note;
	struct ic_core_file core;
	struct ic_error err;

	core_add_note(&file, "CORE", IC_CORE_PRSTATUS, (struct bytes)WHOLE("12345"));
	core_add_note(&file, "GNU", 3, (struct bytes)WHOLE("1"));
	core_add_note(&file, "LINUX", IC_CORE_PAC_MASK, (struct bytes)WHOLE(""));
	core_add_note(&file, "QEMU", 0, (struct bytes)WHOLE("1"));
	core_add_note(&file, "VMCOREINFO", 0, (struct bytes)WHOLE("1"));
	open_whole(&core, &file);
	assert_true(ic_core_note_next(&core, &walk, &note, &err));
	assert_true(note.is_core && !note.is_linux && note.type == IC_CORE_PRSTATUS);
	assert_int_equal(note.bytes.end - note.bytes.pos, 5);
	assert_true(ic_core_note_next(&core, &walk, &note, &err));
	assert_false(note.is_core || note.is_linux || note.is_qemu || note.is_kernel);
	assert_true(ic_core_note_next(&core, &walk, &note, &err));
	assert_true(note.is_linux && note.type == IC_CORE_PAC_MASK);
	assert_true(note.bytes.end == note.bytes.pos);
	assert_true(ic_core_note_next(&core, &walk, &note, &err) && note.is_qemu);
	assert_true(ic_core_note_next(&core, &walk, &note, &err) && note.is_kernel);
	assert_false(ic_core_note_next(&core, &walk, &note, &err));
	assert_int_equal(err.code, IC_ERROR_NONE);
	ic_core_file_close(&core);
}

TEST(a_note_that_ends_too_early_ends_its_part)
{
	struct core_file file = begin(false, false);
	struct ic_core_notes walk = { 0 };
	struct ic_core_note note;
	struct ic_core_file core;
	struct ic_error err;

	core_add_note(&file, "CORE", IC_CORE_PRSTATUS, (struct bytes)WHOLE("1234"));
	byte_buffer_put(&file.notes, 5, 4);
	byte_buffer_put(&file.notes, 0xffffffff, 4);
	byte_buffer_put(&file.notes, 1, 4);
	byte_buffer_append(&file.notes, "CORE\0\0\0\0", 8);
	open_whole(&core, &file);
	assert_true(ic_core_note_next(&core, &walk, &note, &err));
	assert_false(ic_core_note_next(&core, &walk, &note, &err));
	assert_int_equal(err.code, IC_ERROR_MALFORMED);
	assert_false(ic_core_note_next(&core, &walk, &note, &err));
	assert_int_equal(err.code, IC_ERROR_NONE);
	ic_core_file_close(&core);
}

UNIT_TESTS(elf_files_core_file)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(segments_are_sorted_and_those_that_overlap_are_left_out),
		cmocka_unit_test(physical_memory_that_segments_share_is_read_once),
		cmocka_unit_test(segments_without_bytes_may_overlap),
		cmocka_unit_test(forms_of_dumps_that_are_not_read_are_named),
		cmocka_unit_test(a_file_that_is_cut_short_has_what_is_left),
		cmocka_unit_test(what_is_no_core_is_refused),
		cmocka_unit_test(a_segment_beyond_all_addresses_is_left_out),
		cmocka_unit_test(a_segment_with_more_in_the_file_than_in_memory_is_counted),
		cmocka_unit_test(notes_are_read_one_after_the_other_whoever_owns_them),
		cmocka_unit_test(a_note_that_ends_too_early_ends_its_part),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
