#include "lint/code.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/range.h"
#include "dwarf/units/ranges.h"
#include "read/lines.h"
#include "read/pc.h"
#include "read/rows.h"

enum { COMPARISONS = 256 }; // per DIE of the smallest size; functions from compilers need a few

void ic_lint_code_begin(struct ic_lint_checker *checker)
{
	const struct ic_unit *unit = checker->reader->unit;
	uint64_t size = unit->end_off - unit->off;

	checker->budgets[IC_LINT_LIST_BYTES] =
		checker->reader->context->listed->list_allowance + 4 * size;
	checker->budgets[IC_LINT_STEPS] = 65536 + 4 * size;
	checker->budgets[IC_LINT_COMPARISONS] = 65536 + COMPARISONS * size;
	memset(checker->gave_up, 0, sizeof(checker->gave_up));
	checker->sequences.count = 0;
	checker->has_sequences = checker->lines_are_known = false;
}

// ---- One DIE

struct reading {
	const struct ic_lint_die *die;
	uint32_t function; // see ic_lint_found()
	uint32_t first;    // index of its first range in the checker's list
	bool is_outside;   // some are not in code
	bool is_inverted;  // it was reported
};

static void take_range(struct ic_lint_checker *checker, struct reading *reading,
		       struct ic_range range)
{
	struct ic_error err;

	if (range.start < range.end && !ic_pc_check_range(checker->reader, range, &err))
		ic_reader_problem(checker->reader, reading->die->off, &err);
	if (!ic_pc_is_code(checker->reader, range.start)) {
		reading->is_outside |= range.start != range.end;
		return;
	}
	if (range.end < range.start && !reading->is_inverted) {
		reading->is_inverted = true;
		ic_lint_found(checker, IC_LINT_RULE_RANGE_INVERTED, reading->die, reading->function,
			      "0x%" PRIx64 "-0x%" PRIx64, range.start, range.end);
	}
	if (range.end <= range.start)
		return;
	if (!IC_ARRAY_ADD(&checker->ranges, range))
		checker->reader->out_of_memory = true;
}

static bool read_list(struct ic_lint_checker *checker, struct reading *reading)
{
	const struct ic_unit *unit = checker->reader->unit;
	// A base that a linker has marked discards the following pairs (docs/dwarf-notes.md).
	uint64_t mark = ic_unit_addr_mask(unit) - 1, left = checker->budgets[IC_LINT_LIST_BYTES];
	struct ic_range_list list;
	struct ic_range range;
	struct ic_error err;

	if (!ic_range_list_open(&list, &reading->die->ranges, unit, &err)) {
		ic_reader_problem(checker->reader, reading->die->off, &err);
		return false;
	}
	uint64_t begin = ic_cursor_off(&list.cur);
	bool is_short = left < (uint64_t)(list.cur.end - list.cur.pos);
	if (is_short)
		list.cur.end = list.cur.pos + left;
	while (ic_range_list_next(&list, &range)) {
		if (list.base_selected && list.base >= mark)
			reading->is_outside = true;
		else
			take_range(checker, reading, range);
	}
	uint64_t end = list.cur.fault ? list.cur.fault_off : ic_cursor_off(&list.cur);
	bool is_cut = is_short && list.cur.fault;
	if (!ic_lint_spend(checker, IC_LINT_LIST_BYTES, is_cut ? left + 1 : end - begin))
		return false;
	if (ic_range_list_ok(&list, &err))
		return true;
	ic_reader_problem(checker->reader, reading->die->off, &err);
	return false;
}

static void check_overlap(struct ic_lint_checker *checker, const struct reading *reading)
{
	uint32_t count = checker->ranges.count - reading->first;
	struct ic_range *sorted = count > 1 ? ic_items_alloc(count, sizeof(*sorted)) : NULL;

	if (count < 2)
		return;
	if (!sorted) {
		checker->reader->out_of_memory = true;
		return;
	}
	memcpy(sorted, checker->ranges.items + reading->first, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), ic_range_compare);
	for (uint32_t i = 1; i < count; i++) {
		if (sorted[i].start >= sorted[i - 1].end)
			continue;
		ic_lint_found(checker, IC_LINT_RULE_RANGES_OVERLAP, reading->die, reading->function,
			      "0x%" PRIx64 "-0x%" PRIx64 " and 0x%" PRIx64 "-0x%" PRIx64,
			      sorted[i - 1].start, sorted[i - 1].end, sorted[i].start,
			      sorted[i].end);
		break;
	}
	free(sorted);
}

