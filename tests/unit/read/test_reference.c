#include "unit_test.h"

#include <stdio.h>
#include <unistd.h>

#include "fixtures/elf.h"
#include "fixtures/scan.h"

#include "dwarf_constants.h"

// A unit whose function `name` refers to the DIE that `origin` labels, or has its own name if that
// is NULL; and a host with an instance of the function that `used` labels.
static void link_unit(struct dwarf_builder *dw, const char *name, const char *origin,
		      const char *used)
{
	scan_unit_of(dw, name, DW_LANG_C99);
	dw_label(dw, name);
	dw_die_begin(dw, DW_TAG_subprogram);
	if (origin)
		dw_ref_addr(dw, DW_AT_abstract_origin, origin);
	else
		dw_string(dw, DW_AT_name, name);
	dw_die_end(dw);
	if (used) {
		scan_host(dw, "main", 0x1000, 0x1100);
		dw_die_begin(dw, DW_TAG_inlined_subroutine);
		dw_ref_addr(dw, DW_AT_abstract_origin, used);
		dw_low_high(dw, 0x1010, 0x1020);
		dw_die_end(dw);
		dw_die_end(dw);
	}
	scan_unit_done(dw);
}

TEST(an_origin_may_be_in_a_unit_before_or_behind)
{
	for (uint16_t version = 2; version <= 5; version++) {
		struct dwarf_builder *dw = scan_builder(version);
		struct scan scan;

		link_unit(dw, "first", NULL, "second");
		link_unit(dw, "second", NULL, "first");
		scan_open(&scan, dw, NULL);
		assert_scan(&scan, "unit first\n"
				   "host main 0x1000-0x1100 at 0x1000\n"
				   " inlined second 0x1010-0x1020 at 0x1010\n"
				   "unit second\n"
				   "host main 0x1000-0x1100 at 0x1000\n"
				   " inlined first 0x1010-0x1020 at 0x1010\n");
		scan_close(&scan);
	}
}

TEST(an_origin_is_followed_from_unit_to_unit)
{
	for (uint32_t jobs = 1; jobs <= 4; jobs++) {
		const struct ic_index_options options = { .jobs = jobs };
		struct dwarf_builder *dw = scan_builder(5);
		struct scan scan;

		link_unit(dw, "a", "d", "b");
		link_unit(dw, "b", "c", "a");
		link_unit(dw, "c", "a", NULL); // c -> a -> d: back and forth
		link_unit(dw, "d", NULL, "c");
		scan_open(&scan, dw, &options);
		assert_scan(&scan, "unit a\n"
				   "host main 0x1000-0x1100 at 0x1000\n"
				   " inlined d 0x1010-0x1020 at 0x1010\n"
				   "unit b\n"
				   "host main 0x1000-0x1100 at 0x1000\n"
				   " inlined d 0x1010-0x1020 at 0x1010\n"
				   "unit c\n"
				   "unit d\n"
				   "host main 0x1000-0x1100 at 0x1000\n"
				   " inlined d 0x1010-0x1020 at 0x1010\n");
		scan_close(&scan);
	}
}

TEST(a_circle_through_units_is_a_problem_and_ends)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	link_unit(dw, "a", "b", NULL);
	link_unit(dw, "b", "c", NULL);
	link_unit(dw, "c", "a", "b");
	scan_open(&scan, dw, NULL);
	const char *text = scan_text(&scan);
	assert_non_null(strstr(text, " inlined {} 0x1010-0x1020 at 0x1010\n"));
	assert_non_null(strstr(text, ": chain of function origins is cyclic or too long\n"));
	assert_int_equal(scan.index->problem_count, 1);
	scan_close(&scan);
}

