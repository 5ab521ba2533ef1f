#include "query/find/sites.h"

#include <stdlib.h>
#include <string.h>

#include "query/find/matcher.h"
#include "query/find/names.h"
#include "query/find/parts.h"
#include "text/text.h"

#include <inlinecall/extra/sites.h>

struct selection { // what a query selects in one unit
	const struct ic_sites_query *query;
	struct ic_matchers functions_wanted, hosts_wanted;
	struct ic_parts parts;
	IC_ARRAY(bool) functions; // by number: whether it matches
	IC_ARRAY(bool) hosts;     // likewise, if hosts are restricted
	IC_ARRAY(bool) files;     // likewise
};

static bool match_functions(bool *flags, struct ic_matchers *matchers,
			    const struct ic_unit_model *unit)
{
	bool any = matchers->count == 0;

	for (uint32_t i = 0; i < unit->function_count; i++)
		any |= flags[i] = ic_matchers_match(matchers, &unit->functions[i]);
	return any;
}

// Sets *any to whether the unit can have selected sites. False if memory runs out.
static bool select_unit(struct selection *selection, const struct ic_unit_model *unit, bool *any)
{
	if (!IC_ARRAY_RESERVE(&selection->functions, unit->function_count) ||
	    !IC_ARRAY_RESERVE(&selection->hosts, unit->function_count) ||
	    !IC_ARRAY_RESERVE(&selection->files, unit->file_count))
		return false;
	*any = match_functions(selection->functions.items, &selection->functions_wanted, unit);
	if (*any && selection->hosts_wanted.count > 0)
		*any = match_functions(selection->hosts.items, &selection->hosts_wanted, unit);
	const char *glob = selection->query->call_file_glob;
	for (uint32_t i = 0; glob && i < unit->file_count; i++)
		selection->files.items[i] = ic_text_path_matches(unit->files[i], glob);
	return true;
}

static bool wants_file(const struct selection *selection, uint32_t file)
{
	return !selection->query->call_file_glob ||
	       (file != IC_NONE && selection->files.items[file]);
}

// The host around an instance, or the instance itself if it is one; IC_NONE if there is none.
static uint32_t find_host(const struct ic_unit_model *unit, uint32_t instance)
{
	while (instance != IC_NONE && unit->instances[instance].kind != IC_INSTANCE_HOST)
		instance = unit->instances[instance].parent;
	return instance;
}

static bool wants_host(const struct selection *selection, const struct ic_unit_model *unit,
		       uint32_t instance)
{
	if (selection->hosts_wanted.count == 0)
		return true;
	uint32_t host = find_host(unit, instance);
	uint32_t function = host == IC_NONE ? IC_NONE : unit->instances[host].function;
	return function != IC_NONE && selection->hosts.items[function];
}

static bool wants_instance(const struct selection *selection, const struct ic_unit_model *unit,
			   uint32_t number)
{
	const struct ic_instance *instance = &unit->instances[number];

	if (instance->function == IC_NONE ? selection->functions_wanted.count > 0
					  : !selection->functions.items[instance->function])
		return false;
	if (instance->kind == IC_INSTANCE_HOST) {
		if (!selection->query->out_of_line || instance->range_count == 0)
			return false;
	} else if (!wants_file(selection, instance->call_file)) {
		return false;
	}
	return wants_host(selection, unit, number);
}

static bool add_place(struct ic_sites *sites, const struct ic_unit_model *unit, uint32_t function,
		      uint32_t number, enum ic_site_kind kind, bool is_part)
{
	struct ic_site_place *place = IC_ARRAY_PUSH(&sites->places);

	if (!place)
		return false;
	*place = (struct ic_site_place){
		.function_off = function == IC_NONE ? UINT64_MAX
						    : unit->functions[function].die_off,
		.unit = (uint32_t)(unit - sites->index->units),
		.number = number,
		.kind = (uint8_t)kind,
		.is_part = is_part,
	};
	return true;
}

static bool add_instances(struct ic_sites *sites, struct selection *selection,
			  const struct ic_unit_model *unit)
{
	for (uint32_t i = 0; i < unit->instance_count; i++) {
		const struct ic_instance *instance = &unit->instances[i];
		if (!wants_instance(selection, unit, i))
			continue;
		bool is_part = ic_parts_has(&selection->parts, unit, instance);
		if ((!is_part || selection->query->parts) &&
		    !add_place(sites, unit, instance->function, i,
			       instance->kind == IC_INSTANCE_HOST ? IC_SITE_OUT_OF_LINE
								  : IC_SITE_INLINED,
			       is_part))
			return false;
	}
	return true;
}

static bool add_calls(struct ic_sites *sites, struct selection *selection,
		      const struct ic_unit_model *unit)
{
	for (uint32_t i = 0; selection->query->calls && i < unit->call_count; i++) {
		const struct ic_call *call = &unit->calls[i];
		if (call->function == IC_NONE || !selection->functions.items[call->function] ||
		    !wants_file(selection, call->call_file) ||
		    !wants_host(selection, unit, call->parent))
			continue;
		bool is_part = ic_parts_has_call(&selection->parts, unit, call);
		if ((!is_part || selection->query->parts) &&
		    !add_place(sites, unit, call->function, i, IC_SITE_CALL, is_part))
			return false;
	}
	return true;
}

