#include "unit_test.h"

#include <stdio.h>

#include "fixtures/elf.h"
#include "fixtures/scan.h"

#include "dwarf_constants.h"

#include <inlinecall/extra/index.h>

TEST(instances_nest_as_their_entries_do)
{
	for (uint16_t version = 2; version <= 5; version++) {
		struct dwarf_builder *dw = scan_builder(version);
		struct scan scan;

		scan_unit_of(dw, "a.c", DW_LANG_C99);
		scan_host(dw, "main", 0x1000, 0x1100);
		scan_inlined(dw, "outer", 0x1010, 0x1080); // all of these are forward references
		dw_die_begin(dw, DW_TAG_lexical_block);
		scan_inlined(dw, "inner", 0x1020, 0x1030);
		dw_die_end(dw);
		dw_die_end(dw);
		scan_inlined(dw, "inner", 0x1040, 0x1050);
		dw_die_end(dw);
		dw_die_end(dw);
		scan_inlined(dw, "inner", 0x1090, 0x10a0);
		dw_die_end(dw);
		dw_die_end(dw);
		scan_abstract(dw, "inner");
		scan_abstract(dw, "outer");
		scan_host(dw, "other", 0x1100, 0x1110);
		dw_die_end(dw);
		scan_unit_done(dw);
		scan_open(&scan, dw, NULL);
		assert_scan(&scan, "unit a.c\n"
				   "host main 0x1000-0x1100 at 0x1000\n"
				   " inlined outer 0x1010-0x1080 at 0x1010\n"
				   "  inlined inner 0x1020-0x1030 at 0x1020\n"
				   "  inlined inner 0x1040-0x1050 at 0x1040\n"
				   " inlined inner 0x1090-0x10a0 at 0x1090\n"
				   "host other 0x1100-0x1110 at 0x1100\n");
		scan_close(&scan);
	}
}

static void write_lines(struct dwarf_builder *dw, uint16_t version)
{
	struct dw_line_header header = dw_line_header_default(dw);
	const char *const old_dirs[] = { "include", NULL };
	const char *const new_dirs[] = { "/src", "include", NULL };
	const struct dw_line_file old_files[] = { { .path = "a.c" },
						  { .path = "b.h", .dir = 1 },
						  { 0 } };
	const struct dw_line_file new_files[] = {
		{ .path = "a.c" }, { .path = "a.c" }, { .path = "b.h", .dir = 1 }, { 0 }
	};

	header.version = version;
	header.dirs = version < 5 ? old_dirs : new_dirs;
	header.files = version < 5 ? old_files : new_files;
	dw_line_begin(dw, "lines", &header);
	dw_line_end(dw);
}

static void write_called(struct dwarf_builder *dw, uint16_t file)
{
	scan_inlined(dw, "f", 0x1010, 0x1020);
	dw_data1(dw, DW_AT_call_file, (uint8_t)file);
	dw_udata(dw, DW_AT_call_line, 300 + file);
	dw_data2(dw, DW_AT_call_column, 7);
	dw_die_end(dw);
}

TEST(files_count_as_the_line_tables_version_has_it)
{
	for (uint16_t version = 2; version <= 5; version++) {
		struct dwarf_builder *dw = scan_builder(5); // the unit's own does not matter
		struct scan scan;

		write_lines(dw, version);
		scan_unit_of(dw, "a.c", DW_LANG_C99);
		dw_stmt_list(dw, "lines");
		scan_abstract(dw, "f");
		scan_host(dw, "main", 0x1000, 0x1100);
		for (uint16_t file = 0; file <= 3; file++)
			write_called(dw, file);
		dw_die_end(dw);
		scan_unit_done(dw);
		scan_open(&scan, dw, NULL);
		const char *text = scan_text(&scan);
		assert_non_null(strstr(text, version < 5 ? "from ?:300:7" : "from /src/a.c:300:7"));
		assert_non_null(strstr(text, "from /src/a.c:301:7"));
		assert_non_null(strstr(text, "from /src/include/b.h:302:7"));
		assert_non_null(strstr(text, "from ?:303:7"));
		assert_non_null(strstr(text, ": the line table (in .debug_line) has no file 3\n"));
		assert_int_equal(scan.index->problem_count, 1);
		scan_close(&scan);
	}
}

