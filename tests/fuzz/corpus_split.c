// The inputs of the targets on several files: split DWARF, packages, supplementary files.
#include "corpus.h"
#include "dwarf_constants.h"
#include "fuzz_input.h"
#include "split_builder.h"

#include <stdio.h>

static const struct split_unit units[] = {
	{ .id = 0x1122334455667788, .name = "one", .dwo_name = "a.dwo", .start = 0x1000 },
	{ .id = 0x8877665544332211, .name = "two", .dwo_name = "sub/a.dwo", .start = 0x2000 },
};

enum { UNIT_COUNT = sizeof(units) / sizeof(*units) };

static struct dwarf_builder *write_units(struct dwarf_format format)
{
	struct dwarf_builder *dw = dwarf_builder_new(format);

	split_write_units(dw, units, UNIT_COUNT);
	return dw;
}

static struct elf_builder *file_of(struct dwarf_builder *dw, bool dwo)
{
	struct dwarf_format format = dw_format(dw);
	struct elf_builder *elf =
		elf_builder_new((struct elf_format){ .bits = format.addr_size * 8,
						     .big_endian = format.big_endian,
						     .machine = EM_X86_64,
						     .type = dwo ? ET_REL : ET_EXEC });

	if (!dwo)
		elf_add_code(elf, ".text", 0x1000, 0x2000);
	elf_add_dwarf_part(elf, dw, dwo);
	return elf;
}

// An index whose rows are the units of the builder, all with one part of the other sections.
static struct byte_buffer index_of(struct dwarf_builder *dw)
{
	struct dwarf_format format = dw_format(dw);
	uint32_t first_size = 0;
	struct byte_buffer out = { .big_endian = format.big_endian };
	struct package_row rows[UNIT_COUNT];

	first_size = (uint32_t)dw_label_off(dw, "two.unit");
	for (uint32_t i = 0; i < UNIT_COUNT; i++)
		rows[i] = (struct package_row){
			.id = units[i].id,
			.offs = { i ? first_size : 0 },
			.sizes = { i ? (uint32_t)dw_section(dw, ".debug_info.dwo").size - first_size
				     : first_size },
		};
	package_index_write(&out, &(struct package_index){ .version = format.version < 5 ? 2 : 5,
							   .columns = 4,
							   .sections = { 1, 3, 6, 8 },
							   .rows = rows,
							   .row_count = UNIT_COUNT });
	return out;
}

static void write_split(const struct corpus *corpus, const char *name, struct dwarf_format format)
{
	struct dwarf_builder *dw = write_units(format);
	struct byte_buffer index = index_of(dw);
	char full[64];

	for (uint8_t is_package = 0; is_package < 2; is_package++) {
		struct elf_builder *program = file_of(dw, false), *dwo = file_of(dw, true);
		if (is_package)
			elf_add_section(dwo,
					(struct elf_section){ .name = ".debug_cu_index",
							      .align = 1,
							      .bytes = byte_buffer_view(&index) });
		const struct bytes files[] = { elf_build(program), elf_build(dwo) };
		snprintf(full, sizeof(full), "%s-%s", name, is_package ? "dwp" : "dwo");
		corpus_put(corpus, "fuzz_split", full, CORPUS_BYTES(is_package), files, 2);
		elf_builder_free(program);
		elf_builder_free(dwo);
	}
	const struct bytes indexes[] = { byte_buffer_view(&index), byte_buffer_view(&index) };
	corpus_put(corpus, "fuzz_package", name, CORPUS_BYTES(format.big_endian), indexes, 2);
	byte_buffer_deinit(&index);
	dwarf_builder_free(dw);
}

// One file that holds its split units itself (-gsplit-dwarf=single), for the targets on one file;
// for fuzz_alloc, the byte before it chooses the call that fails.
static void write_single(const struct corpus *corpus, const char *name, struct dwarf_format format)
{
	struct dwarf_builder *dw = write_units(format);
	struct elf_builder *elf =
		elf_builder_new((struct elf_format){ .bits = 64,
						     .big_endian = format.big_endian,
						     .machine = EM_X86_64,
						     .type = ET_EXEC });
	char full[64];

	elf_add_code(elf, ".text", 0x1000, 0x2000);
	elf_add_dwarf(elf, dw);
	const struct bytes file = elf_build(elf);
	snprintf(full, sizeof(full), "%s-single", name);
	corpus_put(corpus, "fuzz_file", full, (struct bytes){ 0 }, &file, 1);
	corpus_put(corpus, "fuzz_lint", full, (struct bytes){ 0 }, &file, 1);
	for (uint8_t choice = 0; choice < 32; choice++) {
		snprintf(full, sizeof(full), "%s-single-%u", name, choice);
		corpus_put(corpus, "fuzz_alloc", full,
			   CORPUS_BYTES(choice % 4, (uint8_t)(choice * 11), 0), &file, 1);
	}
	elf_builder_free(elf);
	dwarf_builder_free(dw);
}