static bool add_unit(struct ic_sites *sites, struct selection *selection,
		     const struct ic_unit_model *unit)
{
	return add_instances(sites, selection, unit) && add_calls(sites, selection, unit) &&
	       !selection->parts.out_of_memory;
}

static int compare_places(const void *left, const void *right)
{
	const struct ic_site_place *a = left, *b = right;

	if (a->function_off != b->function_off)
		return a->function_off < b->function_off ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

// Without names, the query means every function that was inlined: drops copies and calls of others.
// In each group the inlined instances come first.
static void keep_inlined(struct ic_sites *sites)
{
	struct ic_site_place *places = sites->places.items;
	uint32_t kept = 0;

	for (uint32_t i = 0, end; i < sites->places.count; i = end) {
		for (end = i + 1; end < sites->places.count &&
				  places[end].function_off == places[i].function_off;)
			end++;
		if (places[i].kind != IC_SITE_INLINED)
			continue;
		memmove(places + kept, places + i, (end - i) * sizeof(*places));
		kept += end - i;
	}
	sites->places.count = kept;
}

static bool find_sites(struct ic_sites *sites, struct selection *selection)
{
	const struct ic_index *index = sites->index;
	bool sorted = true;

	for (uint32_t i = 0; i < index->unit_count; i++) {
		const struct ic_unit_model *unit = &index->units[i];
		uint32_t first = sites->places.count;
		bool any;

		if (!select_unit(selection, unit, &any))
			return false;
		if (!any)
			continue;
		if (!add_unit(sites, selection, unit))
			return false;
		// Sorts unit by unit, since most functions are in the unit that inlined them: many
		// short sorts cost half as much as one long one.
		struct ic_site_place *places = sites->places.items;
		if (sites->places.count - first > 1)
			qsort(places + first, sites->places.count - first, sizeof(*places),
			      compare_places);
		if (first > 0 && sites->places.count > first &&
		    places[first - 1].function_off >= places[first].function_off)
			sorted = false;
	}
	if (!sorted)
		qsort(sites->places.items, sites->places.count, sizeof(*sites->places.items),
		      compare_places);
	return true;
}

static bool init_matchers(struct selection *selection, const struct ic_index *index,
			  struct ic_error *err)
{
	const struct ic_sites_query *query = selection->query;

	if (!ic_matchers_init(&selection->functions_wanted, index, query->function,
			      query->function ? query->more_functions : NULL, query->match, err))
		return false;
	if (ic_matchers_init(&selection->hosts_wanted, index, NULL, query->hosts, query->match,
			     err))
		return true;
	ic_matchers_deinit(&selection->functions_wanted);
	return false;
}

struct ic_sites *ic_sites_select(const struct ic_index *index, const struct ic_sites_query *query,
				 struct ic_error *err)
{
	struct selection selection = { .query = query };

	if (!init_matchers(&selection, index, err))
		return NULL;
	ic_parts_init(&selection.parts, index);
	struct ic_sites *sites = calloc(1, sizeof(*sites));
	if (sites)
		sites->index = index;
	if (!sites || !find_sites(sites, &selection) ||
	    !ic_matchers_are_sound(&selection.functions_wanted) ||
	    !ic_matchers_are_sound(&selection.hosts_wanted)) {
		ic_fail_memory(err);
		ic_sites_free(sites);
		sites = NULL;
	}
	ic_matchers_deinit(&selection.functions_wanted);
	ic_matchers_deinit(&selection.hosts_wanted);
	ic_parts_free(&selection.parts);
	IC_ARRAY_FREE(&selection.functions);
	IC_ARRAY_FREE(&selection.hosts);
	IC_ARRAY_FREE(&selection.files);
	return sites;
}

struct ic_sites *ic_sites_find(const struct ic_index *index, const struct ic_sites_query *query,
			       struct ic_error *err)
{
	static const struct ic_sites_query everything = { .function = NULL };
	struct ic_error unwanted;

	query = query ? query : &everything;
	struct ic_sites *sites = ic_sites_select(index, query, err ? err : &unwanted);
	if (sites && !query->function)
		keep_inlined(sites);
	return sites;
}

void ic_sites_free(struct ic_sites *sites)
{
	if (!sites)
		return;
	IC_ARRAY_FREE(&sites->places);
	free(sites);
}

size_t ic_sites_count(const struct ic_sites *sites)
{
	return sites->places.count;
}

uint32_t ic_site_parent(const struct ic_index *index, const struct ic_site_place *place)
{
	const struct ic_unit_model *unit = &index->units[place->unit];

	return place->kind == IC_SITE_CALL ? unit->calls[place->number].parent
					   : unit->instances[place->number].parent;
}

uint32_t ic_site_function_number(const struct ic_index *index, const struct ic_site_place *place)
{
	const struct ic_unit_model *unit = &index->units[place->unit];

	return place->kind == IC_SITE_CALL ? unit->calls[place->number].function
					   : unit->instances[place->number].function;
}

const struct ic_function *ic_site_function(const struct ic_index *index,
					   const struct ic_site_place *place)
{
	uint32_t function = ic_site_function_number(index, place);

	return function == IC_NONE ? NULL : &index->units[place->unit].functions[function];
}

const struct ic_function *ic_site_host(const struct ic_index *index,
				       const struct ic_site_place *place)
{
	const struct ic_unit_model *unit = &index->units[place->unit];
	uint32_t around = find_host(unit, place->kind == IC_SITE_OUT_OF_LINE
						  ? place->number
						  : ic_site_parent(index, place));

	if (around == IC_NONE || unit->instances[around].function == IC_NONE)
		return NULL;
	return &unit->functions[unit->instances[around].function];
}

static void describe_function(struct ic_site *site, const struct ic_function *function)
{
	if (!function)
		return;
	site->function = ic_function_name(function);
	site->linkage_name = function->linkage_name;
	site->decl_file = function->decl_file;
	site->decl_line = function->decl_line;
	site->inlining = (enum ic_inlining)function->inlining;
}

static void describe_call_place(struct ic_site *site, const struct ic_unit_model *unit,
				uint32_t file, uint32_t line, uint32_t column)
{
	site->call_file = file == IC_NONE ? NULL : unit->files[file];
	site->call_line = line;
	site->call_column = column;
}

static void describe_place(struct ic_site *site, const struct ic_unit_model *unit,
			   const struct ic_site_place *place)
{
	if (place->kind == IC_SITE_CALL) {
		const struct ic_call *call = &unit->calls[place->number];
		describe_call_place(site, unit, call->call_file, call->call_line,
				    call->call_column);
		site->entry = call->addr;
		site->return_addr = call->return_addr;
		site->is_tail_call = call->is_tail;
		site->die_off = unit->off + call->die_off;
		return;
	}
	const struct ic_instance *instance = &unit->instances[place->number];
	describe_call_place(site, unit, instance->call_file, instance->call_line,
			    instance->call_column);
	site->entry = instance->entry;
	site->die_off = unit->off + instance->die_off;
	site->has_only_entry = unit->has_only_entries && instance->kind == IC_INSTANCE_INLINED;
	if (site->has_only_entry)
		return;
	site->ranges = unit->ranges + instance->first_range;
	site->range_count = instance->range_count;
}

void ic_site_describe(const struct ic_index *index, const struct ic_site_place *place,
		      struct ic_site *site)
{
	const struct ic_unit_model *unit = &index->units[place->unit];
	const struct ic_function *host = ic_site_host(index, place);

	*site = (struct ic_site){ .kind = (enum ic_site_kind)place->kind,
				  .function_off = place->function_off,
				  .inlining = IC_INLINING_ABSENT,
				  .return_addr = IC_NO_ADDR,
				  .unit = unit->name,
				  .die_file = unit->file,
				  .unit_number = place->unit,
				  .instance_number = place->number,
				  .is_part = place->is_part };
	describe_function(site, ic_site_function(index, place));
	describe_place(site, unit, place);
	if (host) {
		site->host = ic_function_name(host);
		site->host_linkage_name = host->linkage_name;
	}
	for (uint32_t i = ic_site_parent(index, place);
	     !site->has_only_entry && i != IC_NONE &&
	     unit->instances[i].kind == IC_INSTANCE_INLINED;
	     i = unit->instances[i].parent)
		site->depth++;
}

bool ic_sites_get(const struct ic_sites *sites, size_t number, struct ic_site *site)
{
	if (number >= sites->places.count)
		return false;
	ic_site_describe(sites->index, &sites->places.items[number], site);
	return true;
}

size_t ic_sites_chain(const struct ic_sites *sites, const struct ic_site *site,
		      struct ic_site_caller *callers, size_t capacity)
{
	const struct ic_unit_model *unit = &sites->index->units[site->unit_number];
	const struct ic_site_place place = { .unit = site->unit_number,
					     .number = site->instance_number,
					     .kind = (uint8_t)site->kind };
	size_t count = 0;

	for (uint32_t i = ic_site_parent(sites->index, &place);
	     !site->has_only_entry && i != IC_NONE &&
	     unit->instances[i].kind == IC_INSTANCE_INLINED;
	     i = unit->instances[i].parent, count++) {
		const struct ic_instance *around = &unit->instances[i];
		struct ic_site described = { 0 };

		if (count >= capacity)
			continue;
		if (around->function != IC_NONE)
			describe_function(&described, &unit->functions[around->function]);
		describe_call_place(&described, unit, around->call_file, around->call_line,
				    around->call_column);
		callers[count] = (struct ic_site_caller){ described.function,
							  described.linkage_name,
							  described.call_file, described.call_line,
							  described.call_column };
	}
	return count;
}

const char *ic_index_symbol(const struct ic_index *index, struct ic_range range,
			    const char *function)
{
	struct ic_symbol symbol;

	return ic_index_symbol_of(index, range, function, &symbol) ? symbol.name : NULL;
}
