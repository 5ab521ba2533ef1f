#include "unit_test.h"

#include "elf/files/build_id.h"
#include "fixtures/elf.h"

static void check(struct elf_builder *elf, struct ic_bytes wanted)
{
	struct ic_elf_file file;

	elf_end_and_open(&file, elf);
	struct ic_bytes found = ic_build_id_find(&file);
	assert_int_equal(found.size, wanted.size);
	assert_memory_equal(found.data, wanted.data, wanted.size);
	ic_elf_file_close(&file);
}

TEST(a_build_id_of_any_size_is_found_in_both_byte_orders)
{
	for (size_t size = 1; size <= 20; size++) {
		struct elf_builder *elf = elf_builder_new((struct elf_format){
			.bits = 64, .big_endian = size & 1, .machine = EM_S390, .type = ET_EXEC });
		uint8_t id[20];

		for (size_t i = 0; i < size; i++)
			id[i] = (uint8_t)(i + 1);
		elf_add_build_id(elf, 0x1000, id, size);
		check(elf, (struct ic_bytes){ id, size });
	}
}

static void add_notes(struct elf_builder *elf, struct ic_bytes notes)
{
	elf_add_section(elf, (struct elf_section){ .name = ".note",
						   .type = SHT_NOTE,
						   .bytes = { notes.data, notes.size } });
}

TEST(other_notes_are_passed_over)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	add_notes(elf, BYTES(4, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 'G', 'N', 'U', 0, 7, 7, 7, 7));
	add_notes(elf, BYTES(2, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 'G', 0, 0, 0, 9, 0, 0, 0, //
			     4, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0,         //
			     4, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 5, 6));
	check(elf, BYTES(5, 6));
}

TEST(notes_that_are_cut_off_are_none)
{
	static const uint8_t notes[] = {
		4, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 5, 6
	};

	for (size_t size = 0; size < sizeof(notes); size++) {
		struct elf_builder *elf = elf_begin(ET_EXEC);
		add_notes(elf, (struct ic_bytes){ notes, size });
		check(elf, (struct ic_bytes){ NULL, 0 });
	}
	struct elf_builder *elf = elf_begin(ET_EXEC);
	add_notes(elf, BYTES(255, 255, 255, 255, 255, 255, 255, 255, 3, 0, 0, 0, 'G', 'N', 'U', 0));
	check(elf, (struct ic_bytes){ NULL, 0 });
}

TEST(a_path_has_the_first_byte_of_the_build_id_as_its_directory)
{
	char path[64];
	static uint8_t longest[65];

	assert_true(
		ic_build_id_path(BYTES(0xab, 0xcd, 0x0f), "/dir", ".debug", path, sizeof(path)));
	assert_string_equal(path, "/dir/.build-id/ab/cd0f.debug");
	assert_true(ic_build_id_path(BYTES(1, 2), "", ".debug", path, sizeof(path)));
	assert_string_equal(path, "/.build-id/01/02.debug");
	assert_false(ic_build_id_path(BYTES(1), "/dir", ".debug", path, sizeof(path)));
	assert_false(
		ic_build_id_path((struct ic_bytes){ longest, 65 }, "/dir", ".debug", path, 4096));
	assert_false(ic_build_id_path(BYTES(1, 2), "/dir", ".debug", path,
				      sizeof("/dir/.build-id/01/02.debug") - 1));
	assert_true(ic_build_id_path(BYTES(1, 2), "/dir", ".debug", path,
				     sizeof("/dir/.build-id/01/02.debug")));
}

UNIT_TESTS(elf_files_build_id)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_build_id_of_any_size_is_found_in_both_byte_orders),
		cmocka_unit_test(other_notes_are_passed_over),
		cmocka_unit_test(notes_that_are_cut_off_are_none),
		cmocka_unit_test(a_path_has_the_first_byte_of_the_build_id_as_its_directory),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
