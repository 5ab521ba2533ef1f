#include "dwarf/expressions/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/registers.h"
#include "dwarf/units/form.h"

enum {
	MOST_NESTED = 8,  // expressions within expressions; compilers nest one
	MOST_NAME = 200,  // bytes of one name; there may be many
	MOST_MARKED = 16, // bytes shown after a mark
};

struct writer {
	struct ic_expression_text *text;
	uint64_t start; // start of this expression's text
	const struct ic_unit *unit;
	const struct ic_expression_names *names;
	bool is_full, out_of_memory;
};

// Appends text and a terminating NUL, which is not counted.
static bool append_piece(struct ic_expression_text *text, const char *piece, uint32_t size)
{
	if (!IC_ARRAY_RESERVE(&text->chars, text->chars.count + size + 1ull))
		return false;
	memcpy(text->chars.items + text->chars.count, piece, size);
	text->chars.count += size;
	text->chars.items[text->chars.count] = '\0';
	return true;
}

__attribute__((format(printf, 2, 3))) static void put(struct writer *writer, const char *format,
						      ...)
{
	char piece[512];
	va_list args;

	va_start(args, format);
	int length = vsnprintf(piece, sizeof(piece), format, args);
	va_end(args);
	uint64_t size = length < 0 ? 0 : (uint64_t)length;
	if (size >= sizeof(piece))
		size = sizeof(piece) - 1;
	uint64_t wanted = writer->text->chars.count + size + 1;
	if (writer->is_full || wanted - writer->start > IC_EXPRESSION_MOST_TEXT) {
		writer->is_full = true;
		return;
	}
	writer->out_of_memory |= !append_piece(writer->text, piece, (uint32_t)size);
}

// ---- Operands

static void put_bytes(struct writer *writer, struct ic_cursor bytes)
{
	while (ic_cursor_more(&bytes))
		put(writer, " 0x%02x", ic_cursor_u8(&bytes));
}

static void put_register(struct writer *writer, uint64_t number)
{
	const char *name = number <= UINT32_MAX
				   ? ic_register_name(writer->names->machine, (uint32_t)number)
				   : NULL;

	if (name)
		put(writer, " %s", name);
	else
		put(writer, " reg%" PRIu64, number);
}

static void put_die(struct writer *writer, uint64_t off)
{
	put(writer, " (0x%08" PRIx64 ")", off);
}

// Writes a type, given as an offset from the start of the unit. 0 is the generic type, which has no
// DIE.
static void put_type(struct writer *writer, uint64_t unit_off)
{
	const struct ic_expression_names *names = writer->names;
	uint64_t off = writer->unit->off + unit_off;

	if (unit_off == 0) {
		put(writer, " 0x0");
		return;
	}
	put_die(writer, off);
	const char *name = names->type_name ? names->type_name(names->context, off) : NULL;
	if (name)
		put(writer, " \"%.*s\"", MOST_NAME, name);
}

static void put_symbol(struct writer *writer, uint64_t addr)
{
	const struct ic_expression_names *names = writer->names;
	uint64_t off = 0;
	const char *name = names->symbol ? names->symbol(names->context, addr, &off) : NULL;

	if (name && off == 0)
		put(writer, " <%.*s>", MOST_NAME, name);
	else if (name)
		put(writer, " <%.*s+0x%" PRIx64 ">", MOST_NAME, name, off);
}

// Writes an index in .debug_addr: of an address or, for some operations, of a constant.
static void put_index(struct writer *writer, uint8_t code, uint64_t index)
{
	struct ic_error err;
	uint64_t number;

	put(writer, " 0x%" PRIx64, index);
	if (!ic_unit_address_at(writer->unit, index, &number, &err)) {
		put(writer, " <no such index>");
		return;
	}
	put(writer, " (0x%" PRIx64 ")", number);
	if (code == DW_OP_addrx || code == DW_OP_GNU_addr_index)
		put_symbol(writer, number);
}

static void put_operand(struct writer *writer, const struct ic_operation *operation, uint8_t kind,
			uint64_t value)
{
	switch ((enum ic_operand)kind) {
	case IC_OPERAND_NONE: return;
	case IC_OPERAND_S8:
	case IC_OPERAND_S16:
	case IC_OPERAND_S32:
	case IC_OPERAND_S64:
	case IC_OPERAND_SLEB: put(writer, " %+" PRId64, (int64_t)value); return;
	case IC_OPERAND_REG: put_register(writer, value); return;
	case IC_OPERAND_TYPE: put_type(writer, value); return;
	case IC_OPERAND_DIE16:
	case IC_OPERAND_DIE32: put_die(writer, writer->unit->off + value); return;
	case IC_OPERAND_ENTRY: put_die(writer, value); return;
	case IC_OPERAND_INDEX: put_index(writer, operation->code, value); return;
	case IC_OPERAND_ADDR:
	case IC_OPERAND_ENCODED:
		put(writer, " 0x%" PRIx64, value);
		put_symbol(writer, value);
		return;
	case IC_OPERAND_BLOCK:
	case IC_OPERAND_BLOCK8:
		put(writer, " 0x%" PRIx64, value);
		put_bytes(writer, operation->block);
		return;
	case IC_OPERAND_U8:
	case IC_OPERAND_U16:
	case IC_OPERAND_U32:
	case IC_OPERAND_U64:
	case IC_OPERAND_ULEB: put(writer, " 0x%" PRIx64, value); return;
	}
}

