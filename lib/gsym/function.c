#include "gsym/function.h"

#include <inttypes.h>

#define NAME IC_GSYM_SECTION

// Of a function; LLVM 22 writes four kinds. Any number of functions may share theirs.
enum { MOST_PARTS = 32 };

static struct ic_cursor part_cursor(const struct ic_gsym *gsym, struct ic_gsym_part part)
{
	return ic_cursor_at(gsym->bytes, NAME, part.off, part.size, gsym->swap);
}

// Ends an iteration: with the cursor's error, if it has one.
static bool end_with(const struct ic_cursor *cur, struct ic_error *err)
{
	err->code = IC_ERROR_NONE;
	return !ic_cursor_ok(cur, err) && false;
}

// ---- Functions

static bool read_function(const struct ic_gsym *gsym, struct ic_cursor *cur, uint64_t start,
			  struct ic_gsym_function *function, struct ic_error *err)
{
	*function = (struct ic_gsym_function){ .off = ic_cursor_off(cur), .start = start };
	function->size = ic_cursor_u32(cur);
	function->name = ic_cursor_uint(cur, gsym->offset_size);
	for (unsigned count = 0;; count++) {
		uint32_t type = ic_cursor_u32(cur), size = ic_cursor_u32(cur);
		struct ic_gsym_part part = { ic_cursor_off(cur), size };
		ic_cursor_take(cur, size);
		if (cur->fault || type == IC_GSYM_INFO_END)
			break;
		if (count == MOST_PARTS)
			ic_cursor_fault(cur, "a function has too many parts");
		if (type == IC_GSYM_INFO_LINES)
			function->lines = part;
		else if (type == IC_GSYM_INFO_INLINED)
			function->inlined = part;
		else if (type == IC_GSYM_INFO_MERGED)
			function->merged = part;
	}
	if (!ic_cursor_ok(cur, err))
		return false;
	return function->size <= UINT64_MAX - start ||
	       ic_fail_at(err, NAME, function->off,
			  "the function at 0x%" PRIx64 " ends beyond all addresses", start);
}

bool ic_gsym_function_read(const struct ic_gsym *gsym, uint32_t number,
			   struct ic_gsym_function *function, struct ic_error *err)
{
	uint64_t off = ic_gsym_info_off(gsym, number);
	uint64_t size = off <= gsym->functions_end ? gsym->functions_end - off : 0;
	struct ic_cursor cur = ic_cursor_at(gsym->bytes, NAME, off, size, gsym->swap);

	return read_function(gsym, &cur, ic_gsym_addr(gsym, number), function, err);
}

void ic_gsym_merged_begin(struct ic_gsym_merged *merged, const struct ic_gsym *gsym,
			  const struct ic_gsym_function *function)
{
	*merged = (struct ic_gsym_merged){ .gsym = gsym,
					   .cur = part_cursor(gsym, function->merged),
					   .start = function->start };
	if (function->merged.size > 0)
		merged->left = ic_cursor_u32(&merged->cur);
}

bool ic_gsym_merged_next(struct ic_gsym_merged *merged, struct ic_gsym_function *function,
			 struct ic_error *err)
{
	if (merged->cur.fault || merged->left == 0)
		return end_with(&merged->cur, err);
	merged->left--;
	struct ic_gsym_part part = { .size = ic_cursor_u32(&merged->cur) };
	part.off = ic_cursor_off(&merged->cur);
	if (!ic_cursor_take(&merged->cur, part.size))
		return end_with(&merged->cur, err);
	struct ic_cursor cur = part_cursor(merged->gsym, part);
	if (read_function(merged->gsym, &cur, merged->start, function, err))
		return true;
	merged->left = 0;
	return false;
}

// ---- Rows

void ic_gsym_rows_begin(struct ic_gsym_rows *rows, const struct ic_gsym *gsym,
			const struct ic_gsym_function *function)
{
	*rows = (struct ic_gsym_rows){ .cur = part_cursor(gsym, function->lines),
				       .row = { .addr = function->start, .file = 1 },
				       .is_over = function->lines.size == 0 };
	if (rows->is_over)
		return;
	rows->least_step = ic_cursor_sleb(&rows->cur);
	int64_t most = ic_cursor_sleb(&rows->cur);
	if (most < rows->least_step || most - (uint64_t)rows->least_step == UINT64_MAX)
		ic_cursor_fault(&rows->cur, "the steps of lines are not a range");
	rows->step_count = (uint64_t)most - (uint64_t)rows->least_step + 1;
	rows->line = ic_cursor_uleb(&rows->cur);
}

