// Attribute values: read off a cursor, then given a meaning with the help of their unit.
#ifndef DWARF_FORM_H
#define DWARF_FORM_H

#include "dwarf/constants.h"
#include "dwarf/unit.h"

struct ic_attr_spec {     // one attribute of an abbreviation
	uint16_t name;    // DW_AT_*
	uint16_t form;    // DW_FORM_*
	int64_t implicit; // the value itself, for DW_FORM_implicit_const
};

struct ic_value { // decoded as far as its form alone allows
	uint16_t form;
	uint8_t class;   // enum ic_form_class
	uint64_t number; // constants (signed ones as two's complement), offsets, indexes, addresses
	const char *text; // of DW_FORM_string, in the section
};

// Reads the value of one attribute. Blocks and data16 are passed over.
struct ic_value ic_value_read(struct ic_cursor *cur, const struct ic_attr_spec *spec,
			      const struct ic_unit *unit);

// Moves past a value of the form. A form that nobody knows is a fault.
void ic_form_skip(struct ic_cursor *cur, uint16_t form, const struct ic_unit *unit);

// The four meanings of a value. Each returns false, and says why in *err, where the value is of
// another class or leads outside its section. Strings and addresses by index need the bases of
// the unit's root entry.
bool ic_value_address(const struct ic_value *value, const struct ic_unit *unit, uint64_t *addr,
		      struct ic_error *err) IC_CHECKED;
bool ic_value_string(const struct ic_value *value, const struct ic_unit *unit, const char **text,
		     struct ic_error *err) IC_CHECKED;
// An offset in .debug_info, perhaps of another unit's entry.
bool ic_value_reference(const struct ic_value *value, const struct ic_unit *unit, uint64_t *off,
			struct ic_error *err) IC_CHECKED;
// An offset in another section. In DWARF 2 and 3 these have the forms of constants (DWARF
// 3, 7.5.4).
bool ic_value_offset(const struct ic_value *value, uint64_t *off, struct ic_error *err) IC_CHECKED;

// Entry `index` of the unit's part of .debug_addr.
bool ic_unit_address_at(const struct ic_unit *unit, uint64_t index, uint64_t *addr,
			struct ic_error *err) IC_CHECKED;

#endif
