// One ELF file for each format that the builders write, for looking at with readelf and
// llvm-dwarfdump.
#include "builder_files.h"

#include <stdio.h>

#include "dwarf_builder.h"
#include "dwarf_constants.h"
#include "elf_builder.h"

struct variant {
	const char *name;
	struct dwarf_format dwarf;
	struct elf_format elf;
	enum elf_compression compression;
	bool type_unit;
};

static void write_lines(struct dwarf_builder *dw, uint16_t version)
{
	struct dw_line_header header = dw_line_header_default(dw);
	const char *old_dirs[] = { "include", NULL };
	const char *new_dirs[] = { "/src", "include", NULL };
	struct dw_line_file old_files[] = { { .path = "a.c" }, { .path = "b.h", .dir = 1 }, { 0 } };
	struct dw_line_file new_files[] = { { .path = "a.c", .md5 = { 1, 2, 3 } },
					    { .path = "b.h", .dir = 1 },
					    { 0 } };
	struct dw_line_content contents[] = { { DW_LNCT_path, DW_FORM_line_strp },
					      { DW_LNCT_directory_index, DW_FORM_udata },
					      { DW_LNCT_MD5, DW_FORM_data16 },
					      { 0, 0 } };

	header.dirs = version < 5 ? old_dirs : new_dirs;
	header.files = version < 5 ? old_files : new_files;
	header.file_contents = contents;
	dw_line_begin(dw, "lines", &header);
	dw_line_address(dw, 0x1000);
	dw_line_row(dw, 0, 9);
	dw_line_row(dw, 0x10, 2);
	dw_line_end_sequence(dw, 0xf0);
	dw_line_end(dw);
}

static void write_leaf(struct dwarf_builder *dw)
{
	dw_label(dw, "leaf");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "leaf");
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	dw_data1(dw, DW_AT_decl_file, 1);
	dw_data1(dw, DW_AT_decl_line, 3);
	dw_label(dw, "leaf.x");
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_strp(dw, DW_AT_name, "x");
	dw_ref4(dw, DW_AT_type, "int");
	dw_die_end(dw);
	dw_die_end(dw);
}

static void write_host(struct dwarf_builder *dw, uint16_t version)
{
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_strp(dw, DW_AT_name, "host");
	dw_sibling(dw);
	dw_low_high(dw, 0x1000, 0x1100);
	dw_expr(dw, DW_AT_frame_base, DW_BYTES(DW_OP_call_frame_cfa));

	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref_udata(dw, DW_AT_abstract_origin, "leaf"); // forward
	dw_ranges(dw, DW_RANGES({ 0x1010, 0x1020 }, { 0x1030, 0x1048 }));
	if (version >= 5)
		dw_implicit_const(dw, DW_AT_call_file, 1);
	else
		dw_data1(dw, DW_AT_call_file, 1);
	dw_indirect(dw);
	dw_udata(dw, DW_AT_call_line, 11);

	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_ref4(dw, DW_AT_abstract_origin, "leaf.x");
	dw_loc_list_begin(dw, "x.locations");
	if (version >= 5) {
		dw_lle(dw, DW_LLE_start_length, 0x1010, 8);
		dw_loc_expr(dw, DW_BYTES(DW_OP_reg0 + 5));
		dw_lle(dw, DW_LLE_end_of_list, 0, 0);
	} else {
		dw_range_pair(dw, 0x10, 0x18);
		dw_loc_expr(dw, DW_BYTES(DW_OP_reg0 + 5));
		dw_range_pair(dw, 0, 0);
	}
	dw_loc_list_end(dw);
	dw_sec_offset(dw, DW_AT_location, "x.locations");
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_end(dw);
}

static void write_main_unit(struct dwarf_builder *dw, uint16_t version)
{
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile, .abbrevs = "shared" });
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_strp(dw, DW_AT_producer, "by hand");
	dw_strp(dw, DW_AT_name, "a.c");
	dw_string(dw, DW_AT_comp_dir, "/src");
	dw_data1(dw, DW_AT_language, DW_LANG_C99);
	dw_low_high(dw, 0x1000, 0x1100);
	dw_stmt_list(dw, "lines");

	write_host(dw, version);
	write_leaf(dw);
	dw_label(dw, "int");
	dw_die_begin(dw, DW_TAG_base_type);
	dw_die_code(dw, 1000);
	dw_strp(dw, DW_AT_name, "int");
	dw_data1(dw, DW_AT_encoding, DW_ATE_signed);
	dw_data1(dw, DW_AT_byte_size, 4);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
}

