// Finds the tail calls that led from a call to the running function. Implements
// inlinecall/extra/tail_calls.h.
//
// The functions are the nodes of a graph, and their tail calls its edges. An edge is certain if all
// paths from the called function to the running one go through it; cycles on a path do not matter.
// An edge with an unknown target may lead to the running function.
#include <inlinecall/extra/tail_calls.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "symbolize/calls/callee.h"

enum {
	MOST_FUNCTIONS = 64,    // looked at per query
	MOST_TAIL_CALLS = 1024, // per function
};
static const uint64_t MOST_WORK = 1 << 23; // DIEs and tail calls per query

enum goal { // whether a tail call goes to the running function
	GOAL_NO,
	GOAL_YES,
	GOAL_UNKNOWN,
};

struct edge {
	uint64_t addr;
	bool is_after;
	uint64_t target; // IC_NO_ADDR if unknown
	struct ic_callee callee;
};

struct step {                // of a path
	uint32_t edge, from; // the function that makes the call
};

enum answer { NOT_ASKED, YES, NO };

struct function {
	uint64_t entry;
	bool is_complete;      // it makes no other tail calls than these
	uint8_t may_return;    // enum answer
	uint32_t first, count; // its edges
	uint32_t mark;         // number of the last walk that reached it
	struct step by;        // the step that reached it; edge IC_NONE at the start
};

struct ic_tail_calls {
	struct ic_symbolizer *symbolizer;
	ic_bound_call_function *find_bound; // NULL if no process is known
	void *context;                      // argument of find_bound
	IC_ARRAY(struct function) functions;
	IC_ARRAY(struct edge) edges;
	struct ic_map by_entry;
	uint64_t work;
	bool gave_up, out_of_memory;
	uint32_t walks;
	uint32_t queue[MOST_FUNCTIONS]; // of the current walk
	uint32_t queued;
	IC_ARRAY(struct step) path;
	IC_ARRAY(struct ic_tail_call) list;
};

struct ic_tail_calls *ic_tail_calls_open(struct ic_symbolizer *symbolizer, struct ic_error *err)
{
	struct ic_tail_calls *calls = calloc(1, sizeof(*calls));
	struct ic_error unwanted;

	if (!calls) {
		ic_fail_memory(err ? err : &unwanted);
		return NULL;
	}
	calls->symbolizer = symbolizer;
	calls->functions.memory = calls->edges.memory = calls->path.memory = calls->list.memory =
		&symbolizer->image->memory;
	return calls;
}

void ic_tail_calls_set_bound(struct ic_tail_calls *calls, ic_bound_call_function *find_bound,
			     void *context)
{
	calls->find_bound = find_bound;
	calls->context = context;
}

void ic_tail_calls_free(struct ic_tail_calls *calls)
{
	if (!calls)
		return;
	IC_ARRAY_FREE(&calls->functions);
	IC_ARRAY_FREE(&calls->edges);
	IC_ARRAY_FREE(&calls->path);
	IC_ARRAY_FREE(&calls->list);
	ic_map_free(&calls->by_entry);
	free(calls);
}

// ---- Functions

// If the last query reached its limit, drops the functions it read: results must not depend on
// earlier queries.
static void begin_question(struct ic_tail_calls *calls)
{
	if (calls->gave_up) {
		ic_map_clear(&calls->by_entry);
		calls->functions.count = calls->edges.count = 0;
	}
	calls->gave_up = false;
	calls->work = 0;
}

// Whether the limit still allows work. Reaching it is reported once per query.
static bool may_work(struct ic_tail_calls *calls)
{
	struct ic_error err;

	if (calls->work < MOST_WORK)
		return true;
	if (!calls->gave_up) {
		calls->gave_up = true;
		ic_fail(&err, IC_ERROR_UNSUPPORTED,
			"gave up looking for tail calls after %" PRIu64 " DIEs and calls",
			MOST_WORK);
		pthread_mutex_lock(&calls->symbolizer->lock);
		ic_problems_add(&calls->symbolizer->problems, &err, NULL, 0);
		pthread_mutex_unlock(&calls->symbolizer->lock);
	}
	return false;
}

// Reads the tail calls of the function whose entry is at an address; if there is none, none are
// known.
static bool read_tail_calls(struct ic_tail_calls *calls, uint64_t entry,
			    struct ic_tail_sites *found, struct ic_error *err)
{
	struct ic_symbolizer *symbolizer = calls->symbolizer;
	struct ic_host host;

