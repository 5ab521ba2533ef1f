// Programs whose functions make tail calls, in each other's circles and out of them.
#include "corpus.h"
#include "dwarf_constants.h"
#include "elf_builder.h"

#include <stdio.h>

enum { START = 0x1000, STEP = 0x40, FUNCTIONS = 6 };

static void put_call(struct dwarf_builder *dw, bool is_old, unsigned from, unsigned to,
		     unsigned number)
{
	char label[8];

	dw_die_begin(dw, is_old ? DW_TAG_GNU_call_site : DW_TAG_call_site);
	dw_addr(dw, is_old ? DW_AT_low_pc : DW_AT_call_return_pc,
		START + STEP * from + 8 * (number + 1));
	snprintf(label, sizeof(label), "f%u", to);
	if (to < FUNCTIONS)
		dw_ref4(dw, is_old ? DW_AT_abstract_origin : DW_AT_call_origin, label);
	else
		dw_expr(dw, DW_AT_call_target, DW_BYTES(DW_OP_reg0));
	if (from > 0)
		dw_flag_present(dw, is_old ? DW_AT_GNU_tail_call : DW_AT_call_tail_call);
	dw_die_begin(dw, is_old ? DW_TAG_GNU_call_site_parameter : DW_TAG_call_site_parameter);
	dw_expr(dw, DW_AT_location, DW_BYTES(DW_OP_reg0 + 5));
	dw_expr(dw, DW_AT_call_value, DW_BYTES(DW_OP_lit0 + 7));
	dw_die_end(dw);
	dw_die_end(dw);
}

// Function n calls the one after it, and some call one more: 0, itself, or one through a pointer.
static void put_function(struct dwarf_builder *dw, bool is_old, unsigned number, unsigned also)
{
	char name[8];

	snprintf(name, sizeof(name), "f%u", number);
	dw_label(dw, name);
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, name);
	dw_flag_present(dw, DW_AT_external);
	dw_low_high(dw, START + STEP * number, START + STEP * (number + 1));
	dw_flag_present(dw, is_old ? 0x2117 : DW_AT_call_all_calls);
	if (number + 1 < FUNCTIONS)
		put_call(dw, is_old, number, number + 1, 0);
	if (number % 3 == 2)
		put_call(dw, is_old, number, also, 1);
	dw_die_end(dw);
}

static void write_program(const struct corpus *corpus, const char *name, uint16_t version,
			  unsigned also)
{
	struct dwarf_builder *dw = dwarf_builder_new(
		(struct dwarf_format){ .version = version, .offset_size = 4, .addr_size = 8 });
	struct elf_builder *elf = elf_builder_new(
		(struct elf_format){ .bits = 64, .machine = EM_X86_64, .type = ET_DYN });

	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_string(dw, DW_AT_name, "a.c");
	dw_data1(dw, DW_AT_language, DW_LANG_C99);
	for (unsigned i = 0; i < FUNCTIONS; i++)
		put_function(dw, version == 4, i, also);
	dw_die_end(dw);
	dw_unit_end(dw);
	elf_add_code(elf, ".text", START, STEP * FUNCTIONS);
	elf_add_symbol(elf, (struct elf_symbol){ .name = "f1",
						 .section = ".text",
						 .value = START + STEP,
						 .size = STEP,
						 .type = STT_FUNC,
						 .bind = STB_GLOBAL });
	elf_add_dwarf(elf, dw);
	struct bytes file = elf_build(elf);
	corpus_put(corpus, "fuzz_tail_calls", name, (struct bytes){ 0 }, &file, 1);
	elf_builder_free(elf);
	dwarf_builder_free(dw);
}

void corpus_write_tail_calls(const struct corpus *corpus)
{
	write_program(corpus, "circle", 5, 1);
	write_program(corpus, "itself", 4, 2);
	write_program(corpus, "pointer", 5, FUNCTIONS);
	write_program(corpus, "two-ways", 4, FUNCTIONS - 1);
}
