// Decides which units are read for which addresses, and how much of them.
#include <stdlib.h>

#include "base/array.h"
#include "symbolize/symbolizer.h"
#include "units/units.h"

// A unit needed for at most this many addresses at once is first read only for those, which costs
// less than half. The second time it is read whole, since there may be a third.
enum { MOST_PARTIAL = 8 };

static bool list_all(struct ic_symbolizer *symbolizer, struct ic_error *err)
{
	struct ic_unit_table *table = &symbolizer->units.own_all;
	uint32_t problem_count = symbolizer->problems.list.count;

	if (!ic_dwarf_file_need_all(&symbolizer->debug->main, symbolizer->want.jobs, err) ||
	    !ic_scan_open(&symbolizer->units.scan, &symbolizer->index, symbolizer->debug,
			  &symbolizer->want, &symbolizer->problems, err))
		return false;
	table->is_incomplete = ic_problems_are_there(&symbolizer->problems, problem_count);
	if (!ic_unit_table_build(table, &symbolizer->units.scan, symbolizer->units.aranges,
				 &symbolizer->problems, err))
		return false;
	symbolizer->units.was_read =
		ic_items_zeroed(table->count + 1ull, sizeof(*symbolizer->units.was_read));
	return symbolizer->units.was_read || ic_fail_memory(err);
}

static IC_COLD const struct ic_unit_table *list_all_once(struct ic_symbolizer *symbolizer)
{
	struct ic_error err;

	pthread_mutex_lock(&symbolizer->lock);
	const struct ic_unit_table *all =
		atomic_load_explicit(&symbolizer->units.all, memory_order_relaxed);
	if (!all && symbolizer->units.error == IC_ERROR_NONE && !ic_symbolizer_load(symbolizer))
		symbolizer->units.error = symbolizer->load_error;
	if (!all && symbolizer->units.error == IC_ERROR_NONE) {
		if (list_all(symbolizer, &err))
			all = &symbolizer->units.own_all;
		else if (err.code == IC_ERROR_MEMORY)
			symbolizer->problems.out_of_memory = true;
		else
			ic_problems_add(&symbolizer->problems, &err, NULL, 0);
		symbolizer->units.error = all ? IC_ERROR_NONE : err.code;
		atomic_store_explicit(&symbolizer->units.all, all, memory_order_release);
	}
	pthread_mutex_unlock(&symbolizer->lock);
	return all;
}

const struct ic_unit_table *ic_symbolizer_all(struct ic_symbolizer *symbolizer)
{
	const struct ic_unit_table *all =
		atomic_load_explicit(&symbolizer->units.all, memory_order_acquire);

	return all ? all : list_all_once(symbolizer);
}

static IC_COLD const struct ic_unit_table *list_rest_once(struct ic_symbolizer *symbolizer)
{
	struct ic_error err;

	pthread_mutex_lock(&symbolizer->lock);
	const struct ic_unit_table *rest =
		atomic_load_explicit(&symbolizer->units.rest, memory_order_relaxed);
	if (!rest && !symbolizer->units.rest_failed) {
		if (ic_unit_table_build_rest(&symbolizer->units.own_rest,
					     &symbolizer->units.own_all, &symbolizer->units.scan,
					     &symbolizer->problems, &err))
			rest = &symbolizer->units.own_rest;
		else
			symbolizer->problems.out_of_memory = true;
		symbolizer->units.rest_failed = !rest;
		atomic_store_explicit(&symbolizer->units.rest, rest, memory_order_release);
	}
	pthread_mutex_unlock(&symbolizer->lock);
	return rest;
}

const struct ic_unit_table *ic_symbolizer_rest(struct ic_symbolizer *symbolizer)
{
	const struct ic_unit_table *rest =
		atomic_load_explicit(&symbolizer->units.rest, memory_order_acquire);

	return rest ? rest : list_rest_once(symbolizer);
}

struct plan {                              // what a call reads
	uint32_t *unit_of;                 // by address: the unit to look in, IC_NONE if none
	struct ic_requested_addrs *wanted; // by unit
	uint64_t *addrs;                   // grouped by unit
	uint32_t *units;                   // to be read
	uint32_t unit_count;
};

static void plan_free(struct plan *plan)
{
	free(plan->unit_of);
	free(plan->wanted);
	free(plan->addrs);
	free(plan->units);
}

static bool plan_alloc(struct plan *plan, const struct ic_unit_table *all, uint32_t count)
{
	*plan = (struct plan){
		.unit_of = ic_items_alloc(count + 1ull, sizeof(*plan->unit_of)),
		.wanted = ic_items_zeroed(all->count + 1ull, sizeof(*plan->wanted)),
		.addrs = ic_items_alloc(count + 1ull, sizeof(*plan->addrs)),
		.units = ic_items_alloc(all->count + 1ull, sizeof(*plan->units)),
	};
	return plan->unit_of && plan->wanted && plan->addrs && plan->units;
}

