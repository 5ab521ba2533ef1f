#include "split_fixture.h"

#include "unit_test.h"

#include "elf_fixture.h"

struct dwarf_format split_format_number(uint32_t number)
{
	return (struct dwarf_format){ .version = number & 1 ? 5 : 4,
				      .offset_size = number & 2 ? 8 : 4,
				      .addr_size = number & 4 ? 8 : 4,
				      .big_endian = number & 8 };
}

struct elf_builder *split_elf(struct dwarf_format format, bool dwo)
{
	struct elf_builder *elf =
		elf_builder_new((struct elf_format){ .bits = format.addr_size * 8,
						     .big_endian = format.big_endian,
						     .machine = EM_X86_64,
						     .type = ET_EXEC });

	if (!dwo)
		elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	return elf;
}

const char *split_write(struct dwarf_format format, const struct split_unit *units, uint32_t count,
			const char *program, const char *dwo)
{
	struct dwarf_builder *dw = dwarf_builder_new(format);
	struct elf_builder *elf = split_elf(format, false), *dwo_elf = split_elf(format, true);

	split_write_units(dw, units, count);
	elf_add_dwarf_part(elf, dw, false);
	elf_add_dwarf_part(dwo_elf, dw, true);
	dwarf_builder_free(dw);
	if (dwo)
		elf_end_at(dwo_elf, dwo);
	else
		elf_builder_free(dwo_elf);
	return elf_end_at(elf, program);
}

const struct ic_problem *split_problem(const struct scan *scan, const char *text)
{
	for (uint32_t i = 0; i < scan->index->problem_count; i++)
		if (strstr(scan->index->problems[i].message, text))
			return &scan->index->problems[i];
	return NULL;
}
