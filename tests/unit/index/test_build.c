#include "unit_test.h"

#include <stdlib.h>
#include <string.h>

#include "fixtures/elf.h"
#include "fixtures/lookup.h"
#include "fixtures/scan.h"

#include "dwarf_constants.h"

#include <inlinecall/extra/index.h>

// Functions in two sections of a relocatable file, or at addresses of a linked one.
static struct dwarf_builder *write_dwarf(struct dwarf_format format, bool relocatable)
{
	struct dwarf_builder *dw = dwarf_builder_new(format);

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	scan_abstract(dw, "f");
	dw_addr_target(dw, relocatable ? ".text.a" : NULL);
	scan_host(dw, "a", relocatable ? 0x10 : 0x1000, relocatable ? 0x40 : 0x1030);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref4(dw, DW_AT_abstract_origin, "f");
	if (relocatable)
		dw_ranges(dw, DW_RANGES({ 0x14, 0x18 }));
	else
		dw_ranges(dw, DW_RANGES({ 0x1004, 0x1008 }));
	dw_die_end(dw);
	dw_die_end(dw);
	dw_addr_target(dw, relocatable ? ".text.b" : NULL);
	scan_host(dw, "b", relocatable ? 0 : 0x2000, relocatable ? 8 : 0x2008);
	dw_die_end(dw);
	dw_addr_target(dw, NULL);
	scan_unit_done(dw);
	return dw;
}

// Writes an ELF file with this DWARF and two sections of code.
static const char *write_elf(struct elf_format format, struct dwarf_builder *dw,
			     enum elf_compression compression)
{
	struct elf_builder *elf = elf_builder_new(format);
	bool linked = format.type != ET_REL;

	elf_add_code(elf, ".text.a", linked ? 0x1000 : 0, 0x100);
	elf_add_code(elf, ".text.b", linked ? 0x2000 : 0, 0x100);
	elf_add_symbol(elf, (struct elf_symbol){ .name = "b_symbol",
						 .section = ".text.b",
						 .value = linked ? 0x2000 : 0,
						 .size = 8,
						 .type = STT_FUNC,
						 .bind = STB_GLOBAL });
	elf_add_dwarf_compressed(elf, dw, compression);
	dwarf_builder_free(dw);
	return elf_end_at(elf, "a.out");
}

// Another index can be built from an image of which some sections were released.
static void check_second_index(struct scan *scan)
{
	struct ic_error err = { .message = "" };
	char *first = strdup(scan_everything(scan));

	ic_index_free(scan->index);
	scan->index = ic_index_build(scan->image, NULL, &err);
	if (!scan->index)
		fail_msg("%s", err.message);
	assert_string_equal(scan_everything(scan), first);
	free(first);
}

static void check_relocatable(struct dwarf_format dwarf, struct elf_format elf,
			      enum elf_compression compression)
{
	struct ic_index_section section;
	struct scan scan;

	scan_open_path(&scan, write_elf(elf, write_dwarf(dwarf, true), compression), NULL);
	assert_int_equal(scan.index->problem_count, 0);
	const struct ic_unit_model *unit = &scan.index->units[0];
	assert_int_equal(unit->instance_count, 3);
	const uint64_t offsets[] = { 0x10, 0x14, 0 };
	for (uint32_t i = 0; i < 3; i++) {
		const struct ic_instance *instance = &unit->instances[i];
		assert_int_equal(instance->range_count, 1);
		assert_true(ic_index_section_find(scan.index, instance->entry, &section));
		assert_string_equal(section.name, i < 2 ? ".text.a" : ".text.b");
		assert_int_equal(instance->entry - section.start, offsets[i]);
	}
	const struct ic_range range = unit->ranges[unit->instances[2].first_range];
	struct ic_symbol symbol;
	assert_true(ic_index_symbol_of(scan.index, range, NULL, &symbol));
	assert_string_equal(symbol.name, "b_symbol");
	check_second_index(&scan);
	scan_close(&scan);
}

TEST(addresses_of_a_relocatable_file_say_their_section)
{
	const struct {
		uint16_t machine;
		uint8_t bits;
		bool big_endian, rel;
	} machines[] = { { EM_X86_64, 64, false, false },  { EM_386, 32, false, true },
			 { EM_AARCH64, 64, false, false }, { EM_ARM, 32, false, true },
			 { EM_RISCV, 64, false, false },   { EM_S390, 64, true, false },
			 { EM_PPC64, 64, true, false } };

	for (size_t i = 0; i < COUNT_OF(machines); i++) {
		for (uint16_t version = 2; version <= 5; version++) {
			bool rel = machines[i].rel;
			check_relocatable(
				(struct dwarf_format){ .version = version,
						       .offset_size = 4,
						       .addr_size = machines[i].bits / 8,
						       .big_endian = machines[i].big_endian,
						       .relocs = rel ? DWARF_RELOCS_REL
								     : DWARF_RELOCS_RELA },
				(struct elf_format){ .bits = machines[i].bits,
						     .big_endian = machines[i].big_endian,
						     .machine = machines[i].machine,
						     .type = ET_REL,
						     .rel = rel },
				version == 4 ? ELF_COMPRESSION_ZLIB : ELF_COMPRESSION_NONE);
		}
	}
}

