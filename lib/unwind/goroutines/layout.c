#include "unwind/goroutines/layout.h"

#include <stddef.h>
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
};

static const struct {
	size_t at; // in the layout
	const char *path;
} of_threads[] = {
	{ offsetof(struct ic_goroutine_layout, tid), "m.procid" },
	{ offsetof(struct ic_goroutine_layout, signal_goroutine), "m.gsignal" },
	{ offsetof(struct ic_goroutine_layout, clock_pc), "m.vdsoPC" },
	{ offsetof(struct ic_goroutine_layout, clock_sp), "m.vdsoSP" },
};

// The address of a symbol; 0 if there is none.
static uint64_t addr_of(struct ic_symbolizer *symbolizer, const char *name)
{
	struct ic_symbolizer_symbol symbol;

	return ic_symbolizer_symbol_find(symbolizer, name, 0, &symbol) ? symbol.start : 0;
}

// The offset of a member in what the last pointer leads to; 0 if it is no number there.
static uint32_t offset_of(const struct ic_parameter *member)
{
	const struct ic_location *location = &member->location;
	uint32_t loads = location->load_count;
	int64_t offset = loads > 0 ? location->loads[loads - 1].offset : location->offset;

	return location->kind == IC_LOCATION_MEMORY && offset > 0 && offset <= MOST_OFFSET &&
			       member->size >= 1 && member->size <= 8 &&
			       member->encoding != IC_TYPE_STRUCTURE
		       ? (uint32_t)offset
		       : 0;
}

static void take_field(struct ic_goroutine_layout *layout, enum ic_goroutine_field field,
		       const struct ic_parameter *member)
{
	uint32_t offset = offset_of(member);

	if (offset == 0 && field != IC_GOROUTINE_STACK_START) // which comes first
		return;
	layout->fields[field].offset = offset;
	layout->fields[field].size = (uint32_t)member->size;
	if (layout->size < offset + member->size)
		layout->size = offset + (uint32_t)member->size;
}

static void take_fields(struct ic_goroutine_layout *layout, const struct ic_parameter *list,
			size_t count)
{
	for (size_t i = 1; i < count && list[i].is_member; i++) {
		const char *path = list[i].name ? strchr(list[i].name, '.') : NULL;
		for (size_t j = 0; path && j < sizeof(paths) / sizeof(*paths); j++)
			if (strcmp(path + 1, paths[j].path) == 0)
				take_field(layout, paths[j].field, &list[i]);
		for (size_t j = 0; path && j < sizeof(of_threads) / sizeof(*of_threads); j++)
			if (strcmp(path + 1, of_threads[j].path) == 0)
				*(uint32_t *)((char *)layout + of_threads[j].at) =
					offset_of(&list[i]);
	}
}

static bool read_fields(struct ic_symbolizer *symbolizer, uint64_t addr,
			struct ic_goroutine_layout *layout, struct ic_error *err)
{
	const struct ic_parameters_options options = {
		.members = "goid,atomicstatus,atomicstatus.value,waitreason,sched.sp,sched.pc,"
			   "sched.bp,stack.lo,stack.hi,m,m.procid,m.gsignal,"
			   "m.vdsoPC,m.vdsoSP"
	};
	struct ic_parameters *parameters = ic_parameters_open_frames(symbolizer, &options, err);
	const struct ic_parameter *list;

	bool ok = parameters && ic_parameters_find_frame(parameters, addr, 0, err);
	if (ok) {
		size_t count = ic_parameters_list(parameters, &list);
		take_fields(layout, list, count);
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
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		if (paths[i].is_needed && layout->fields[paths[i].field].size == 0)
			return ic_fail(
				err, IC_ERROR_NOT_FOUND,
				"goroutines that no thread runs are not shown: the DWARF does "
				"not describe runtime.g.%s",
				paths[i].path);
	return true;
}
