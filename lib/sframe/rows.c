#include "sframe/rows.h"

#include <inttypes.h>

#include "base/machine.h"

enum {
	// s390x: the CFA is at least this far above its base, and offsets are divided by a factor.
	S390_LEAST_OFFSET = 160,
	S390_FACTOR = 8,
};

enum {                        // control words of flexible FDEs
	CONTROL_REGISTER = 1, // the base is a register; otherwise the CFA
	CONTROL_MEMORY = 2,
	CONTROL_RESERVED = 4,
	CONTROL_SHIFT = 3, // for the register number
};

struct words { // the data words of an FRE
	struct ic_cursor *cur;
	uint8_t size; // bytes of each
	uint8_t left;
};

static bool is_s390(const struct ic_sframe_rows *rows)
{
	return rows->sframe->abi->machine == IC_MACHINE_S390;
}

static uint32_t take_control(struct words *words)
{
	words->left--;
	return (uint32_t)ic_cursor_uint(words->cur, words->size);
}

static int64_t take_offset(struct words *words)
{
	words->left--;
	uint64_t word = ic_cursor_uint(words->cur, words->size);
	return (int64_t)ic_extend(word, 8u * words->size, true);
}

static int64_t cfa_offset(const struct ic_sframe_rows *rows, int64_t offset)
{
	return is_s390(rows) ? offset * S390_FACTOR + S390_LEAST_OFFSET : offset;
}

static struct ic_sframe_value saved_at(int64_t offset)
{
	return (struct ic_sframe_value){ IC_SFRAME_CFA, .is_memory = true, .offset = offset };
}

// Values that the header describes for all rows, unless the row itself does.
static void add_fixed(const struct ic_sframe *sframe, struct ic_sframe_row *row)
{
	if (row->ra.base == IC_SFRAME_NOWHERE && sframe->fixed_ra != 0)
		row->ra = saved_at(sframe->fixed_ra);
	if (row->fp.base == IC_SFRAME_NOWHERE && sframe->fixed_fp != 0)
		row->fp = saved_at(sframe->fixed_fp);
}

// ---- Default FDEs

// A register that is saved. In version 2, s390x has odd offsets for registers instead.
static struct ic_sframe_value take_saved(const struct ic_sframe_rows *rows, struct words *words)
{
	int64_t offset = take_offset(words);

	if (!is_s390(rows) || rows->sframe->version >= 3 || offset % 2 == 0)
		return saved_at(offset);
	return (struct ic_sframe_value){ .base = IC_SFRAME_REGISTER, .reg = (uint32_t)offset >> 1 };
}

static void take_default(const struct ic_sframe_rows *rows, struct words *words, bool is_from_sp,
			 struct ic_sframe_row *row)
{
	const struct ic_sframe_abi *abi = rows->sframe->abi;

	row->cfa = (struct ic_sframe_value){ .base = IC_SFRAME_REGISTER,
					     .reg = is_from_sp ? abi->sp : abi->fp,
					     .offset = cfa_offset(rows, take_offset(words)) };
	if (words->left > 0 && rows->sframe->fixed_ra == 0) {
		row->ra = take_saved(rows, words);
		// s390x: only the frame pointer is saved.
		if (is_s390(rows) && row->ra.base == IC_SFRAME_CFA && row->ra.offset == 0)
			row->ra = (struct ic_sframe_value){ .base = IC_SFRAME_NOWHERE };
	}
	if (words->left > 0)
		row->fp = take_saved(rows, words);
}

// ---- Flexible FDEs

// A value with a control word; NOWHERE for a control word of 0, which has no offset.
static struct ic_sframe_value take_flexible(struct words *words)
{
	struct ic_sframe_value value = { .base = IC_SFRAME_NOWHERE };

	if (words->left == 0)
		return value;
	uint32_t control = take_control(words);
	if (control == 0)
		return value;
	if (control & CONTROL_RESERVED)
		ic_cursor_fault(words->cur, "reserved bit of a control word is set");
	if (words->left == 0) {
		ic_cursor_fault(words->cur, "control word has no offset");
		return value;
	}
	value.base = control & CONTROL_REGISTER ? IC_SFRAME_REGISTER : IC_SFRAME_CFA;
	value.reg = control & CONTROL_REGISTER ? control >> CONTROL_SHIFT : 0;
	value.is_memory = control & CONTROL_MEMORY;
	value.offset = take_offset(words);
	return value;
}

