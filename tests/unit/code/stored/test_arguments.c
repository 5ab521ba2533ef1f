#include <inlinecall/extra/stored.h>

#include "unit_test.h"

#include "fixtures/elf.h"

#include <inlinecall/location.h>

enum { RDI = 5, RBP = 6, CODE_ADDR = 0x401000 };

// Where an argument is said to be at the start of the code, and is then; "unchanged" if that is the
// same.
static const char *corrected(const uint8_t *code, size_t size, struct ic_parameter parameter)
{
	static char text[96];
	char before[96];
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = 64, .machine = EM_X86_64, .type = ET_EXEC, .segments = true });
	const struct ic_image_options image_options = { .allow_no_debug = true };
	const struct ic_location_text_options options = { .size = 8, .machine = EM_X86_64 };

	elf_add_section(elf, (struct elf_section){ .name = ".text",
						   .flags = SHF_ALLOC | SHF_EXECINSTR,
						   .addr = CODE_ADDR,
						   .bytes = { code, size } });
	struct ic_image *image = ic_image_open(elf_end_at(elf, "a.out"), &image_options, NULL);
	assert_non_null(image);
	struct ic_stored *stored = ic_stored_open(image, NULL);
	assert_non_null(stored);
	ic_location_text(&parameter.location, &options, before, sizeof(before));
	ic_stored_correct(stored, CODE_ADDR, &parameter);
	ic_location_text(&parameter.location, &options, text, sizeof(text));
	ic_stored_free(stored);
	ic_image_free(image);
	return strcmp(text, before) == 0 ? "unchanged" : text;
}

// push %rbp; mov %rsp,%rbp; mov %rdi,-8(%rbp); movq $0x20,-16(%rbp); mov %rsi,%rax; not %rax;
// mov %rax,-24(%rbp); mov 8(%rdi),%rax; mov %rax,-32(%rbp);
// mov 0x18(%rbp),%rax; mov %rax,-48(%rbp); ret
static const uint8_t code[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0x89, 0x7d, 0xf8, 0x48, 0xc7, 0x45,
				0xf0, 0x20, 0,    0,    0,    0x48, 0x89, 0xf0, 0x48, 0xf7, 0xd0,
				0x48, 0x89, 0x45, 0xe8, 0x48, 0x8b, 0x47, 0x08, 0x48, 0x89, 0x45,
				0xe0, 0x48, 0x8b, 0x45, 0x18, 0x48, 0x89, 0x45, 0xd0, 0xc3 };

// At an offset from the frame pointer, which is not set up yet.
static const char *at(int64_t offset, uint32_t loads, enum ic_location_why why)
{
	struct ic_parameter parameter = { .size = 8,
					  .location = { .kind = IC_LOCATION_MEMORY,
							.why = why,
							.reg = RBP,
							.offset = offset,
							.load_count = loads } };

	for (uint32_t i = 0; i < loads; i++)
		parameter.location.loads[i] = (struct ic_location_load){ 8, 4 + (int64_t)i };
	return corrected(code, sizeof(code), parameter);
}

TEST(an_argument_is_where_it_is_stored_from)
{
	assert_string_equal(at(-8, 0, IC_LOCATION_WHY_NOT_STORED), "%rdi");
	assert_string_equal(at(-16, 0, IC_LOCATION_WHY_NOT_STORED), "0x20");
	assert_string_equal(at(-24, 0, IC_LOCATION_WHY_NOT_STORED), "unavailable (not stored yet)");
	// What is at 8(%rdi) may have been changed meanwhile.
	assert_string_equal(at(-32, 0, IC_LOCATION_WHY_NOT_STORED), "unavailable (not stored yet)");
	assert_string_equal(at(-48, 0, IC_LOCATION_WHY_NOT_STORED), "*(u64 *)(%rsp+16)");
	assert_string_equal(at(-40, 0, IC_LOCATION_WHY_NOT_STORED), "unchanged");
	// It counts from the frame pointer of the caller.
	assert_string_equal(at(-8, 0, IC_LOCATION_WHY_KNOWN), "unchanged");
}

TEST(so_is_what_it_points_to)
{
	assert_string_equal(at(-8, 1, IC_LOCATION_WHY_NOT_STORED), "*(u64 *)(%rdi+4)");
	assert_string_equal(at(-8, 2, IC_LOCATION_WHY_NOT_STORED), "*(u64 *)(*(u64 *)(%rdi+4)+5)");
	assert_string_equal(at(-16, 1, IC_LOCATION_WHY_NOT_STORED), "*(u64 *)(0x20+4)");
	assert_string_equal(at(-48, 1, IC_LOCATION_WHY_NOT_STORED),
			    "*(u64 *)(*(u64 *)(%rsp+16)+4)");
	assert_string_equal(at(-24, 1, IC_LOCATION_WHY_NOT_STORED), "unavailable (not stored yet)");
}

TEST(other_locations_stay)
{
	static const struct ic_location locations[] = {
		{ .kind = IC_LOCATION_REGISTER, .reg = RDI },
		{ .kind = IC_LOCATION_VALUE, .reg = RBP, .offset = -8 },
		{ .kind = IC_LOCATION_CONSTANT, .constant = 5 },
		{ .kind = IC_LOCATION_MEMORY, .base = IC_BASE_CFA, .offset = -24 }, // no frames
		{ .kind = IC_LOCATION_MEMORY, .base = IC_BASE_ADDRESS, .constant = 0x1000 },
		{ .kind = IC_LOCATION_MEMORY, .reg = 1000 },
		{ .kind = IC_LOCATION_UNAVAILABLE, .why = IC_LOCATION_WHY_OPTIMISED_OUT },
	};

	for (size_t i = 0; i < COUNT_OF(locations); i++)
		assert_string_equal(
			corrected(code, sizeof(code),
				  (struct ic_parameter){ .size = 8, .location = locations[i] }),
			"unchanged");
	ic_stored_free(NULL);
}

UNIT_TESTS(code_stored_arguments)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_argument_is_where_it_is_stored_from),
		cmocka_unit_test(so_is_what_it_points_to),
		cmocka_unit_test(other_locations_stay),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
