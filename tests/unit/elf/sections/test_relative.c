// Addresses that the dynamic linker fills in, as a file that may be damaged says.
#include "unit_test.h"

#include <elf.h>

#include "elf/sections/relative.h"

enum { DYNAMIC = 0x1000, RELOCATIONS = 0x2000, DATA = 0x3000, RELATIVE = 8 /* of x86-64 */ };

// A file whose three parts are loaded apart, in our own byte order.
struct made {
	uint64_t dynamic[6];
	uint64_t relocations[9];
	struct ic_loaded loaded[2];
	struct ic_elf_file file;
};

static void make(struct made *made, uint64_t addr, uint64_t size)
{
	*made = (struct made){
		.dynamic = { DT_RELA, addr, DT_RELASZ, size, DT_NULL, 0 },
		.relocations = { DATA + 8, RELATIVE, 0x1111, DATA, 1, 0x2222, DATA, RELATIVE,
				 0x3333 },
	};
	made->loaded[0] =
		(struct ic_loaded){ .addr = DYNAMIC,
				    .bytes = { (uint8_t *)made->dynamic, sizeof(made->dynamic) } };
	made->loaded[1] = (struct ic_loaded){ .addr = RELOCATIONS,
					      .bytes = { (uint8_t *)made->relocations,
							 sizeof(made->relocations) } };
	made->file = (struct ic_elf_file){ .machine = EM_X86_64,
					   .addr_size = 8,
					   .layout.loaded = made->loaded,
					   .layout.loaded_count = 2,
					   .layout.dynamic = { DYNAMIC,
							       DYNAMIC + sizeof(made->dynamic) } };
}

static size_t entries_of(uint64_t addr, uint64_t size)
{
	struct made made;

	make(&made, addr, size);
	return ic_relatives_of(&made.file).entries.size;
}

TEST(what_is_loaded_ends_where_the_file_does)
{
	struct made made;

	make(&made, 0, 0);
	assert_int_equal(ic_loaded_at(&made.file, DYNAMIC).size, 48);
	assert_int_equal(ic_loaded_at(&made.file, DYNAMIC + 47).size, 1);
	assert_int_equal(ic_loaded_at(&made.file, DYNAMIC + 48).size, 0);
	assert_int_equal(ic_loaded_at(&made.file, DYNAMIC + 49).size, 0);
	assert_int_equal(ic_loaded_at(&made.file, DYNAMIC - 1).size, 0);
	assert_int_equal(ic_loaded_at(&made.file, UINT64_MAX).size, 0);
}

TEST(relocations_beyond_the_file_are_none)
{
	assert_int_equal(entries_of(RELOCATIONS, 72), 72);
	assert_int_equal(entries_of(RELOCATIONS, 73), 0);
	assert_int_equal(entries_of(RELOCATIONS + 1, 72), 0);
	assert_int_equal(entries_of(RELOCATIONS, UINT64_MAX), 0);
	assert_int_equal(entries_of(UINT64_MAX, 72), 0);
	assert_int_equal(entries_of(0, 72), 0);
}

TEST(a_file_that_does_not_say_where_they_are_has_none)
{
	struct made made;

	make(&made, 0, 72);
	made.loaded[1].addr = 0;
	assert_int_equal(ic_relatives_of(&made.file).entries.size, 0);
}

TEST(a_dynamic_section_without_an_end_is_read_to_the_end_of_what_is_loaded)
{
	struct made made;

	make(&made, RELOCATIONS, 72);
	made.dynamic[4] = DT_DEBUG;
	made.file.layout.dynamic.end = UINT64_MAX;
	assert_int_equal(ic_relatives_of(&made.file).entries.size, 72);
	made.loaded[0].bytes.size = 31; // the second half of DT_RELASZ is cut off
	assert_int_equal(ic_relatives_of(&made.file).entries.size, 0);
}

TEST(other_machines_have_none)
{
	struct made made;

	make(&made, RELOCATIONS, 72);
	made.file.machine = EM_386;
	assert_int_equal(ic_relatives_of(&made.file).entries.size, 0);
}

// Applies the relocations to `size` bytes of a copy, and checks that no others were written.
static uint64_t word_of(uint64_t addr, size_t size, size_t at)
{
	struct made made;
	uint8_t copy[32];
	uint64_t word;

	make(&made, RELOCATIONS, 72);
	memset(copy, 0xaa, sizeof(copy));
	struct ic_relatives relatives = ic_relatives_of(&made.file);
	ic_relatives_apply(&relatives, addr, copy, size);
	for (size_t i = size; i < sizeof(copy); i++)
		assert_int_equal(copy[i], 0xaa);
	memcpy(&word, copy + at, sizeof(word));
	return word;
}

TEST(only_words_that_are_wholly_in_the_copy_are_filled_in)
{
	const uint64_t untouched = 0xaaaaaaaaaaaaaaaa;

	assert_int_equal(word_of(DATA, 16, 0), 0x3333);
	assert_int_equal(word_of(DATA, 16, 8), 0x1111);
	assert_int_equal(word_of(DATA, 15, 8), untouched);
	assert_int_equal(word_of(DATA + 4, 12, 4), 0x1111);
	uint64_t before = word_of(DATA + 4, 12, 0);
	assert_memory_equal(&before, &untouched, 4);
	assert_int_equal(word_of(DATA + 16, 16, 0), untouched);
}

TEST(a_relocation_that_is_cut_off_is_left_out)
{
	struct made made;
	uint64_t words[2] = { 0, 0 };

	make(&made, RELOCATIONS, 71);
	struct ic_relatives relatives = ic_relatives_of(&made.file);
	ic_relatives_apply(&relatives, DATA, (uint8_t *)words, sizeof(words));
	assert_int_equal(words[0], 0);
	assert_int_equal(words[1], 0x1111);
}

UNIT_TESTS(elf_sections_relative)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_loaded_ends_where_the_file_does),
		cmocka_unit_test(relocations_beyond_the_file_are_none),
		cmocka_unit_test(a_file_that_does_not_say_where_they_are_has_none),
		cmocka_unit_test(
			a_dynamic_section_without_an_end_is_read_to_the_end_of_what_is_loaded),
		cmocka_unit_test(other_machines_have_none),
		cmocka_unit_test(only_words_that_are_wholly_in_the_copy_are_filled_in),
		cmocka_unit_test(a_relocation_that_is_cut_off_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
