#include "parameters_fixture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void put_int(struct dwarf_builder *dw)
{
	dw_label(dw, "int");
	dw_die_begin(dw, DW_TAG_base_type);
	dw_string(dw, DW_AT_name, "int");
	dw_data1(dw, DW_AT_encoding, DW_ATE_signed);
	dw_data1(dw, DW_AT_byte_size, 4);
	dw_die_end(dw);
}

void parameters_formal(struct dwarf_builder *dw, const char *name)
{
	dw_label(dw, name);
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_string(dw, DW_AT_name, name);
	dw_ref4(dw, DW_AT_type, "int");
	dw_die_end(dw);
}

struct dwarf_builder *parameters_begin(uint16_t version)
{
	struct dwarf_builder *dw = scan_builder(version);

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_low_high(dw, START, END);
	if (version >= 5)
		dw_loclists_base(dw);
	put_int(dw);
	dw_label(dw, "f");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "f");
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	parameters_formal(dw, "a");
	parameters_formal(dw, "b");
	parameters_formal(dw, "c");
	dw_die_end(dw);
	return dw;
}

void parameters_begin_instance(struct dwarf_builder *dw)
{
	scan_host(dw, "main", START, END);
	dw_expr(dw, DW_AT_frame_base, DW_BYTES(DW_OP_call_frame_cfa));
	scan_inlined(dw, "f", START + 0x10, START + 0x20);
}

void parameters_begin_argument(struct dwarf_builder *dw, const char *origin)
{
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_ref4(dw, DW_AT_abstract_origin, origin);
}

void parameters_argument(struct dwarf_builder *dw, const char *origin, const void *expression,
			 size_t size)
{
	parameters_begin_argument(dw, origin);
	if (size > 0)
		dw_expr(dw, DW_AT_location, expression, size);
	dw_die_end(dw);
}

void parameters_entry(struct dwarf_builder *dw, uint64_t start, uint64_t end, const void *bytes,
		      size_t size)
{
	dw_lle(dw, DW_LLE_start_end, start, end);
	dw_loc_expr(dw, bytes, size);
}

void parameters_end_instance(struct dwarf_builder *dw)
{
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
}

void parameters_put(FILE *out, const struct ic_parameter *parameter)
{
	const struct ic_location_text_options options = { .type = parameter->type,
							  .size = parameter->size,
							  .is_signed = parameter->is_signed,
							  .machine = 62 };
	char text[256];

	ic_location_text(&parameter->location, &options, text, sizeof(text));
	fprintf(out, "%s: %s/%" PRIu64 " = %s", parameter->name ? parameter->name : "?",
		parameter->type ? parameter->type : "?", parameter->size, text);
	if (parameter->known_from != IC_SITE_NO_ADDR)
		fprintf(out, " from 0x%" PRIx64, parameter->known_from);
	if (parameter->is_artificial)
		fprintf(out, " artificial");
	if (parameter->is_result)
		fprintf(out, " result");
	fputc('\n', out);
	for (size_t i = 0; i < parameter->list_count; i++)
		fprintf(out, " 0x%" PRIx64 "-0x%" PRIx64 " %s\n", parameter->list[i].range.start,
			parameter->list[i].range.end, parameter->list[i].expression);
}

void parameters_check_frame(struct ic_parameters *parameters, uint64_t addr, size_t frame,
			    const char *wanted)
{
	const struct ic_parameter *list;
	struct ic_error err = { .message = "" };
	char *text = NULL;
	size_t size;

	FILE *out = open_memstream(&text, &size);
	assert_non_null(out);
	if (!ic_parameters_find_frame(parameters, addr, frame, &err))
		fail_msg("%s", err.message);
	if (!ic_parameters_is_known(parameters))
		fprintf(out, "not known\n");
	size_t count = ic_parameters_get(parameters, &list);
	for (size_t i = 0; i < count; i++)
		parameters_put(out, &list[i]);
	fclose(out);
	assert_string_equal(text, wanted);
	free(text);
}

struct ic_symbolizer *parameters_symbolizer(struct scan *scan, struct dwarf_builder *dw)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct ic_error err = { .message = "" };

	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	scan_open_path(scan, elf_end_at(elf, "a.out"), NULL);
	struct ic_symbolizer *symbolizer = ic_symbolizer_new(scan->image, NULL, &err);
	if (!symbolizer)
		fail_msg("%s", err.message);
	return symbolizer;
}