TEST(a_scope_of_another_unit_is_found_too)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	scan_unit_of(dw, "a.cpp", DW_LANG_C_plus_plus);
	scan_host(dw, "main", 0x1000, 0x1100);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref_addr(dw, DW_AT_abstract_origin, "f");
	dw_low_high(dw, 0x1010, 0x1020);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_unit_of(dw, "b.cpp", DW_LANG_C_plus_plus);
	dw_die_begin(dw, DW_TAG_namespace);
	dw_string(dw, DW_AT_name, "ns");
	scan_abstract(dw, "f");
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	assert_scan(&scan, "unit a.cpp\n"
			   "host main 0x1000-0x1100 at 0x1000\n"
			   " inlined ns::f 0x1010-0x1020 at 0x1010\n"
			   "unit b.cpp\n");
	scan_close(&scan);
}

static void refer(struct dwarf_builder *dw, uint64_t off)
{
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_value(dw, DW_AT_abstract_origin, DW_FORM_ref_addr, off);
	dw_low_high(dw, 0x1010, 0x1020);
	dw_die_end(dw);
}

TEST(references_that_lead_out_of_all_units_are_problems)
{
	for (uint32_t jobs = 1; jobs <= 2; jobs++) {
		const struct ic_index_options options = { .jobs = jobs };
		struct dwarf_builder *dw = scan_builder(5);
		struct scan scan;

		scan_unit_of(dw, "a.c", DW_LANG_C99);
		scan_host(dw, "main", 0x1000, 0x1100);
		refer(dw, 3); // a header
		refer(dw, 0x777777);
		dw_die_end(dw);
		scan_unit_done(dw);
		scan_open(&scan, dw, &options);
		assert_scan(&scan,
			    "unit a.c\n"
			    "host main 0x1000-0x1100 at 0x1000\n"
			    " inlined {} 0x1010-0x1020 at 0x1010\n"
			    " inlined ? 0x1010-0x1020 at 0x1010\n"
			    "problem .debug_info+0x3: reference points outside all units\n"
			    "problem .debug_info+0x777777: reference points outside all units "
			    "(for .debug_info+0x43)\n");
		scan_close(&scan);
	}
}

TEST(a_reference_into_a_unit_that_cannot_be_read_is_a_problem)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	dw_unit_begin_with(
		dw, (struct dw_unit){ .type = DW_UT_compile, .bad_abbrev_off = DW_BAD(0x7777) });
	dw_die_begin(dw, DW_TAG_compile_unit);
	scan_abstract(dw, "f");
	scan_unit_done(dw);
	scan_unit_of(dw, "a.c", DW_LANG_C99);
	scan_host(dw, "main", 0x1000, 0x1100);
	refer(dw, 0xd);
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	const char *text = scan_text(&scan);
	assert_non_null(strstr(text, " inlined {} 0x1010-0x1020 at 0x1010\n"));
	assert_non_null(strstr(text, "problem .debug_abbrev+0x7777: offset is beyond the end of "
				     "the section (for .debug_info+0x0)\n"));
	scan_close(&scan);
}

static void write_lines(struct dwarf_builder *dw, const char *label, const char *file)
{
	const char *const dirs[] = { "/dir", NULL };
	const struct dw_line_file files[] = { { .path = file },
					      { .path = file, .dir = dw_format(dw).version < 5 },
					      { 0 } };
	struct dw_line_header header = dw_line_header_default(dw);

	header.dirs = dirs;
	header.files = files;
	dw_line_begin(dw, label, &header);
	dw_line_end_sequence(dw, 1);
	dw_line_end(dw);
}

// The common file of dwz: a function in a namespace, and a name.
static struct dwarf_builder *supplementary_builder(uint16_t version)
{
	struct dwarf_builder *dw = scan_builder(version);

	write_lines(dw, "lines", "common.h");
	dw_unit_begin(dw, DW_UT_partial);
	dw_die_begin(dw, DW_TAG_partial_unit);
	dw_data2(dw, DW_AT_language, DW_LANG_C_plus_plus);
	dw_string(dw, DW_AT_comp_dir, "/common");
	dw_stmt_list(dw, "lines");
	dw_die_begin(dw, DW_TAG_namespace);
	dw_strp(dw, DW_AT_name, "ns");
	dw_label(dw, "f");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_strp(dw, DW_AT_name, "f");
	dw_data1(dw, DW_AT_decl_file, 1);
	dw_data1(dw, DW_AT_decl_line, 7);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_label(dw, "bad");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_value(dw, DW_AT_name, DW_FORM_strp, 0x7777);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
	return dw;
}