TEST(a_linked_file_may_be_compressed_in_any_way)
{
	const enum elf_compression kinds[] = { ELF_COMPRESSION_NONE, ELF_COMPRESSION_ZLIB,
					       ELF_COMPRESSION_ZSTD, ELF_COMPRESSION_GNU };
	const struct dwarf_format format = { .version = 5, .offset_size = 4, .addr_size = 8 };

	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		struct ic_index_section section;
		struct scan scan;
		const char *path = write_elf(
			(struct elf_format){ .bits = 64, .machine = EM_X86_64, .type = ET_DYN },
			write_dwarf(format, false), kinds[i]);
		scan_open_path(&scan, path, NULL);
		assert_scan(&scan, "unit a.c\n"
				   "host a 0x1000-0x1030 at 0x1000\n"
				   " inlined f 0x1004-0x1008 at 0x1004\n"
				   "host b 0x2000-0x2008 at 0x2000\n");
		assert_false(ic_index_section_find(scan.index, 0x1000, &section));
		scan_close(&scan);
	}
}

TEST(without_sections_of_code_the_segments_say_what_is_code)
{
	const struct dwarf_format format = { .version = 5, .offset_size = 4, .addr_size = 8 };
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct dwarf_builder *dw = write_dwarf(format, false);
	struct scan scan;

	elf_add_dwarf(elf, dw); // and no code at all: everything is
	dwarf_builder_free(dw);
	scan_open_path(&scan, elf_end_at(elf, "a.out"), NULL);
	assert_int_equal(ic_index_count(scan.index).ranges, 3);
	assert_int_equal(scan.index->code.count, 1);
	scan_close(&scan);
}

TEST(sections_that_cannot_be_loaded_fail_the_index)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct ic_error err = { .message = "" };

	elf_add_section(elf, (struct elf_section){ .name = ".debug_info",
						   .bytes = { (const uint8_t *)"abc", 3 },
						   .compression = ELF_COMPRESSION_ZLIB,
						   .bad_uncompressed_size = 5 });
	struct ic_image *image = ic_image_open(elf_end_at(elf, "a.out"), NULL, &err);
	assert_non_null(image);
	assert_null(ic_index_build(image, NULL, &err));
	assert_non_null(strstr(err.message, ": cannot decompress .debug_info: "));
	assert_null(ic_index_build(image, NULL, NULL));
	ic_image_free(image);
}

// Sections that were decompressed or relocated are released when nobody reads them any more.
TEST(an_image_may_have_an_index_and_several_symbolizers)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct lookup lookup, other;
	struct ic_error err;

	program_put(dw, &(struct program_unit){ .name = "a.c", .start = 0x1000 });
	program_put(dw, &(struct program_unit){ .name = "b.c", .start = 0x2000 });
	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	elf_add_dwarf_compressed(elf, dw, ELF_COMPRESSION_ZSTD);
	dwarf_builder_free(dw);
	lookup_open_elf(&lookup, elf);
	assert_lookup(&lookup, 0x1010, PROGRAM_LEAF("a.c"));
	struct ic_index *index = ic_index_build(lookup.image, NULL, &err);
	assert_non_null(index);
	ic_index_free(index);
	other = (struct lookup){ .symbolizer = ic_symbolizer_new(lookup.image, NULL, &err) };
	assert_lookup(&other, 0x1010, PROGRAM_LEAF("a.c"));
	ic_symbolizer_free(lookup.symbolizer);
	lookup.symbolizer = other.symbolizer;
	free(other.text);
	assert_lookup(&lookup, 0x2010, PROGRAM_LEAF("b.c"));
	lookup_close(&lookup);
}

UNIT_TESTS(index_build)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_of_a_relocatable_file_say_their_section),
		cmocka_unit_test(a_linked_file_may_be_compressed_in_any_way),
		cmocka_unit_test(without_sections_of_code_the_segments_say_what_is_code),
		cmocka_unit_test(sections_that_cannot_be_loaded_fail_the_index),
		cmocka_unit_test(an_image_may_have_an_index_and_several_symbolizers),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
