#include "report/rows/filler.h"

#include "text/text.h"

#include <inlinecall/extra/sites.h>

const char *ic_filler_path(const struct ic_filler *filler, const char *path)
{
	return path && filler->options.base_names ? ic_text_base_name(path) : path;
}

const char *ic_filler_name(struct ic_filler *filler, const struct ic_function *function)
{
	if (!function)
		return NULL;
	return filler->options.demangle ? ic_names_display(&filler->names, function)
					: ic_function_name(function);
}

// Without a display name from a symbolizer: if there is no linkage name, the symbol's name serves
// as one.
const char *ic_filler_frame_name(struct ic_filler *filler, const struct ic_frame *frame)
{
	const char *mangled = frame->linkage_name ? frame->linkage_name
			      : frame->is_symbol  ? frame->function
						  : NULL;

	if (!filler->options.demangle)
		return frame->function;
	if (frame->display_name)
		return frame->display_name;
	const char *name = mangled ? ic_names_demangled(&filler->names, mangled) : NULL;
	return name == mangled && frame->function ? frame->function : name;
}

uint64_t ic_filler_section(const struct ic_filler *filler, uint64_t addr, const char **name)
{
	struct ic_index_section section;

	if (!ic_index_section_find(filler->names.index, addr, &section))
		return 0;
	*name = section.name;
	return section.start;
}

const char *ic_filler_symbol_name(struct ic_filler *filler, const char *symbol)
{
	return symbol && filler->options.demangle ? ic_names_demangled(&filler->names, symbol)
						  : symbol;
}

const char *ic_filler_symbol_of(const char *function, const char *linkage_name)
{
	if (!function || !linkage_name)
		return linkage_name ? linkage_name : function;
	size_t length = strlen(function), linkage_length = strlen(linkage_name);
	bool is_alias = length > 0 && linkage_length > length &&
			strcmp(linkage_name + linkage_length - length, function) == 0;
	return is_alias ? function : linkage_name;
}

const char *ic_filler_symbol(struct ic_filler *filler, struct ic_range range, const char *function)
{
	return ic_filler_symbol_name(filler, ic_index_symbol(filler->names.index, range, function));
}

const struct ic_row_range *ic_filler_ranges(struct ic_filler *filler, const struct ic_range *ranges,
					    size_t count, uint64_t start, const char *function)
{
	if (!IC_ARRAY_RESERVE(&filler->ranges, count + 1)) // an empty list is not NULL
		return NULL;
	for (size_t i = 0; i < count; i++) {
		struct ic_range range = ranges[i];
		const char *section = NULL;
		uint64_t section_start = ic_filler_section(filler, range.start, &section);

		filler->ranges.items[i] = (struct ic_row_range){
			{ range.start - section_start, range.end - section_start },
			section_start == start ? NULL : section,
			ic_filler_symbol(filler, range, function)
		};
	}
	return filler->ranges.items;
}

void ic_filler_deinit(struct ic_filler *filler)
{
	IC_ARRAY_FREE(&filler->ranges);
	ic_names_free(&filler->names);
}