TEST(attributes_that_are_missing_are_not_made_up)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_label(dw, "nameless");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_low_high(dw, 0x1000, 0x1100);
	scan_inlined(dw, "nameless", 0x1010, 0x1020);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_inlined_subroutine); // no origin
	dw_low_high(dw, 0x1020, 0x1030);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_inlined_subroutine); // no code
	dw_ref4(dw, DW_AT_abstract_origin, "nameless");
	dw_data1(dw, DW_AT_call_file, 1); // and no line table
	dw_data1(dw, DW_AT_call_line, 5);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	assert_scan(&scan, "unit ?\n"
			   "host {} 0x1000-0x1100 at 0x1000\n"
			   " inlined {} 0x1010-0x1020 at 0x1010\n"
			   " inlined ? 0x1020-0x1030 at 0x1020\n"
			   " inlined {} from ?:5\n");
	scan_close(&scan);
}

TEST(what_is_inlined_into_an_abstract_function_is_not_in_the_code)
{
	for (int c = 0; c <= 1; c++) {
		struct dwarf_builder *dw = scan_builder(4);
		struct scan scan;

		scan_unit_of(dw, "a", c ? DW_LANG_C99 : DW_LANG_C_plus_plus);
		scan_abstract(dw, "f");
		dw_label(dw, "g");
		dw_die_begin(dw, DW_TAG_subprogram);
		dw_string(dw, DW_AT_name, "g");
		dw_data1(dw, DW_AT_inline, DW_INL_inlined);
		dw_die_begin(dw, DW_TAG_lexical_block);
		dw_die_begin(dw, DW_TAG_inlined_subroutine);
		dw_ref4(dw, DW_AT_abstract_origin, "f");
		dw_die_end(dw);
		dw_die_end(dw);
		dw_die_end(dw);
		scan_host(dw, "main", 0x1000, 0x1100);
		dw_die_end(dw);
		scan_unit_done(dw);
		scan_open(&scan, dw, NULL);
		assert_scan(&scan, "unit a\nhost main 0x1000-0x1100 at 0x1000\n");
		scan_close(&scan);
	}
}

TEST(a_function_inside_of_another_is_a_host_of_its_own)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct scan scan;

	scan_unit_of(dw, "a.c", DW_LANG_C99); // GNU C has nested functions
	scan_abstract(dw, "f");
	scan_host(dw, "main", 0x1000, 0x1100);
	scan_host(dw, "nested", 0x1200, 0x1300);
	scan_inlined(dw, "f", 0x1210, 0x1220);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_inlined(dw, "f", 0x1010, 0x1020);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	assert_scan(&scan, "unit a.c\n"
			   "host main 0x1000-0x1100 at 0x1000\n"
			   "host nested 0x1200-0x1300 at 0x1200\n"
			   " inlined f 0x1210-0x1220 at 0x1210\n"
			   " inlined f 0x1010-0x1020 at 0x1010\n");
	scan_close(&scan);
}

static void scope(struct dwarf_builder *dw, uint16_t tag, const char *name)
{
	dw_die_begin(dw, tag);
	if (name)
		dw_string(dw, DW_AT_name, name);
}

TEST(functions_have_the_scopes_that_they_are_declared_in)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	scan_unit_of(dw, "a.cpp", DW_LANG_C_plus_plus_14);
	scope(dw, DW_TAG_namespace, "ns");
	scope(dw, DW_TAG_namespace, NULL);
	scope(dw, DW_TAG_class_type, "Box");
	scan_abstract(dw, "size");
	dw_die_end(dw);
	scan_abstract(dw, "free");
	dw_die_end(dw);
	scope(dw, DW_TAG_structure_type, "Empty"); // without children: no scope is entered
	dw_die_end(dw);
	scan_abstract(dw, "after");
	dw_die_end(dw);
	scan_abstract(dw, "global");
	scan_host(dw, "main", 0x1000, 0x1100);
	const char *const names[] = { "size", "free", "after", "global" };
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		scan_inlined(dw, names[i], 0x1010 + i, 0x1011 + i);
		dw_die_end(dw);
	}
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	assert_scan(&scan, "unit a.cpp\n"
			   "host main 0x1000-0x1100 at 0x1000\n"
			   " inlined ns::{}::Box::size 0x1010-0x1011 at 0x1010\n"
			   " inlined ns::{}::free 0x1011-0x1012 at 0x1011\n"
			   " inlined ns::after 0x1012-0x1013 at 0x1012\n"
			   " inlined global 0x1013-0x1014 at 0x1013\n");
	scan_close(&scan);
}

