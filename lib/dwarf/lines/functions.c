#include "dwarf/lines/functions.h"

#include "dwarf/units/form.h"

void ic_line_functions_doubt(struct ic_line_functions *functions, uint64_t off, const char *what)
{
	if (functions->doubt)
		return;
	functions->doubt = what;
	functions->doubt_off = off;
}

// Reads a function's name, an offset in the table's part of .debug_str, which begins where the
// header says.
static const char *read_name(struct ic_line_functions *functions, struct ic_cursor *cur)
{
	struct ic_value value = { .form = DW_FORM_strp, .class = IC_FORM_CLASS_STRING };
	uint64_t off = ic_cursor_off(cur);
	const char *name = NULL;
	struct ic_error err;

	value.number = ic_cursor_uleb(cur);
	if (__builtin_add_overflow(value.number, functions->names_off, &value.number))
		value.number = UINT64_MAX;
	if (!ic_value_string(&value, functions->unit, &name, &err))
		ic_line_functions_doubt(functions, off,
					"the name of an inlined function is not in .debug_str");
	return name;
}

// nvcc counts the call's row from the start of the sequence. elfutils takes the number as one of
// the whole table, which differs from the second kernel on.
void ic_line_functions_begin_inlined(struct ic_line_functions *functions, struct ic_cursor *cur)
{
	uint64_t off = ic_cursor_off(cur);
	uint64_t number = ic_cursor_uleb(cur);

	functions->context = 0;
	functions->function = (struct ic_line_function){ .name = NULL };
	if (number == 0) {
		ic_cursor_uleb(cur); // an unused name
		return;
	}
	const char *name = read_name(functions, cur);
	if (number > functions->row_number - functions->sequence_start) {
		ic_line_functions_doubt(functions, off,
					"call site of an inlined function is not an earlier row");
		return;
	}
	functions->context = functions->sequence_start + number;
	functions->function.name = name;
}

void ic_line_functions_set_name(struct ic_line_functions *functions, struct ic_cursor *cur)
{
	if (functions->context > 0)
		functions->function.name = read_name(functions, cur);
}

bool ic_line_functions_ok(const struct ic_line_functions *functions, struct ic_error *err)
{
	return !functions->doubt ||
	       ic_fail_at(err, ".debug_line", functions->doubt_off, "%s", functions->doubt);
}
