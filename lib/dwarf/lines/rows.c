#include "dwarf/lines/rows.h"

#include "dwarf/units/constants.h"

enum { MOST_PADDING = 15 }; // bytes at the end of a program that may be padding

// DWARF 5, 6.2.2: the registers at the start of each sequence.
static struct ic_line_row first_registers(const struct ic_line_header *header)
{
	return (struct ic_line_row){ .file = 1, // also in DWARF 5, where files begin with 0
				     .line = 1,
				     .flags = header->default_is_stmt ? IC_LINE_IS_STMT : 0 };
}

// False for a VLIW machine, or if the numbers that special opcodes need are missing.
static bool is_plain(const struct ic_line_header *header)
{
	return header->opcode_base > 0 && header->line_range > 0 && header->max_ops_per_inst <= 1;
}

// DWARF 5, 6.2.5.1: the advance is in operations; a VLIW instruction has several.
static void advance_addr(struct ic_line_program *program, uint64_t operations)
{
	const struct ic_line_header *header = program->header;
	struct ic_line_row *registers = &program->registers;

	if (header->max_ops_per_inst > 1) {
		operations += registers->op_index;
		registers->op_index = (uint8_t)(operations % header->max_ops_per_inst);
		operations /= header->max_ops_per_inst;
	}
	registers->addr += header->min_inst_length * operations;
}

// The advance of a special opcode.
static void advance_special(struct ic_line_program *program, uint8_t adjusted)
{
	if (program->header->line_range == 0)
		ic_cursor_fault(&program->cur, "special opcode in a table whose line_range is 0");
	else
		advance_addr(program, adjusted / program->header->line_range);
}

static enum ic_line_event emit_row(struct ic_line_program *program, struct ic_line_row *row)
{
	struct ic_line_row *registers = &program->registers;

	*row = *registers;
	row->addr &= program->addr_mask;
	registers->discriminator = 0;
	registers->flags &= IC_LINE_IS_STMT;
	program->functions.row_number++;
	program->in_sequence = true;
	return IC_LINE_ROW;
}

static enum ic_line_event run_special(struct ic_line_program *program, uint8_t opcode,
				      struct ic_line_row *row)
{
	const struct ic_line_header *header = program->header;
	uint8_t adjusted = (uint8_t)(opcode - header->opcode_base);

	advance_special(program, adjusted);
	if (program->cur.fault)
		return IC_LINE_END;
	program->registers.line += (uint32_t)(header->line_base + adjusted % header->line_range);
	return emit_row(program, row);
}

static void run_further(struct ic_line_program *program, uint8_t opcode)
{
	struct ic_cursor *cur = &program->cur;
	const struct ic_line_header *header = program->header;

	if (header->version != IC_LINE_TWO_LEVEL)
		ic_line_skip_operands(header, opcode, cur);
	else if (program->is_actual)
		ic_line_actuals_run(&program->logicals, opcode, cur, header, &program->registers);
	else
		ic_line_logicals_run(&program->logicals, opcode, cur, header, &program->registers,
				     &program->functions);
}

static enum ic_line_event run_standard(struct ic_line_program *program, uint8_t opcode,
				       struct ic_line_row *row)
{
	struct ic_line_row *registers = &program->registers;
	struct ic_cursor *cur = &program->cur;

	switch (opcode) {
	case DW_LNS_copy: return emit_row(program, row);
	case DW_LNS_advance_pc: advance_addr(program, ic_cursor_uleb(cur)); break;
	case DW_LNS_advance_line: registers->line += (uint32_t)ic_cursor_sleb(cur); break;
	case DW_LNS_set_file: registers->file = ic_cursor_uleb32(cur); break;
	case DW_LNS_set_column: registers->column = ic_cursor_uleb32(cur); break;
	case DW_LNS_negate_stmt: registers->flags ^= IC_LINE_IS_STMT; break;
	case DW_LNS_set_basic_block: registers->flags |= IC_LINE_BASIC_BLOCK; break;
	case DW_LNS_const_add_pc:
		advance_special(program, (uint8_t)(255 - program->header->opcode_base));
		break;
	case DW_LNS_fixed_advance_pc: // in bytes, not in instructions
		registers->addr += ic_cursor_u16(cur);
		registers->op_index = 0;
		break;
	case DW_LNS_set_prologue_end: registers->flags |= IC_LINE_PROLOGUE_END; break;
	case DW_LNS_set_epilogue_begin: registers->flags |= IC_LINE_EPILOGUE_BEGIN; break;
	case DW_LNS_set_isa: registers->isa = ic_cursor_uleb32(cur); break;
	default: run_further(program, opcode); break;
	}
	return IC_LINE_END;
}

