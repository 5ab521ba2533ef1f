#include "dwarf/lines/logicals.h"

#include "dwarf/units/constants.h"

const struct ic_line_logical *ic_line_logicals_find(const struct ic_line_logicals *logicals,
						    uint64_t number)
{
	return number > 0 && number <= logicals->rows.count ? &logicals->rows.items[number - 1]
							    : NULL;
}

bool ic_line_logicals_push(struct ic_line_logicals *logicals, const struct ic_line_row *row,
			   const struct ic_line_functions *functions)
{
	struct ic_line_logical *place = IC_ARRAY_PUSH(&logicals->rows);

	if (place)
		*place = (struct ic_line_logical){ *row, functions->function,
						   (uint32_t)functions->context };
	return place != NULL;
}

void ic_line_skip_operands(const struct ic_line_header *header, uint8_t opcode,
			   struct ic_cursor *cur)
{
	for (uint8_t i = 0; i < header->opcode_lengths[opcode - 1]; i++)
		ic_cursor_uleb(cur);
}

static void set_function(struct ic_line_functions *functions, const struct ic_line_header *header,
			 uint64_t number, uint64_t off)
{
	if (number >= header->functions.count)
		ic_line_functions_doubt(functions, off, "function number is out of range");
	functions->function = number < header->functions.count
				      ? header->functions.items[number]
				      : (struct ic_line_function){ .name = NULL };
}

// The number of the call's row is relative to the number of rows so far.
static void begin_inlined(struct ic_line_functions *functions, struct ic_cursor *cur,
			  const struct ic_line_header *header)
{
	uint64_t off = ic_cursor_off(cur);
	uint64_t number = functions->row_number + (uint64_t)ic_cursor_sleb(cur);

	set_function(functions, header, ic_cursor_uleb(cur), off);
	functions->context = number;
	if (number > 0 && number <= functions->row_number)
		return;
	ic_line_functions_doubt(functions, off,
				"call site of an inlined function is not an earlier row");
	functions->context = 0;
	functions->function = (struct ic_line_function){ .name = NULL };
}

// Returns to the row of the call into which the code is inlined.
static void pop_context(const struct ic_line_logicals *logicals, struct ic_line_row *registers,
			struct ic_line_functions *functions)
{
	const struct ic_line_logical *call = ic_line_logicals_find(logicals, functions->context);

	if (!call)
		return;
	registers->file = call->row.file;
	registers->line = call->row.line;
	registers->column = call->row.column;
	registers->discriminator = call->row.discriminator;
	registers->flags = (uint8_t)((registers->flags & ~IC_LINE_IS_STMT) |
				     (call->row.flags & IC_LINE_IS_STMT));
	functions->context = call->context;
	functions->function = call->function;
}

void ic_line_logicals_run(const struct ic_line_logicals *logicals, uint8_t opcode,
			  struct ic_cursor *cur, const struct ic_line_header *header,
			  struct ic_line_row *registers, struct ic_line_functions *functions)
{
	uint64_t off = ic_cursor_off(cur);

	switch (opcode) {
	case DW_LNS_set_subprogram:
		functions->context = 0;
		set_function(functions, header, ic_cursor_uleb(cur), off);
		break;
	case DW_LNS_inlined_call: begin_inlined(functions, cur, header); break;
	case DW_LNS_pop_context: pop_context(logicals, registers, functions); break;
	default: ic_line_skip_operands(header, opcode, cur); break;
	}
}

void ic_line_actuals_run(const struct ic_line_logicals *logicals, uint8_t opcode,
			 struct ic_cursor *cur, const struct ic_line_header *header,
			 struct ic_line_row *registers)
{
	if (opcode != DW_LNS_set_address_from_logical) {
		ic_line_skip_operands(header, opcode, cur);
		return;
	}
	registers->line += (uint32_t)ic_cursor_sleb(cur);
	const struct ic_line_logical *logical = ic_line_logicals_find(logicals, registers->line);
	if (!logical)
		return; // reported when the row is resolved
	registers->addr = logical->row.addr;
	registers->op_index = logical->row.op_index;
}

void ic_line_actuals_resolve(const struct ic_line_logicals *logicals, uint64_t off,
			     struct ic_line_row *row, struct ic_line_functions *functions)
{
	const struct ic_line_logical *logical = ic_line_logicals_find(logicals, row->line);
	static const struct ic_line_logical unknown;

	if (!logical && !(row->flags & IC_LINE_END_SEQUENCE))
		ic_line_functions_doubt(functions, off, "logical row number is out of range");
	if (!logical)
		logical = &unknown;
	row->file = logical->row.file;
	row->line = logical->row.line;
	row->column = logical->row.column;
	row->discriminator = logical->row.discriminator;
	row->flags = (uint8_t)((row->flags & ~IC_LINE_IS_STMT) |
			       (logical->row.flags & ~IC_LINE_END_SEQUENCE));
	if (row->flags & IC_LINE_END_SEQUENCE) // no code, so no function
		logical = &unknown;
	functions->context = logical->context;
	functions->function = logical->function;
}

void ic_line_logicals_free(struct ic_line_logicals *logicals)
{
	IC_ARRAY_FREE(&logicals->rows);
}