bool ic_gsym_rows_next(struct ic_gsym_rows *rows, struct ic_gsym_row *row, struct ic_error *err)
{
	struct ic_cursor *cur = &rows->cur;

	while (!rows->is_over && !cur->fault) {
		uint8_t operation = ic_cursor_u8(cur);
		uint64_t before = rows->row.addr;
		if (operation == IC_GSYM_LINE_END) {
			rows->is_over = true;
			break;
		}
		if (operation == IC_GSYM_LINE_FILE) {
			rows->row.file = ic_cursor_uleb(cur);
			continue;
		}
		if (operation == IC_GSYM_LINE_LINE) {
			rows->line += (uint64_t)ic_cursor_sleb(cur);
			continue;
		}
		if (operation == IC_GSYM_LINE_ADDR) {
			rows->row.addr += ic_cursor_uleb(cur);
		} else {
			uint8_t step = (uint8_t)(operation - IC_GSYM_LINE_SPECIAL);
			rows->line += (uint64_t)rows->least_step + step % rows->step_count;
			rows->row.addr += step / rows->step_count;
		}
		if (rows->row.addr < before)
			ic_cursor_fault(cur, "a row is beyond all addresses");
		if (cur->fault)
			break;
		*row = rows->row;
		row->line = rows->line <= UINT32_MAX ? (uint32_t)rows->line : 0;
		return true;
	}
	return end_with(cur, err);
}

// ---- Inlined calls

void ic_gsym_calls_begin(struct ic_gsym_calls *calls, const struct ic_gsym *gsym,
			 const struct ic_gsym_function *function)
{
	calls->cur = part_cursor(gsym, function->inlined);
	calls->string_size = gsym->offset_size;
	calls->depth = 0;
	calls->is_over = function->inlined.size == 0;
	calls->base[0] = function->start;
}

// Passes the ranges of a call, which the caller reads afterwards. Returns their number.
static uint64_t take_ranges(struct ic_cursor *cur, struct ic_gsym_call *call)
{
	uint64_t count = ic_cursor_uleb(cur);
	const uint8_t *start = cur->pos;

	for (uint64_t i = 0; i < count && !cur->fault; i++) {
		uint64_t off = ic_cursor_uleb(cur), size = ic_cursor_uleb(cur);
		if (i == 0)
			call->first = call->base + off;
		if (off > UINT64_MAX - call->base || size > UINT64_MAX - call->base - off)
			ic_cursor_fault(cur, "a range ends beyond all addresses");
	}
	call->ranges = *cur;
	call->ranges.pos = start;
	call->ranges.end = cur->fault ? start : cur->pos;
	return count;
}

bool ic_gsym_calls_next(struct ic_gsym_calls *calls, struct ic_gsym_call *call,
			struct ic_error *err)
{
	struct ic_cursor *cur = &calls->cur;

	while (!calls->is_over && !cur->fault) {
		*call = (struct ic_gsym_call){ .off = ic_cursor_off(cur),
					       .depth = calls->depth,
					       .base = calls->base[calls->depth] };
		uint64_t count = take_ranges(cur, call);
		if (count == 0) { // the end of a list of children
			calls->is_over = calls->depth <= 1;
			calls->depth -= calls->depth > 0;
			continue;
		}
		bool has_children = ic_cursor_u8(cur) != 0;
		call->name = ic_cursor_uint(cur, calls->string_size);
		call->call_file = ic_cursor_uleb(cur);
		call->call_line = ic_cursor_uleb(cur);
		if (has_children && calls->depth == IC_GSYM_MOST_DEPTH)
			ic_cursor_fault(cur, "inlined calls are nested too deeply");
		if (cur->fault)
			break;
		calls->is_over = calls->depth == 0 && !has_children;
		calls->depth += has_children;
		calls->base[calls->depth] = has_children ? call->first : calls->base[calls->depth];
		return true;
	}
	return end_with(cur, err);
}

bool ic_gsym_range_next(struct ic_gsym_call *call, struct ic_range *range)
{
	if (!ic_cursor_more(&call->ranges))
		return false;
	range->start = call->base + ic_cursor_uleb(&call->ranges);
	range->end = range->start + ic_cursor_uleb(&call->ranges);
	return true;
}