// Writes a program with an instance of the DIE at an offset of the supplementary file, whose unit
// has its name from there.
static const char *write_linked(uint16_t version, uint64_t function_off, uint64_t name_off)
{
	static const uint8_t id[] = { 1, 2, 3 };
	struct dwarf_builder *dw = scan_builder(version);
	struct elf_builder *elf = elf_begin(ET_EXEC);

	write_lines(dw, "lines", "wrong.h");
	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_value(dw, DW_AT_name, version < 5 ? DW_FORM_GNU_strp_alt : DW_FORM_strp_sup, name_off);
	dw_data2(dw, DW_AT_language, DW_LANG_C_plus_plus);
	dw_stmt_list(dw, "lines");
	scan_host(dw, "main", 0x1000, 0x1100);
	for (uint32_t i = 0; i < 2; i++) {
		dw_die_begin(dw, DW_TAG_inlined_subroutine);
		dw_value(dw, DW_AT_abstract_origin,
			 version < 5 ? DW_FORM_GNU_ref_alt
			 : i         ? DW_FORM_ref_sup8
				     : DW_FORM_ref_sup4,
			 function_off);
		dw_low_high(dw, 0x1010 + i, 0x1020);
		dw_die_end(dw);
	}
	dw_die_end(dw);
	scan_unit_done(dw);
	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	elf_add_alt_link(elf, "common", id, sizeof(id));
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	return elf_end_at(elf, "program");
}

// The file that the program above is linked to. The offsets are of the labels.
static const char *write_common(uint16_t version, uint64_t *f_off, uint64_t *bad_off,
				uint64_t *name_off)
{
	static const uint8_t id[] = { 1, 2, 3 };
	struct dwarf_builder *dw = supplementary_builder(version);
	struct elf_builder *elf = elf_begin(ET_EXEC);

	*name_off = dw_str_off(dw, ".debug_str", "unit name");
	*f_off = dw_label_off(dw, "f");
	*bad_off = dw_label_off(dw, "bad");
	elf_add_build_id(elf, 0, id, sizeof(id));
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	return elf_end_at(elf, "common");
}

TEST(functions_of_a_supplementary_file_have_its_names_and_scopes_and_files)
{
	for (uint32_t jobs = 1; jobs <= 3; jobs++) {
		for (uint16_t version = 4; version <= 5; version++) {
			const struct ic_index_options options = { .jobs = jobs };
			uint64_t f_off, bad_off, name_off;
			struct scan scan;

			write_common(version, &f_off, &bad_off, &name_off);
			scan_open_path(&scan, write_linked(version, f_off, name_off), &options);
			assert_scan(&scan, "unit unit name\n"
					   "host main 0x1000-0x1100 at 0x1000\n"
					   " inlined ns::f 0x1010-0x1020 at 0x1010\n"
					   " inlined ns::f 0x1011-0x1020 at 0x1011\n"
					   "unit ?\n");
			const struct ic_function *f = scan_function(&scan, 1);
			assert_string_equal(f->decl_file,
					    version < 5 ? "/common/common.h" : "/dir/common.h");
			assert_int_equal(f->decl_line, 7);
			assert_ptr_equal(f, scan_function(&scan, 2)); // the same object
			scan_close(&scan);
		}
	}
}

