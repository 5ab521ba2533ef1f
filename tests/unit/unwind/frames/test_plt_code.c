#include "unwind/frames/plt_code.h"

#include <elf.h>
#include <string.h>

#include <inlinecall/image.h>

#include "fixtures/elf.h"
#include "little_endian.h"
#include "unit_test.h"

enum { PLT = 0x1000, BIAS = 0x400000 };

struct stubs {
	struct ic_bytes code;
	struct ic_image *image;
	struct ic_unwind_options options;
};

static bool read_code(void *context, uint64_t addr, void *bytes, size_t size)
{
	const struct stubs *stubs = context;
	uint64_t off = addr - BIAS - PLT;

	if (off > stubs->code.size || size > stubs->code.size - off)
		return false;
	memcpy(bytes, stubs->code.data + off, size);
	return true;
}

static void open_stubs(struct stubs *stubs, uint16_t machine, const char *section,
		       struct ic_bytes code)
{
	const struct ic_image_options options = { .allow_no_debug = true };
	struct elf_builder *elf =
		elf_builder_new((struct elf_format){ .bits = machine == EM_386 ? 32 : 64,
						     .machine = machine,
						     .type = ET_DYN,
						     .segments = true });

	elf_add_code(elf, section, PLT, code.size);
	*stubs = (struct stubs){ .code = code,
				 .image = ic_image_open(elf_end_at(elf, "stubs"), &options, NULL) };
	assert_non_null(stubs->image);
	stubs->options = (struct ic_unwind_options){ .machine = machine,
						     .is_32_bit = machine == EM_386,
						     .read_memory = read_code };
}

// The number of words pushed before each byte of the code, "-" if it is unknown.
static void expect(uint16_t machine, struct ic_bytes code, const char *wanted)
{
	struct stubs stubs;
	char text[80] = "";
	uint8_t pushed;

	open_stubs(&stubs, machine, ".plt", code);
	stubs.options.context = &stubs;
	for (uint64_t i = 0; i < code.size; i++)
		text[i] = ic_plt_code_find(&stubs.options, stubs.image, BIAS + PLT + i, PLT + i,
					   &pushed)
				  ? (char)('0' + pushed)
				  : '-';
	assert_string_equal(text, wanted);
	ic_image_free(stubs.image);
}

// lld's and ld's: the first stub, and one more.
TEST(a_stub_of_x86_64_has_pushed_what_the_instructions_before_have)
{
	static const uint8_t code[] = { 0xff, 0x35, 1, 0,    0,    0,    0xff, 0x25,
					2,    0,    0, 0,    0x0f, 0x1f, 0x40, 0, //
					0xff, 0x25, 3, 0,    0,    0,    0x68, 0,
					0,    0,    0, 0xe9, 0,    0,    0,    0 };

	expect(EM_X86_64, (struct ic_bytes){ code, sizeof(code) },
	       "1-----2---------"
	       "0-----0----1----");
}

TEST(a_stub_of_x86_64_may_begin_where_calls_may_land)
{
	static const uint8_t code[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0x68, 0,    0,    0, 0, 0xf2, 0xe9,
					0,    0,    0,    0,    0x90, //
					0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 1, 0, 0,    0 };

	expect(EM_X86_64, (struct ic_bytes){ code, sizeof(code) },
	       "0---0----1-----"
	       "-0---00-----");
}

TEST(stubs_of_mold_have_the_number_in_a_register)
{
	static const uint8_t code[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0x41, 0x53, 0xff, 0x35, 1,
					0,    0,    0,    0xff, 0x25, 2,    0,    0,    0, //
					0xf3, 0x0f, 0x1e, 0xfa, 0x41, 0xbb, 0,    0,    0,
					0,    0xff, 0x25, 3,    0,    0,    0 };

	expect(EM_X86_64, (struct ic_bytes){ code, sizeof(code) },
	       "0---0-1-----2-----"
	       "0---0-----0-----");
}

TEST(a_stub_of_i386_may_find_its_word_by_a_register)
{
	static const uint8_t code[] = { 0xff, 0xb3, 4,    0,    0,  0, 0xff, 0xa3, 8,    0,
					0,    0,    0xff, 0xa3, 12, 0, 0,    0,    0x68, 0,
					0,    0,    0,    0xe9, 0,  0, 0,    0 };

	expect(EM_386, (struct ic_bytes){ code, sizeof(code) },
	       "1-----2-----"
	       "0-----0----1----");
}

TEST(only_the_first_stub_of_aarch64_pushes)
{
	uint32_t words[] = { 0xd503245f, 0xa9bf7bf0, 0x90000090, 0xf947fe11, 0x913fe210,
			     0xd61f0220, 0xd503201f, 0xd503201f, 0xd503201f, 0x90000090 };

	little_words(words, COUNT_OF(words));
	expect(EM_AARCH64, (struct ic_bytes){ (const uint8_t *)words, sizeof(words) },
	       "00000000"
	       "2222222222222222222222222222"
	       "0000");
}

TEST(code_outside_of_stubs_and_other_machines_are_not_known)
{
	static const uint8_t code[] = { 0xff, 0x25, 1, 0, 0, 0 };
	struct stubs stubs;
	uint8_t pushed;

	open_stubs(&stubs, EM_X86_64, ".text", (struct ic_bytes){ code, sizeof(code) });
	stubs.options.context = &stubs;
	assert_false(ic_plt_code_find(&stubs.options, stubs.image, BIAS + PLT, PLT, &pushed));
	ic_image_free(stubs.image);
	expect(EM_PPC64, (struct ic_bytes){ code, sizeof(code) }, "------");
}

UNIT_TESTS(unwind_frames_plt_code)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stub_of_x86_64_has_pushed_what_the_instructions_before_have),
		cmocka_unit_test(a_stub_of_x86_64_may_begin_where_calls_may_land),
		cmocka_unit_test(stubs_of_mold_have_the_number_in_a_register),
		cmocka_unit_test(a_stub_of_i386_may_find_its_word_by_a_register),
		cmocka_unit_test(only_the_first_stub_of_aarch64_pushes),
		cmocka_unit_test(code_outside_of_stubs_and_other_machines_are_not_known),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
