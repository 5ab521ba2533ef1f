#include "emit/line_out.h"

#include <string.h>

#include "dwarf/units/constants.h"
#include "emit/string_out.h"

enum { // header fields
	LINE_BASE = -5,
	LINE_RANGE = 14,
	OPCODE_BASE = DW_LNS_set_isa + 1,
	LAST_OPCODE = 255,
	CONSTANT_ADVANCE = (LAST_OPCODE - OPCODE_BASE) / LINE_RANGE, // DWARF 5, 6.2.5.2
};

// ---- The header

static void put_string(struct ic_lines_out *lines, const char *text)
{
	uint32_t off = ic_string_out(&lines->strings, text);

	lines->failed |= off == IC_NONE;
	ic_out_uint(&lines->line, off, 4);
}

// DWARF 5, 6.2.4: directory 0 is the compilation directory, and files have full paths. File 0 is
// the unit's own, a copy of the first one.
static void put_files(struct ic_lines_out *lines, const char *const *files, uint32_t count)
{
	struct ic_out *out = &lines->line;

	ic_out_uint(out, 1, 1);
	ic_out_uleb(out, DW_LNCT_path);
	ic_out_uleb(out, DW_FORM_line_strp);
	ic_out_uleb(out, 1);
	put_string(lines, "");
	ic_out_uint(out, 2, 1);
	ic_out_uleb(out, DW_LNCT_path);
	ic_out_uleb(out, DW_FORM_line_strp);
	ic_out_uleb(out, DW_LNCT_directory_index);
	ic_out_uleb(out, DW_FORM_udata);
	ic_out_uleb(out, count + 1ull);
	for (uint32_t i = 0; i <= count; i++) {
		put_string(lines, count == 0 ? "" : files[i == 0 ? 0 : i - 1]);
		ic_out_uleb(out, 0);
	}
}

// DWARF 4, 6.2.4: no directories; each file has a directory, a time and a size, all unknown.
static void put_files_4(struct ic_lines_out *lines, const char *const *files, uint32_t count)
{
	struct ic_out *out = &lines->line;

	ic_out_uint(out, 0, 1);
	for (uint32_t i = 0; i < count; i++) {
		ic_out_string(out, files[i]);
		ic_out_uint(out, 0, 3);
	}
	ic_out_uint(out, 0, 1);
}