TEST(a_problem_in_a_supplementary_file_names_that_file)
{
	uint64_t f_off, bad_off, name_off;
	struct scan scan;
	const char *path = write_common(5, &f_off, &bad_off, &name_off);

	scan_open_path(&scan, write_linked(5, bad_off, name_off), NULL);
	assert_int_equal(scan.index->problem_count, 1);
	assert_string_equal(scan.index->problems[0].file, path);
	assert_non_null(strstr(scan.index->problems[0].message, ".debug_str+0x7777: string"));
	scan_close(&scan);
	scan_open_path(&scan, write_linked(5, 0x7777, 0x7777), NULL);
	assert_scan(&scan,
		    "unit ?\n"
		    "host main 0x1000-0x1100 at 0x1000\n"
		    " inlined ? 0x1010-0x1020 at 0x1010\n"
		    " inlined ? 0x1011-0x1020 at 0x1011\n"
		    "unit ?\n"
		    "problem .debug_str (supplementary)+0x7777: string offset is beyond the end of "
		    "the section (for .debug_info+0xc)\n"
		    "problem .debug_info (supplementary)+0x7777: reference points outside all "
		    "units (for .debug_info+0x2d)\n"
		    "problem .debug_info (supplementary)+0x7777: reference points outside all "
		    "units (for "
		    ".debug_info+0x42)\n");
	scan_close(&scan);
	scan_open_path(&scan, write_linked(5, 2, name_off), NULL); // in a unit's header
	assert_int_equal(scan.index->problem_count, 1);
	assert_string_equal(scan.index->problems[0].file, path);
	assert_string_equal(scan.index->problems[0].message,
			    ".debug_info+0x2: reference points outside all units");
	scan_close(&scan);
}

// A common file with only a section of strings.
static void write_strings(const char *strings, size_t size, uint64_t flags)
{
	static const uint8_t id[] = { 1, 2, 3 };
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_build_id(elf, 0, id, sizeof(id));
	elf_add_section(elf, (struct elf_section){ .name = ".debug_str",
						   .bytes = { (const uint8_t *)strings, size },
						   .flags = flags,
						   .align = 1 });
	elf_end_at(elf, "common");
}

TEST(a_supplementary_file_may_have_strings_alone)
{
	for (uint16_t version = 4; version <= 5; version++) {
		struct scan scan;

		write_strings("shared.c", sizeof("shared.c"), 0);
		scan_open_path(&scan, write_linked(version, 0, 0), NULL);
		assert_non_null(strstr(scan_text(&scan), "unit shared.c\n"));
		assert_int_equal(scan.index->problem_count, 2); // there are no DIEs
		assert_non_null(strstr(scan.index->problems[0].message, "outside all units"));
		scan_close(&scan);
	}
}

TEST(a_supplementary_file_that_cannot_be_read_is_one_problem)
{
	struct scan scan;

	write_strings("not compressed", sizeof("not compressed"), SHF_COMPRESSED);
	scan_open_path(&scan, write_linked(5, 0x10, 0), NULL);
	assert_int_equal(scan.index->problem_count, 1);
	assert_non_null(strstr(scan.index->problems[0].message, ".debug_str"));
	scan_close(&scan);
}

TEST(a_supplementary_file_that_is_missing_is_one_problem)
{
	for (uint16_t version = 4; version <= 5; version++) {
		struct scan scan;

		unlink(temp_path("common"));
		scan_open_path(&scan, write_linked(version, 0x10, 0), NULL);
		assert_int_equal(scan.index->problem_count, 1);
		const struct ic_problem *problem = &scan.index->problems[0];
		assert_non_null(strstr(problem->message,
				       "its supplementary file common was not found, so "
				       "functions in it have no names"));
		assert_null(problem->file);
		assert_null(problem->section);
		assert_non_null(strstr(scan_text(&scan), " inlined ? 0x1010-0x1020"));
		scan_close(&scan);
	}
}