// Groups the addresses by unit; within a unit they stay sorted.
static void group(struct plan *plan, const struct ic_unit_table *all, const uint64_t *addrs,
		  uint32_t count)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t claim = ic_unit_map_find(&all->map, addrs[i], IC_NONE);
		plan->unit_of[i] = claim == IC_NONE ? IC_NONE : all->map.claims[claim].owner;
		if (plan->unit_of[i] != IC_NONE && plan->wanted[plan->unit_of[i]].count++ == 0)
			plan->units[plan->unit_count++] = plan->unit_of[i];
	}
	for (uint32_t i = 0; i < plan->unit_count; i++) {
		struct ic_requested_addrs *wanted = &plan->wanted[plan->units[i]];
		wanted->addrs = plan->addrs + next;
		next += wanted->count;
		wanted->count = 0;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (plan->unit_of[i] == IC_NONE)
			continue;
		struct ic_requested_addrs *wanted = &plan->wanted[plan->unit_of[i]];
		plan->addrs[(wanted->addrs - plan->addrs) + wanted->count++] = addrs[i];
	}
}

// Skips units that are decoded, and decides which of the others are read whole.
static void choose(struct plan *plan, struct ic_symbolizer *symbolizer, bool wants_whole)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < plan->unit_count; i++) {
		uint32_t unit = plan->units[i];
		if (atomic_load_explicit(&symbolizer->units.own_all.models[unit],
					 memory_order_relaxed))
			continue;
		plan->units[kept++] = unit;
		if (wants_whole || plan->wanted[unit].count > MOST_PARTIAL ||
		    symbolizer->units.was_read[unit])
			plan->wanted[unit].count = 0;
		symbolizer->units.was_read[unit] = true;
	}
	plan->unit_count = kept;
}

// Reads the units. Those with problems are read again as a whole: problems are reported only for
// full reads, so each is reported once.
static bool read_units(struct plan *plan, struct ic_symbolizer *symbolizer, struct ic_error *err)
{
	struct ic_scan *scan = &symbolizer->units.scan;
	struct ic_scan_request request = symbolizer->many;
	uint32_t faulty = 0;

	request.wanted = plan->wanted;
	bool ok = ic_scan_read(scan, plan->units, plan->unit_count, &request, &symbolizer->problems,
			       err);
	for (uint32_t i = 0; ok && i < plan->unit_count; i++) {
		uint32_t unit = plan->units[i];
		if (plan->wanted[unit].count == 0 ||
		    symbolizer->index.units[unit].problem_count == 0)
			continue;
		plan->wanted[unit].count = 0;
		plan->units[i] = plan->units[faulty];
		plan->units[faulty++] = unit;
	}
	if (ok && faulty > 0)
		ok = ic_scan_read(scan, plan->units, faulty, &request, &symbolizer->problems, err);
	return ok;
}

// Takes the models of the units that were read: whole ones for all calls, partial ones for this
// call.
static void take_models(const struct plan *plan, struct ic_symbolizer *symbolizer,
			struct ic_partial_models *partial)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < plan->unit_count; i++) {
		uint32_t unit = plan->units[i];
		const struct ic_unit_model *model = &symbolizer->index.units[unit];
		if (plan->wanted[unit].count > 0) {
			partial->models[count] = *model;
			partial->number_of[unit] = count++;
		} else {
			ic_problems_copy(&symbolizer->problems, model->problems,
					 model->problem_count);
			atomic_store_explicit(&symbolizer->units.own_all.models[unit], model,
					      memory_order_release);
		}
	}
}

static bool partial_alloc(struct ic_partial_models *partial, const struct plan *plan,
			  const struct ic_unit_table *all)
{
	partial->models = ic_items_alloc(plan->unit_count + 1ull, sizeof(*partial->models));
	partial->number_of = ic_items_alloc(all->count + 1ull, sizeof(*partial->number_of));
	for (uint32_t i = 0; partial->number_of && i < all->count; i++)
		partial->number_of[i] = IC_NONE;
	return partial->models && partial->number_of;
}

bool ic_symbolizer_decode(struct ic_symbolizer *symbolizer, const struct ic_unit_table *all,
			  const uint64_t *addrs, uint32_t count, struct ic_partial_models *partial,
			  struct ic_error *err)
{
	struct plan plan;
	bool ok = plan_alloc(&plan, all, count);