// The program after dwz: its functions and their names are in the other file.
static void write_main_file(struct dwarf_builder *dw, uint64_t function_off, uint64_t name_off,
			    bool is_old)
{
	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_value(dw, DW_AT_name, is_old ? DW_FORM_GNU_strp_alt : DW_FORM_strp_sup, name_off);
	dw_data1(dw, DW_AT_language, DW_LANG_C_plus_plus);
	dw_die_begin(dw, DW_TAG_class_type);
	dw_ref_sig8(dw, DW_AT_signature, 0x77);
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "host");
	dw_low_high(dw, 0x1000, 0x1100);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_value(dw, DW_AT_abstract_origin, is_old ? DW_FORM_GNU_ref_alt : DW_FORM_ref_sup4,
		 function_off);
	dw_low_high(dw, 0x1010, 0x1020);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
	dw_unit_begin_with(dw,
			   (struct dw_unit){ .type = DW_UT_type, .id = 0x77, .type_die = "type" });
	dw_die_begin(dw, DW_TAG_type_unit);
	dw_label(dw, "type");
	dw_die_begin(dw, DW_TAG_class_type);
	dw_string(dw, DW_AT_name, "box");
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
}

static void write_supplementary_file(struct dwarf_builder *dw)
{
	dw_unit_begin(dw, DW_UT_partial);
	dw_die_begin(dw, DW_TAG_partial_unit);
	dw_data1(dw, DW_AT_language, DW_LANG_C_plus_plus);
	dw_die_begin(dw, DW_TAG_namespace);
	dw_strp(dw, DW_AT_name, "space");
	dw_label(dw, "leaf");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_strp(dw, DW_AT_name, "leaf");
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
}

static void write_supplementary(const struct corpus *corpus, const char *name,
				struct dwarf_format format)
{
	static const char *const names[FUZZ_DWARF_SECTIONS] = {
		".debug_info",        ".debug_abbrev", ".debug_addr",     ".debug_line", //
		".debug_line_str",    ".debug_ranges", ".debug_rnglists", ".debug_str",
		".debug_str_offsets",
	};
	struct dwarf_builder *first = dwarf_builder_new(format), *other = dwarf_builder_new(format);
	struct bytes sections[2 * FUZZ_DWARF_SECTIONS];

	uint64_t name_off = dw_str_off(other, ".debug_str", "name.cc");
	write_supplementary_file(other);
	write_main_file(first, dw_label_off(other, "leaf"), name_off, format.version < 5);
	for (size_t i = 0; i < FUZZ_DWARF_SECTIONS; i++) {
		sections[i] = dw_section(first, names[i]);
		sections[FUZZ_DWARF_SECTIONS + i] = dw_section(other, names[i]);
	}
	for (uint8_t choice = 0; choice < 16; choice += 2) {
		char full[64];
		snprintf(full, sizeof(full), "%s-%u", name, choice);
		corpus_put(corpus, "fuzz_supplementary", full,
			   CORPUS_BYTES((uint8_t)(choice | format.big_endian)), sections,
			   2 * FUZZ_DWARF_SECTIONS);
	}
	dwarf_builder_free(first);
	dwarf_builder_free(other);
}

void corpus_write_split(const struct corpus *corpus)
{
	static const struct {
		const char *name;
		struct dwarf_format format;
	} formats[] = {
		{ "v4", { 4, 4, 8, false, DWARF_RELOCS_NONE } },
		{ "v4-big", { 4, 4, 4, true, DWARF_RELOCS_NONE } },
		{ "v5", { 5, 4, 8, false, DWARF_RELOCS_NONE } },
		{ "v5-off8-big", { 5, 8, 8, true, DWARF_RELOCS_NONE } },
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		write_split(corpus, formats[i].name, formats[i].format);
		write_single(corpus, formats[i].name, formats[i].format);
		write_supplementary(corpus, formats[i].name, formats[i].format);
	}
}