TEST(functions_of_partial_units_have_their_scopes)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	dw_unit_begin(dw, DW_UT_partial);
	dw_die_begin(dw, DW_TAG_partial_unit);
	dw_data2(dw, DW_AT_language, DW_LANG_C_plus_plus);
	dw_die_begin(dw, DW_TAG_namespace);
	dw_string(dw, DW_AT_name, "ns");
	scan_abstract(dw, "f");
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_unit_of(dw, "a.cpp", DW_LANG_C_plus_plus);
	scan_host(dw, "main", 0x1000, 0x1100);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref_addr(dw, DW_AT_abstract_origin, "f");
	dw_low_high(dw, 0x1010, 0x1020);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	assert_scan(&scan, "unit ?\n"
			   "unit a.cpp\n"
			   "host main 0x1000-0x1100 at 0x1000\n"
			   " inlined ns::f 0x1010-0x1020 at 0x1010\n");
	scan_close(&scan);
}

static void write_type_unit(struct dwarf_builder *dw)
{
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_type,
						 .id = 0x1122334455667788,
						 .type_die = "box",
						 .abbrevs = "shared" });
	dw_die_begin(dw, DW_TAG_type_unit);
	dw_data2(dw, DW_AT_language, DW_LANG_C_plus_plus);
	dw_die_begin(dw, DW_TAG_namespace); // which the class has again where it is used
	dw_string(dw, DW_AT_name, "ns");
	dw_label(dw, "box");
	dw_die_begin(dw, DW_TAG_class_type);
	dw_string(dw, DW_AT_name, "box");
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
}

static void write_member(struct dwarf_builder *dw, uint64_t signature)
{
	dw_unit_begin_with(
		dw,
		(struct dw_unit){ .type = DW_UT_compile, .label = "unit", .abbrevs = "shared" });
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_data2(dw, DW_AT_language, DW_LANG_C_plus_plus);
	dw_die_begin(dw, DW_TAG_namespace);
	dw_string(dw, DW_AT_name, "ns");
	dw_die_begin(dw, DW_TAG_class_type);
	dw_flag(dw, DW_AT_declaration, 1);
	dw_ref_sig8(dw, DW_AT_signature, signature);
	scan_abstract(dw, "get");
	dw_die_end(dw);
	dw_die_end(dw);
	scan_host(dw, "main", 0x1000, 0x1100);
	scan_inlined(dw, "get", 0x1010, 0x1020);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
}

TEST(a_class_has_its_name_from_its_type_unit)
{
	for (uint16_t version = 4; version <= 5; version++) {
		struct dwarf_builder *dw = scan_builder(version);
		struct scan scan;

		write_member(dw, 0x1122334455667788);
		write_type_unit(dw); // in .debug_types before DWARF 5
		scan_open(&scan, dw, NULL);
		assert_scan(&scan, "unit ?\n"
				   "host main 0x1000-0x1100 at 0x1000\n"
				   " inlined ns::box::get 0x1010-0x1020 at 0x1010\n"
				   "unit ?\n");
		scan_close(&scan);
	}
}

TEST(a_class_whose_type_unit_was_not_linked_has_no_name)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	write_member(dw, 5);
	write_type_unit(dw);
	scan_open(&scan, dw, NULL);
	assert_scan(&scan, "unit ?\n"
			   "host main 0x1000-0x1100 at 0x1000\n"
			   " inlined ns::{}::get 0x1010-0x1020 at 0x1010\n"
			   "unit ?\n");
	scan_close(&scan);
}

TEST(a_type_unit_may_be_in_a_group_of_an_object)
{
	for (uint16_t version = 4; version <= 5; version++) {
		struct dwarf_builder *dw = scan_builder(version);
		struct elf_builder *elf = elf_begin(ET_REL);
		struct scan scan;

		write_type_unit(dw);
		write_member(dw, 0x1122334455667788);
		struct bytes info = dw_section(dw, ".debug_info");
		struct bytes types = dw_section(dw, ".debug_types");
		const struct section_reloc reloc = { version < 5 ? 6 : 8, 4, 0, ".debug_abbrev",
						     0 };
		if (version >= 5) { // the first unit is a section of its own
			size_t off = dw_label_off(dw, "unit");
			types = (struct bytes){ info.data, off };
			info = (struct bytes){ info.data + off, info.size - off };
		}
		elf_add_code(elf, ".text", 0, CODE_END); // where the code is, by luck
		struct elf_section sections[] = {
			{ .name = version < 5 ? ".debug_types" : ".debug_info", .bytes = types },
			{ .name = ".debug_info", .bytes = info },
			{ .name = ".debug_abbrev", .bytes = dw_section(dw, ".debug_abbrev") },
		};
		sections[0].flags = SHF_GROUP;
		for (size_t i = 0; i < 3; i++)
			elf_add_section(elf, sections[i]);
		elf_add_relocs(elf, ".debug_info", &reloc, 1);
		dwarf_builder_free(dw);
		scan_open_path(&scan, elf_end_at(elf, "a.o"), NULL);
		assert_scan(&scan, "unit ?\n"
				   "unit ?\n"
				   "host main 0x1000-0x1100 at 0x1000\n"
				   " inlined ns::box::get 0x1010-0x1020 at 0x1010\n");
		scan_close(&scan);
	}
}