static void write_second_unit(struct dwarf_builder *dw, uint16_t version)
{
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile, .abbrevs = "shared" });
	dw_die_begin(dw, DW_TAG_compile_unit);
	if (version >= 5) {
		dw_str_offsets_base(dw);
		dw_addr_base(dw);
		dw_rnglists_base(dw);
		dw_loclists_base(dw);
		dw_strx(dw, DW_AT_name, "b.c");
		dw_addrx(dw, DW_AT_low_pc, 0x2000);
		dw_data4(dw, DW_AT_high_pc, 0x100);
		dw_line_strp(dw, DW_AT_comp_dir, "/src");
	} else {
		dw_strp(dw, DW_AT_name, "b.c");
		dw_low_high(dw, 0x2000, 0x2100);
	}
	dw_data1(dw, DW_AT_language, DW_LANG_C99);
	dw_stmt_list(dw, "lines");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_ref_addr(dw, DW_AT_abstract_origin, "leaf"); // in the other unit
	if (version >= 5) {
		dw_rangesx(dw, DW_RANGES({ 0x2000, 0x2010 }, { 0x2020, 0x2030 }));
		dw_strx_form(dw, DW_AT_linkage_name, DW_FORM_strx2, "_leaf");
		dw_die_begin(dw, DW_TAG_variable);
		dw_string(dw, DW_AT_name, "v");
		uint64_t list = dw_loc_list_begin(dw, "v.locations");
		dw_lle(dw, DW_LLE_offset_pair, 0, 0x80);
		dw_loc_expr(dw, DW_BYTES(DW_OP_breg0 + 7, 8));
		dw_lle(dw, DW_LLE_end_of_list, 0, 0);
		dw_loc_list_end(dw);
		dw_value(dw, DW_AT_location, DW_FORM_loclistx, list);
		dw_die_end(dw);
	} else {
		dw_low_high(dw, 0x2000, 0x2010);
	}
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
}

static void write_type_unit(struct dwarf_builder *dw)
{
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_type,
						 .id = 0x1122334455667788,
						 .type_die = "point" });
	dw_die_begin(dw, DW_TAG_type_unit);
	dw_data1(dw, DW_AT_language, DW_LANG_C99);
	dw_label(dw, "point");
	dw_die_begin(dw, DW_TAG_structure_type);
	dw_strp(dw, DW_AT_name, "point");
	dw_data1(dw, DW_AT_byte_size, 8);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
}

static void write_file(const char *dir, const struct variant *variant)
{
	struct dwarf_builder *dw = dwarf_builder_new(variant->dwarf);
	struct elf_builder *elf = elf_builder_new(variant->elf);
	uint16_t version = variant->dwarf.version;
	bool linked = variant->elf.type != ET_REL;
	char path[256];

	dw_addr_target(dw, linked ? NULL : ".text");
	write_lines(dw, version);
	write_main_unit(dw, version);
	write_second_unit(dw, version);
	if (variant->type_unit)
		write_type_unit(dw);

	elf_add_code(elf, ".text", linked ? 0x1000 : 0, 0x3000);
	elf_add_build_id(elf, linked ? 0x8000 : 0, DW_BYTES(0xab, 0xcd, 0xef, 1, 2, 3, 4, 5));
	elf_add_nobits(elf, ".bss", linked ? 0x9000 : 0, 0x100, SHF_ALLOC | SHF_WRITE);
	elf_add_symbol(elf, (struct elf_symbol){ .name = "host",
						 .section = ".text",
						 .value = 0x1000,
						 .size = 0x100,
						 .type = STT_FUNC,
						 .bind = STB_GLOBAL });
	elf_add_dwarf_compressed(elf, dw, variant->compression);
	elf_add_debug_link(elf, "a.debug", elf_crc(dw_section(dw, ".debug_info")));
	snprintf(path, sizeof(path), "%s/%s", dir, variant->name);
	if (!elf_write_file(elf, path))
		support_fail("cannot write %s", path);
	elf_builder_free(elf);
	dwarf_builder_free(dw);
}

#define DWARF(v, offset, addr, big, rel)                 \
	{                                                \
		v, offset, addr, big, DWARF_RELOCS_##rel \
	}
#define ELF(b, big, m, t, r)                                                                    \
	{                                                                                       \
		.bits = b, .big_endian = big, .machine = m, .type = t, .segments = t != ET_REL, \
		.rel = r                                                                        \
	}