static bool read_code(struct ic_lint_checker *checker, struct reading *reading)
{
	const struct ic_unit *unit = checker->reader->unit;
	const struct ic_lint_die *die = reading->die;
	struct ic_range range = { 0, 0 };
	struct ic_error err;
	bool ok = true;

	if (ic_value_is_given(&die->ranges)) {
		ok = read_list(checker, reading);
	} else if (ic_value_is_given(&die->low_pc)) {
		ok = ic_value_address(&die->low_pc, unit, &range.start, &err);
		range.end = range.start;
		if (ok && die->high_pc.class == IC_FORM_CLASS_CONSTANT)
			range.end = range.start + die->high_pc.number;
		else if (ok && ic_value_is_given(&die->high_pc))
			ok = ic_value_address(&die->high_pc, unit, &range.end, &err);
		if (ok)
			take_range(checker, reading, range);
		else
			ic_reader_problem(checker->reader, die->off, &err);
	}
	return ok;
}

bool ic_lint_code_read(struct ic_lint_checker *checker, const struct ic_lint_die *die,
		       struct ic_lint_scope *scope)
{
	struct reading reading = { .die = die,
				   .function = scope->target,
				   .first = checker->ranges.count };
	bool ok = read_code(checker, &reading);

	check_overlap(checker, &reading);
	scope->first_range = reading.first;
	scope->range_count = checker->ranges.count - reading.first;
	scope->is_dead = reading.is_outside && scope->range_count == 0;
	return ok;
}

// ---- In its unit

void ic_lint_code_read_unit(struct ic_lint_checker *checker, const struct ic_lint_die *root)
{
	struct reading reading = { .die = root, .function = IC_NONE };
	struct ic_range *own;

	checker->unit_ranges.count = 0;
	checker->unit_code = (struct ic_range_set){ .count = 0 };
	if (!read_code(checker, &reading) || reading.is_inverted)
		checker->ranges.count = 0; // the unit's code is then unknown
	for (uint32_t i = 0; i < checker->ranges.count; i++) {
		own = IC_ARRAY_PUSH(&checker->unit_ranges);
		if (own)
			*own = checker->ranges.items[i];
		checker->reader->out_of_memory |= !own;
	}
	checker->ranges.count = 0;
	checker->unit_code =
		ic_range_set_build(checker->unit_ranges.items, checker->unit_ranges.count);
}

void ic_lint_code_check_function(struct ic_lint_checker *checker, const struct ic_lint_die *die,
				 const struct ic_lint_scope *function)
{
	for (uint32_t i = 0; checker->unit_code.count > 0 && i < function->range_count; i++) {
		const struct ic_range *range = &checker->ranges.items[function->first_range + i];
		const struct ic_range *found = ic_range_set_find(&checker->unit_code, range->start);
		if (found && range->end <= found->end)
			continue;
		ic_lint_found(checker, IC_LINT_RULE_FUNCTION_OUTSIDE, die, function->target,
			      "0x%" PRIx64 "-0x%" PRIx64 " is not in the unit's ranges",
			      range->start, range->end);
		return;
	}
}

// ---- In its host

// Whether ranges contain all of one. The lowest bit of MIPS addresses may select an instruction
// set.
static bool ranges_hold(struct ic_lint_checker *checker, const struct ic_range *ranges,
			uint32_t count, struct ic_range range)
{
	for (uint64_t at = range.start | 1, before = 0; at != before;) {
		uint32_t i = 0;
		before = at;
		for (; i < count && at < (range.end & ~1ull); i++)
			if (ranges[i].start <= at && at < ranges[i].end)
				at = ranges[i].end;
		if (!ic_lint_spend(checker, IC_LINT_COMPARISONS, i) || at >= (range.end & ~1ull))
			return true;
	}
	return false;
}

