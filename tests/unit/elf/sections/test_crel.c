#include "elf/sections/crel.h"

#include "unit_test.h"

#include <elf.h>

static const struct ic_elf_file wide = { .path = (char *)"a.o", .addr_size = 8 };
static const struct ic_elf_file narrow = { .path = (char *)"a.o", .addr_size = 4 };

static struct ic_section crel_of(struct ic_bytes raw)
{
	return (struct ic_section){ .name = ".crel.debug_info", .type = IC_SHT_CREL, .raw = raw };
}

static void check_word(const struct ic_section *plain, size_t word, uint64_t wanted)
{
	assert_true((word + 1) * 8 <= plain->raw.size);
	assert_int_equal(ic_load64(plain->raw.data + word * 8, false), wanted);
}

TEST(entries_differ_from_the_one_before)
{
	// Three relocations with addends, whose offsets are shifted by 1.
	const struct ic_section crel = crel_of(
		BYTES(3 * 8 + 4 + 1, 0x07 | 2 << 3, 5, 10, 0x7f, 0x80 | 1 << 3, 2, 0x04, 3));
	struct ic_arena arena = { .blocks = NULL };
	struct ic_error err;

	const struct ic_section *plain = ic_crel_expand(&wide, &crel, &arena, &err);
	assert_non_null(plain);
	assert_int_equal(plain->type, SHT_RELA);
	assert_int_equal(plain->raw.size, 72);
	check_word(plain, 0, 2 << 1);
	check_word(plain, 1, 5ull << 32 | 10);
	check_word(plain, 2, UINT64_MAX); // -1
	check_word(plain, 3, (2 + 1 + (2 << 4)) << 1);
	check_word(plain, 4, 5ull << 32 | 10);
	check_word(plain, 5, UINT64_MAX);
	check_word(plain, 6, (2 + 1 + (2 << 4)) << 1);
	check_word(plain, 8, 2);
	ic_arena_free(&arena);
}

TEST(without_addends_there_is_a_bit_more_for_the_offset)
{
	const struct ic_section crel = crel_of(BYTES(1 * 8, 0x03 | 31 << 2, 1, 2));
	struct ic_arena arena = { .blocks = NULL };
	struct ic_error err;

	const struct ic_section *plain = ic_crel_expand(&wide, &crel, &arena, &err);
	assert_non_null(plain);
	assert_int_equal(plain->type, SHT_REL);
	check_word(plain, 0, 31);
	check_word(plain, 1, 1ull << 32 | 2);
	assert_int_equal(plain->raw.size, 16);
	ic_arena_free(&arena);
}

static void check_refused(const struct ic_elf_file *file, struct ic_bytes raw, const char *wanted)
{
	const struct ic_section crel = crel_of(raw);
	struct ic_arena arena = { .blocks = NULL };
	struct ic_error err;

	assert_null(ic_crel_expand(file, &crel, &arena, &err));
	assert_string_equal(err.message, wanted);
	ic_arena_free(&arena);
}

#define DAMAGED "a.o: .crel.debug_info: "

TEST(what_is_damaged_is_refused)
{
	const struct ic_elf_file mips = { .path = (char *)"a.o",
					  .addr_size = 8,
					  .machine = EM_MIPS };

	check_refused(&wide, BYTES(0x80), DAMAGED "invalid header");
	check_refused(&wide, BYTES(3 * 8, 0, 0), DAMAGED "invalid header");
	check_refused(&wide, BYTES(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0),
		      DAMAGED "invalid header");
	check_refused(&wide, BYTES(2 * 8, 0x03, 1), DAMAGED "ends before its last relocation");
	check_refused(&wide, BYTES(1 * 8, 0, 0), DAMAGED "data after its last relocation");
	check_refused(&wide, BYTES(1 * 8, 0x01, 0x7f),
		      DAMAGED "a relocation with too large a number");
	check_refused(&narrow, BYTES(1 * 8, 0x02, 0x80, 0x02),
		      DAMAGED "a relocation with too large a number");
	check_refused(&mips, BYTES(1 * 8, 0),
		      DAMAGED "compact relocations of 64-bit MIPS are not supported");
}

UNIT_TESTS(elf_sections_crel)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_differ_from_the_one_before),
		cmocka_unit_test(without_addends_there_is_a_bit_more_for_the_offset),
		cmocka_unit_test(what_is_damaged_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
