// Writes DWARF of any version, offset size, address size and byte order from inside a test, so that
// a reader sees what the bytes mean:
//
//	struct dwarf_builder *dw = dwarf_builder_new(
//		(struct dwarf_format){ .version = 5, .offset_size = 4, .addr_size = 8 });
//	dw_unit_begin(dw, DW_UT_compile);
//	dw_die_begin(dw, DW_TAG_compile_unit);
//	dw_strp(dw, DW_AT_name, "a.c");
//		dw_label(dw, "leaf");
//		dw_die_begin(dw, DW_TAG_subprogram);
//		dw_string(dw, DW_AT_name, "leaf");
//		dw_die_end(dw);
//	dw_die_end(dw);
//	dw_unit_end(dw);
//	struct bytes info = dw_section(dw, ".debug_info");
//	...
//	dwarf_builder_free(dw);
//
// Everything that is referred to has a label: DIEs, units, lists, line tables, hand-written bytes.
// Labels share one name space, and may be used before they are placed. Whatever an attribute
// writer cannot express is written as dw_attr() followed by raw bytes. Wrong use aborts with a
// message; no function fails.
//
// Constants are in dwarf_constants.h, which this header leaves to the test to include.
#ifndef TESTS_SUPPORT_DWARF_BUILDER_H
#define TESTS_SUPPORT_DWARF_BUILDER_H

#include "byte_buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dwarf_builder;

// The contents of a field that is an address of some symbol, or an offset into a section.
enum dwarf_relocs {
	DWARF_RELOCS_NONE, // it holds the final value
	DWARF_RELOCS_RELA, // it holds zero: the relocation has the addend
	DWARF_RELOCS_REL,  // it holds the addend
};

struct dwarf_format {
	uint16_t version;
	uint8_t offset_size, addr_size; // bytes
	bool big_endian;
	enum dwarf_relocs relocs;
};

struct dwarf_builder *dwarf_builder_new(struct dwarf_format format);
void dwarf_builder_free(struct dwarf_builder *dw); // with all the bytes it has given out
struct dwarf_format dw_format(const struct dwarf_builder *dw); // that it was made with

// ---- What was written -----------------------------------------------------------------------
// The first of these calls completes the builder: nothing can be written after it.

// The bytes of a section; none if nothing was written to it.
struct bytes dw_section(struct dwarf_builder *dw, const char *name);
// Section number `index`, in the order of first use; NULL past the last.
const char *dw_section_name(struct dwarf_builder *dw, size_t index);
// The fields of a section that relocations are for, whether or not the format asks for them.
const struct section_reloc *dw_relocs(struct dwarf_builder *dw, const char *section, size_t *count);
bool dw_wants_relocs(const struct dwarf_builder *dw);
// A label's offset from the start of its section.
uint64_t dw_label_off(struct dwarf_builder *dw, const char *label);

// ---- Units ----------------------------------------------------------------------------------

struct dw_bad { // a value to write in place of the right one
	bool set;
	uint64_t value;
};

#define DW_BAD(wrong)                         \
	{                                     \
		.set = true, .value = (wrong) \
	}

struct dw_unit {
	uint8_t type;      // DW_UT_*; no field before DWARF 5, but DW_UT_type goes to .debug_types
	const char *label; // of the first byte of the header
	uint64_t id;       // signature of a type unit, dwo_id of a skeleton or split unit
	const char *type_die; // label of the type that a type unit is for
	bool dwo;             // goes to the .dwo sections, with all its strings and lists
	uint16_t version;     // 0: the builder's; so for the sizes
	uint8_t offset_size, addr_size;
	const char *abbrevs;  // units that name the same table share it; NULL: its own
	bool abbrevs_by_hand; // `abbrevs` is a label in a table that the test writes
	bool keep_tables; // indexed strings, addresses and lists go on in the next unit's tables
	// Labels of the bases of the unit's tables, for use in other units: a skeleton's addresses.
	const char *str_offsets_label, *addr_label, *rnglists_label, *loclists_label;