static const struct variant variants[] = {
	// clang-format off
	{ "v2-le64", DWARF(2, 4, 8, false, NONE),
	  ELF(64, false, EM_X86_64, ET_EXEC, false), 0, false },
	{ "v3-le32", DWARF(3, 4, 4, false, NONE),
	  ELF(32, false, EM_386, ET_EXEC, false), 0, false },
	{ "v3-d64", DWARF(3, 8, 8, false, NONE),
	  ELF(64, false, EM_X86_64, ET_DYN, false), 0, false },
	{ "v4-be64", DWARF(4, 4, 8, true, NONE), ELF(64, true, EM_PPC64, ET_DYN, false), 0, true },
	{ "v4-be32", DWARF(4, 4, 4, true, NONE), ELF(32, true, EM_PPC, ET_EXEC, false), 0, true },
	{ "v4-d64", DWARF(4, 8, 8, false, NONE),
	  ELF(64, false, EM_X86_64, ET_EXEC, false), 0, true },
	{ "v5-le64", DWARF(5, 4, 8, false, NONE),
	  ELF(64, false, EM_X86_64, ET_EXEC, false), 0, false },
	{ "v5-d64", DWARF(5, 8, 8, false, NONE),
	  ELF(64, false, EM_X86_64, ET_EXEC, false), 0, false },
	{ "v5-be64-d64", DWARF(5, 8, 8, true, NONE),
	  ELF(64, true, EM_S390, ET_EXEC, false), 0, false },
	{ "v5-be32", DWARF(5, 4, 4, true, NONE), ELF(32, true, EM_PPC, ET_EXEC, false), 0, false },
	{ "v5-types", DWARF(5, 4, 8, false, NONE),
	  ELF(64, false, EM_X86_64, ET_EXEC, false), 0, true },
	{ "v2-rel.o", DWARF(2, 4, 8, false, RELA),
	  ELF(64, false, EM_X86_64, ET_REL, false), 0, false },
	{ "v4-rel.o", DWARF(4, 4, 8, false, RELA),
	  ELF(64, false, EM_X86_64, ET_REL, false), 0, true },
	{ "v5-rel.o", DWARF(5, 4, 8, false, RELA),
	  ELF(64, false, EM_X86_64, ET_REL, false), 0, false },
	{ "v5-rel-d64.o", DWARF(5, 8, 8, false, RELA),
	  ELF(64, false, EM_X86_64, ET_REL, false), 0, false },
	{ "v5-rel-386.o", DWARF(5, 4, 4, false, REL),
	  ELF(32, false, EM_386, ET_REL, true), 0, false },
	{ "v5-rel-arm64.o", DWARF(5, 4, 8, false, RELA),
	  ELF(64, false, EM_AARCH64, ET_REL, false), 0, false },
	{ "v5-rel-ppc64.o", DWARF(5, 4, 8, true, RELA),
	  ELF(64, true, EM_PPC64, ET_REL, false), 0, false },
	{ "v5-rel-s390.o", DWARF(5, 4, 8, true, RELA),
	  ELF(64, true, EM_S390, ET_REL, false), 0, false },
	{ "v5-rel-mips64.o", DWARF(5, 4, 8, false, RELA),
	  ELF(64, false, EM_MIPS, ET_REL, false), 0, false },
	{ "v5-rel-riscv.o", DWARF(5, 4, 8, false, RELA),
	  ELF(64, false, EM_RISCV, ET_REL, false), 0, false },
	{ "v5-zlib", DWARF(5, 4, 8, false, NONE),
	  ELF(64, false, EM_X86_64, ET_EXEC, false), 1, false },
	{ "v5-zstd", DWARF(5, 4, 8, false, NONE),
	  ELF(64, false, EM_X86_64, ET_EXEC, false), 2, false },
	{ "v5-zdebug", DWARF(5, 4, 8, false, NONE),
	  ELF(64, false, EM_X86_64, ET_EXEC, false), 3, false },
	{ "v5-be32-zlib", DWARF(5, 4, 4, true, NONE),
	  ELF(32, true, EM_PPC, ET_EXEC, false), 1, false },
	{ "v5-rel-zlib.o", DWARF(5, 4, 8, false, RELA),
	  ELF(64, false, EM_X86_64, ET_REL, false), 1, false },
	// clang-format on
};

void builder_files_write(const char *dir)
{
	for (size_t i = 0; i < sizeof(variants) / sizeof(*variants); i++)
		write_file(dir, &variants[i]);
}