static enum ic_line_event end_sequence(struct ic_line_program *program, struct ic_line_row *row)
{
	program->registers.flags |= IC_LINE_END_SEQUENCE;
	if (program->is_dead)
		program->registers.addr = program->alive_addr;
	program->is_dead = false;
	program->functions.context = 0;
	program->functions.function = (struct ic_line_function){ .name = NULL };
	emit_row(program, row);
	program->functions.sequence_start = program->functions.row_number;
	program->registers = first_registers(program->header);
	program->in_sequence = false;
	return IC_LINE_ROW;
}

// Whether linkers write this address in place of the address of discarded code. Usually each
// function has its own sequence, so the first address identifies a discarded one.
static bool is_mark(const struct ic_line_program *program, uint64_t addr)
{
	return (addr & program->addr_mask) >= program->addr_mask - 1 || addr <= 1;
}

// The opcode gives the size of the address, whatever the header or the unit says.
static void set_address(struct ic_line_program *program)
{
	uint64_t size = (uint64_t)(program->cur.end - program->cur.pos);

	if (size < 1 || size > 8) {
		ic_cursor_fault(&program->cur, "address is not 1 to 8 bytes long");
		return;
	}
	uint64_t addr = ic_cursor_uint(&program->cur, (unsigned)size);
	bool is_dead = program->in_sequence && is_mark(program, addr) &&
		       (addr > 1 || program->registers.addr > addr);
	if (is_dead && !program->is_dead)
		program->alive_addr = program->registers.addr;
	program->is_dead = is_dead;
	program->registers.addr = addr;
	program->registers.op_index = 0;
}

// Here, the cursor ends at the end of the opcode's operands.
static enum ic_line_event run_operation(struct ic_line_program *program, struct ic_line_row *row)
{
	struct ic_cursor *cur = &program->cur;

	switch (ic_cursor_u8(cur)) {
	case DW_LNE_end_sequence: return end_sequence(program, row);
	case DW_LNE_set_address: set_address(program); break;
	case DW_LNE_define_file:
		program->file.name = ic_cursor_string(cur);
		program->file.directory = ic_cursor_uleb(cur);
		ic_cursor_uleb(cur); // time
		ic_cursor_uleb(cur); // size
		return IC_LINE_FILE;
	case DW_LNE_set_discriminator:
		program->registers.discriminator = ic_cursor_uleb32(cur);
		break;
	case DW_LNE_NVIDIA_inlined_call:
		ic_line_functions_begin_inlined(&program->functions, cur);
		break;
	case DW_LNE_NVIDIA_set_function_name:
		ic_line_functions_set_name(&program->functions, cur);
		break;
	}
	return IC_LINE_END;
}

// An extended opcode has at least one byte, but some tables end in padding: two zeros with only a
// few more after them are taken as that.
static void pass_padding(struct ic_cursor *cur)
{
	const uint8_t *pos = cur->pos;

	while (pos < cur->end && *pos == 0)
		pos++;
	if (pos == cur->end && pos - cur->pos + 2 <= MOST_PADDING)
		cur->pos = cur->end;
	else
		ic_cursor_fault(cur, "zeros instead of rows");
}

static enum ic_line_event run_extended(struct ic_line_program *program, struct ic_line_row *row)
{
	struct ic_cursor *cur = &program->cur;
	const uint8_t *end = cur->end;
	uint64_t size = ic_cursor_uleb(cur);