static void write_calls(struct dwarf_builder *dw)
{
	scan_unit_of(dw, "a.c", DW_LANG_C99);
	scan_abstract(dw, "callee");
	scan_abstract(dw, "f");
	scan_host(dw, "main", 0x1000, 0x1100);
	dw_die_begin(dw, DW_TAG_call_site);
	dw_ref4(dw, DW_AT_call_origin, "callee");
	dw_addr(dw, DW_AT_call_return_pc, 0x1008);
	dw_addr(dw, DW_AT_call_pc, 0x1004);
	dw_data1(dw, DW_AT_call_line, 9);
	dw_die_begin(dw, DW_TAG_call_site_parameter);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_inlined(dw, "f", 0x1010, 0x1020);
	dw_die_begin(dw, DW_TAG_GNU_call_site);
	dw_addr(dw, DW_AT_low_pc, 0x1018);
	dw_ref4(dw, DW_AT_abstract_origin, "callee");
	dw_flag_present(dw, DW_AT_GNU_tail_call);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_call_site); // through a pointer
	dw_addr(dw, DW_AT_call_return_pc, 0x1038);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_call_site);
	dw_ref4(dw, DW_AT_call_origin, "callee");
	dw_addr(dw, DW_AT_call_pc, 0x77); // not in the code
	dw_flag(dw, DW_AT_call_tail_call, 1);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_host(dw, "dead", 0, 0x10);
	dw_die_begin(dw, DW_TAG_call_site);
	dw_ref4(dw, DW_AT_call_origin, "callee");
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
}

TEST(calls_are_told_only_where_asked_for)
{
	const struct ic_index_options options = { .calls = true };
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	write_calls(dw);
	scan_open(&scan, dw, &options);
	assert_scan(&scan, "unit a.c\n"
			   "host main 0x1000-0x1100 at 0x1000\n"
			   " inlined f 0x1010-0x1020 at 0x1010\n"
			   "host dead\n"
			   "call callee at 0x1004 returns 0x1008 in main from ?:9\n"
			   "jump callee returns 0x1018 in f\n"
			   "jump callee in main\n");
	assert_int_equal(ic_index_count(scan.index).calls, 3);
	scan_close(&scan);

	dw = scan_builder(5);
	write_calls(dw);
	scan_open(&scan, dw, NULL);
	assert_scan(&scan, "unit a.c\n"
			   "host main 0x1000-0x1100 at 0x1000\n"
			   " inlined f 0x1010-0x1020 at 0x1010\n"
			   "host dead\n");
	scan_close(&scan);
}

TEST(functions_without_an_instance_are_told_only_where_asked_for)
{
	for (int i = 0; i < 4; i++) {
		const struct ic_index_options options = { .declarations = i & 1 };
		struct dwarf_builder *dw = scan_builder(5);
		struct scan scan;

		scan_unit_of(dw, "a", i & 2 ? DW_LANG_C99 : DW_LANG_C_plus_plus);
		scan_abstract(dw, "unused");
		scan_abstract(dw, "used");
		scan_host(dw, "main", 0x1000, 0x1100);
		scan_inlined(dw, "used", 0x1010, 0x1020);
		dw_die_end(dw);
		dw_die_end(dw);
		scan_unit_done(dw);
		scan_open(&scan, dw, &options);
		assert_int_equal(ic_index_count(scan.index).functions, i & 1 ? 3 : 2);
		const char *text = scan_everything(&scan);
		assert_int_equal(strstr(text, "function unused ") != NULL, i & 1);
		scan_close(&scan);
	}
}

