// Attribute values: decoded from a cursor, then interpreted with the help of their unit.
#ifndef DWARF_UNITS_FORM_H
#define DWARF_UNITS_FORM_H

#include "dwarf/units/constants.h"
#include "dwarf/units/unit.h"

enum { IC_FORM_VARIES = UINT8_MAX }; // the size of a form that has no fixed one

struct ic_attr_spec {     // one attribute of an abbreviation
	uint16_t name;    // DW_AT_*
	uint16_t form;    // DW_FORM_*
	uint8_t size;     // bytes of the value in this unit, or IC_FORM_VARIES
	uint8_t class;    // enum ic_form_class
	int64_t implicit; // the value, for forms without bytes: implicit_const, flag_present
};

// The size of a form in the unit, in bytes; IC_FORM_VARIES if it is not fixed.
uint8_t ic_form_size(uint16_t form, const struct ic_unit *unit);

// An attribute of a form with `size` bytes in its unit; `implicit` is used only for
// DW_FORM_implicit_const.
static inline struct ic_attr_spec ic_attr_spec_make(uint16_t name, uint16_t form, uint8_t size,
						    int64_t implicit)
{
	return (struct ic_attr_spec){ .name = name,
				      .form = form,
				      .size = size,
				      .class = ic_form_info(form)->class,
				      .implicit = form == DW_FORM_flag_present ? 1 : implicit };
}

// Decoded by its form alone; small enough to be returned in two registers.
struct ic_value {
	union {
		uint64_t number;  // constants (signed ones as two's complement), offsets, indexes
		const char *text; // of DW_FORM_string, in the section
	};
	uint16_t form;
	uint8_t class; // enum ic_form_class
};

// The cases of ic_value_read that are not a little-endian number of fixed size.
struct ic_value ic_value_read_slow(struct ic_cursor *cur, const struct ic_attr_spec *spec,
				   const struct ic_unit *unit);

// Reads the value of one attribute. Skips blocks and data16.
static inline struct ic_value ic_value_read(struct ic_cursor *cur, const struct ic_attr_spec *spec,
					    const struct ic_unit *unit)
{
	// Nine of ten: eight bytes are loaded, and those after the value masked.
	if (__builtin_expect(spec->size <= 8 && cur->end - cur->pos >= 8 && !cur->swap &&
				     !IC_HOST_IS_BIG_ENDIAN,
			     1)) {
		uint64_t bytes = ic_load64(cur->pos, false);
		struct ic_value value = { .form = spec->form, .class = spec->class };

		value.number = spec->size == 0 ? (uint64_t)spec->implicit
					       : bytes & UINT64_MAX >> (64 - 8 * spec->size);
		cur->pos += spec->size;
		return value;
	}
	return ic_value_read_slow(cur, spec, unit);
}

// Skips a value of the form. An unknown form is a fault.
void ic_form_skip(struct ic_cursor *cur, uint16_t form, const struct ic_unit *unit);

// Whether there is a value: no form has the number 0, so a zero-initialised value is absent.
static inline bool ic_value_is_given(const struct ic_value *value)
{
	return value->form != 0;
}

// A constant, a flag or an index as a number; 0 if the value is of another class. Meant for
// optional values: lines, columns, languages.
static inline uint64_t ic_value_constant(const struct ic_value *value)
{
	return value->class == IC_FORM_CLASS_CONSTANT || value->class == IC_FORM_CLASS_FLAG
		       ? value->number
		       : 0;
}

// The same in 32 bits; 0 if it is larger.
static inline uint32_t ic_value_small(const struct ic_value *value)
{
	uint64_t number = ic_value_constant(value);

	return number <= UINT32_MAX ? (uint32_t)number : 0;
}

// Interpret a value. Each returns false, with the reason in *err, if the value is of another class
// or leads outside its section. Strings and addresses by index need the bases of the unit's root
// DIE.
bool ic_value_address(const struct ic_value *value, const struct ic_unit *unit, uint64_t *addr,
		      struct ic_error *err) IC_CHECKED;
bool ic_value_string(const struct ic_value *value, const struct ic_unit *unit, const char **text,
		     struct ic_error *err) IC_CHECKED;
// The DIE that is referred to, as returned by ic_unit_global_off(): of this unit, another, or
// another file. Not for DW_FORM_ref_sig8, which is only a signature.
bool ic_value_reference(const struct ic_value *value, const struct ic_unit *unit, uint64_t *off,
			struct ic_error *err) IC_CHECKED;
// An offset in another section, which has the form of a constant in DWARF 2 and 3 (DWARF 3, 7.5.4).
bool ic_value_offset(const struct ic_value *value, uint64_t *off, struct ic_error *err) IC_CHECKED;

// Entry `index` of the unit's part of .debug_addr.
bool ic_unit_address_at(const struct ic_unit *unit, uint64_t index, uint64_t *addr,
			struct ic_error *err) IC_CHECKED;

// Reads the number of an entry in the unit's part of .debug_addr, and returns the address. There is
// a fault at the cursor if there is no such entry.
uint64_t ic_unit_read_addrx(const struct ic_unit *unit, struct ic_cursor *cur);

struct ic_list_offsets { // of lists, in a table of .debug_rnglists or .debug_loclists
	struct ic_bytes section;
	const char *name; // of the section
	uint64_t base;    // where the table is, which the offsets are relative to
};

// The offset of list number `index` in its section (DWARF 5, 7.28 and 7.29).
bool ic_list_offset_at(const struct ic_unit *unit, const struct ic_list_offsets *offsets,
		       uint64_t index, uint64_t *off, struct ic_error *err) IC_CHECKED;

#endif
