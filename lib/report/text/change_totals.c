#include "report/text/change_totals.h"

void ic_write_change(struct ic_output *output, uint64_t before, uint64_t after)
{
	ic_output_decimal(output, before);
	if (before == after)
		return;
	ic_output_text(output, " -> ");
	ic_output_decimal(output, after);
}

void ic_write_signed(struct ic_output *output, int64_t number)
{
	if (number >= 0)
		ic_output_char(output, '+');
	ic_output_signed(output, number);
}

const char *ic_change_noun(enum ic_comparison_by by, uint64_t count)
{
	switch (by) {
	case IC_COMPARISON_BY_FUNCTION: break;
	case IC_COMPARISON_BY_SOURCE: return count == 1 ? "source file" : "source files";
	case IC_COMPARISON_BY_DIRECTORY: return count == 1 ? "directory" : "directories";
	case IC_COMPARISON_BY_TEMPLATE: return count == 1 ? "group" : "groups";
	}
	return count == 1 ? "function" : "functions";
}

// ---- Totals

static void write_some(struct ic_output *output, const char **before, uint64_t number,
		       const char *what)
{
	if (number == 0)
		return;
	ic_output_text(output, *before);
	ic_output_decimal(output, number);
	ic_output_text(output, what);
	*before = ", ";
}

void ic_write_changed_copies(struct ic_output *output, const struct ic_change_row *row)
{
	const char *before = ": ";

	ic_output_decimal(output, row->old_copies);
	ic_output_text(output, " -> ");
	ic_output_decimal(output, row->new_copies);
	write_some(output, &before, row->inlined, " inlined");
	write_some(output, &before, row->outlined, " outlined");
	write_some(output, &before, row->added, " added");
	write_some(output, &before, row->removed, " removed");
	write_some(output, &before, row->came, " came with their callers");
	write_some(output, &before, row->went, " went with theirs");
	write_some(output, &before, row->emptied, " lost their code");
	write_some(output, &before, row->filled, " have code again");
}

void ic_write_changed_arguments(struct ic_output *output, const struct ic_change_row *row)
{
	ic_output_decimal(output, row->readable);
	ic_output_text(output, " became readable, ");
	ic_output_decimal(output, row->unreadable);
	ic_output_text(output, " unreadable");
}

void ic_write_changed_code(struct ic_output *output, const struct ic_change_row *row)
{
	bool is_known = row->old_code != UINT64_MAX && row->new_code != UINT64_MAX;

	if (is_known) {
		ic_output_decimal(output, row->old_code);
		ic_output_text(output, " -> ");
		ic_output_decimal(output, row->new_code);
		ic_output_text(output, " bytes: ");
	}
	ic_write_signed(output, row->explained);
	ic_output_text(output, " in copies and functions that came or went, ");
	ic_write_signed(output, row->grown);
	ic_output_text(output, " in others");
	if (is_known) {
		int64_t rest =
			(int64_t)(row->new_code - row->old_code) - row->explained - row->grown;
		ic_output_text(output, ", ");
		ic_write_signed(output, rest);
		ic_output_text(output, " outside of functions");
	}
}

void ic_write_changed_functions(struct ic_output *output, const struct ic_change_row *row)
{
	const char *before = ", ";

	ic_output_decimal(output, row->functions);
	ic_output_text(output, row->functions == 1 ? " function" : " functions");
	write_some(output, &before, row->small,
		   " of these only by a few bytes, or with their callers (--min-bytes)");
	if (row->by != IC_COMPARISON_BY_FUNCTION && row->selected > 0) {
		write_some(output, &before, row->selected, " ");
		ic_output_text(output, ic_change_noun(row->by, row->selected));
		ic_output_text(output, " selected");
	} else if (row->by == IC_COMPARISON_BY_FUNCTION &&
		   row->selected != row->functions - row->small) {
		write_some(output, &before, row->selected, " selected");
	}
}
