#include "lint/checker.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "read/lines.h"

static const char *keep_text(struct ic_lint_checker *checker, const char *text)
{
	return text ? ic_arena_copy(checker->reader->arena, text, strlen(text) + 1, 1) : NULL;
}

// The file of a call, if it is in the line table: if it is missing, that is a finding, not a
// problem.
static const char *source_of(struct ic_lint_checker *checker, const struct ic_value *file,
			     uint64_t off)
{
	struct ic_reader *reader = checker->reader;

	if (file->class != IC_FORM_CLASS_CONSTANT)
		return NULL;
	ic_unit_lines_read(reader);
	if (file->number >= reader->lines.file_of.count)
		return NULL;
	uint32_t number = ic_unit_lines_file(reader, file->number, off);
	return number != IC_NONE ? reader->lines.files.items[number] : NULL;
}

bool ic_lint_spend(struct ic_lint_checker *checker, enum ic_lint_cost cost, uint64_t amount)
{
	static const char *const messages[IC_LINT_COSTS] = {
		[IC_LINT_LIST_BYTES] =
			"range lists are referenced too many times; the rest are skipped",
		[IC_LINT_STEPS] = "gave up looking for the parameters of inlined functions",
		[IC_LINT_COMPARISONS] = "gave up comparing the ranges and parameters of copies",
	};
	const struct ic_unit *unit = checker->reader->unit;
	struct ic_error err;

	if (amount <= checker->budgets[cost]) {
		checker->budgets[cost] -= amount;
		return true;
	}
	if (!checker->gave_up[cost]) {
		checker->gave_up[cost] = true;
		ic_fail_at(&err, unit->dwarf->info_name, unit->off, "%s", messages[cost]);
		ic_reader_problem(checker->reader, unit->off, &err);
	}
	return false;
}

// The function's name: that of the DIE's target, or its own.
static const char *name_of(const struct ic_lint_checker *checker, const struct ic_lint_die *die,
			   uint32_t function)
{
	const char *name = NULL;
	struct ic_error unwanted;

	if (function != IC_NONE)
		return checker->targets.items[function].name;
	if (die->tag == DW_TAG_subprogram && ic_value_is_given(&die->name) &&
	    !ic_value_string(&die->name, checker->reader->unit, &name, &unwanted))
		return NULL;
	return name;
}

void ic_lint_found(struct ic_lint_checker *checker, enum ic_lint_rule_number rule,
		   const struct ic_lint_die *die, uint32_t function, const char *format, ...)
{
	const struct ic_unit *unit = checker->reader->unit;
	char text[256];
	va_list arguments;

	if (!checker->want->rules[rule] || checker->unit->counts[rule] == UINT32_MAX)
		return;
	if (checker->unit->counts[rule]++ >= checker->want->limit)
		return;
	struct ic_lint_kept *kept = IC_ARRAY_PUSH(&checker->kept);
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (!kept) {
		checker->reader->out_of_memory = true;
		return;
	}
	*kept = (struct ic_lint_kept){
		.rule = rule,
		.finding = { .die_off = die->off,
			     .section = unit->dwarf->info_name,
			     .file = unit->dwarf->file,
			     .unit = unit->root.name,
			     .function = name_of(checker, die, function),
			     .source = source_of(checker, &die->call_file, die->off),
			     .line = ic_value_small(&die->call_line),
			     .text = keep_text(checker, text) },
	};
	checker->reader->out_of_memory |= !kept->finding.text;
}

void ic_lint_checker_free(struct ic_lint_checker *checker)
{
	ic_abbrev_table_free(&checker->own);
	ic_dies_free(&checker->dies);
	IC_ARRAY_FREE(&checker->scopes);
	IC_ARRAY_FREE(&checker->ranges);
	IC_ARRAY_FREE(&checker->unit_ranges);
	IC_ARRAY_FREE(&checker->copies);
	IC_ARRAY_FREE(&checker->targets);
	IC_ARRAY_FREE(&checker->formals);
	IC_ARRAY_FREE(&checker->seen);
	IC_ARRAY_FREE(&checker->sequences);
	IC_ARRAY_FREE(&checker->kept);
	ic_map_free(&checker->target_of);
}