// The entry of a copy. False if it has none, or it cannot be read.
static bool read_entry(struct ic_lint_checker *checker, const struct ic_lint_die *die,
		       uint64_t *entry)
{
	const struct ic_unit *unit = checker->reader->unit;
	struct ic_range_list list;
	struct ic_range first = { 0, 0 };
	struct ic_error err;
	bool ok = true;

	if (!ic_value_is_given(&die->entry_pc))
		return false;
	if (die->entry_pc.class != IC_FORM_CLASS_CONSTANT) {
		ok = ic_value_address(&die->entry_pc, unit, entry, &err);
	} else { // DWARF 5, 2.18: relative to the start of the code
		if (ic_value_is_given(&die->low_pc))
			ok = ic_value_address(&die->low_pc, unit, &first.start, &err);
		else if (!ic_range_list_open(&list, &die->ranges, unit, &err) ||
			 !ic_range_list_next(&list, &first))
			return false;
		*entry = first.start + die->entry_pc.number;
	}
	if (!ok)
		ic_reader_problem(checker->reader, die->off, &err);
	return ok;
}

// Whether the list has an empty range at an address.
static bool has_empty_at(const struct ic_lint_checker *checker, const struct ic_lint_die *die,
			 uint64_t addr)
{
	struct ic_range_list list;
	struct ic_range range;
	struct ic_error unwanted;

	if (!ic_value_is_given(&die->ranges) ||
	    !ic_range_list_open(&list, &die->ranges, checker->reader->unit, &unwanted))
		return false;
	while (ic_range_list_next(&list, &range))
		if (range.start == addr && range.end == addr)
			return true;
	return false;
}

static void check_entry(struct ic_lint_checker *checker, const struct ic_lint_die *die,
			const struct ic_lint_scope *copy)
{
	uint64_t entry;

	if (!read_entry(checker, die, &entry))
		return;
	for (uint32_t i = 0; i < copy->range_count; i++) {
		const struct ic_range *range = &checker->ranges.items[copy->first_range + i];
		if (range->start <= (entry | 1) && entry < range->end)
			return;
	}
	if (has_empty_at(checker, die, entry))
		ic_lint_found(checker, IC_LINT_RULE_ENTRY_EMPTY, die, copy->target,
			      "entry 0x%" PRIx64 " is only in an empty range", entry);
	else
		ic_lint_found(checker, IC_LINT_RULE_ENTRY_OUTSIDE, die, copy->target,
			      "entry 0x%" PRIx64 " is outside its ranges", entry);
}

// ---- Compared with the line table

static void add_sequence(struct ic_lint_checker *checker, struct ic_range range)
{
	struct ic_range *place = NULL;

	if (range.start >= range.end)
		return;
	place = IC_ARRAY_PUSH(&checker->sequences);
	if (place)
		*place = range;
	else
		checker->reader->out_of_memory = true;
}

// Reads the line table's coverage of the unit. False if there is none, or it cannot be read to its
// end.
static bool read_lines(struct ic_lint_checker *checker)
{
	struct ic_reader *reader = checker->reader;
	struct ic_line_program program;
	enum ic_line_event event;
	struct ic_line_row row;
	struct ic_range sequence = { 0, 0 };
	bool in_sequence = false;

	if (!ic_unit_lines_unit(reader)->root.has_stmt_list)
		return false;
	ic_unit_lines_read(reader);
	uint64_t budget = ic_allowance_take(&reader->context->row_allowance,
					    reader->lines.header.program_size);
	ic_line_program_open(&program, &reader->lines.header, ic_unit_lines_unit(reader), budget);
	while ((event = ic_line_program_next(&program, &row)) != IC_LINE_END) {
		if (event == IC_LINE_FILE) {
			ic_unit_lines_add_file(reader, program.file);
			continue;
		}
		if (!in_sequence)
			sequence.start = row.addr;
		in_sequence = !(row.flags & IC_LINE_END_SEQUENCE);
		sequence.end = row.addr;
		if (!in_sequence)
			add_sequence(checker, sequence);
	}
	bool ok = ic_unit_lines_end(reader, &program, budget);
	ic_line_program_close(&program);
	checker->covered = ic_range_set_build(checker->sequences.items, checker->sequences.count);
	return ok && checker->covered.count > 0;
}