	if (size > (uint64_t)(end - cur->pos))
		ic_cursor_fault(cur, "opcode extends beyond the end of its table");
	if (size == 0 && !cur->fault)
		pass_padding(cur);
	if (size == 0 || cur->fault)
		return IC_LINE_END;
	cur->end = cur->pos + size;
	enum ic_line_event event = run_operation(program, row);
	if (!cur->fault)
		cur->pos = cur->end; // skip vendors' opcodes, and future operands
	cur->end = cur->fault ? cur->pos : end;
	return event;
}

static enum ic_line_event run_opcode(struct ic_line_program *program, struct ic_line_row *row)
{
	uint8_t opcode = ic_cursor_u8(&program->cur);

	if (opcode == 0)
		return run_extended(program, row);
	// Even if opcode_base is 0 or below 10, opcodes from it on are special.
	return opcode >= program->header->opcode_base ? run_special(program, opcode, row)
						      : run_standard(program, opcode, row);
}

// ---- The fast path, for nearly all rows

// Emits the row of a special opcode, or of a copy, which advances by nothing. Compilers mix the two
// unpredictably, so a branch would cost more.
static void emit_plain(struct ic_line_program *program, uint8_t opcode, struct ic_line_row *row)
{
	const struct ic_line_header *header = program->header;
	struct ic_line_row *registers = &program->registers;
	bool is_special = opcode >= header->opcode_base;
	uint32_t adjusted = is_special ? (uint32_t)opcode - header->opcode_base : 0;
	uint32_t operations = adjusted * program->reciprocal >> 16; // adjusted / line_range
	uint32_t lines = (uint32_t)header->line_base + adjusted - operations * header->line_range;

	registers->addr += operations * header->min_inst_length;
	registers->line += is_special ? lines : 0;
	// Field by field, as they were stored: loading the whole struct would stall the CPU.
	row->addr = registers->addr & program->addr_mask;
	row->file = registers->file;
	row->line = registers->line;
	row->column = registers->column;
	row->discriminator = registers->discriminator;
	row->isa = registers->isa;
	row->op_index = 0;
	row->flags = registers->flags;
	registers->discriminator = 0;
	registers->flags &= IC_LINE_IS_STMT;
	program->functions.row_number++;
	program->in_sequence = true;
}

// Runs opcodes whose operands have one or two bytes, up to a row. Returns false if the next opcode
// is of another kind, or so near the end that it may be truncated.
static bool run_plain(struct ic_line_program *program, struct ic_line_row *row)
{
	const uint8_t *pos = program->cur.pos, *end = program->cur.end;
	const uint8_t opcode_base = program->header->opcode_base;
	struct ic_line_row *registers = &program->registers;
	bool is_row = false, is_plain = program->is_plain;

	while (is_plain && !is_row && end - pos >= 4) {
		uint8_t opcode = pos[0], operand = pos[1];

		if (opcode >= opcode_base || opcode == DW_LNS_copy) {
			emit_plain(program, opcode, row);
			is_row = true;
			pos++;
		} else if (opcode == DW_LNS_set_column && operand < 0x80) {
			registers->column = operand;
			pos += 2;
		} else if (opcode == DW_LNS_negate_stmt) {
			registers->flags ^= IC_LINE_IS_STMT;
			pos++;
		} else if (opcode == DW_LNS_advance_line && operand < 0x80) {
			registers->line += (operand ^ 0x40u) - 0x40u;
			pos += 2;
		} else if (opcode == DW_LNS_advance_line && pos[2] < 0x80) {
			uint32_t bits = (operand & 0x7fu) | (uint32_t)pos[2] << 7;
			registers->line += (bits ^ 0x2000u) - 0x2000u;
			pos += 3;
		} else if (opcode == DW_LNS_set_file && operand < 0x80) {
			registers->file = operand;
			pos += 2;
		} else if (opcode == 0 && operand == 2 && pos[2] == DW_LNE_set_discriminator &&
			   pos[3] < 0x80) {
			registers->discriminator = pos[3];
			pos += 4;
		} else if (opcode == DW_LNS_const_add_pc) {
			registers->addr += program->special_255;
			pos++;
		} else {
			is_plain = false;
		}
	}
	program->cur.pos = pos;
	return is_row;
}