// A unit with a declaration in a namespace, then a type unit with a function `padding` bytes after
// its start, to which an instance of the first unit refers.
static void write_function_of_a_type_unit(struct dwarf_builder *dw, size_t padding)
{
	static const uint8_t padding_bytes[64];

	scan_unit_of(dw, "a.cc", DW_LANG_C_plus_plus);
	dw_die_begin(dw, DW_TAG_namespace);
	dw_string(dw, DW_AT_name, "ns");
	scan_abstract(dw, "declared");
	dw_die_end(dw);
	scan_host(dw, "main", 0x1000, 0x1100);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref_addr(dw, DW_AT_abstract_origin, "f");
	dw_low_high(dw, 0x1010, 0x1020);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);

	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_type, .type_die = "f" });
	dw_die_begin(dw, DW_TAG_type_unit);
	dw_block(dw, DW_AT_location, DW_FORM_block1, padding_bytes, padding);
	scan_abstract(dw, "f");
	scan_unit_done(dw);
}

// For any distance from the unit's start at which the unit read before has a declaration.
TEST(a_function_has_no_scope_of_the_unit_that_was_read_before)
{
	const struct ic_index_options options = { .jobs = 1 };

	for (size_t padding = 0; padding < 60; padding++) {
		struct dwarf_builder *dw = scan_builder(5);
		struct scan scan;

		write_function_of_a_type_unit(dw, padding);
		scan_open(&scan, dw, &options);
		assert_scan(&scan, "unit a.cc\n"
				   "host main 0x1000-0x1100 at 0x1000\n"
				   " inlined f 0x1010-0x1020 at 0x1010\n"
				   "unit ?\n");
		scan_close(&scan);
	}
}

UNIT_TESTS(read_reference)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_origin_may_be_in_a_unit_before_or_behind),
		cmocka_unit_test(an_origin_is_followed_from_unit_to_unit),
		cmocka_unit_test(a_circle_through_units_is_a_problem_and_ends),
		cmocka_unit_test(a_scope_of_another_unit_is_found_too),
		cmocka_unit_test(references_that_lead_out_of_all_units_are_problems),
		cmocka_unit_test(a_reference_into_a_unit_that_cannot_be_read_is_a_problem),
		cmocka_unit_test(
			functions_of_a_supplementary_file_have_its_names_and_scopes_and_files),
		cmocka_unit_test(a_problem_in_a_supplementary_file_names_that_file),
		cmocka_unit_test(a_supplementary_file_may_have_strings_alone),
		cmocka_unit_test(a_supplementary_file_that_cannot_be_read_is_one_problem),
		cmocka_unit_test(a_supplementary_file_that_is_missing_is_one_problem),
		cmocka_unit_test(functions_of_partial_units_have_their_scopes),
		cmocka_unit_test(a_class_has_its_name_from_its_type_unit),
		cmocka_unit_test(a_class_whose_type_unit_was_not_linked_has_no_name),
		cmocka_unit_test(a_type_unit_may_be_in_a_group_of_an_object),
		cmocka_unit_test(a_function_has_no_scope_of_the_unit_that_was_read_before),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