static void check_lines(struct ic_lint_checker *checker, const struct ic_lint_die *die,
			const struct ic_lint_scope *copy)
{
	if (!checker->lines_are_known) {
		checker->lines_are_known = true;
		checker->has_sequences = read_lines(checker);
	}
	for (uint32_t i = 0; checker->has_sequences && i < copy->range_count; i++) {
		const struct ic_range *range = &checker->ranges.items[copy->first_range + i];
		// The lowest bit may select an instruction set (MIPS).
		const struct ic_range *found = ic_range_set_find(&checker->covered, range->start);
		if (!found)
			found = ic_range_set_find(&checker->covered, range->start & ~1ull);
		if (found && (range->end & ~1ull) <= found->end)
			continue;
		ic_lint_found(checker, IC_LINT_RULE_CODE_WITHOUT_LINES, die, copy->target,
			      "the line table does not cover all of 0x%" PRIx64 "-0x%" PRIx64,
			      range->start, range->end);
		return;
	}
}

static bool is_all_of(const struct ic_lint_checker *checker, const struct ic_lint_scope *host,
		      const struct ic_lint_scope *copy)
{
	const struct ic_range *own = &checker->ranges.items[copy->first_range];
	const struct ic_range *around = &checker->ranges.items[host->first_range];

	return host->tag == DW_TAG_subprogram && copy->range_count == 1 && host->range_count == 1 &&
	       own->start == around->start && own->end == around->end;
}

static void remember_range(struct ic_lint_checker *checker, const struct ic_lint_die *die,
			   struct ic_range range, uint32_t function)
{
	if (!IC_ARRAY_ADD(&checker->copies, (struct ic_lint_copy){ range, die->off, function }))
		checker->reader->out_of_memory = true;
}

void ic_lint_code_check_copy(struct ic_lint_checker *checker, const struct ic_lint_die *die,
			     const struct ic_lint_scope *host, const struct ic_lint_scope *copy)
{
	const uint32_t first = copy->first_range, count = copy->range_count;

	if (count == 0) {
		if (host->range_count > 0)
			ic_lint_found(checker, IC_LINT_RULE_COPY_WITHOUT_CODE, die, copy->target,
				      "no non-empty range");
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		remember_range(checker, die, checker->ranges.items[first + i], copy->target);
	for (uint32_t i = 0; i < count && host->range_count > 0; i++) {
		const struct ic_range range = checker->ranges.items[first + i];
		if (ranges_hold(checker, checker->ranges.items + host->first_range,
				host->range_count, range))
			continue;
		ic_lint_found(checker, IC_LINT_RULE_RANGE_OUTSIDE, die, copy->target,
			      "0x%" PRIx64 "-0x%" PRIx64 " is not within DIE 0x%" PRIx64,
			      range.start, range.end, host->off);
		break;
	}
	check_entry(checker, die, copy);
	check_lines(checker, die, copy);
	if (is_all_of(checker, host, copy))
		ic_lint_found(checker, IC_LINT_RULE_WHOLE_FUNCTION, die, copy->target,
			      "0x%" PRIx64 "-0x%" PRIx64 " is all of the code of DIE 0x%" PRIx64,
			      checker->ranges.items[first].start, checker->ranges.items[first].end,
			      host->off);
}

static int compare_copies(const void *left, const void *right)
{
	const struct ic_lint_copy *a = left, *b = right;

	if (a->range.start != b->range.start)
		return a->range.start < b->range.start ? -1 : 1;
	return (a->off > b->off) - (a->off < b->off);
}

void ic_lint_code_end_scope(struct ic_lint_checker *checker, const struct ic_lint_scope *scope)
{
	uint32_t count = checker->copies.count - scope->first_copy;
	uint64_t said = 0; // the last DIE reported: none is at 0

	checker->copies.count = scope->first_copy;
	if (count < 2)
		return;
	struct ic_lint_copy *copies = checker->copies.items + scope->first_copy;
	qsort(copies, count, sizeof(*copies), compare_copies);
	for (uint32_t i = 1, widest = 0; i < count; i++) {
		const struct ic_lint_copy *before = &copies[widest], *copy = &copies[i];
		if (copy->range.start < before->range.end && copy->off != before->off &&
		    copy->off != said) {
			const struct ic_lint_die die = { .off = copy->off,
							 .tag = DW_TAG_inlined_subroutine };
			said = copy->off;
			ic_lint_found(checker, IC_LINT_RULE_COPIES_OVERLAP, &die, copy->function,
				      "0x%" PRIx64 "-0x%" PRIx64 " overlaps DIE 0x%" PRIx64,
				      copy->range.start, copy->range.end, before->off);
		}
		if (copy->range.end > before->range.end)
			widest = i;
	}
}