// Completes a row of a two-level table, or a row to keep.
static enum ic_line_event finish_row(struct ic_line_program *program, struct ic_line_row *row)
{
	if (program->is_actual) {
		ic_line_actuals_resolve(&program->logicals, ic_cursor_off(&program->cur), row,
					&program->functions);
		return IC_LINE_ROW;
	}
	if (ic_line_logicals_push(&program->logicals, row, &program->functions))
		return IC_LINE_ROW;
	program->out_of_memory = true;
	program->in_sequence = false; // report only the lack of memory
	program->cur.pos = program->cur.end;
	return IC_LINE_END;
}

enum ic_line_event ic_line_program_next(struct ic_line_program *program, struct ic_line_row *row)
{
	struct ic_cursor *cur = &program->cur;

	for (;;) {
		enum ic_line_event event = IC_LINE_ROW;
		if (!run_plain(program, row)) {
			if (!ic_cursor_more(cur))
				break;
			event = run_opcode(program, row);
			if (cur->fault)
				return IC_LINE_END;
		}
		if (event == IC_LINE_ROW && (program->keeps_rows || program->is_actual))
			// Also a dead row: others refer to it by number.
			event = finish_row(program, row);
		if (event == IC_LINE_END || (event == IC_LINE_ROW && program->is_dead))
			continue;
		return event;
	}
	if (program->in_sequence)
		ic_cursor_fault(cur, "unterminated sequence of rows");
	return IC_LINE_END;
}

// ---- Opening

static void begin_sequence(struct ic_line_program *program, uint64_t off, uint64_t size)
{
	const struct ic_unit *unit = program->functions.unit;
	struct ic_bytes section;
	struct ic_error unwanted;

	program->registers = first_registers(program->header);
	program->in_sequence = false;
	program->functions =
		(struct ic_line_functions){ .unit = unit,
					    .names_off = program->header->names_off,
					    .doubt = program->functions.doubt,
					    .doubt_off = program->functions.doubt_off };
	// No check: the header was read from this section.
	if (size > 0 && ic_dwarf_section(unit->dwarf, &unit->dwarf->line, &section, &unwanted))
		program->cur = ic_cursor_at(section, ".debug_line",
					    program->header->program_off + off, size,
					    unit->dwarf->swap);
}

static void run_logicals(struct ic_line_program *program)
{
	struct ic_line_row row;

	do
		program->in_sequence = false; // the last sequence of logicals need not have an end
	while (ic_line_program_next(program, &row) != IC_LINE_END);
}

void ic_line_program_open(struct ic_line_program *program, const struct ic_line_header *header,
			  const struct ic_unit *unit, uint64_t budget)
{
	uint64_t size = header->program_size < budget ? header->program_size : budget;
	uint64_t logicals = header->logicals_size < size ? header->logicals_size : size;

	*program = (struct ic_line_program){ .header = header,
					     .functions.unit = unit,
					     .addr_mask = ic_unit_addr_mask(unit),
					     .is_plain = is_plain(header),
					     .keeps_rows = header->version == IC_LINE_TWO_LEVEL };
	if (program->is_plain) {
		uint32_t operations = (255u - header->opcode_base) / header->line_range;
		program->special_255 = operations * header->min_inst_length;
		program->reciprocal = (65535u + header->line_range) / header->line_range;
	}
	begin_sequence(program, 0, logicals);
	if (header->logicals_size == header->program_size)
		return;
	run_logicals(program);
	if (program->cur.fault || program->out_of_memory)
		return;
	program->keeps_rows = false;
	program->is_actual = true;
	begin_sequence(program, logicals, size - logicals);
}

void ic_line_program_keep_rows(struct ic_line_program *program)
{
	program->keeps_rows = !program->is_actual;
}

bool ic_line_program_ok(const struct ic_line_program *program, struct ic_error *err)
{
	if (program->out_of_memory)
		return ic_fail_memory(err);
	return ic_cursor_ok(&program->cur, err);
}

void ic_line_program_close(struct ic_line_program *program)
{
	ic_line_logicals_free(&program->logicals);
}