static void take_all_flexible(const struct ic_sframe_rows *rows, struct words *words,
			      struct ic_sframe_row *row)
{
	row->cfa = take_flexible(words);
	row->cfa.offset = cfa_offset(rows, row->cfa.offset);
	if (row->cfa.base != IC_SFRAME_REGISTER)
		ic_cursor_fault(words->cur, "the CFA is not relative to a register");
	row->ra = take_flexible(words);
	row->fp = take_flexible(words);
}

// ---- FREs

// Reads an FRE, except for its end.
static void take_row(struct ic_sframe_rows *rows, struct ic_sframe_row *row)
{
	struct ic_cursor *cur = &rows->cur;

	*row = (struct ic_sframe_row){ .off = ic_cursor_off(cur) };
	row->start = ic_cursor_uint(cur, rows->fde.row_addr_size);
	uint8_t info = ic_cursor_u8(cur);
	struct words words = { cur, .size = (uint8_t)(1u << (info >> 5 & 3)), info >> 1 & 0xf };

	if (words.size > 4) {
		ic_cursor_fault(cur, "unknown size of data words");
		return;
	}
	row->is_outermost = words.left == 0;
	if (row->is_outermost)
		return;
	row->is_signed = rows->sframe->abi->machine == IC_MACHINE_AARCH64 && info & 0x80;
	if (rows->fde.is_flexible)
		take_all_flexible(rows, &words, row);
	else
		take_default(rows, &words, info & 1, row);
	if (words.left > 0)
		ic_cursor_fault(cur, "too many data words");
	add_fixed(rows->sframe, row);
	if (row->ra.base == IC_SFRAME_NOWHERE && rows->sframe->abi->machine == IC_MACHINE_X86_64)
		ic_cursor_fault(cur, "no location of the return address");
}

// The start of the next FRE, or the end of the block if there is none.
static uint64_t next_start(struct ic_sframe_rows *rows, uint64_t size)
{
	struct ic_cursor cur = rows->cur;

	if (rows->left == 0)
		return size;
	uint64_t start = ic_cursor_uint(&cur, rows->fde.row_addr_size);
	if (cur.fault)
		rows->cur = cur;
	return start;
}

static void begin_block(struct ic_sframe_rows *rows, uint64_t addr)
{
	const struct ic_sframe *sframe = rows->sframe;

	rows->block = addr;
	rows->left = rows->fde.row_count;
	rows->cur = ic_cursor_at(sframe->bytes, ".sframe", rows->fde.rows_off,
				 sframe->fres_end - rows->fde.rows_off, sframe->swap);
}

void ic_sframe_rows_begin(struct ic_sframe_rows *rows, const struct ic_sframe *sframe,
			  const struct ic_sframe_fde *fde, uint64_t addr)
{
	uint64_t block = fde->start;

	*rows = (struct ic_sframe_rows){ .sframe = sframe, .fde = *fde };
	if (fde->block_size > 0)
		block += (addr - fde->start) / fde->block_size * fde->block_size;
	begin_block(rows, block);
}

// The size of the code from the start of the current block to its end. The last block may be
// incomplete.
static uint64_t block_size(const struct ic_sframe_rows *rows)
{
	uint64_t size = rows->fde.end - rows->block;

	return rows->fde.block_size > 0 && size > rows->fde.block_size ? rows->fde.block_size
								       : size;
}

// Reads the next row, which may be empty. False at an error.
static bool read_row(struct ic_sframe_rows *rows, struct ic_sframe_row *row, struct ic_error *err)
{
	uint64_t size = block_size(rows);
	uint64_t whole = rows->fde.block_size > 0 ? rows->fde.block_size : size;

	rows->left--;
	take_row(rows, row);
	row->end = next_start(rows, whole);
	if (row->start > whole || row->end < row->start)
		ic_cursor_fault(&rows->cur, row->start > whole ? "FRE is beyond the end of the code"
							       : "FREs are not sorted");
	row->end = rows->block + (row->end < size ? row->end : size);
	row->start += rows->block;
	return ic_cursor_ok(&rows->cur, err);
}

bool ic_sframe_rows_next(struct ic_sframe_rows *rows, struct ic_sframe_row *row,
			 struct ic_error *err)
{
	err->code = IC_ERROR_NONE;
	for (rows->skipped = 0; !rows->is_over;) {
		if (rows->left == 0) {
			uint64_t end = rows->block + block_size(rows);
			rows->is_over = end == rows->fde.end || !rows->has_any;
			if (!rows->is_over)
				begin_block(rows, end);
			continue;
		}
		rows->is_over = !read_row(rows, row, err);
		if (rows->is_over)
			return false;
		if (row->start < row->end) {
			rows->has_any = true;
			return true;
		}
		rows->skipped++;
	}
	return false;
}
