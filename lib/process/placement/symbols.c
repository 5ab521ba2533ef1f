// Modules placed by their symbols in the kernel's list, each of which locates its section.
#include <string.h>

#include "process/placement/placement.h"

#include <inlinecall/extra/symbolizer.h>

enum { MOST_NAME_SIZE = 512 }; // of a symbol name: KSYM_NAME_LEN

static const struct ic_window *find_window(const struct ic_placement *placement, uint64_t start)
{
	for (uint32_t i = 0; i < placement->windows.count; i++)
		if (placement->windows.items[i].start == start)
			return &placement->windows.items[i];
	return NULL;
}

// The section of a symbol in the kernel's list, found by the file's symbol of that name. False if
// there is none, or it is ambiguous.
static bool find_section(const struct ic_placing *placing, struct ic_span name,
			 struct ic_symbolizer_section *section, uint64_t *off)
{
	struct ic_symbolizer_symbol symbol, other;
	struct ic_index_section found;
	char text[MOST_NAME_SIZE];

	if (name.size >= sizeof(text))
		return false;
	memcpy(text, name.text, name.size);
	text[name.size] = 0;
	if (!ic_symbolizer_symbol_find(placing->symbolizer, text, 0, &symbol) ||
	    ic_symbolizer_symbol_find(placing->symbolizer, text, 1, &other) ||
	    !ic_symbolizer_section_at(placing->symbolizer, symbol.start, &found) ||
	    ic_placement_is_freed(found.name))
		return false;
	*off = symbol.start - found.start;
	// By address: the names of several sections are numbered to tell them apart.
	struct ic_index_section listed;
	for (size_t i = 0;
	     ic_symbolizer_section_get(placing->symbolizer, i, &listed, &section->size); i++) {
		section->start = listed.start;
		if (listed.start == found.start)
			return true;
	}
	return false;
}

bool ic_place_by_symbols(struct ic_placing *placing, struct ic_error *err)
{
	struct ic_proc_text *text = &placing->placements->kallsyms;
	struct ic_placement *placement = placing->placement;
	struct ic_symbolizer_section section;
	struct ic_kallsym symbol;
	bool is_loaded = false;
	size_t at = 0;
	uint64_t off;

	while (ic_kallsym_next(text, &at, &symbol)) {
		if (!ic_span_is(symbol.module, placement->module) || !strchr("tT", symbol.type))
			continue;
		is_loaded = true;
		if (symbol.addr == 0)
			return ic_fail(err, IC_ERROR_HIDDEN,
				       "%s: the addresses of [%s] are 0: " IC_HIDDEN_REASON,
				       text->path, placement->module);
		if (!find_section(placing, symbol.name, &section, &off))
			continue;
		const struct ic_window *known = find_window(placement, section.start);
		const struct ic_window window = { symbol.addr - off, section.start, section.size };
		if (known && known->given != window.given)
			return ic_fail(err, IC_ERROR_MISMATCH,
				       "%s: %.*s of [%s] is not where %s has it: a different build "
				       "of the module",
				       text->path, (int)symbol.name.size, symbol.name.text,
				       placement->module, placing->path);
		if (!known && !ic_placement_add(placement, window, err))
			return false;
	}
	if (!ic_proc_text_check(text, err) ||
	    !ic_symbolizer_symbols_check(placing->symbolizer, err))
		return false;
	if (!text->has_any)
		return ic_fail(err, IC_ERROR_MISMATCH, "%s: " IC_NO_KALLSYMS_REASON, text->path);
	if (is_loaded && placement->status == IC_PLACEMENT_NOT_LOADED)
		placement->status = IC_PLACEMENT_NO_SECTIONS;
	return true;
}