	struct dw_bad bad_length, bad_version, bad_type, bad_addr_size, bad_abbrev_off;
};

void dw_unit_begin(struct dwarf_builder *dw, uint8_t type);
void dw_unit_begin_with(struct dwarf_builder *dw, struct dw_unit unit);
void dw_unit_end(struct dwarf_builder *dw);

// ---- DIEs -----------------------------------------------------------------------------------

// A DIE's abbreviation is made when its attributes are known: at its first child, or its end.
void dw_die_begin(struct dwarf_builder *dw, uint16_t tag);
void dw_die_end(struct dwarf_builder *dw);
// Ends a DIE whose children lack their terminating null entry.
void dw_die_end_unterminated(struct dwarf_builder *dw);
// Declares that there are children, be there any or none.
void dw_die_children(struct dwarf_builder *dw);
// Writes a null entry if none is due.
void dw_die_null(struct dwarf_builder *dw);
// Gives the open DIE's abbreviation this code. In a unit whose table is written by hand, each
// DIE needs one.
void dw_die_code(struct dwarf_builder *dw, uint64_t code);

// Names the next byte of the section being written; before dw_die_begin(), that DIE.
void dw_label(struct dwarf_builder *dw, const char *name);

// ---- Attributes -----------------------------------------------------------------------------

// Declares an attribute; the raw writers below write its value. The way to malformed ones.
void dw_attr(struct dwarf_builder *dw, uint16_t name, uint16_t form);
// The next attribute is declared as DW_FORM_indirect, its form written before its value.
void dw_indirect(struct dwarf_builder *dw);
// Any form whose value is one number, written as it is: indexes, offsets, references and all.
void dw_value(struct dwarf_builder *dw, uint16_t name, uint16_t form, uint64_t value);

void dw_data1(struct dwarf_builder *dw, uint16_t name, uint8_t value);
void dw_data2(struct dwarf_builder *dw, uint16_t name, uint16_t value);
void dw_data4(struct dwarf_builder *dw, uint16_t name, uint32_t value);
void dw_data8(struct dwarf_builder *dw, uint16_t name, uint64_t value);
void dw_data16(struct dwarf_builder *dw, uint16_t name, const uint8_t bytes[16]);
void dw_udata(struct dwarf_builder *dw, uint16_t name, uint64_t value);
void dw_sdata(struct dwarf_builder *dw, uint16_t name, int64_t value);
void dw_implicit_const(struct dwarf_builder *dw, uint16_t name, int64_t value);
void dw_flag(struct dwarf_builder *dw, uint16_t name, uint8_t value);
void dw_flag_present(struct dwarf_builder *dw, uint16_t name);

void dw_string(struct dwarf_builder *dw, uint16_t name, const char *text);
void dw_strp(struct dwarf_builder *dw, uint16_t name, const char *text);
void dw_line_strp(struct dwarf_builder *dw, uint16_t name, const char *text);
void dw_strx(struct dwarf_builder *dw, uint16_t name, const char *text);
// DW_FORM_strx, strx1 to strx4, GNU_str_index.
void dw_strx_form(struct dwarf_builder *dw, uint16_t name, uint16_t form, const char *text);

void dw_addr(struct dwarf_builder *dw, uint16_t name, uint64_t addr);
void dw_addr_of(struct dwarf_builder *dw, uint16_t name, const char *target, int64_t addend);
void dw_addrx(struct dwarf_builder *dw, uint16_t name, uint64_t addr);
// DW_FORM_addrx, addrx1 to addrx4, GNU_addr_index.
void dw_addrx_form(struct dwarf_builder *dw, uint16_t name, uint16_t form, uint64_t addr);
// DW_AT_low_pc, and DW_AT_high_pc as the version has it: an address before DWARF 4, a size since.
void dw_low_high(struct dwarf_builder *dw, uint64_t start, uint64_t end);

