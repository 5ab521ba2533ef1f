#include "dwarf/frames/text.h"

#include <inttypes.h>

#include "base/registers.h"

enum { EXPRESSION_VERSION = 4 }; // of DWARF; expressions here cannot contain what depends on it

static bool write_register(struct ic_expression_text *text, uint64_t number, unsigned machine)
{
	const char *name = number <= UINT32_MAX ? ic_register_name(machine, (uint32_t)number)
						: NULL;

	if (!name)
		return ic_expression_text_add(text, "reg%" PRIu64, number);
	return ic_expression_text_add(text, "%s%s", ic_register_has_percent(machine) ? "%" : "",
				      name);
}

// Reports a failed append as an error.
static bool or_memory(bool ok, struct ic_error *err)
{
	return ok || ic_fail_memory(err);
}

static bool write_expression(struct ic_expression_text *text, const uint8_t *bytes, uint64_t size,
			     const struct ic_cfi_text_options *options, struct ic_error *err)
{
	const struct ic_cfi_section *section = options->section;
	const struct ic_dwarf dwarf = { .swap = section->swap,
					.is_32_bit = section->addr_size == 4,
					.info_name = section->name };
	const struct ic_unit unit = { .dwarf = &dwarf,
				      .version = EXPRESSION_VERSION,
				      .addr_size = options->cie->addr_size,
				      .offset_size = 4 };
	const struct ic_expression_names names = { .machine = options->machine };
	uint64_t off = (uint64_t)(bytes - section->bytes.data);

	return ic_expression_write(
		text, ic_cursor_at(section->bytes, section->name, off, size, section->swap), &unit,
		&names, err);
}

static bool write_plain(struct ic_expression_text *text, const struct ic_register_rule *rule,
			bool is_cfa, unsigned machine)
{
	int64_t offset = rule->at.offset;

	switch ((enum ic_register_rule_kind)rule->kind) {
	case IC_RULE_UNDEFINED: return ic_expression_text_add(text, "undefined");
	case IC_RULE_SAME_VALUE: return ic_expression_text_add(text, "same");
	case IC_RULE_OFFSET: return ic_expression_text_add(text, "[CFA%+" PRId64 "]", offset);
	case IC_RULE_VAL_OFFSET: return ic_expression_text_add(text, "CFA%+" PRId64, offset);
	case IC_RULE_CONSTANT: return ic_expression_text_add(text, "%" PRId64, offset);
	case IC_RULE_REGISTER:
		return write_register(text, rule->from, machine) &&
		       (!is_cfa || ic_expression_text_add(text, "%+" PRId64, offset)) &&
		       (rule->space == 0 ||
			ic_expression_text_add(text, " in address space %u", rule->space));
	case IC_RULE_EXPRESSION:
	case IC_RULE_VAL_EXPRESSION: break;
	}
	return true;
}

bool ic_cfi_rule_write(struct ic_expression_text *text, const struct ic_register_rule *rule,
		       bool is_cfa, const struct ic_cfi_text_options *options, struct ic_error *err)
{
	bool is_memory = rule->kind == IC_RULE_EXPRESSION;

	if (!is_memory && rule->kind != IC_RULE_VAL_EXPRESSION)
		return or_memory(write_plain(text, rule, is_cfa, options->machine), err);
	if (is_memory && !ic_expression_text_add(text, "["))
		return ic_fail_memory(err);
	bool ok = write_expression(text, rule->at.expression, rule->from, options, err);
	if (is_memory && !ic_expression_text_add(text, "]"))
		return ic_fail_memory(err);
	return ok;
}

struct written { // an instruction being written
	const struct ic_cfi_instruction *instruction;
	uint64_t addr; // of the row after it
	const struct ic_cfi_text_options *options;
};

// The operand of DW_CFA_GNU_args_size is a plain number; other numbers are offsets.
static bool write_operand(struct ic_expression_text *text, const struct written *written,
			  uint8_t kind, uint64_t value, struct ic_error *err)
{
	bool ok = true;

	switch ((enum ic_cfi_operand)kind) {
	case IC_CFI_NONE: return true;
	case IC_CFI_DELTA_IN_CODE:
	case IC_CFI_DELTA8:
	case IC_CFI_DELTA16:
	case IC_CFI_DELTA32:
	case IC_CFI_DELTA64:
		ok = ic_expression_text_add(text, "%" PRIu64 " to 0x%" PRIx64, value,
					    written->addr);
		break;
	case IC_CFI_ADDR: ok = ic_expression_text_add(text, "0x%" PRIx64, value); break;
	case IC_CFI_REG_IN_CODE:
	case IC_CFI_REG: ok = write_register(text, value, written->options->machine); break;
	case IC_CFI_NUMBER: ok = ic_expression_text_add(text, "%" PRIu64, value); break;
	case IC_CFI_SIGNED_DELTA:
	case IC_CFI_OFFSET:
	case IC_CFI_FACTORED:
	case IC_CFI_SIGNED_FACTORED:
	case IC_CFI_NEGATED: ok = ic_expression_text_add(text, "%+" PRId64, (int64_t)value); break;
	case IC_CFI_OFFSET_IN_SPACE:
	case IC_CFI_FACTORED_IN_SPACE:
		ok = ic_expression_text_add(text, "%+" PRId64 " in address space %" PRIu64,
					    (int64_t)value, written->instruction->space);
		break;
	case IC_CFI_EXPRESSION:
		return write_expression(text, written->instruction->bytes, value, written->options,
					err);
	}
	return or_memory(ok, err);
}

bool ic_cfi_instruction_write(struct ic_expression_text *text,
			      const struct ic_cfi_instruction *instruction, uint64_t addr,
			      const struct ic_cfi_text_options *options, struct ic_error *err)
{
	const struct ic_cfi_instruction_info *info = ic_cfi_instruction_info(instruction->code);
	const char *name = ic_cfi_instruction_name(instruction->code, options->section->machine);
	const struct written written = { instruction, addr, options };

	if (!ic_expression_text_add(text, "DW_CFA_%s", name))
		return ic_fail_memory(err);
	if (info->first == IC_CFI_NONE)
		return true;
	return or_memory(ic_expression_text_add(text, ": "), err) &&
	       write_operand(text, &written, info->first, instruction->first, err) &&
	       (info->second == IC_CFI_NONE || or_memory(ic_expression_text_add(text, " "), err)) &&
	       write_operand(text, &written, info->second, instruction->second, err);
}
