// Expressions as text, in llvm-dwarfdump's notation: the operations as in the standard, separated
// by commas.
//
// 	DW_OP_breg5 rdi+8, DW_OP_deref_size 0x4, DW_OP_stack_value
// 	DW_OP_entry_value(DW_OP_reg5 rdi), DW_OP_convert (0x0000002a) "int"
//
// Signed operands are decimal with a sign, others hexadecimal. A referenced DIE is shown as its
// offset in the section, in parentheses; an index is followed by the table entry. Registers have
// their ABI names, and those without one are "reg99".
#ifndef DWARF_EXPRESSIONS_TEXT_H
#define DWARF_EXPRESSIONS_TEXT_H

#include "dwarf/expressions/operation.h"

struct ic_expression_names { // data from outside the unit; zero-initialised: no names
	unsigned machine;    // EM_*
	// The name of the DW_TAG_base_type at an offset of the unit's section; NULL: unknown.
	const char *(*type_name)(void *context, uint64_t off);
	// The symbol that contains an address, and the offset in it: written as <counter+0x4>;
	// NULL: none.
	const char *(*symbol)(void *context, uint64_t addr, uint64_t *off);
	void *context;
};

struct ic_expression_text { // zero-initialised is empty
	IC_ARRAY(char) chars;
};

enum { IC_EXPRESSION_MOST_TEXT = 1 << 20 }; // bytes, of one expression

// Appends the text of an expression, the bytes from the cursor's position to its end; an empty one
// is "<empty>". False if memory runs out, or the expression cannot be read to its end: its text
// then ends with a mark in angle brackets and the remaining bytes, such as "<unknown operation> ed
// 01".
bool ic_expression_write(struct ic_expression_text *text, struct ic_cursor bytes,
			 const struct ic_unit *unit, const struct ic_expression_names *names,
			 struct ic_error *err) IC_CHECKED;

// Appends other text, of less than 512 bytes. False if memory runs out.
bool ic_expression_text_add(struct ic_expression_text *text, const char *format, ...)
	IC_PRINTF(2, 3) IC_CHECKED;

// The text so far, valid until more is appended.
const char *ic_expression_text(const struct ic_expression_text *text);

// Empties the text, but keeps its memory.
void ic_expression_text_clear(struct ic_expression_text *text);

void ic_expression_text_free(struct ic_expression_text *text);

#endif
