// ic_frame::display_name: what the source calls the functions of frames.
#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>

#include <inlinecall/symbolizer.h>

#include "fixtures/elf.h"
#include "fixtures/lookup.h"

#include "dwarf_constants.h"

static void begin(struct dwarf_builder *dw, uint16_t tag, const char *name)
{
	dw_die_begin(dw, tag);
	if (name)
		dw_string(dw, DW_AT_name, name);
}

static void put_inlined(struct dwarf_builder *dw, const char *origin, uint64_t start)
{
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref_addr(dw, DW_AT_abstract_origin, origin);
	dw_low_high(dw, start, start + 0x10);
	dw_die_end(dw);
}

// Functions in every kind of scope, each inlined once, from 0x1000 on; two of another unit.
static void write_program(struct dwarf_builder *dw)
{
	static const char *const names[] = { "size", "free", "call", "mangled", "global" };

	dw_unit_begin(dw, DW_UT_partial);
	dw_die_begin(dw, DW_TAG_partial_unit);
	dw_data2(dw, DW_AT_language, DW_LANG_C_plus_plus);
	begin(dw, DW_TAG_namespace, "ns");
	begin(dw, DW_TAG_namespace, NULL);
	begin(dw, DW_TAG_class_type, "Box");
	scan_abstract(dw, "size");
	dw_die_end(dw);
	scan_abstract(dw, "free");
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_unit_of(dw, "a.cpp", DW_LANG_C_plus_plus);
	begin(dw, DW_TAG_class_type, NULL);
	dw_data1(dw, DW_AT_decl_line, 12);
	scan_abstract(dw, "call");
	dw_die_end(dw);
	dw_label(dw, "mangled");
	begin(dw, DW_TAG_subprogram, "f");
	dw_string(dw, DW_AT_linkage_name, "_ZN2ns1fIiEEvT_");
	dw_die_end(dw);
	scan_abstract(dw, "global");
	scan_host(dw, "main", 0x1000, 0x1100);
	for (size_t i = 0; i < COUNT_OF(names); i++)
		put_inlined(dw, names[i], 0x1010 + 0x10 * i);
	dw_die_end(dw);
	scan_unit_done(dw);
}

static struct ic_symbolizer *symbolizer_of(struct lookup *lookup, bool display_names,
					   enum ic_demangle_style style)
{
	const struct ic_symbolizer_options options = { .display_names = display_names,
						       .display_style = style };
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct dwarf_builder *dw = scan_builder(5);

	write_program(dw);
	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	elf_add_symbol(elf, (struct elf_symbol){ .name = "_Z5aloneic",
						 .section = ".text",
						 .value = 0x2000,
						 .size = 0x10,
						 .type = STT_FUNC,
						 .bind = STB_GLOBAL });
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	lookup_open_elf(lookup, elf);
	ic_symbolizer_free(lookup->symbolizer);
	lookup->symbolizer = ic_symbolizer_new(lookup->image, &options, NULL);
	assert_non_null(lookup->symbolizer);
	return lookup->symbolizer;
}

static const char *name_at(struct ic_symbolizer *symbolizer, uint64_t addr)
{
	struct ic_frame frame = { .display_name = "unset" };

	assert_true(ic_symbolizer_frames_at(symbolizer, addr, &frame, 1) > 0);
	return frame.display_name;
}

static void check(enum ic_demangle_style style, const char *mangled, const char *alone)
{
	struct lookup lookup = { .image = NULL };
	struct ic_symbolizer *symbolizer = symbolizer_of(&lookup, true, style);

	assert_string_equal(name_at(symbolizer, 0x1010), "ns::(anonymous namespace)::Box::size");
	assert_string_equal(name_at(symbolizer, 0x1020), "ns::(anonymous namespace)::free");
	assert_string_equal(name_at(symbolizer, 0x1030), "{unnamed:12}::call");
	assert_string_equal(name_at(symbolizer, 0x1040), mangled);
	assert_string_equal(name_at(symbolizer, 0x1050), "global");
	assert_string_equal(name_at(symbolizer, 0x1000), "main");
	assert_string_equal(name_at(symbolizer, 0x2008), alone);
	const char *again = name_at(symbolizer, 0x1010);
	assert_ptr_equal(name_at(symbolizer, 0x1010), again);
	assert_string_equal(lookup_problems(&lookup), "");
	lookup_close(&lookup);
}

TEST(functions_are_named_as_the_source_has_them_in_three_styles)
{
	check(IC_DEMANGLE_NAME, "ns::f<int>", "alone");
	check(IC_DEMANGLE_PARAMS, "ns::f<int>(int)", "alone(int, char)");
	check(IC_DEMANGLE_FULL, "void ns::f<int>(int)", "alone(int, char)");
}

TEST(frames_have_such_names_only_where_they_are_wanted)
{
	struct lookup lookup = { .image = NULL };
	struct ic_symbolizer *symbolizer = symbolizer_of(&lookup, false, IC_DEMANGLE_FULL);

	assert_null(name_at(symbolizer, 0x1010));
	assert_null(name_at(symbolizer, 0x2008));
	lookup_close(&lookup);
}

TEST(all_frames_at_many_addresses_have_them)
{
	const uint64_t addrs[] = { 0x1010, 0x1040 };
	struct lookup lookup = { .image = NULL };
	struct ic_symbolizer *symbolizer = symbolizer_of(&lookup, true, IC_DEMANGLE_NAME);
	struct ic_stacks *stacks = ic_stacks_find(symbolizer, addrs, COUNT_OF(addrs), NULL);
	const struct ic_frame *frames;

	assert_non_null(stacks);
	assert_int_equal(frames_of_stack(stacks, 0, &frames), 2);
	assert_string_equal(frames[0].display_name, "ns::(anonymous namespace)::Box::size");
	assert_string_equal(frames[1].display_name, "main");
	assert_int_equal(frames_of_stack(stacks, 1, &frames), 2);
	assert_string_equal(frames[0].display_name, "ns::f<int>");
	ic_stacks_free(stacks);
	lookup_close(&lookup);
}

UNIT_TESTS(symbolize_frame_names)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_named_as_the_source_has_them_in_three_styles),
		cmocka_unit_test(frames_have_such_names_only_where_they_are_wanted),
		cmocka_unit_test(all_frames_at_many_addresses_have_them),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