// References to DIEs by label. The unit-relative ones may be to other units' (wrong, but possible).
void dw_ref1(struct dwarf_builder *dw, uint16_t name, const char *label);
void dw_ref2(struct dwarf_builder *dw, uint16_t name, const char *label);
void dw_ref4(struct dwarf_builder *dw, uint16_t name, const char *label);
void dw_ref8(struct dwarf_builder *dw, uint16_t name, const char *label);
void dw_ref_udata(struct dwarf_builder *dw, uint16_t name, const char *label); // padded if forward
void dw_ref_addr(struct dwarf_builder *dw, uint16_t name, const char *label);
void dw_ref_sig8(struct dwarf_builder *dw, uint16_t name, uint64_t signature);
// DW_AT_sibling, as ref4, of what follows the open DIE.
void dw_sibling(struct dwarf_builder *dw);

// The offset of a label in whatever section it is: data4 or data8 before DWARF 4.
void dw_sec_offset(struct dwarf_builder *dw, uint16_t name, const char *label);
void dw_stmt_list(struct dwarf_builder *dw, const char *label);

// DW_FORM_block, block1, block2, block4, exprloc.
void dw_block(struct dwarf_builder *dw, uint16_t name, uint16_t form, const void *data,
	      size_t size);
// exprloc, block1 before DWARF 4: dw_expr(dw, DW_AT_location, DW_BYTES(DW_OP_reg0)).
void dw_expr(struct dwarf_builder *dw, uint16_t name, const void *data, size_t size);
// The same, around raw writers.
void dw_block_begin(struct dwarf_builder *dw, uint16_t name, uint16_t form);
void dw_block_end(struct dwarf_builder *dw);

#define DW_BYTES(...) (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ })

// ---- Addresses and relocations --------------------------------------------------------------

// From here on, addresses are offsets from this section or symbol (NULL: plain numbers), so that
// relocations are made for them.
void dw_addr_target(struct dwarf_builder *dw, const char *target);
// What the target's address is in fields that hold final values; 0 for those not named.
void dw_target_value(struct dwarf_builder *dw, const char *target, uint64_t value);

// ---- Raw writers ----------------------------------------------------------------------------
// To the section that is being written: a unit's, a list's, or one opened by dw_section_begin().

void dw_section_begin(struct dwarf_builder *dw, const char *name);
void dw_section_end(struct dwarf_builder *dw);

void dw_u8(struct dwarf_builder *dw, uint8_t value);
void dw_u16(struct dwarf_builder *dw, uint16_t value);
void dw_u32(struct dwarf_builder *dw, uint32_t value);
void dw_u64(struct dwarf_builder *dw, uint64_t value);
void dw_uint(struct dwarf_builder *dw, uint64_t value, size_t size); // of 1 to 8 bytes
void dw_uleb(struct dwarf_builder *dw, uint64_t value);
void dw_uleb_padded(struct dwarf_builder *dw, uint64_t value, size_t width);
void dw_sleb(struct dwarf_builder *dw, int64_t value);
void dw_text(struct dwarf_builder *dw, const char *text); // with its NUL
void dw_raw(struct dwarf_builder *dw, const void *data, size_t size);
void dw_fill(struct dwarf_builder *dw, uint8_t byte, size_t count);
void dw_align(struct dwarf_builder *dw, size_t align);
void dw_address(struct dwarf_builder *dw, uint64_t addr);
void dw_address_of(struct dwarf_builder *dw, const char *target, int64_t addend);
void dw_offset(struct dwarf_builder *dw, uint64_t value); // a number of the offset size
void dw_offset_to(struct dwarf_builder *dw, const char *label);
// The bytes from one label to another, as a number of `size` bytes; from the unit if NULL.
void dw_distance(struct dwarf_builder *dw, const char *from, const char *to, size_t size);
// A length field of `size` bytes that counts what follows until dw_length_end().
void dw_length_begin(struct dwarf_builder *dw, size_t size);
// The same as an initial length: 4 bytes, or 12 in 64-bit DWARF.
void dw_initial_length_begin(struct dwarf_builder *dw);
void dw_length_end(struct dwarf_builder *dw);