static void put_header(struct ic_lines_out *lines, const char *const *files, uint32_t count)
{
	static const uint8_t operands[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
	struct ic_out *out = &lines->line;

	ic_out_uint(out, lines->version, 2);
	if (lines->version >= 5) {
		ic_out_uint(out, lines->addr_size, 1);
		ic_out_uint(out, 0, 1); // no segments
	}
	uint32_t header = ic_out_length_begin(out);
	ic_out_uint(out, 1, 1); // size of the shortest instruction
	ic_out_uint(out, 1, 1); // operations per instruction
	ic_out_uint(out, 1, 1); // rows are statements
	ic_out_uint(out, (uint8_t)LINE_BASE, 1);
	ic_out_uint(out, LINE_RANGE, 1);
	ic_out_uint(out, OPCODE_BASE, 1);
	ic_out_bytes(out, operands, sizeof(operands));
	if (lines->version >= 5)
		put_files(lines, files, count);
	else
		put_files_4(lines, files, count);
	ic_out_length_end(out, header);
}

// ---- The program

struct state { // the registers of the state machine (DWARF 5, 6.2.2)
	uint64_t addr_off;
	uint32_t file, line, column;
};

static void put_extended(struct ic_out *out, uint8_t opcode, unsigned size)
{
	ic_out_uint(out, 0, 1);
	ic_out_uleb(out, size + 1ull);
	ic_out_uint(out, opcode, 1);
}

// Writes the opcodes that append a row at these distances from the last one.
static void put_step(struct ic_out *out, uint64_t advance, int64_t line)
{
	if (line < LINE_BASE || line >= LINE_BASE + LINE_RANGE) {
		ic_out_uint(out, DW_LNS_advance_line, 1);
		ic_out_sleb(out, line);
		line = 0;
	}
	uint64_t special = (uint64_t)(line - LINE_BASE) + OPCODE_BASE;
	// The furthest a special opcode can advance.
	uint64_t most = (LAST_OPCODE - special) / LINE_RANGE;
	if (advance > most && advance >= CONSTANT_ADVANCE && advance <= CONSTANT_ADVANCE + most) {
		ic_out_uint(out, DW_LNS_const_add_pc, 1);
		advance -= CONSTANT_ADVANCE;
	}
	if (advance <= most) {
		ic_out_uint(out, special + advance * LINE_RANGE, 1);
		return;
	}
	ic_out_uint(out, DW_LNS_advance_pc, 1);
	ic_out_uleb(out, advance);
	ic_out_uint(out, special, 1);
}

static void put_row(struct ic_out *out, struct state *state, const struct ic_code_row *row,
		    uint64_t addr_off)
{
	// A position taken from another row has no line of its own.
	uint32_t line = row->is_approximate ? 0 : row->line;

	if (row->file != IC_NONE && row->file + 1 != state->file) {
		state->file = row->file + 1;
		ic_out_uint(out, DW_LNS_set_file, 1);
		ic_out_uleb(out, state->file);
	}
	if (row->column != state->column) {
		state->column = row->column;
		ic_out_uint(out, DW_LNS_set_column, 1);
		ic_out_uleb(out, state->column);
	}
	if (row->discriminator != 0) { // for this row only
		unsigned size = 1;
		for (uint32_t left = row->discriminator >> 7; left > 0; left >>= 7)
			size++;
		put_extended(out, DW_LNE_set_discriminator, size);
		ic_out_uleb(out, row->discriminator);
	}
	put_step(out, addr_off - state->addr_off, (int64_t)line - state->line);
	state->addr_off = addr_off;
	state->line = line;
}

struct copies { // where copies of a unit begin
	struct ic_segments starts;
	// Number to look at: in damaged tables, all sequences may cover the same code.
	uint32_t left;
};

// Writes the rows of a sequence, repeating a row wherever a copy begins inside it: some readers
// look copies up only at the start of a row (eu-addr2line), and debuggers stop there.
static void put_sequence(struct ic_lines_out *lines, const struct ic_code_row *rows,
			 const struct ic_code_sequence *sequence, struct copies *copies)
{
	uint64_t start = sequence->range.start, end;
	const struct ic_segments *starts = &copies->starts;
	struct state state = { .file = 1, .line = 1 };
	struct ic_out *out = &lines->line;
	uint32_t next =
		ic_search_up_to(starts->items, sizeof(*starts->items), starts->count, start);

	put_extended(out, DW_LNE_set_address, lines->addr_size);
	ic_out_uint(out, start, lines->addr_size);
	for (uint32_t i = 0; i < sequence->row_count; i++) {
		put_row(out, &state, &rows[i], rows[i].addr_off);
		end = i + 1 < sequence->row_count ? start + rows[i + 1].addr_off
						  : sequence->range.end;
		for (; next < starts->count && starts->items[next].start < end && copies->left > 0;
		     next++, copies->left--)
			if (starts->items[next].start > start + rows[i].addr_off)
				put_row(out, &state, &rows[i], starts->items[next].start - start);
	}
	ic_out_uint(out, DW_LNS_advance_pc, 1);
	ic_out_uleb(out, sequence->range.end - sequence->range.start - state.addr_off);
	put_extended(out, DW_LNE_end_sequence, 0);
}

uint32_t ic_lines_out_put(struct ic_lines_out *lines, const struct ic_code_map *map,
			  const char *const *files, uint32_t file_count)
{
	uint32_t off = ic_out_length_begin(&lines->line);
	struct copies copies = { map->instances, map->instances.count };

	put_header(lines, files, file_count);
	for (uint32_t i = 0; i < map->sequence_count; i++)
		put_sequence(lines, map->rows + map->sequences[i].first_row, &map->sequences[i],
			     &copies);
	ic_out_length_end(&lines->line, off);
	return off;
}

void ic_lines_out_free(struct ic_lines_out *lines)
{
	ic_out_free(&lines->line);
	ic_byte_pool_free(&lines->strings);
}
