// All symbols of an image.
#include "unit_test.h"

#include <elf.h>
#include <stdio.h>

#include <inlinecall/image.h>

#include "fixtures/elf.h"

static void write_down(void *context, const struct ic_image_symbol *symbol)
{
	char *text = context;

	snprintf(text + strlen(text), 256 - strlen(text), "%s%s %lx-%lx", *text ? ", " : "",
		 symbol->name, (unsigned long)symbol->start, (unsigned long)symbol->end);
	strcat(text, symbol->is_function ? " f" : "");
}

TEST(symbols_with_an_address_are_listed)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	const struct ic_image_options options = { .allow_no_debug = true };
	char text[512] = "";

	elf_add_code(elf, ".text", 0x1000, 0x100);
	elf_add_symbol(elf, (struct elf_symbol){ .name = "f",
						 .section = ".text",
						 .value = 0x1010,
						 .size = 8,
						 .type = STT_FUNC });
	elf_add_symbol(elf, (struct elf_symbol){ .name = "v@@V2",
						 .section = ".text",
						 .value = 0x1020,
						 .type = STT_OBJECT });
	elf_add_symbol(elf, (struct elf_symbol){ .name = "other", .bind = STB_GLOBAL });
	elf_add_symbol(elf,
		       (struct elf_symbol){ .name = "number", .section = "*ABS*", .value = 1 });
	struct ic_image *image = ic_image_open(elf_end_at(elf, "listed"), &options, NULL);
	assert_non_null(image);
	assert_true(ic_image_list_symbols(image, write_down, text, NULL));
	assert_string_equal(text, "f 1010-1018 f, v@@V2 1020-1020");
	ic_image_free(image);
}

UNIT_TESTS(elf_image_listed_symbols)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_with_an_address_are_listed),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
