// The variables of the function at an address. Implements inlinecall/extra/locals.h.
#include <inlinecall/extra/locals.h>

#include <stdlib.h>

#include "symbolize/symbolizer.h"
#include "values/locals.h"

struct ic_locals {
	struct ic_function_locals found;
};

// Under the lock.
static bool read_locals(struct ic_locals *locals, struct ic_symbolizer *symbolizer, uint32_t unit,
			uint32_t die_off, struct ic_error *err)
{
	const struct ic_scan *scan = &symbolizer->units.scan;
	const struct ic_dwarf *dwarf = scan->context.units.units.items[unit].dwarf;
	struct ic_elf_file *split = ic_split_file_of(scan->split, dwarf);
	struct ic_elf_file *file = split ? split : ic_image_dwarf_file(symbolizer->image);
	struct ic_location_sections sections;

	locals->found.sections = &sections; // until this function returns
	return ic_dwarf_file_section(&sections.loc, file, split ? ".debug_loc.dwo" : ".debug_loc",
				     err) &&
	       ic_dwarf_file_section(&sections.loclists, file,
				     split ? ".debug_loclists.dwo" : ".debug_loclists", err) &&
	       ic_function_locals_find(&locals->found, &symbolizer->units.scan, unit, die_off,
				       &symbolizer->problems, err);
}

struct ic_locals *ic_locals_find(struct ic_symbolizer *symbolizer, uint64_t addr,
				 struct ic_error *err)
{
	struct ic_locals *locals = calloc(1, sizeof(*locals));
	struct ic_error unwanted;
	struct ic_instance_place place;

	if (!err)
		err = &unwanted;
	if (!locals) {
		ic_fail_memory(err);
		return NULL;
	}
	locals->found.list.memory = &symbolizer->image->memory;
	if (!ic_symbolizer_instance_at(symbolizer, addr, &place) ||
	    place.model->instances[place.instance].die_off == 0)
		return locals;
	pthread_mutex_lock(&symbolizer->lock);
	bool ok = read_locals(locals, symbolizer, place.unit,
			      place.model->instances[place.instance].die_off, err);
	if (!ok && err->code != IC_ERROR_MEMORY) {
		ic_problems_add(&symbolizer->problems, err, NULL, 0);
		ok = true;
	}
	pthread_mutex_unlock(&symbolizer->lock);
	if (ok)
		return locals;
	ic_locals_free(locals);
	(void)ic_image_fail_memory(symbolizer->image, err);
	return NULL;
}

size_t ic_locals_get(const struct ic_locals *locals, const struct ic_local **list)
{
	*list = locals->found.list.items;
	return locals->found.list.count;
}

void ic_locals_free(struct ic_locals *locals)
{
	if (!locals)
		return;
	ic_function_locals_free(&locals->found);
	free(locals);
}

// Under the lock.
static bool find_variable(struct ic_symbolizer *symbolizer, uint64_t addr,
			  struct ic_found_variable *found, struct ic_error *err)
{
	if (!symbolizer->globals.is_read &&
	    !ic_globals_read(&symbolizer->globals.list, &symbolizer->units.scan,
			     &symbolizer->problems, err)) {
		ic_globals_free(&symbolizer->globals.list);
		return false;
	}
	symbolizer->globals.is_read = true;
	return ic_globals_find(&symbolizer->globals.list, &symbolizer->units.scan, addr, found,
			       &symbolizer->problems, err);
}

bool ic_variable_at(struct ic_symbolizer *symbolizer, uint64_t addr, struct ic_local *variable)
{
	bool is_listed = ic_symbolizer_all(symbolizer) != NULL;
	struct ic_found_variable found = { .is_found = false };
	struct ic_error err;

	pthread_mutex_lock(&symbolizer->lock);
	if (is_listed && !find_variable(symbolizer, addr, &found, &err)) {
		symbolizer->problems.out_of_memory = true;
		found.is_found = false;
	}
	pthread_mutex_unlock(&symbolizer->lock);
	if (found.is_found)
		*variable = found.variable;
	return found.is_found;
}