static void nest(struct dwarf_builder *dw, uint32_t depth)
{
	// The builder has no room for so many open entries: codes by hand.
	dw_section_begin(dw, ".debug_abbrev");
	dw_label(dw, "abbrevs");
	dw_abbrev_begin(dw, 1, DW_TAG_compile_unit, 1);
	dw_abbrev_end(dw);
	dw_abbrev_begin(dw, 2, DW_TAG_subprogram, 1);
	dw_abbrev_attr(dw, DW_AT_low_pc, DW_FORM_addr);
	dw_abbrev_attr(dw, DW_AT_high_pc, DW_FORM_data1);
	dw_abbrev_end(dw);
	dw_u8(dw, 0);
	dw_section_end(dw);
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile,
						 .abbrevs = "abbrevs",
						 .abbrevs_by_hand = true });
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_die_code(dw, 1);
	dw_die_children(dw);
	for (uint32_t i = 0; i < depth; i++) {
		dw_u8(dw, 2);
		dw_address(dw, 0x1000 + i);
		dw_u8(dw, 1);
	}
	dw_fill(dw, 0, depth);
	scan_unit_done(dw);
}

TEST(entries_may_be_nested_2048_deep_and_no_deeper)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;
	char wanted[128];

	nest(dw, 2048);
	scan_open(&scan, dw, NULL);
	assert_int_equal(ic_index_count(scan.index).hosts, 2048);
	assert_int_equal(ic_index_count(scan.index).problems, 0);
	scan_close(&scan);

	dw = scan_builder(5);
	nest(dw, 5000);
	scan_open(&scan, dw, NULL);
	assert_int_equal(scan.index->problem_count, 1);
	snprintf(wanted, sizeof(wanted), ".debug_info+0x%x: DIEs are nested more than 2048 deep",
		 13 + 2048 * 10);
	assert_string_equal(scan.index->problems[0].message, wanted);
	assert_in_range(ic_index_count(scan.index).hosts, 2048, 2049);
	scan_close(&scan);
}

TEST(values_may_be_of_any_size)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	scan_abstract(dw, "f");
	scan_host(dw, "main", 0x1000, 0x1100);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref_udata(dw, DW_AT_abstract_origin, "f");
	dw_addr(dw, DW_AT_low_pc, 0x1010);
	dw_udata(dw, DW_AT_high_pc, 0x90);
	dw_attr(dw, DW_AT_call_line, DW_FORM_udata);
	dw_uleb_padded(dw, 70000, 8);
	dw_sdata(dw, DW_AT_call_column, 300);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_indirect(dw);
	dw_ref8(dw, DW_AT_abstract_origin, "f");
	dw_addr(dw, DW_AT_low_pc, 0x1010);
	dw_data8(dw, DW_AT_high_pc, 1);
	dw_data8(dw, DW_AT_call_line, 1ull << 40); // no line: it is not cut to 0 bits of it
	dw_implicit_const(dw, DW_AT_call_column, 5);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	assert_scan(&scan, "unit a.c\n"
			   "host main 0x1000-0x1100 at 0x1000\n"
			   " inlined f 0x1010-0x10a0 at 0x1010 from ?:70000:300\n"
			   " inlined f 0x1010-0x1011 at 0x1010\n");
	scan_close(&scan);
}

TEST(partial_and_type_units_are_units)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	dw_unit_begin(dw, DW_UT_partial);
	dw_die_begin(dw, DW_TAG_partial_unit);
	scan_abstract(dw, "shared");
	scan_unit_done(dw);
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_type, .id = 1, .type_die = "S" });
	dw_die_begin(dw, DW_TAG_type_unit);
	dw_label(dw, "S");
	dw_die_begin(dw, DW_TAG_structure_type);
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_unit_of(dw, "a.c", DW_LANG_C99);
	scan_host(dw, "main", 0x1000, 0x1100);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref_addr(dw, DW_AT_abstract_origin, "shared");
	dw_low_high(dw, 0x1010, 0x1020);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	assert_scan(&scan, "unit ?\nunit ?\nunit a.c\n"
			   "host main 0x1000-0x1100 at 0x1000\n"
			   " inlined shared 0x1010-0x1020 at 0x1010\n");
	scan_close(&scan);
}

static void put_parameter(struct dwarf_builder *dw, const char *label, const char *origin)
{
	if (label)
		dw_label(dw, label);
	dw_die_begin(dw, DW_TAG_formal_parameter);
	if (origin)
		dw_ref4(dw, DW_AT_abstract_origin, origin);
	dw_expr(dw, DW_AT_location, DW_BYTES(DW_OP_reg0 + 5));
	dw_die_end(dw);
}

