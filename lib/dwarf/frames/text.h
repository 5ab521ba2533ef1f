// Call frame information as text: rules such as "[CFA-16]", instructions as in the standard.
#ifndef DWARF_FRAMES_TEXT_H
#define DWARF_FRAMES_TEXT_H

#include "dwarf/expressions/text.h"
#include "dwarf/frames/instruction.h"

#include <inlinecall/extra/call_frames.h>

struct ic_cfi_text_options {
	const struct ic_cfi_section *section;
	const struct ic_cie *cie;
	unsigned machine; // the machine whose register numbering the section uses
};

// Appends a rule; `is_cfa` if it is the CFA's. False if memory runs out, or an expression cannot be
// read to its end, as in ic_expression_write().
bool ic_cfi_rule_write(struct ic_expression_text *text, const struct ic_register_rule *rule,
		       bool is_cfa, const struct ic_cfi_text_options *options, struct ic_error *err)
	IC_CHECKED;

// Appends an instruction with its operands: "DW_CFA_def_cfa: %rsp +8". An advance includes the new
// address. False as above.
bool ic_cfi_instruction_write(struct ic_expression_text *text,
			      const struct ic_cfi_instruction *instruction, uint64_t addr,
			      const struct ic_cfi_text_options *options, struct ic_error *err)
	IC_CHECKED;

#endif