	if (!may_work(calls) || !ic_host_at(symbolizer, entry, &host) || host.entry != entry)
		return true;
	pthread_mutex_lock(&symbolizer->lock);
	bool ok = ic_tail_sites_read(found, &symbolizer->units.scan, host.unit, host.die_off,
				     &symbolizer->problems, err);
	pthread_mutex_unlock(&symbolizer->lock);
	calls->work += found->die_count;
	found->is_complete &= found->list.count <= MOST_TAIL_CALLS;
	return ok;
}

// The entry of the function that a call goes to; IC_NO_ADDR if it is not certain. A call through a
// pointer has no name.
static uint64_t target_of(struct ic_tail_calls *calls, const struct ic_callee *callee,
			  uint64_t addr, bool is_after)
{
	uint64_t target = ic_callee_addr(calls->symbolizer, callee, addr, is_after);

	if (target == IC_NO_ADDR && calls->find_bound && addr != IC_NO_ADDR &&
	    (callee->name || callee->linkage_name) &&
	    !calls->find_bound(calls->context, addr, is_after, &target))
		target = IC_NO_ADDR;
	return target;
}

static bool add_function(struct ic_tail_calls *calls, uint64_t entry, struct ic_error *err)
{
	struct ic_tail_sites found = { .is_complete = false };
	bool ok = read_tail_calls(calls, entry, &found, err);
	struct function *function = ok ? IC_ARRAY_PUSH(&calls->functions) : NULL;

	if (function)
		*function = (struct function){ .entry = entry,
					       .is_complete = found.is_complete,
					       .first = calls->edges.count };
	for (uint32_t i = 0; function && i < found.list.count && i < MOST_TAIL_CALLS; i++) {
		const struct ic_tail_site *call = &found.list.items[i];
		struct edge *edge = IC_ARRAY_PUSH(&calls->edges);

		if (!edge) {
			function = NULL;
			break;
		}
		*edge = (struct edge){ .addr = call->addr,
				       .is_after = call->is_after,
				       .target = target_of(calls, &call->callee, call->addr,
							   call->is_after),
				       .callee = call->callee };
		function->count++;
	}
	ic_tail_sites_free(&found);
	return function;
}

// The number of the function whose entry is at an address; IC_NONE if memory runs out.
static uint32_t function_at(struct ic_tail_calls *calls, uint64_t entry, struct ic_error *err)
{
	uint32_t *slot = ic_map_at(&calls->by_entry, entry);

	if (slot && *slot != IC_NONE)
		return *slot;
	if (slot && add_function(calls, entry, err))
		return *slot = calls->functions.count - 1;
	calls->out_of_memory = true;
	return IC_NONE;
}

// ---- Walks

struct walk {
	const struct ic_tail_calls_query *query; // the purpose of the walk
	uint64_t entry;   // of the running function, if it is in this file; otherwise IC_NO_ADDR
	uint32_t without; // an edge to ignore; IC_NONE
	struct step last; // the first step found that ends there
	bool is_found, is_uncertain; // a path leads there; one may lead there
};

static enum goal goal_of(struct ic_tail_calls *calls, const struct walk *walk,
			 const struct edge *edge)
{
	const struct ic_tail_calls_query *query = walk->query;

	if (edge->target != IC_NO_ADDR)
		return edge->target == walk->entry ? GOAL_YES : GOAL_NO;
	return walk->entry == IC_NO_ADDR && ic_callee_is_in(calls->symbolizer, &edge->callee,
							    query->symbolizer, query->entry)
		       ? GOAL_YES
		       : GOAL_UNKNOWN;
}

// Adds the function that an edge leads to, unless it was reached before. Returns false if memory
// runs out.
static bool reach_function(struct ic_tail_calls *calls, struct walk *walk, uint64_t entry,
			   struct step by, struct ic_error *err)
{
	uint32_t number = function_at(calls, entry, err);

	if (number == IC_NONE)
		return false;
	struct function *function = &calls->functions.items[number];
	if (function->mark == calls->walks)
		return true;
	if (calls->queued == MOST_FUNCTIONS) {
		walk->is_uncertain = true;
		return true;
	}
	function->mark = calls->walks;
	function->by = by;
	calls->queue[calls->queued++] = number;
	return true;
}

