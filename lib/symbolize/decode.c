// Decides which units to read for which addresses, and how much of each.
#include <stdlib.h>

#include "base/array.h"
#include "symbolize/symbolizer.h"
#include "units/units.h"

// A unit needed for at most this many addresses at once is first read only for those, which costs
// less than half. The second time it is read completely, since there may be a third.
enum { MOST_PARTIAL = 8 };

// ---- All units

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
	symbolizer->units.cells =
		ic_items_zeroed(table->count + 1ull, sizeof(*symbolizer->units.cells));
	return symbolizer->units.cells || ic_fail_memory(err);
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

static void fail_memory(struct ic_symbolizer *symbolizer)
{
	pthread_mutex_lock(&symbolizer->lock);
	symbolizer->problems.out_of_memory = true;
	pthread_mutex_unlock(&symbolizer->lock);
}

// Reports what is wrong between the units that were read, and with their sections.
static void report_problems(struct ic_symbolizer *symbolizer, struct ic_decoder *decoder)
{
	struct ic_scan *scan = &symbolizer->units.scan;
	struct ic_problems *problems = &decoder->problems;

	if (problems->list.count == 0 && !problems->out_of_memory &&
	    !ic_units_lack_sections(scan->context.listed))
		return;
	pthread_mutex_lock(&symbolizer->lock);
	ic_problems_append(&symbolizer->problems, problems);
	ic_scan_report(scan, &symbolizer->problems);
	pthread_mutex_unlock(&symbolizer->lock);
	*problems = (struct ic_problems){ .arena = problems->arena };
}

// ---- Cells

// Makes the model of a unit that was read whole that of all calls; without a decoder, one without
// anything. Its problems come first, which the index keeps as those that were reported.
static void publish_unit(struct ic_symbolizer *symbolizer, const struct ic_decoder *decoder,
			 uint32_t unit)
{
	struct ic_unit_model *own = &symbolizer->index.units[unit];
	const struct ic_unit_model *model = decoder ? &decoder->index.units[unit] : own;

	if (model->problem_count > 0) {
		pthread_mutex_lock(&symbolizer->lock);
		ic_problems_copy(&symbolizer->problems, model->problems, model->problem_count);
		own->problems = model->problems;
		own->problem_count = model->problem_count;
		pthread_mutex_unlock(&symbolizer->lock);
	}
	atomic_store_explicit(&symbolizer->units.own_all.models[unit], model, memory_order_release);
}

static void release_cells(struct ic_symbolizer *symbolizer, const uint32_t *units, uint32_t count)
{
	pthread_mutex_lock(&symbolizer->units.cell_lock);
	for (uint32_t i = 0; i < count; i++)
		symbolizer->units.cells[units[i]].is_taken = false;
	pthread_cond_broadcast(&symbolizer->units.cell_released);
	pthread_mutex_unlock(&symbolizer->units.cell_lock);
}

// ---- Many units