// ---- Operations

// Writes a register and its offset as one operand.
static bool put_based(struct writer *writer, const struct ic_operation *operation)
{
	uint8_t group = operation->group;
	bool is_extended = group == DW_OP_bregx;

	if (group != DW_OP_reg0 && group != DW_OP_breg0 && !is_extended)
		return false;
	put_register(writer, is_extended ? operation->first : operation->number);
	if (group != DW_OP_reg0)
		put(writer, "%+" PRId64,
		    (int64_t)(is_extended ? operation->second : operation->first));
	return true;
}

static void put_operation(struct writer *writer, const struct ic_operation *operation)
{
	const struct ic_operation_info *info = ic_operation_info(operation->code);

	put(writer, "DW_OP_%s", info->name);
	if (info->count > 0)
		put(writer, "%u", operation->number);
	if (put_based(writer, operation))
		return;
	put_operand(writer, operation, info->first, operation->first);
	put_operand(writer, operation, info->second, operation->second);
}

static bool mark_fault(struct writer *writer, struct ic_cursor rest, const char *what)
{
	put(writer, "<%s>", what);
	for (int i = 0; i < MOST_MARKED && ic_cursor_more(&rest); i++)
		put(writer, " %02x", ic_cursor_u8(&rest));
	if (ic_cursor_more(&rest))
		put(writer, " ...");
	return false;
}

// Returns false if the expression cannot be read to its end.
static bool put_expression(struct writer *writer, struct ic_cursor bytes, unsigned nested,
			   struct ic_error *err)
{
	struct ic_expression expression = ic_expression_open(bytes, writer->unit);
	struct ic_operation operation;
	struct ic_cursor rest = bytes;

	if (!ic_cursor_more(&bytes))
		put(writer, "<empty>");
	while (!writer->is_full && ic_expression_next(&expression, &operation)) {
		bool is_nested = operation.code == DW_OP_entry_value ||
				 operation.code == DW_OP_GNU_entry_value;

		put(writer, "%s", operation.off > 0 ? ", " : "");
		if (is_nested && nested == MOST_NESTED) {
			ic_fail(err, IC_ERROR_UNSUPPORTED,
				"expressions are nested more than %d deep", MOST_NESTED);
			return mark_fault(writer, rest, "nested too deeply");
		}
		if (is_nested) {
			put(writer, "DW_OP_%s(", ic_operation_info(operation.code)->name);
			if (!put_expression(writer, operation.block, nested + 1, err))
				return false;
			put(writer, ")");
		} else {
			put_operation(writer, &operation);
		}
		rest.pos = expression.cur.pos;
	}
	if (ic_expression_ok(&expression, err))
		return true;
	if (rest.pos > bytes.pos)
		put(writer, ", ");
	return mark_fault(writer, rest, expression.cur.fault);
}

bool ic_expression_write(struct ic_expression_text *text, struct ic_cursor bytes,
			 const struct ic_unit *unit, const struct ic_expression_names *names,
			 struct ic_error *err)
{
	struct writer writer = {
		.text = text, .start = text->chars.count, .unit = unit, .names = names
	};
	bool ok = put_expression(&writer, bytes, 0, err);

	if (writer.out_of_memory)
		return ic_fail_memory(err);
	if (!writer.is_full)
		return ok;
	writer.is_full = false;
	writer.start = text->chars.count; // so that the mark is not cut off
	put(&writer, "<too long>");
	return ic_fail(err, IC_ERROR_UNSUPPORTED, "expression text is longer than %d bytes",
		       IC_EXPRESSION_MOST_TEXT);
}

bool ic_expression_text_add(struct ic_expression_text *text, const char *format, ...)
{
	char piece[512];
	va_list args;

	va_start(args, format);
	int length = vsnprintf(piece, sizeof(piece), format, args);
	va_end(args);
	return length >= 0 && (size_t)length < sizeof(piece) &&
	       append_piece(text, piece, (uint32_t)length);
}

const char *ic_expression_text(const struct ic_expression_text *text)
{
	return text->chars.count > 0 ? text->chars.items : "";
}

void ic_expression_text_clear(struct ic_expression_text *text)
{
	text->chars.count = 0;
}

void ic_expression_text_free(struct ic_expression_text *text)
{
	IC_ARRAY_FREE(&text->chars);
}
