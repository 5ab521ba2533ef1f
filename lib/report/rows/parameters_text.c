#include "report/rows/parameters_text.h"

#include <string.h>

#include "base/bytes.h"
#include "report/rows/words.h"

static void write_name(struct ic_output *output, const struct ic_row_parameter *parameter)
{
	ic_output_printable(output, parameter->name ? parameter->name : "_");
}

// Where the argument is. Expressions have commas and are long: only -pp prints them.
static void write_location(struct ic_output *output, const struct ic_row_parameter *parameter,
			   const struct ic_parameters_shown *shown)
{
	const struct ic_row_location *location = &parameter->location;

	if (strncmp(location->text, "computed", 8) == 0) {
		ic_output_text(output, "computed");
		return;
	}
	if (location->known_from == IC_NO_ADDR) {
		ic_output_printable(output, location->text);
		return;
	}
	ic_output_text(output, "unavailable (known from ");
	const char *section = location->known_section;
	ic_words_address(output, section ? section : shown->section, location->known_from);
	bool is_here = !section && location->known_from == shown->addr;
	ic_output_text(output, is_here ? ", in another view)" : ")");
}

// All on one line, without Go's results, which are not arguments.
static void write_line(struct ic_output *output, const struct ic_parameters_shown *shown)
{
	const char *between = "\t\t";

	for (size_t i = 0; i < shown->count; i++) {
		const struct ic_row_parameter *parameter = &shown->params[i];

		if (parameter->result)
			continue;
		ic_output_text(output, between);
		between = ", ";
		write_name(output, parameter);
		ic_output_char(output, '=');
		write_location(output, parameter, shown);
	}
	if (shown->variadic) {
		ic_output_text(output, between);
		ic_output_text(output, "...");
	} else if (between[0] == '\t') {
		ic_output_text(output, "\t\tno parameters");
	}
	ic_output_char(output, '\n');
}

static void write_view(struct ic_output *output, uint64_t view)
{
	if (view == 0)
		return;
	ic_output_text(output, " view ");
	ic_output_decimal(output, view);
}

static void write_entry(struct ic_output *output, const struct ic_row_parameter_entry *entry,
			const char *section)
{
	section = entry->section ? entry->section : section;
	ic_output_text(output, "\t\t\t[");
	if (entry->start == IC_NO_ADDR) {
		ic_output_text(output, "everywhere");
	} else {
		ic_words_address(output, section, entry->start);
		write_view(output, entry->start_view);
		ic_output_text(output, " - ");
		ic_words_address(output, section, entry->end);
		write_view(output, entry->end_view);
	}
	ic_output_text(output, "]\t");
	ic_output_printable(output, entry->expression);
	ic_output_char(output, '\n');
}

static void write_list(struct ic_output *output, const struct ic_row_parameter *parameter,
		       const struct ic_parameters_shown *shown)
{
	ic_output_text(output, "\t\t");
	write_name(output, parameter);
	ic_output_char(output, '\t');
	ic_output_printable(output, parameter->type ? parameter->type : "?");
	ic_output_char(output, '\t');
	write_location(output, parameter, shown);
	if (parameter->result)
		ic_output_text(output, ", result");
	ic_output_char(output, '\n');
	for (size_t i = 0; i < parameter->list_count; i++)
		write_entry(output, &parameter->list[i], shown->section);
}

void ic_parameters_write(struct ic_output *output, const struct ic_parameters_shown *shown)
{
	if (!shown->params) {
		ic_output_text(output, "\t\tparameters not described\n");
		return;
	}
	if (!shown->has_lists || shown->count == 0) {
		write_line(output, shown);
		return;
	}
	for (size_t i = 0; i < shown->count; i++)
		write_list(output, &shown->params[i], shown);
	if (shown->variadic)
		ic_output_text(output, "\t\t...\n");
}