struct plan {                              // what a call reads
	uint32_t *unit_of;                 // by address: the unit to look in, IC_NONE if none
	struct ic_requested_addrs *wanted; // by unit
	uint64_t *addrs;                   // grouped by unit
	uint32_t *units;                   // units to read
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

// Groups the addresses by unit, keeping them sorted within each.
static void group_addrs(struct plan *plan, const struct ic_unit_table *all, const uint64_t *addrs,
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

// Skips units that are decoded or being decoded, takes the cells of the others, and decides which
// of them are read whole.
static void choose_units(struct plan *plan, struct ic_symbolizer *symbolizer, bool wants_whole)
{
	struct ic_symbolizer_units *units = &symbolizer->units;
	uint32_t kept = 0;

	pthread_mutex_lock(&units->cell_lock);
	for (uint32_t i = 0; i < plan->unit_count; i++) {
		uint32_t unit = plan->units[i];
		struct ic_unit_cell *cell = &units->cells[unit];
		if (cell->is_taken ||
		    atomic_load_explicit(&units->own_all.models[unit], memory_order_relaxed))
			continue;
		plan->units[kept++] = unit;
		if (wants_whole || plan->wanted[unit].count > MOST_PARTIAL || cell->was_read)
			plan->wanted[unit].count = 0;
		cell->is_taken = cell->was_read = true;
	}
	pthread_mutex_unlock(&units->cell_lock);
	plan->unit_count = kept;
}

// Reads the units. Those with problems are read again completely: problems are reported only for
// full reads, so each is reported once.
static bool read_units(struct plan *plan, struct ic_symbolizer *symbolizer,
		       struct ic_decoder *decoder, struct ic_error *err)
{
	struct ic_scan_request request = symbolizer->many;
	uint32_t faulty = 0;

	request.wanted = plan->wanted;
	bool ok = ic_scan_read(&decoder->scan, plan->units, plan->unit_count, &request,
			       &decoder->problems, err);
	for (uint32_t i = 0; ok && i < plan->unit_count; i++) {
		uint32_t unit = plan->units[i];
		if (plan->wanted[unit].count == 0 || decoder->index.units[unit].problem_count == 0)
			continue;
		plan->wanted[unit].count = 0;
		plan->units[i] = plan->units[faulty];
		plan->units[faulty++] = unit;
	}
	if (ok && faulty > 0)
		ok = ic_scan_read(&decoder->scan, plan->units, faulty, &request, &decoder->problems,
				  err);
	return ok;
}

// Stores the models of the units read: complete ones for all calls, partial ones for this call.
static void take_models(const struct plan *plan, struct ic_symbolizer *symbolizer,
			struct ic_decoder *decoder, struct ic_partial_models *partial)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < plan->unit_count; i++) {
		uint32_t unit = plan->units[i];
		if (plan->wanted[unit].count == 0) {
			publish_unit(symbolizer, decoder, unit);
		} else {
			partial->models[count] = decoder->index.units[unit];
			partial->number_of[unit] = count++;
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

// Decodes the units of the plan, whose cells are taken, and releases them.
static bool decode_plan(struct plan *plan, struct ic_symbolizer *symbolizer,
			struct ic_decoder *decoder, struct ic_partial_models *partial,
			struct ic_error *err)
{
	bool is_read = read_units(plan, symbolizer, decoder, err);
	bool ok = is_read || err->code == IC_ERROR_MEMORY;

	report_problems(symbolizer, decoder);
	if (!is_read && ok) // the models are empty, and stay so
		fail_memory(symbolizer);
	if (ok)
		take_models(plan, symbolizer, decoder, partial);
	release_cells(symbolizer, plan->units, plan->unit_count);
	return ok;
}

bool ic_symbolizer_decode(struct ic_symbolizer *symbolizer, const struct ic_unit_table *all,
			  const uint64_t *addrs, uint32_t count, struct ic_partial_models *partial,
			  struct ic_error *err)
{
	struct ic_decoder *decoder = ic_decoder_borrow(symbolizer);
	struct plan plan;
	bool ok = plan_alloc(&plan, all, count) && decoder;

	if (ok)
		group_addrs(&plan, all, addrs, count);
	ok = (ok && (!partial || partial_alloc(partial, &plan, all))) || ic_fail_memory(err);
	if (ok)
		choose_units(&plan, symbolizer, !partial);
	if (ok && plan.unit_count > 0)
		ok = decode_plan(&plan, symbolizer, decoder, partial, err);
	if (decoder)
		ic_decoder_return(symbolizer, decoder);
	plan_free(&plan);
	return ok;
}

void ic_partial_models_free(struct ic_partial_models *partial)
{
	free(partial->models);
	free(partial->number_of);
}

// Waits until a unit has a model, or takes its cell. Returns the model.
static const struct ic_unit_model *wait_or_take(struct ic_symbolizer *symbolizer,
						ic_model_slot *slot, uint32_t unit)
{
	struct ic_symbolizer_units *units = &symbolizer->units;
	const struct ic_unit_model *model;

	pthread_mutex_lock(&units->cell_lock);
	while (!(model = atomic_load_explicit(slot, memory_order_acquire)) &&
	       units->cells[unit].is_taken)
		pthread_cond_wait(&units->cell_released, &units->cell_lock);
	if (!model)
		units->cells[unit].is_taken = true;
	pthread_mutex_unlock(&units->cell_lock);
	return model;
}

static IC_COLD const struct ic_unit_model *read_once(struct ic_symbolizer *symbolizer,
						     ic_model_slot *slot, uint32_t unit)
{
	const struct ic_unit_model *model = wait_or_take(symbolizer, slot, unit);
	struct ic_error err;

	if (model)
		return model;
	struct ic_decoder *decoder = ic_decoder_borrow(symbolizer);
	if (!decoder || !ic_scan_read(&decoder->scan, &unit, 1, NULL, &decoder->problems, &err))
		fail_memory(symbolizer);
	if (decoder)
		report_problems(symbolizer, decoder);
	publish_unit(symbolizer, decoder, unit);
	if (decoder)
		ic_decoder_return(symbolizer, decoder);
	release_cells(symbolizer, &unit, 1);
	return atomic_load_explicit(slot, memory_order_relaxed);
}

const struct ic_unit_model *ic_symbolizer_model(struct ic_symbolizer *symbolizer,
						const struct ic_unit_table *all, uint32_t unit)
{
	ic_model_slot *slot = &all->models[unit];
	const struct ic_unit_model *model = atomic_load_explicit(slot, memory_order_acquire);

	return model ? model : read_once(symbolizer, slot, unit);
}

// ---- Units that do not say where their code is

// Decodes units whole, those that other threads are decoding too.
static bool decode_whole(struct ic_symbolizer *symbolizer, struct ic_decoder *decoder,
			 const uint32_t *numbers, uint32_t count, struct ic_error *err)
{
	const struct ic_unit_table *all = &symbolizer->units.own_all;
	struct plan plan;
	bool ok = plan_alloc(&plan, all, 0) || ic_fail_memory(err);

	for (; ok && plan.unit_count < count; plan.unit_count++)
		plan.units[plan.unit_count] = numbers[plan.unit_count];
	if (ok)
		choose_units(&plan, symbolizer, true);
	if (ok && plan.unit_count > 0)
		ok = decode_plan(&plan, symbolizer, decoder, NULL, err);
	for (uint32_t i = 0; ok && i < count; i++)
		ic_symbolizer_model(symbolizer, all, numbers[i]);
	plan_free(&plan);
	return ok;
}

static bool list_rest(struct ic_symbolizer *symbolizer)
{
	struct ic_decoder *decoder = ic_decoder_borrow(symbolizer);
	struct ic_claims claims = { .outside_addr = 0 };
	struct ic_error err;
	bool ok =
		decoder && ic_unit_claims_read(&claims, &decoder->scan, &err) &&
		decode_whole(symbolizer, decoder, claims.unsure.items, claims.unsure.count, &err) &&
		ic_unit_table_build_rest(&symbolizer->units.own_rest, &symbolizer->units.own_all,
					 &claims, &decoder->index.arena, &err);

	if (decoder)
		ic_decoder_return(symbolizer, decoder);
	ic_claims_free(&claims);
	return ok;
}

static IC_COLD const struct ic_unit_table *list_rest_once(struct ic_symbolizer *symbolizer)
{
	struct ic_symbolizer_units *units = &symbolizer->units;

	pthread_mutex_lock(&units->rest_lock);
	const struct ic_unit_table *rest = atomic_load_explicit(&units->rest, memory_order_relaxed);
	if (!rest && !units->rest_failed) {
		if (list_rest(symbolizer))
			rest = &units->own_rest;
		else
			fail_memory(symbolizer);
		units->rest_failed = !rest;
		atomic_store_explicit(&units->rest, rest, memory_order_release);
	}
	pthread_mutex_unlock(&units->rest_lock);
	return rest;
}

const struct ic_unit_table *ic_symbolizer_rest(struct ic_symbolizer *symbolizer)
{
	const struct ic_unit_table *rest =
		atomic_load_explicit(&symbolizer->units.rest, memory_order_acquire);

	return rest ? rest : list_rest_once(symbolizer);
}