static bool follow_step(struct ic_tail_calls *calls, struct walk *walk, struct step step,
			struct ic_error *err)
{
	const struct edge *edge = &calls->edges.items[step.edge];

	switch (goal_of(calls, walk, edge)) {
	case GOAL_UNKNOWN: walk->is_uncertain = true; return true;
	case GOAL_NO: return reach_function(calls, walk, edge->target, step, err);
	case GOAL_YES: break;
	}
	if (!walk->is_found) {
		walk->is_found = true;
		walk->last = step;
	}
	return true;
}

// Visits every function reachable from the one at `start` without passing through the running one.
// Returns false if memory runs out.
static bool walk_from(struct ic_tail_calls *calls, struct walk *walk, uint64_t start,
		      struct ic_error *err)
{
	bool ok = true;

	calls->walks++;
	calls->queued = 0;
	walk->is_found = walk->is_uncertain = false;
	ok = reach_function(calls, walk, start, (struct step){ IC_NONE, IC_NONE }, err);
	for (uint32_t i = 0; ok && i < calls->queued; i++) {
		const struct function function = calls->functions.items[calls->queue[i]];

		walk->is_uncertain |= !function.is_complete;
		calls->work += function.count;
		for (uint32_t j = 0; ok && j < function.count; j++)
			if (function.first + j != walk->without)
				ok = follow_step(
					calls, walk,
					(struct step){ function.first + j, calls->queue[i] }, err);
	}
	return ok;
}

// ---- Queries

// Records the path that the walk has found, last step first. Returns false if memory runs out.
static bool find_path(struct ic_tail_calls *calls, const struct walk *walk)
{
	struct step step = walk->last;

	calls->path.count = 0;
	while (step.edge != IC_NONE) {
		if (!IC_ARRAY_ADD(&calls->path, step))
			return false;
		step = calls->functions.items[step.from].by;
	}
	return true;
}

// The name of the function that a call goes to.
static const char *name_of(struct ic_tail_calls *calls, const struct ic_callee *callee,
			   uint64_t addr)
{
	struct ic_symbolizer_symbol symbol;
	struct ic_host host;

	if (callee->name || callee->linkage_name)
		return callee->name ? callee->name : callee->linkage_name;
	if (addr != IC_NO_ADDR && ic_host_at(calls->symbolizer, addr, &host) && host.name)
		return host.name;
	if (addr != IC_NO_ADDR && ic_symbolizer_symbol_at(calls->symbolizer, addr, &symbol))
		return symbol.name;
	return "??";
}

// Adds those edges of the path that every path to the running function contains. Returns false if
// memory runs out.
static bool add_certain(struct ic_tail_calls *calls, struct walk *walk, uint64_t start,
			struct ic_error *err)
{
	bool ok = true, is_linked = true; // to the last call of the list

	for (uint32_t i = calls->path.count; ok && i-- > 0;) {
		const struct step *step = &calls->path.items[i];
		const struct edge edge = calls->edges.items[step->edge];

		walk->without = step->edge;
		ok = walk_from(calls, walk, start, err);
		if (!ok)
			break;
		if (walk->is_found || walk->is_uncertain || edge.addr == IC_NO_ADDR) {
			is_linked = false;
			continue;
		}
		if (is_linked)
			calls->list.items[calls->list.count - 1].callee = NULL;
		struct ic_tail_call *call = IC_ARRAY_PUSH(&calls->list);
		if (!call)
			return ic_fail_memory(err);
		*call = (struct ic_tail_call){
			.addr = edge.addr,
			.is_after = edge.is_after,
			.entry = calls->functions.items[step->from].entry,
			.callee = name_of(calls, &edge.callee, edge.target),
		};
		is_linked = true;
	}
	if (is_linked && calls->list.count > 1)
		calls->list.items[calls->list.count - 1].callee = NULL;
	return ok;
}

