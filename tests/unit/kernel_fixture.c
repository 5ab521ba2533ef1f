#include "kernel_fixture.h"

#include "unit_test.h"

void kernel_add_function(struct elf_builder *elf, const char *name, const char *section,
			 uint64_t value)
{
	elf_add_symbol(elf, (struct elf_symbol){ .name = name,
						 .section = section,
						 .value = value,
						 .size = 0x10,
						 .type = STT_FUNC,
						 .bind = STB_GLOBAL });
}

void kernel_open(struct lookup *lookup, const char *path)
{
	const struct ic_image_options options = { .allow_no_debug = true };

	*lookup = (struct lookup){ .image = ic_image_open(path, &options, NULL) };
	assert_non_null(lookup->image);
	lookup->symbolizer = ic_symbolizer_new(lookup->image, NULL, NULL);
	assert_non_null(lookup->symbolizer);
}

const char *kernel_write_text(const char *name, const char *text)
{
	const char *path = temp_path(name);

	temp_write(path, text, strlen(text));
	return path;
}
