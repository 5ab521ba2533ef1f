// What is at an address: see inlinecall/symbolizer.h.
#include <inttypes.h>

#include "model/code_map.h"
#include "query/find/frames.h"
#include "symbolize/symbolizer.h"

struct search { // of the unit that has the answer
	uint64_t addr;
	const struct ic_unit_model *model; // the first one that covers the address
	uint32_t unit;                     // its number; IC_NONE if it was read alone
	uint32_t instance;                 // in the model; IC_NONE if none is at the address
	const struct ic_code_row *row;
	bool is_unreadable; // a unit searched has an error
	bool wants_end;
	uint64_t end;   // if wanted: up to here, the unit and instance stay the same
	uint64_t steps; // claims visited
};

static void end_at(struct search *search, uint64_t end)
{
	if (end < search->end)
		search->end = end;
}

static void consider_model(struct search *search, const struct ic_unit_model *model, uint32_t unit)
{
	uint32_t instance = ic_segments_find(&model->code_map.instances, search->addr);
	const struct ic_code_row *row = ic_code_map_row(&model->code_map, search->addr);

	// If memory ran out, there is not even a table of problems.
	search->is_unreadable |= model->problem_count > 0 || !model->problems;
	if (search->wants_end) { // whether there is a row matters too
		end_at(search, ic_segments_end(&model->code_map.instances, search->addr));
		end_at(search, ic_segments_end(&model->code_map.lines, search->addr));
	}
	if (instance != IC_NONE || (row && !search->model)) {
		search->model = model;
		search->unit = unit;
		search->instance = instance;
		search->row = row;
	}
}

// .debug_aranges may name a unit any number of times, and nothing is cached here.
enum { MOST_CANDIDATES = 4 };

// Reads each unit to which .debug_aranges assigns the address by itself, and writes its frames.
// Returns false if none has the answer.
static bool search_alone(struct ic_symbolizer *symbolizer, struct search *search,
			 struct ic_unit_model *model)
{
	struct ic_aranges aranges;
	struct ic_unit_model read;
	uint64_t off;

	pthread_mutex_lock(&symbolizer->lock);
	bool ok = ic_symbolizer_load(symbolizer) && symbolizer->units.is_listed;
	pthread_mutex_unlock(&symbolizer->lock);
	if (!ok || atomic_load(&symbolizer->units.alone) >= IC_MOST_ALONE)
		return false;
	atomic_fetch_add(&symbolizer->units.alone, 1);
	ic_aranges_open(&aranges, symbolizer->units.aranges, symbolizer->debug->main_dwarf->swap);
	for (uint32_t units = 0;
	     search->instance == IC_NONE && ic_aranges_find(&aranges, search->addr, &off);
	     units++) {
		ok = units < MOST_CANDIDATES &&
		     ic_symbolizer_read_alone(symbolizer, off, search->addr, &read);
		if (!ok)
			break;
		const struct ic_unit_model *before = search->model;
		consider_model(search, &read, IC_NONE);
		if (search->model != before) {
			*model = read;
			search->model = model;
		}
	}
	return ok && search->model;
}

// Searches the units that claim the address, in order. Units that .debug_aranges does not list are
// skipped if a listed one has even a row there: if they were not read, that would be the answer.
static void search_all(struct ic_symbolizer *symbolizer, const struct ic_unit_table *all,
		       const struct ic_partial_models *partial, struct search *search)
{
	uint32_t claim = ic_unit_map_find(&all->map, search->addr, IC_NONE), last = IC_NONE;
	bool listed_knows = false;

	if (search->wants_end)
		end_at(search, ic_segments_end(&all->map.segments, search->addr));
	while (claim != IC_NONE) {
		const struct ic_layer *claimed = &all->map.claims[claim];
		bool is_listed = claimed->rank < all->listed_count;
		// The first unit has been read for this address, the others for other addresses.
		bool is_partial = partial && last == IC_NONE &&
				  partial->number_of[claimed->owner] != IC_NONE;

		if (listed_knows && !is_listed)
			return;
		if (is_partial)
			consider_model(search, &partial->models[partial->number_of[claimed->owner]],
				       claimed->owner);
		else if (claimed->owner != last)
			consider_model(search, ic_symbolizer_model(symbolizer, all, claimed->owner),
				       claimed->owner);
		if (search->instance != IC_NONE)
			return;
		if (search->wants_end && last == IC_NONE) {
			end_at(search, ic_unit_map_others_end(&all->map, search->addr));
			if (ic_range_set_find(&all->map.shared, search->addr))
				search->steps += all->map.claim_count / 256; // each is cheap
		}
		search->steps++;
		last = claimed->owner;
		listed_knows = is_listed && search->model;
		claim = ic_unit_map_find(&all->map, search->addr, claim);
	}
}

