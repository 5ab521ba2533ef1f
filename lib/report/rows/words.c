#include "report/rows/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_WIDTH = 7 };

// Whether a name includes its parameters, as "ns::f(int) const [clone .cold]" does and "(anonymous
// namespace)::f", "operator()" and "f<void (int)>" do not.
static bool has_params(const char *name)
{
	const char *close = strrchr(name, ')'), *open = close;
	int depth = 0;

	if (!close || strpbrk(close, ">:") || close[1] == '.') // "sync.(*Map).Load", in Go
		return false;
	do {
		depth += (*open == ')') - (*open == '(');
	} while (depth > 0 && open-- > name);
	return open > name &&
	       !(close == open + 1 && open - name >= 8 && strncmp(open - 8, "operator", 8) == 0);
}

void ic_words_function(struct ic_output *output, const char *name)
{
	bool is_named = name && *name;

	ic_output_printable(output, is_named ? name : "??");
	if (!is_named || !has_params(name))
		ic_output_text(output, "()");
}

const char *ic_words_other_symbol(const char *name, const char *linkage_name, const char *symbol)
{
	bool is_own = (symbol && name && strcmp(symbol, name) == 0) ||
		      (symbol && linkage_name && strcmp(symbol, linkage_name) == 0);

	return is_own ? NULL : symbol;
}

void ic_words_position(struct ic_output *output, const char *file, uint32_t line)
{
	ic_output_printable(output, file ? file : "??");
	ic_output_char(output, ':');
	ic_output_decimal(output, line);
}

void ic_words_place(struct ic_output *output, const char *file, uint32_t line, uint32_t column)
{
	ic_words_position(output, file, line);
	if (column > 0) {
		ic_output_char(output, ':');
		ic_output_decimal(output, column);
	}
}

void ic_words_number(struct ic_output *output, uint64_t number)
{
	uint64_t least = 1;

	if (number == UINT64_MAX) {
		for (int i = 1; i < NUMBER_WIDTH; i++)
			ic_output_char(output, ' ');
		ic_output_text(output, "?\t");
		return;
	}
	for (int i = 1; i < NUMBER_WIDTH; i++) {
		least *= 10;
		if (number < least)
			ic_output_char(output, ' ');
	}
	ic_output_decimal(output, number);
	ic_output_char(output, '\t');
}

void ic_words_signed(struct ic_output *output, int64_t number, const char *plus)
{
	uint64_t magnitude = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
	const char *sign = number < 0 ? "-" : number > 0 ? plus : "";
	char text[32];
	int length = snprintf(text, sizeof(text), "%s%" PRIu64, sign, magnitude);

	for (int i = length; i < NUMBER_WIDTH; i++)
		ic_output_char(output, ' ');
	ic_output_text(output, text);
	ic_output_char(output, '\t');
}

void ic_words_address(struct ic_output *output, const char *section, uint64_t addr)
{
	if (section) {
		ic_output_printable(output, section);
		ic_output_char(output, '+');
	}
	ic_output_hex(output, addr);
}

const char *ic_words_change_position(const struct ic_change_row *row, uint32_t *line)
{
	*line = row->new_decl_file ? row->new_decl_line : row->old_decl_line;
	return row->new_decl_file ? row->new_decl_file : row->old_decl_file;
}

void ic_words_begin_paint(struct ic_output *output, bool colors, const char *paint)
{
	if (colors)
		ic_output_text(output, paint);
}

void ic_words_end_paint(struct ic_output *output, bool colors)
{
	ic_words_begin_paint(output, colors, "\033[m");
}

const char *ic_inlined_word(enum ic_inlined inlined)
{
	switch (inlined) {
	case IC_INLINED_NEVER: return "never";
	case IC_INLINED_PARTLY: return "partly";
	case IC_INLINED_FULLY: return "fully";
	case IC_INLINED_UNKNOWN: break;
	}
	return NULL;
}