// main, with a parameter before and one behind an instance, which has one itself; and in a block
// and in an abstract function, whose parameters are not those of an instance.
static void write_parameters(struct dwarf_builder *dw, uint16_t language)
{
	scan_unit_of(dw, "a.c", language);
	dw_label(dw, "f");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "f");
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	put_parameter(dw, "p", NULL);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref4(dw, DW_AT_abstract_origin, "f");
	put_parameter(dw, NULL, "p");
	dw_die_end(dw);
	dw_die_end(dw);
	scan_host(dw, "main", 0x1000, 0x1100);
	put_parameter(dw, "first", "p");
	scan_inlined(dw, "f", 0x1010, 0x1020);
	put_parameter(dw, "inner", "p");
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_lexical_block);
	put_parameter(dw, NULL, "p");
	dw_die_end(dw);
	put_parameter(dw, NULL, NULL); // declared here
	put_parameter(dw, "last", "p");
	dw_die_end(dw);
	scan_unit_done(dw);
}

TEST(the_parameters_of_instances_are_noted_where_asked_for)
{
	static const uint16_t languages[] = { DW_LANG_C99, DW_LANG_C_plus_plus };

	for (size_t i = 0; i < sizeof(languages) / sizeof(*languages); i++) {
		struct ic_index_options options = { .parameters = true };
		struct dwarf_builder *dw = scan_builder(5);
		const struct ic_parameter_die *dies;
		struct scan scan;

		write_parameters(dw, languages[i]);
		uint32_t first = (uint32_t)dw_label_off(dw, "first");
		uint32_t inner = (uint32_t)dw_label_off(dw, "inner");
		uint32_t last = (uint32_t)dw_label_off(dw, "last");
		scan_open(&scan, dw, &options);
		const struct ic_unit_model *unit = &scan.index->units[0];
		assert_int_equal(unit->instance_count, 2);
		assert_int_equal(unit->parameter_count, 3);
		assert_int_equal(ic_unit_model_parameters(unit, 0, &dies), 2);
		assert_int_equal(dies[0].die_off, first);
		assert_int_equal(dies[1].die_off, last);
		assert_int_equal(ic_unit_model_parameters(unit, 1, &dies), 1);
		assert_int_equal(dies[0].die_off, inner);
		scan_close(&scan);
		dw = scan_builder(5);
		write_parameters(dw, languages[i]);
		scan_open(&scan, dw, NULL);
		assert_int_equal(scan.index->units[0].parameter_count, 0);
		assert_int_equal(scan.index->units[0].instance_count, 2);
		scan_close(&scan);
	}
}

TEST(a_parameter_that_cannot_be_passed_ends_the_unit)
{
	struct ic_index_options options = { .parameters = true };
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	scan_host(dw, "main", 0x1000, 0x1100);
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_value(dw, DW_AT_abstract_origin, DW_FORM_ref4, 0);
	dw_attr(dw, DW_AT_location, DW_FORM_exprloc);
	dw_uleb(dw, 100);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_open(&scan, dw, &options);
	assert_non_null(strstr(scan_text(&scan), "host main 0x1000-0x1100 at 0x1000\nproblem "));
	assert_non_null(strstr(scan_text(&scan), "unexpected end of data"));
	scan_close(&scan);
}

UNIT_TESTS(read_unit)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instances_nest_as_their_entries_do),
		cmocka_unit_test(files_count_as_the_line_tables_version_has_it),
		cmocka_unit_test(attributes_that_are_missing_are_not_made_up),
		cmocka_unit_test(what_is_inlined_into_an_abstract_function_is_not_in_the_code),
		cmocka_unit_test(a_function_inside_of_another_is_a_host_of_its_own),
		cmocka_unit_test(functions_have_the_scopes_that_they_are_declared_in),
		cmocka_unit_test(calls_are_told_only_where_asked_for),
		cmocka_unit_test(functions_without_an_instance_are_told_only_where_asked_for),
		cmocka_unit_test(entries_may_be_nested_2048_deep_and_no_deeper),
		cmocka_unit_test(values_may_be_of_any_size),
		cmocka_unit_test(partial_and_type_units_are_units),
		cmocka_unit_test(the_parameters_of_instances_are_noted_where_asked_for),
		cmocka_unit_test(a_parameter_that_cannot_be_passed_ends_the_unit),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