// Searches all units, and finally those that do not declare where their code is. Returns the last
// table used; NULL if memory runs out.
static const struct ic_unit_table *search_units(struct ic_symbolizer *symbolizer,
						const struct ic_unit_table *all,
						const struct ic_partial_models *partial,
						struct search *search)
{
	if (all)
		search_all(symbolizer, all, partial, search);
	if (all && !search->model && (all = ic_symbolizer_rest(symbolizer)))
		search_all(symbolizer, all, NULL, search);
	return all;
}

bool ic_symbolizer_instance_at(struct ic_symbolizer *symbolizer, uint64_t addr,
			       struct ic_instance_place *place)
{
	struct search search = { .addr = addr, .instance = IC_NONE };

	if (!ic_range_set_find(&symbolizer->index.code, addr))
		return false;
	search_units(symbolizer, ic_symbolizer_all(symbolizer), NULL, &search);
	*place = (struct ic_instance_place){ search.model, search.unit, search.instance };
	return search.instance != IC_NONE;
}

static bool add_symbol(struct ic_symbolizer *symbolizer, uint64_t addr, struct ic_frame *frame)
{
	struct ic_symbolizer_symbol symbol;

	if (!ic_symbolizer_symbol_at(symbolizer, addr, &symbol))
		return false;
	frame->function = frame->linkage_name = symbol.name;
	frame->start = symbol.start;
	frame->is_symbol = true;
	return true;
}

// Writes the frames of the unit that has the answer. A host without a name, as from a line table
// without DIEs, gets that of its symbol.
static size_t add_frames(struct ic_symbolizer *symbolizer, const struct search *search,
			 struct ic_frame *frames, size_t capacity)
{
	size_t count = 1;

	if (search->instance == IC_NONE) {
		struct ic_frame frame = ic_frame_of_row(search->model, search->row);
		if (!add_symbol(symbolizer, search->addr, &frame) && !search->model)
			return 0;
		if (capacity > 0)
			frames[0] = frame;
	} else {
		count = ic_frames_of(search->model, search->instance, search->row, frames,
				     capacity);
		if (count > 0 && count <= capacity && !frames[count - 1].function &&
		    !frames[count - 1].inlined)
			add_symbol(symbolizer, search->addr, &frames[count - 1]);
	}
	if (symbolizer->display.is_wanted)
		ic_symbolizer_name_frames(symbolizer, search->model, search->instance, frames,
					  count < capacity ? count : capacity);
	return count;
}

// There may be code although no section covers it: "nothing is known" would be wrong.
static IC_COLD enum ic_lookup_status report_hole(struct ic_symbolizer *symbolizer, uint64_t addr)
{
	struct ic_error err;

	if (!ic_range_set_find(&symbolizer->index.holes, addr))
		return IC_LOOKUP_OUTSIDE;
	pthread_mutex_lock(&symbolizer->lock);
	if (!symbolizer->hole_reported) {
		ic_fail(&err, IC_ERROR_MALFORMED,
			"0x%" PRIx64 " is in an executable segment, but not in any section", addr);
		ic_problems_add(&symbolizer->problems, &err, NULL, 0);
		symbolizer->hole_reported = true;
	}
	pthread_mutex_unlock(&symbolizer->lock);
	return IC_LOOKUP_UNREADABLE;
}

// The status if nothing more is known. An address that no unit claims may belong to a unit whose
// claims are unreadable.
static enum ic_lookup_status status_of(const struct search *search, const struct ic_unit_table *all)
{
	if (search->model)
		return IC_LOOKUP_FOUND;
	return !all || all->is_incomplete || search->is_unreadable ? IC_LOOKUP_UNREADABLE
								   : IC_LOOKUP_NO_DEBUG;
}

