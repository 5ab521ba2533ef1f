#include "dwarf/expressions/operation.h"

#include <stdarg.h>
#include <stdio.h>

#include "dwarf/units/pointer.h"

static const struct ic_operation_info table[UINT8_MAX + 1] = {
#define OP(text, code, one, two)   [code] = { #text, IC_OPERAND_##one, IC_OPERAND_##two, 0 },
#define OPS(text, code, size, one) [code] = { #text, IC_OPERAND_##one, IC_OPERAND_NONE, size },
#include "dwarf/expressions/operations.def"
#undef OPS
#undef OP
};

// The groups have 32 codes each and follow one another.
static uint8_t group_of(uint8_t code)
{
	if (code < DW_OP_lit0 || code >= DW_OP_regx)
		return code;
	return (uint8_t)(code - (code - DW_OP_lit0) % (DW_OP_reg0 - DW_OP_lit0));
}

const struct ic_operation_info *ic_operation_info(uint8_t code)
{
	return &table[group_of(code)];
}

struct ic_expression ic_expression_open(struct ic_cursor bytes, const struct ic_unit *unit)
{
	return (struct ic_expression){ .cur = bytes, .begin = bytes.pos, .unit = unit };
}

static uint64_t read_block(struct ic_cursor *cur, uint64_t size, struct ic_cursor *block)
{
	*block = *cur;
	if (!ic_cursor_take(cur, size))
		size = 0;
	block->end = block->pos + size;
	return size;
}

static uint64_t read_operand(struct ic_cursor *cur, const struct ic_unit *unit, uint8_t operand,
			     struct ic_cursor *block)
{
	switch ((enum ic_operand)operand) {
	case IC_OPERAND_NONE: return 0;
	case IC_OPERAND_U8: return ic_cursor_u8(cur);
	case IC_OPERAND_S8: return (uint64_t)(int8_t)ic_cursor_u8(cur);
	case IC_OPERAND_U16:
	case IC_OPERAND_DIE16: return ic_cursor_u16(cur);
	case IC_OPERAND_S16: return (uint64_t)(int16_t)ic_cursor_u16(cur);
	case IC_OPERAND_U32:
	case IC_OPERAND_DIE32: return ic_cursor_u32(cur);
	case IC_OPERAND_S32: return (uint64_t)(int32_t)ic_cursor_u32(cur);
	case IC_OPERAND_U64:
	case IC_OPERAND_S64: return ic_cursor_u64(cur);
	case IC_OPERAND_ULEB:
	case IC_OPERAND_INDEX:
	case IC_OPERAND_REG:
	case IC_OPERAND_TYPE: return ic_cursor_uleb(cur);
	case IC_OPERAND_SLEB: return (uint64_t)ic_cursor_sleb(cur);
	case IC_OPERAND_ADDR: return ic_cursor_uint(cur, unit->addr_size);
	case IC_OPERAND_ENTRY: // in DWARF 2, a reference has the size of an address
		return ic_cursor_uint(cur,
				      unit->version <= 2 ? unit->addr_size : unit->offset_size);
	case IC_OPERAND_BLOCK: return read_block(cur, ic_cursor_uleb(cur), block);
	case IC_OPERAND_BLOCK8: return read_block(cur, ic_cursor_u8(cur), block);
	case IC_OPERAND_ENCODED:
		return ic_pointer_read_number(cur, ic_cursor_u8(cur), unit->addr_size);
	}
	return 0;
}

bool ic_expression_next(struct ic_expression *expression, struct ic_operation *operation)
{
	struct ic_cursor *cur = &expression->cur;

	if (!ic_cursor_more(cur))
		return false;
	*operation = (struct ic_operation){ .off = (uint32_t)(cur->pos - expression->begin) };
	operation->code = *cur->pos;
	operation->group = group_of(operation->code);
	operation->number = (uint8_t)(operation->code - operation->group);
	const struct ic_operation_info *info = &table[operation->group];
	if (!info->name) {
		ic_cursor_fault(cur, "unknown operation");
		return false;
	}
	cur->pos++;
	operation->first = read_operand(cur, expression->unit, info->first, &operation->block);
	operation->second = read_operand(cur, expression->unit, info->second, &operation->block);
	return !cur->fault;
}

bool ic_expression_pass_wide_load(struct ic_expression *expression,
				  const struct ic_operation *operation)
{
	struct ic_cursor *cur = &expression->cur;
	bool is_wide = operation->code == DW_OP_deref_size &&
		       operation->first > expression->unit->addr_size &&
		       cur->swap == IC_HOST_IS_BIG_ENDIAN && cur->pos < cur->end &&
		       *cur->pos == DW_OP_stack_value;

	cur->pos += is_wide;
	return is_wide;
}

bool ic_expression_go(struct ic_expression *expression, int64_t off)
{
	struct ic_cursor *cur = &expression->cur;

	if (cur->fault)
		return false;
	if (off < 0 || off > cur->end - expression->begin) {
		ic_cursor_fault(cur, "branch target is outside the expression");
		return false;
	}
	cur->pos = expression->begin + off;
	return true;
}

void ic_operation_name(const struct ic_operation *operation, char name[IC_OPERATION_NAME_SIZE])
{
	const struct ic_operation_info *info = &table[operation->group];

	if (info->count)
		snprintf(name, IC_OPERATION_NAME_SIZE, "DW_OP_%s%u", info->name, operation->number);
	else
		snprintf(name, IC_OPERATION_NAME_SIZE, "DW_OP_%s", info->name);
}

bool ic_operation_fail(const struct ic_expression *expression, const struct ic_operation *operation,
		       struct ic_error *err, const char *format, ...)
{
	const struct ic_cursor *cur = &expression->cur;
	char name[IC_OPERATION_NAME_SIZE], what[256];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	ic_operation_name(operation, name);
	return ic_fail_at(err, cur->section,
			  (uint64_t)(expression->begin - cur->begin) + operation->off, "%s: %s",
			  name, what);
}

bool ic_expression_ok(const struct ic_expression *expression, struct ic_error *err)
{
	return ic_cursor_ok(&expression->cur, err);
}

bool ic_expression_is_thread_local(const struct ic_expression *walk)
{
	struct ic_expression ahead = *walk;
	struct ic_operation next;

	return ic_expression_next(&ahead, &next) &&
	       (next.code == DW_OP_GNU_push_tls_address || next.code == DW_OP_form_tls_address);
}
