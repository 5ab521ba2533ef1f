#include "relocate_fixture.h"

#include "unit_test.h"

#include <stdio.h>

#include "elf/load.h"

void add_data(struct elf_builder *elf, const void *data, size_t size)
{
	elf_add_section(elf,
			(struct elf_section){ .name = ".debug_info", .bytes = { data, size } });
	elf_add_symbol(elf, (struct elf_symbol){ .name = "symbol",
						 .section = "*ABS*",
						 .value = SYMBOL_VALUE,
						 .bind = STB_GLOBAL });
}

bool load(struct ic_elf_file *file, uint32_t jobs, struct ic_error *err)
{
	struct ic_section *section = ic_elf_file_debug_section(file, ".debug_info");

	return ic_sections_load(file, &section, 1, jobs, err);
}

bool apply(struct ic_elf_file *file, uint16_t machine, struct ic_bytes data,
	   const struct section_reloc *relocs, size_t count, struct ic_error *err)
{
	struct elf_builder *elf = elf_builder_new(
		(struct elf_format){ .bits = 64, .machine = machine, .type = ET_REL });

	err->message[0] = 0;
	add_data(elf, data.data, data.size);
	elf_add_symbol(elf,
		       (struct elf_symbol){
			       .name = "one", .section = "*ABS*", .value = 1, .bind = STB_GLOBAL });
	elf_add_relocs(elf, ".debug_info", relocs, count);
	elf_end_and_open(file, elf);
	return load(file, 1, err);
}

void check_refused(uint16_t machine, struct ic_bytes data, const struct section_reloc *relocs,
		   size_t count, enum ic_error_code code, const char *wanted)
{
	struct ic_elf_file file;
	struct ic_error err;
	char message[1024];

	assert_false(apply(&file, machine, data, relocs, count, &err));
	snprintf(message, sizeof(message), "%s: %s", file.path, wanted);
	assert_error(&err, code, message);
	assert_false(load(&file, 1, &err)); // for whoever asks later
	assert_error(&err, code, message);
	ic_elf_file_close(&file);
}
