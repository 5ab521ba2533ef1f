// The constants of the DWARF standard under their names there, and the forms' layout and class.
#ifndef DWARF_UNITS_CONSTANTS_H
#define DWARF_UNITS_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

enum {
#define TAG(name, code, reader) DW_TAG_##name = code,
#include "dwarf/units/tags.def"
#undef TAG
};

enum {
#define ATTR(name, code) DW_AT_##name = code,
#include "dwarf/units/attrs.def"
#undef ATTR
};

enum {
#define FORM(name, code, kind, size, class) DW_FORM_##name = code,
#include "dwarf/units/forms.def"
#undef FORM
};

enum { // unit types (DWARF 5, 7.5.1)
	DW_UT_compile = 1,
	DW_UT_type,
	DW_UT_partial,
	DW_UT_skeleton,
	DW_UT_split_compile,
	DW_UT_split_type,
};

enum {
#define LANG(name, code) DW_LANG_##name = code,
#include "dwarf/units/languages.def"
#undef LANG
};

// The name of a language in the standard, without DW_LANG_; NULL if it is unknown.
const char *ic_language_name(uint16_t language);

// DWARF 6 separates the names of languages from their versions; these are the ones that matter.
enum {
	DW_LNAME_C = 3,
	DW_LNAME_C_plus_plus = 4,
	DW_LNAME_Go = 10,
	DW_LNAME_ObjC = 17,
	DW_LNAME_ObjC_plus_plus = 18,
	DW_LNAME_OpenCL_C = 20,
	DW_LNAME_UPC = 27,
	DW_LNAME_Assembly = 29,
	DW_LNAME_CPP_for_OpenCL = 36,
	DW_LNAME_HIP = 41,
};

enum { // encodings of base types (DWARF 5, 7.8)
	DW_ATE_address = 1,
	DW_ATE_boolean,
	DW_ATE_complex_float,
	DW_ATE_float,
	DW_ATE_signed,
	DW_ATE_signed_char,
	DW_ATE_unsigned,
	DW_ATE_unsigned_char,
	DW_ATE_imaginary_float,
	DW_ATE_signed_fixed = 0x0d,
	DW_ATE_unsigned_fixed,
	DW_ATE_decimal_float,
	DW_ATE_UTF,
	DW_ATE_UCS,
	DW_ATE_ASCII,
};

enum { // range list entries (DWARF 5, 7.25)
	DW_RLE_end_of_list,
	DW_RLE_base_addressx,
	DW_RLE_startx_endx,
	DW_RLE_startx_length,
	DW_RLE_offset_pair,
	DW_RLE_base_address,
	DW_RLE_start_end,
	DW_RLE_start_length,
};

enum { // content of the line table's directory and file entries (DWARF 5, 7.22)
	DW_LNCT_path = 1,
	DW_LNCT_directory_index = 2,
	DW_LNCT_LLVM_source = 0x2001,
	DW_LNCT_subprogram_name = 6, // in two-level tables
	DW_LNCT_decl_file = 7,
	DW_LNCT_decl_line = 8,
};

enum {
#define LINE_STANDARD(name, code) DW_LNS_##name = code,
#include "dwarf/units/line_ops.def"
#undef LINE_STANDARD
};

enum {
#define LINE_TWO_LEVEL(name, code) DW_LNS_##name = code,
#include "dwarf/units/line_ops.def"
#undef LINE_TWO_LEVEL
};

enum {
#define LINE_EXTENDED(name, code) DW_LNE_##name = code,
#include "dwarf/units/line_ops.def"
#undef LINE_EXTENDED
};

enum ic_form_kind { // how the bytes are laid out
	IC_FORM_KIND_UNKNOWN,
	IC_FORM_KIND_FIXED,
	IC_FORM_KIND_LEB,
	IC_FORM_KIND_LEB_FIXED,
	IC_FORM_KIND_CSTRING,
	IC_FORM_KIND_OFFSET,
	IC_FORM_KIND_ADDRESS,
	IC_FORM_KIND_REF_ADDR,
	IC_FORM_KIND_INDIRECT,
	IC_FORM_KIND_BLOCK,
};

enum ic_form_class { // what the value means
	IC_FORM_CLASS_NONE,
	IC_FORM_CLASS_ADDRESS,
	IC_FORM_CLASS_BLOCK,
	IC_FORM_CLASS_CONSTANT,
	IC_FORM_CLASS_FLAG,
	IC_FORM_CLASS_INDEX,
	IC_FORM_CLASS_OFFSET,
	IC_FORM_CLASS_REFERENCE,
	IC_FORM_CLASS_STRING,
};

struct ic_form_info {
	uint8_t kind, size, class; // enum ic_form_kind, bytes, enum ic_form_class
};

// The row of a form; its kind is IC_FORM_KIND_UNKNOWN if the code is unknown.
extern const struct ic_form_info ic_form_table[];
extern const uint16_t ic_form_table_count;

static inline const struct ic_form_info *ic_form_info(uint16_t form)
{
	return &ic_form_table[form < ic_form_table_count ? form : 0];
}

// Whether a table in a section of its own has the layout of DWARF 5.
static inline bool ic_dwarf_is_version_5(uint16_t version)
{
	return version == 5 || version == 6;
}

#endif