static bool find_chain(struct ic_tail_calls *calls, const struct ic_tail_calls_query *query,
		       const struct ic_callee *callee, uint64_t start, struct ic_error *err)
{
	struct walk walk = { .query = query, .without = IC_NONE };
	struct ic_tail_call *call = IC_ARRAY_PUSH(&calls->list);

	if (!call)
		return ic_fail_memory(err);
	*call = (struct ic_tail_call){ query->return_addr, true, IC_NO_ADDR,
				       name_of(calls, callee, start) };
	walk.entry = query->symbolizer == calls->symbolizer ? query->entry : IC_NO_ADDR;
	if (!walk_from(calls, &walk, start, err))
		return false;
	if (!walk.is_found)
		return true;
	return (find_path(calls, &walk) || ic_fail_memory(err)) &&
	       add_certain(calls, &walk, start, err);
}

// Whether the running function has the names of the called one, whose DIE gives no address.
static bool is_same_name(const struct ic_tail_calls_query *query, const struct ic_callee *callee)
{
	if (callee->linkage_name && query->linkage_name)
		return strcmp(callee->linkage_name, query->linkage_name) == 0;
	return callee->name && query->function && strcmp(callee->name, query->function) == 0;
}

// Reads the call with this return address.
static bool read_callee(struct ic_tail_calls *calls, uint64_t return_addr, struct ic_callee *callee,
			struct ic_error *err)
{
	struct ic_symbolizer *symbolizer = calls->symbolizer;
	struct ic_site_values found = { .is_found = false };
	struct ic_host host;

	*callee = (struct ic_callee){ .addr = IC_NO_ADDR, .origin = IC_NO_ADDR };
	if (!may_work(calls) || !ic_host_at(symbolizer, return_addr - 1, &host))
		return true;
	pthread_mutex_lock(&symbolizer->lock);
	const struct ic_call_place place = { host.unit, host.die_off, return_addr, false };
	bool ok = ic_site_values_find(&found, &symbolizer->units.scan, place, &symbolizer->problems,
				      err);
	pthread_mutex_unlock(&symbolizer->lock);
	calls->work += found.die_count;
	*callee = found.callee;
	ic_site_values_free(&found);
	return ok;
}

size_t ic_tail_calls_find(struct ic_tail_calls *calls, const struct ic_tail_calls_query *query,
			  const struct ic_tail_call **list, struct ic_error *err)
{
	bool is_here = query->symbolizer == calls->symbolizer;
	struct ic_callee callee;
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	begin_question(calls);
	calls->list.count = 0;
	*list = NULL;
	// Symbols within one piece of assembly are not separate functions.
	if (query->entry == IC_NO_ADDR || (is_here && query->is_symbol))
		return 0;
	uint64_t start = query->is_from_outside ? query->start : IC_NO_ADDR;
	bool ok = true;
	callee = (struct ic_callee){ .addr = IC_NO_ADDR, .origin = IC_NO_ADDR };
	if (!query->is_from_outside) {
		ok = read_callee(calls, query->return_addr, &callee, err);
		if (ok && (callee.addr != IC_NO_ADDR || !is_same_name(query, &callee)))
			start = target_of(calls, &callee, query->return_addr, true);
	}
	if (ok && start != IC_NO_ADDR && (!is_here || start != query->entry))
		ok = find_chain(calls, query, &callee, start, err);
	*list = calls->list.items;
	if (ok && !calls->out_of_memory)
		return calls->list.count;
	(void)ic_image_fail_memory(calls->symbolizer->image, err);
	return SIZE_MAX;
}

bool ic_tail_calls_may_return(struct ic_tail_calls *calls, uint64_t addr, bool *may_return,
			      struct ic_error *err)
{
	const struct ic_tail_calls_query query = { .symbolizer = calls->symbolizer };
	struct walk walk = { .query = &query, .without = IC_NONE };
	struct ic_error unwanted;
	struct ic_host host;

	err = err ? err : &unwanted;
	*may_return = true;
	begin_question(calls);
	if (!ic_host_at(calls->symbolizer, addr, &host) || host.entry == IC_NO_ADDR)
		return true;
	uint32_t number = function_at(calls, host.entry, err);
	walk.entry = host.entry;
	if (number == IC_NONE || (calls->functions.items[number].may_return == NOT_ASKED &&
				  !walk_from(calls, &walk, host.entry, err)))
		return ic_image_fail_memory(calls->symbolizer->image, err);
	struct function *function = &calls->functions.items[number];
	if (function->may_return == NOT_ASKED)
		function->may_return = walk.is_found || walk.is_uncertain ? YES : NO;
	*may_return = function->may_return == YES;
	return true;
}