	if (ok)
		group(&plan, all, addrs, count);
	pthread_mutex_lock(&symbolizer->lock);
	if (ok)
		choose(&plan, symbolizer, !partial);
	ok = (ok && (!partial || partial_alloc(partial, &plan, all))) || ic_fail_memory(err);
	if (ok && plan.unit_count > 0) {
		bool is_read = read_units(&plan, symbolizer, err);
		ok = is_read || err->code == IC_ERROR_MEMORY;
		// If memory is out the models are empty, and stay so.
		symbolizer->problems.out_of_memory |= !is_read && ok;
		if (ok)
			take_models(&plan, symbolizer, partial);
	}
	pthread_mutex_unlock(&symbolizer->lock);
	plan_free(&plan);
	return ok;
}

void ic_partial_models_free(struct ic_partial_models *partial)
{
	free(partial->models);
	free(partial->number_of);
}

static IC_COLD const struct ic_unit_model *read_once(struct ic_symbolizer *symbolizer,
						     ic_model_slot *slot, uint32_t unit)
{
	struct ic_error err;

	pthread_mutex_lock(&symbolizer->lock);
	const struct ic_unit_model *model = atomic_load_explicit(slot, memory_order_relaxed);
	if (!model) {
		if (!ic_scan_read(&symbolizer->units.scan, &unit, 1, NULL, &symbolizer->problems,
				  &err))
			symbolizer->problems.out_of_memory = true;
		model = &symbolizer->index.units[unit];
		ic_problems_copy(&symbolizer->problems, model->problems, model->problem_count);
		atomic_store_explicit(slot, model, memory_order_release);
	}
	pthread_mutex_unlock(&symbolizer->lock);
	return model;
}

const struct ic_unit_model *ic_symbolizer_model(struct ic_symbolizer *symbolizer,
						const struct ic_unit_table *all, uint32_t unit)
{
	ic_model_slot *slot = &all->models[unit];
	const struct ic_unit_model *model = atomic_load_explicit(slot, memory_order_acquire);

	return model ? model : read_once(symbolizer, slot, unit);
}

// For a single-unit look-up a package lists its units each time. If there are more than these, only
// one such look-up is made.
enum { MOST_LISTED_ALONE = 1024 };

// Relocates only the bytes of the unit at an offset. False for a draft of DWARF too: that it is one
// is said where all units are listed.
static bool need_unit(const struct ic_symbolizer *symbolizer, uint64_t off, struct ic_error *err)
{
	const struct ic_dwarf_file *file = &symbolizer->debug->main;
	struct ic_unit_list list = { .cut_count = 0 };

	bool ok = ic_dwarf_file_need(file, off, off + IC_UNIT_MOST_HEADER, err) &&
		  ic_unit_list_parse_one(&list, symbolizer->debug->main_dwarf, off, err) &&
		  !list.units.items[0].is_draft &&
		  ic_dwarf_file_need(file, off, list.units.items[0].end_off, err);
	IC_ARRAY_FREE(&list.units);
	return ok;
}

// Reads the unit of a scan of one unit, as far as an address needs it.
static bool read_single(struct ic_scan *scan, uint64_t addr, struct ic_error *err)
{
	uint32_t count = scan->context.units.units.count, number = ic_scan_single(scan);
	struct ic_requested_addrs *wanted = calloc(count, sizeof(*wanted));
	const struct ic_scan_request request = { .wanted = wanted };
	struct ic_problems none = { .arena = NULL }; // between units

	if (!wanted)
		return ic_fail_memory(err);
	wanted[number] = (struct ic_requested_addrs){ &addr, 1 };
	bool ok = ic_scan_read(scan, &number, 1, &request, &none, err) &&
		  !ic_scan_needs_others(scan) &&
		  !ic_units_lack_sections(
			  scan->context.listed); // otherwise read again, to be reported
	free(wanted);
	return ok;
}

bool ic_symbolizer_read_alone(struct ic_symbolizer *symbolizer, uint64_t off, uint64_t addr,
			      struct ic_unit_model *model)
{
	// A separate table of units, which shares the file's part of the index.
	struct ic_index index = { .code = symbolizer->index.code,
				  .arena = symbolizer->index.arena };
	struct ic_problems problems = { .arena = &index.arena };
	struct ic_read_options single = symbolizer->want;
	struct ic_scan scan = { .worker_count = 0 };
	struct ic_error err;

	const struct ic_scanned_unit unit = { symbolizer->debug, off };

	single.jobs = 1;
	bool ok = need_unit(symbolizer, off, &err) &&
		  ic_scan_open_unit(&scan, &index, &unit, &single, &problems, &err) &&
		  problems.list.count == 0 && !problems.out_of_memory &&
		  read_single(&scan, addr, &err);
	if (ok)
		*model = index.units[ic_scan_single(&scan)];
	if (scan.context.units.units.count > MOST_LISTED_ALONE)
		symbolizer->units.alone = IC_MOST_ALONE;
	if (scan.context.index)
		ic_scan_close(&scan);
	IC_ARRAY_FREE(&problems.list);
	symbolizer->index.arena = index.arena;
	return ok && model->problem_count == 0; // otherwise read whole, which reports the problem
}