// Whether a function at the address may have a qualified name, for which other units must be known.
static bool may_be_in_scopes(const struct search *search)
{
	const struct ic_unit_model *model = search->model;

	for (uint32_t i = search->instance; !model->is_flat && i != IC_NONE;
	     i = model->instances[i].parent) {
		uint32_t function = model->instances[i].function;
		if (function != IC_NONE && !model->functions[function].linkage_name)
			return true;
	}
	return false;
}

size_t ic_symbolizer_find(struct ic_symbolizer *symbolizer, const struct ic_partial_models *partial,
			  uint64_t addr, struct ic_frame *frames, size_t capacity,
			  enum ic_lookup_status *status)
{
	struct search search = { .addr = addr, .instance = IC_NONE };
	struct ic_unit_model alone;

	if (!ic_range_set_find(&symbolizer->index.code, addr)) {
		*status = report_hole(symbolizer, addr);
		return 0;
	}
	const struct ic_unit_table *all =
		atomic_load_explicit(&symbolizer->units.all, memory_order_acquire);
	if (!all) {
		bool known = search_alone(symbolizer, &search, &alone) &&
			     !(symbolizer->display.is_wanted && may_be_in_scopes(&search));
		if (!known) {
			search = (struct search){ .addr = addr, .instance = IC_NONE };
			all = ic_symbolizer_all(symbolizer);
		}
	}
	all = search_units(symbolizer, all, partial, &search);
	*status = status_of(&search, all);
	return add_frames(symbolizer, &search, frames, capacity);
}

// Whether debug information names the outermost function of an instance.
static bool is_named(const struct ic_unit_model *model, uint32_t instance)
{
	const struct ic_instance *at = NULL;

	for (; instance != IC_NONE; instance = at->parent)
		at = &model->instances[instance];
	return at && (at->kind == IC_INSTANCE_INLINED ||
		      (at->function != IC_NONE && (model->functions[at->function].name ||
						   model->functions[at->function].linkage_name)));
}

void ic_symbolizer_run_at(struct ic_symbolizer *symbolizer, uint64_t addr, struct ic_code_run *run)
{
	const struct ic_range_set *code = &symbolizer->index.code;
	uint32_t next = ic_search_up_to(code->ranges, sizeof(*code->ranges), code->count, addr);
	struct search search = {
		.addr = addr, .instance = IC_NONE, .wants_end = true, .end = UINT64_MAX
	};
	bool is_code = next > 0 && addr < code->ranges[next - 1].end;
	uint64_t symbol_start = IC_NO_ADDR, symbol_end = UINT64_MAX;

	if (is_code) {
		end_at(&search, code->ranges[next - 1].end);
		search_units(symbolizer, ic_symbolizer_all(symbolizer), NULL, &search);
	} else {
		(void)report_hole(symbolizer, addr);
		if (next < code->count)
			end_at(&search, code->ranges[next].start);
	}
	if (is_code && !is_named(search.model, search.instance))
		symbol_start = ic_symbolizer_symbol_run(symbolizer, addr, &symbol_end);
	end_at(&search, symbol_end);
	*run = (struct ic_code_run){ search.model, search.instance, symbol_start, search.end,
				     search.steps };
}

size_t ic_symbolizer_run_frames(struct ic_symbolizer *symbolizer, const struct ic_code_run *run,
				uint64_t addr, struct ic_frame *frames, size_t capacity)
{
	const struct search search = {
		.addr = addr,
		.model = run->model,
		.instance = run->instance,
		.row = run->model ? ic_code_map_row(&run->model->code_map, addr) : NULL,
	};

	return ic_range_set_find(&symbolizer->index.code, addr)
		       ? add_frames(symbolizer, &search, frames, capacity)
		       : 0;
}

size_t ic_symbolizer_lookup_at(struct ic_symbolizer *symbolizer, uint64_t addr,
			       struct ic_frame *frames, size_t capacity,
			       enum ic_lookup_status *status)
{
	enum ic_lookup_status unwanted;

	return ic_symbolizer_find(symbolizer, NULL, addr, frames, capacity,
				  status ? status : &unwanted);
}

size_t ic_symbolizer_frames_at(struct ic_symbolizer *symbolizer, uint64_t addr,
			       struct ic_frame *frames, size_t capacity)
{
	return ic_symbolizer_lookup_at(symbolizer, addr, frames, capacity, NULL);
}
