#include <inlinecall/extra/call_before.h>

#include <elf.h>

#include "fixtures/elf.h"
#include "unit_test.h"

static struct ic_image *open_code(uint16_t type, const char *section)
{
	static uint8_t code[] = { 0xe8, 0, 0, 0, 0, 0x90, 0xc3 };
	const struct ic_image_options options = { .allow_no_debug = true };
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = 64, .machine = EM_X86_64, .type = type, .segments = type != ET_REL });

	elf_add_section(elf, (struct elf_section){ .name = ".text",
						   .type = SHT_PROGBITS,
						   .flags = SHF_ALLOC | SHF_EXECINSTR,
						   .addr = type == ET_REL ? 0 : 0x1000,
						   .bytes = { code, sizeof(code) } });
	if (section)
		elf_add_section(elf, (struct elf_section){ .name = section,
							   .type = SHT_PROGBITS,
							   .bytes = { code, sizeof(code) } });
	struct ic_image *image = ic_image_open(elf_end_at(elf, "call_before"), &options, NULL);
	assert_non_null(image);
	return image;
}

TEST(the_code_of_a_program_is_looked_at)
{
	struct ic_image *image = open_code(ET_EXEC, NULL);

	assert_int_equal(ic_call_before_check(image, 0x1005), IC_CALL_BEFORE_FOUND);
	assert_int_equal(ic_call_before_check(image, 0x1006), IC_CALL_BEFORE_NONE);
	assert_int_equal(ic_call_before_check(image, 0x1001), IC_CALL_BEFORE_NONE);
	assert_int_equal(ic_call_before_check(image, 0x1007), IC_CALL_BEFORE_NONE); // the end
	assert_int_equal(ic_call_before_check(image, 0x1000), IC_CALL_BEFORE_UNKNOWN);
	assert_int_equal(ic_call_before_check(image, 0x1008), IC_CALL_BEFORE_UNKNOWN);
	assert_int_equal(ic_call_before_check(image, 0), IC_CALL_BEFORE_UNKNOWN);
	ic_image_free(image);
}

TEST(the_code_of_kernels_and_of_objects_may_be_another_when_it_runs)
{
	struct ic_image *image = open_code(ET_EXEC, "__ksymtab");

	assert_int_equal(ic_call_before_check(image, 0x1005), IC_CALL_BEFORE_FOUND);
	assert_int_equal(ic_call_before_check(image, 0x1006), IC_CALL_BEFORE_UNKNOWN);
	ic_image_free(image);
	image = open_code(ET_REL, NULL);
	assert_int_equal(ic_call_before_check(image, 5), IC_CALL_BEFORE_UNKNOWN);
	ic_image_free(image);
}

UNIT_TESTS(code_stored_call_before)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_code_of_a_program_is_looked_at),
		cmocka_unit_test(the_code_of_kernels_and_of_objects_may_be_another_when_it_runs),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
