#include "unwind/goroutines/layout.h"

#include <stdio.h>
#include <string.h>

#include <inlinecall/parameters.h>

enum { MOST_OFFSET = 4096 }; // the runtime's struct has some 400 bytes

// A function of every release with a goroutine as its first parameter.
static const char taker[] = "runtime.casgstatus";

static const struct {
	enum ic_goroutine_field field;
	const char *path;
	bool is_needed;
} paths[] = {
	{ IC_GOROUTINE_ID, "goid", true },
	{ IC_GOROUTINE_STATUS, "atomicstatus", true },
	{ IC_GOROUTINE_STATUS, "atomicstatus.value", false }, // since Go 1.20
	{ IC_GOROUTINE_REASON, "waitreason", false },
	{ IC_GOROUTINE_SP, "sched.sp", true },
	{ IC_GOROUTINE_PC, "sched.pc", true },
	{ IC_GOROUTINE_BP, "sched.bp", false },
	{ IC_GOROUTINE_STACK_START, "stack.lo", true },
	{ IC_GOROUTINE_STACK_END, "stack.hi", true },
	{ IC_GOROUTINE_M, "m", false },
	{ IC_GOROUTINE_TID, "m.procid", false },
	{ IC_GOROUTINE_OF_SIGNALS, "m.gsignal", false },
	{ IC_GOROUTINE_CLOCK_PC, "m.vdsoPC", false },
	{ IC_GOROUTINE_CLOCK_SP, "m.vdsoSP", false },
};

enum { PATHS = sizeof(paths) / sizeof(*paths) };

// The address of a symbol; 0 if there is none.
static uint64_t addr_of(struct ic_symbolizer *symbolizer, const char *name)
{
	struct ic_symbolizer_symbol symbol;

	return ic_symbolizer_symbol_find(symbolizer, name, 0, &symbol) ? symbol.start : 0;
}

// Takes a member, if it is a number in what the last pointer leads to.
static void take_field(struct ic_goroutine_layout *layout, enum ic_goroutine_field field,
		       const struct ic_parameter *member)
{
	const struct ic_location *location = &member->location;
	uint32_t loads = location->load_count;
	int64_t offset = loads > 0 ? location->loads[loads - 1].offset : location->offset;

	if (location->kind != IC_LOCATION_MEMORY || offset < 0 || offset > MOST_OFFSET ||
	    member->size < 1 || member->size > 8 || member->encoding == IC_TYPE_STRUCTURE)
		return;
	layout->fields[field].offset = (uint32_t)offset;
	layout->fields[field].size = (uint32_t)member->size;
	if (field < IC_GOROUTINE_IN_M && layout->size < offset + member->size)
		layout->size = (uint32_t)(offset + (int64_t)member->size);
}

static bool read_fields(struct ic_symbolizer *symbolizer, uint64_t addr,
			struct ic_goroutine_layout *layout, struct ic_error *err)
{
	char members[256] = "";
	const struct ic_parameters_options options = { .members = members };
	const struct ic_parameter *list;

	for (size_t i = 0; i < PATHS; i++)
		snprintf(members + strlen(members), sizeof(members) - strlen(members), "%s%s",
			 i > 0 ? "," : "", paths[i].path);
	struct ic_parameters *parameters = ic_parameters_open_frames(symbolizer, &options, err);
	bool ok = parameters && ic_parameters_find_frame(parameters, addr, 0, err);
	size_t count = ok ? ic_parameters_list(parameters, &list) : 0;
	for (size_t i = 1; i < count && list[i].is_member; i++) {
		const char *path = list[i].name ? strchr(list[i].name, '.') : NULL;
		for (size_t j = 0; path && j < PATHS; j++)
			if (strcmp(path + 1, paths[j].path) == 0)
				take_field(layout, paths[j].field, &list[i]);
	}
	ic_parameters_free(parameters);
	return ok;
}

bool ic_goroutine_layout_find(struct ic_symbolizer *symbolizer, struct ic_goroutine_layout *layout,
			      struct ic_error *err)
{
	uint64_t function = addr_of(symbolizer, taker);

	*layout = (struct ic_goroutine_layout){ .list = addr_of(symbolizer, "runtime.allgs"),
						.reasons = addr_of(symbolizer,
								   "runtime.waitReasonStrings") };
	if (layout->list == 0 || function == 0)
		return ic_fail(err, IC_ERROR_NOT_FOUND,
			       "goroutines that no thread runs are not shown: no symbol %s",
			       layout->list == 0 ? "runtime.allgs" : taker);
	if (!read_fields(symbolizer, function, layout, err))
		return false;
	for (size_t i = 0; i < PATHS; i++)
		if (paths[i].is_needed && layout->fields[paths[i].field].size == 0)
			return ic_fail(
				err, IC_ERROR_NOT_FOUND,
				"goroutines that no thread runs are not shown: the DWARF does "
				"not describe runtime.g.%s",
				paths[i].path);
	return true;
}