// A declaration in a hand-written .debug_abbrev; dw_u8(dw, 0) ends the table.
void dw_abbrev_begin(struct dwarf_builder *dw, uint64_t code, uint64_t tag, uint8_t children);
void dw_abbrev_attr(struct dwarf_builder *dw, uint64_t name, uint64_t form);
void dw_abbrev_implicit_const(struct dwarf_builder *dw, uint64_t name, int64_t value);
void dw_abbrev_end(struct dwarf_builder *dw);

// ---- Strings --------------------------------------------------------------------------------

enum dw_string_sharing {
	DW_STRINGS_SHARED, // a text is stored once
	DW_STRINGS_TAILS,  // "kmalloc" may be the end of "__kmalloc"
	DW_STRINGS_APART,  // each use has its own
};

void dw_string_sharing(struct dwarf_builder *dw, enum dw_string_sharing sharing);
// The offset of a text in .debug_str or .debug_line_str (.dwo in such a unit).
uint64_t dw_str_off(struct dwarf_builder *dw, const char *section, const char *text);

// ---- Tables that are indexed ----------------------------------------------------------------
// A unit's .debug_str_offsets, .debug_addr, .debug_rnglists and .debug_loclists are gathered while
// it is written, and follow as one table each (with a header in DWARF 5) at its end.

uint64_t dw_str_index(struct dwarf_builder *dw, const char *text);
uint64_t dw_addr_index(struct dwarf_builder *dw, uint64_t addr);
// The attributes with the bases of the unit's tables, as DW_FORM_sec_offset.
void dw_str_offsets_base(struct dwarf_builder *dw);
void dw_addr_base(struct dwarf_builder *dw);     // DW_AT_GNU_addr_base before DWARF 5
void dw_rnglists_base(struct dwarf_builder *dw); // DW_AT_GNU_ranges_base before DWARF 5
void dw_loclists_base(struct dwarf_builder *dw);

// ---- Range and location lists ---------------------------------------------------------------

struct dw_range {
	uint64_t start, end;
};

// DW_AT_ranges with a list of its own, of addresses: start_length entries, or in .debug_ranges a
// base selection of 0 and pairs. dw_ranges(dw, DW_RANGES({ 0x10, 0x20 }, { 0x30, 0x40 })).
void dw_ranges(struct dwarf_builder *dw, const struct dw_range *ranges, size_t count);
void dw_rangesx(struct dwarf_builder *dw, const struct dw_range *ranges, size_t count); // rnglistx

#define DW_RANGES(...)                      \
	(struct dw_range[]){ __VA_ARGS__ }, \
		sizeof((struct dw_range[]){ __VA_ARGS__ }) / sizeof(struct dw_range)

// A list written entry by entry, in .debug_rnglists or .debug_ranges. Its number in the unit's
// table of offsets is returned; it is referred to by
//	dw_sec_offset(dw, DW_AT_ranges, label), or
//	dw_value(dw, DW_AT_ranges, DW_FORM_rnglistx, number).
// The end of the list is an entry like another, so that it can be forgotten: DW_RLE_end_of_list,
// or the pair 0, 0.
uint64_t dw_range_list_begin(struct dwarf_builder *dw, const char *label);
void dw_range_list_end(struct dwarf_builder *dw);
// DWARF 5: an entry and its operands (unused ones 0), which are addresses, offsets, lengths or
// indexes as the kind has it.
void dw_rle(struct dwarf_builder *dw, uint8_t kind, uint64_t first, uint64_t second);
// Before DWARF 5: a pair of offsets from the base, of addresses, or the selection of a base.
void dw_range_pair(struct dwarf_builder *dw, uint64_t start, uint64_t end);
void dw_range_addrs(struct dwarf_builder *dw, uint64_t start, uint64_t end);
void dw_range_base(struct dwarf_builder *dw, uint64_t addr);

