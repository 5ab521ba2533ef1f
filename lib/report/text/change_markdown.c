// Comparisons as a table in GitHub's Markdown, which GitLab and others read too: for comments on
// merge requests (docs/formats/text.md).
#include <string.h>

#include "report/rows/words.h"
#include "report/text/change_totals.h"
#include "report/text/texts.h"

// The length of the longest run of backticks.
static size_t longest_fence(const char *text)
{
	size_t longest = 0, length = 0;

	for (; *text; text++) {
		length = *text == '`' ? length + 1 : 0;
		longest = length > longest ? length : longest;
	}
	return longest;
}

static void write_fence(struct ic_output *output, size_t length)
{
	for (size_t i = 0; i < length; i++)
		ic_output_char(output, '`');
}

// In a table, a backslash before a bar is needed in code, too. If the text has one there, it would
// be that of a backslash.
static void write_between_bars(struct ic_output *output, const char *text)
{
	size_t backslashes = 0;

	for (const char *start = text; *text; start = text) {
		text += strcspn(text, "|\\");
		ic_output_printable_bytes(output, start, (size_t)(text - start));
		backslashes = text == start ? backslashes : 0;
		if (*text == '|') {
			ic_output_text(output, backslashes % 2 == 1 ? "\\\\|" : "\\|");
			backslashes = 0;
		} else if (*text) {
			ic_output_char(output, '\\');
			backslashes++;
		}
		text += *text != 0;
	}
}

// Code has neither HTML nor markup. Its fence is longer than any in the text; blanks between them
// are no part of it. `line` is added to a path; 0 for none.
static void write_code(struct ic_output *output, const char *text, uint32_t line)
{
	size_t fence = longest_fence(text) + 1;
	bool is_padded = fence > 1;

	write_fence(output, fence);
	if (is_padded)
		ic_output_char(output, ' ');
	write_between_bars(output, text);
	if (line > 0) {
		ic_output_char(output, ':');
		ic_output_decimal(output, line);
	}
	if (is_padded)
		ic_output_char(output, ' ');
	write_fence(output, fence);
}

static const char *const headings[] = {
	[IC_COMPARISON_BY_FUNCTION] = "Function | Place | Inlined |\n|---:|---:|---|---|---|---|\n",
	[IC_COMPARISON_BY_SOURCE] = "Functions | Source |\n|---:|---:|---|---:|---|\n",
	[IC_COMPARISON_BY_DIRECTORY] = "Functions | Directory |\n|---:|---:|---|---:|---|\n",
	[IC_COMPARISON_BY_TEMPLATE] =
		"Functions | Template | Place | Inlined |\n|---:|---:|---|---:|---|---|---|\n",
};

static void write_total(struct ic_output *output, const struct ic_change_row *row)
{
	ic_output_text(output, "**Changed:** ");
	ic_write_changed_functions(output, row);
	ic_output_text(output, ". **Copies:** ");
	ic_write_changed_copies(output, row);
	if (row->readable != UINT64_MAX) {
		ic_output_text(output, ". **Arguments:** ");
		ic_write_changed_arguments(output, row);
	}
	ic_output_text(output, ". **Code:** ");
	ic_write_changed_code(output, row);
	ic_output_text(output, ".\n");
}

// Where the function is declared, and how far it was inlined, if that differs.
static void write_place(struct ic_output *output, const struct ic_change_row *row)
{
	uint32_t line;
	const char *file = ic_words_change_position(row, &line);

	ic_output_text(output, " | ");
	if (file)
		write_code(output, file, line);
	ic_output_text(output, " | ");
	if (row->old_inlined && row->new_inlined && row->old_inlined != row->new_inlined) {
		ic_output_text(output, row->old_inlined);
		ic_output_text(output, " -> ");
		ic_output_text(output, row->new_inlined);
	}
}

// "outlined, grown".
static void write_kinds(struct ic_output *output, const char *kinds)
{
	for (; *kinds; kinds++) {
		ic_output_char(output, *kinds);
		if (*kinds == ',')
			ic_output_char(output, ' ');
	}
}

static void write_change(struct ic_output *output, const struct ic_change_row *row)
{
	const char *name = row->by == IC_COMPARISON_BY_FUNCTION ? row->function : row->group;

	ic_output_text(output, "| ");
	ic_write_signed(output, row->explained + row->grown);
	ic_output_text(output, " | ");
	ic_write_change(output, row->old_copies, row->new_copies);
	ic_output_text(output, " | ");
	write_kinds(output, row->kinds);
	ic_output_text(output, " | ");
	if (row->by != IC_COMPARISON_BY_FUNCTION) {
		ic_output_decimal(output, row->functions);
		ic_output_text(output, " | ");
	}
	write_code(output, name && *name ? name : "??", 0);
	if (row->by == IC_COMPARISON_BY_FUNCTION || row->by == IC_COMPARISON_BY_TEMPLATE)
		write_place(output, row);
	ic_output_text(output, " |\n");
}

static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_change_row *row = data;
	struct ic_output *output = &writer->output;

	writer->by = row->by;
	if (row->is_total) {
		write_total(output, row);
		writer->left_out = row->selected;
		writer->is_new_table = true;
		return;
	}
	if (writer->is_new_table) {
		ic_output_text(output, "\n| Bytes | Copies | Change | ");
		ic_output_text(output, headings[row->by]);
	}
	writer->is_new_table = false;
	writer->left_out -= writer->left_out > 0;
	write_change(output, row);
}

static bool end_table(struct ic_writer *writer)
{
	struct ic_output *output = &writer->output;

	if (writer->left_out > 0) {
		ic_output_char(output, '\n');
		ic_output_decimal(output, writer->left_out);
		ic_output_text(output, " more ");
		ic_output_text(output, ic_change_noun(writer->by, writer->left_out));
		ic_output_text(output, writer->left_out == 1 ? " is" : " are");
		ic_output_text(output, " not listed.\n");
	}
	return true;
}

void ic_writer_init_change_markdown(struct ic_writer *writer)
{
	writer->write = write_row;
	writer->end = end_table;
}