// The same for location lists, in .debug_loclists or .debug_loc. Each bounded entry is followed by
// its expression. (The three functions for pairs serve .debug_loc too.)
uint64_t dw_loc_list_begin(struct dwarf_builder *dw, const char *label);
void dw_loc_list_end(struct dwarf_builder *dw);
void dw_lle(struct dwarf_builder *dw, uint8_t kind, uint64_t first, uint64_t second);
// The expression of an entry, after its length: ULEB128, 2 bytes before DWARF 5.
void dw_loc_expr(struct dwarf_builder *dw, const void *data, size_t size);

// ---- Addresses of units ---------------------------------------------------------------------

// A set of .debug_aranges for the unit with this label.
void dw_aranges(struct dwarf_builder *dw, const char *unit, const struct dw_range *ranges,
		size_t count);

// ---- Line tables ----------------------------------------------------------------------------

struct dw_line_file {
	const char *path;
	uint64_t dir, mtime, size;
	uint8_t md5[16];
	const char *source; // DW_LNCT_LLVM_source
};

struct dw_line_content {  // how DWARF 5 describes a column of the directories or files
	uint16_t content; // DW_LNCT_*; unknown ones are written as zeros of the form
	uint16_t form;
};

struct dw_line_function { // of a two-level table
	const char *name;
	uint64_t decl_file, decl_line;
};

enum { DW_LINE_TWO_LEVEL = 0xf006 };

struct dw_line_header {
	uint16_t version;  // 0: the builder's
	uint8_t addr_size; // 0: the builder's
	uint8_t min_inst_length, max_ops_per_inst, default_is_stmt;
	int8_t line_base;
	uint8_t line_range, opcode_base;
	const uint8_t *opcode_lengths; // opcode_base - 1 of them

	const char *const *dirs; // to a NULL; DWARF 5 begins with the compilation directory
	const struct dw_line_file *files; // to a NULL path; DWARF 5 begins with the primary file
	// To a content of 0. At first: path as line_strp; path as line_strp and directory as udata.
	const struct dw_line_content *dir_contents, *file_contents;

	struct bytes extra; // after the tables, still within the header
	// Of a two-level table: its functions, to a NULL name, and whether dw_line_actuals()
	// follows.
	const struct dw_line_function *functions;
	bool has_actuals;
	struct dw_bad bad_length, bad_version, bad_header_length, bad_logicals, bad_actuals;
};

// What compilers write: to be changed and passed on.
struct dw_line_header dw_line_header_default(const struct dwarf_builder *dw);
struct dw_line_header dw_line_header_two_level(const struct dwarf_builder *dw);
// Opens a table in .debug_line (.debug_line.dwo in such a unit); its program follows, by the
// functions below or by raw writers.
void dw_line_begin(struct dwarf_builder *dw, const char *label,
		   const struct dw_line_header *header);
void dw_line_end(struct dwarf_builder *dw);
// Ends the logicals of a two-level table, and begins the actuals.
void dw_line_actuals(struct dwarf_builder *dw, const char *label);

void dw_line_address(struct dwarf_builder *dw, uint64_t addr); // DW_LNE_set_address
// A row, `addr_advance` (in instructions) and `line_advance` from the last one.
void dw_line_row(struct dwarf_builder *dw, uint64_t addr_advance, int64_t line_advance);
void dw_line_end_sequence(struct dwarf_builder *dw, uint64_t addr_advance);
// An extended opcode with its operands.
void dw_line_extended(struct dwarf_builder *dw, uint8_t opcode, const void *operands, size_t size);
// Of nvcc: what follows is of a function that was inlined at a row of the sequence, from 1 on; 0
// if it was not. Its name is at an offset in the table's part of .debug_str.
void dw_line_inlined_call(struct dwarf_builder *dw, uint64_t row, uint64_t name_off);

#endif
