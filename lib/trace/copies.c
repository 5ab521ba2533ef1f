#include "trace/copies.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "query/find/sites.h"
#include "trace/bpf/result.h"
#include "values/value_text.h"

#include <inlinecall/extra/sites.h>

enum { MOST_COMPARED = 1024 }; // variables: functions with more are not written by hand

struct maker {
	struct ic_trace *trace;
	struct ic_image *image;
	struct ic_parameters *parameters;
	const struct ic_trace_options *options;
	uint64_t buffers; // a bit for each that a copy has
	struct ic_trace_ways ways;
	struct ic_trace_results results;
	struct ic_error *err;
};

// ---- Arguments

static const char *keep_text(struct maker *maker, const char *text)
{
	return text ? ic_arena_copy(&maker->trace->arena, text, strlen(text) + 1, 1) : NULL;
}

static bool may_be_string(const struct ic_parameter *parameter)
{
	return parameter->string || ic_value_is_string(parameter) || ic_value_is_text(parameter);
}

// Sets how to convert its value to text. False if memory runs out.
static bool set_type(struct maker *maker, const struct ic_parameter *parameter,
		     const struct ic_trace_fetch *fetch, const struct ic_enumeration *enumeration,
		     struct ic_trace_type *type)
{
	*type = (struct ic_trace_type){ .size = parameter->size,
					.encoding = parameter->encoding,
					.is_signed = parameter->is_signed,
					.is_string = fetch->base == IC_TRACE_NOTHING
							     ? may_be_string(parameter)
							     : fetch->is_string,
					.is_address = fetch->is_address,
					.item_size = parameter->item_size,
					.item_encoding = parameter->item_encoding,
					.item_is_signed = parameter->item_is_signed };
	if (parameter->encoding != IC_TYPE_ENUMERATION)
		return true;
	type->enumeration =
		ic_arena_copy(&maker->trace->arena, enumeration, 1, sizeof(*enumeration));
	return type->enumeration || ic_fail_memory(maker->err);
}

static bool find_type(struct maker *maker, const struct ic_parameter *parameter, size_t number,
		      const struct ic_trace_fetch *fetch, struct ic_trace_type *type)
{
	struct ic_enumeration enumeration = { .scope = "" };

	return (parameter->encoding != IC_TYPE_ENUMERATION ||
		ic_parameters_enumeration(maker->parameters, number, &enumeration, maker->err)) &&
	       set_type(maker, parameter, fetch, &enumeration, type);
}

// An argument that the program does not fetch may be computable from registers only, which it
// copies. False if memory runs out.
static bool keep_expression(struct maker *maker, const struct ic_parameter *parameter,
			    struct ic_trace_argument *argument, struct ic_trace_type *type)
{
	const struct ic_location *location = &parameter->location;
	bool is_computed = location->kind == IC_LOCATION_COMPUTED && location->expression_size > 0;

	if (!is_computed || location->is_uninitialised || parameter->size == 0 ||
	    parameter->bit_size > 0 || parameter->size > IC_TRACE_VALUE_SIZE)
		return true;
	type->expression = ic_arena_copy(&maker->trace->arena, location->expression,
					 location->expression_size, 1);
	type->expression_size = location->expression_size;
	type->is_string = false; // nobody reads what it points to
	argument->why = NULL;
	return type->expression || ic_fail_memory(maker->err);
}

// The load address of a kernel or module is known, so an address in it is a constant. Per-CPU data
// is in no part of it.
static const char *place_in_kernel(const struct ic_trace *trace, struct ic_trace_fetch *fetch)
{
	if (!trace->shape.is_kernel || fetch->base != IC_TRACE_IN_FILE)
		return NULL;
	fetch->base = IC_TRACE_NUMBER;
	if (ic_placement_loaded(trace->placement, fetch->number, &fetch->number))
		return NULL;
	memset(fetch, 0, sizeof(*fetch));
	return ic_image_is_relocatable(trace->image) ? "in a section whose address is not known"
						     : "a per-CPU variable";
}

struct record { // of a copy, while it is being prepared
	struct ic_trace_argument *arguments;
	struct ic_trace_type *types;
	struct ic_trace_fetch *fetches;
	uint32_t count; // of the arguments of the copy that are read, and then of the parts of
			// strings
};

// Fetches a string that knows its length: its parts come after all arguments. Of a structure only
// the string is shown.
static void add_string(const struct ic_trace *trace, const struct ic_trace_place *place,
		       const struct ic_parameter *parameter, uint32_t number, struct record *record)
{
	const struct ic_trace_fetch nothing = { .base = IC_TRACE_NUMBER };
	struct ic_trace_fetch *fetch = &record->fetches[number], parts[2];
	struct ic_trace_type *type = &record->types[number];
	bool is_structure = parameter->encoding == IC_TYPE_STRUCTURE;

	if (record->count + 2 > IC_TRACE_MOST_ARGUMENTS ||
	    !ic_trace_fetch_string(parameter, place, parts) || place_in_kernel(trace, &parts[0]) ||
	    place_in_kernel(trace, &parts[1]) || (!is_structure && fetch->base == IC_TRACE_NOTHING))
		return;
	if (is_structure) {
		*fetch = nothing;
		type->is_address = false;
		type->expression = NULL;
		record->arguments[number].why = NULL;
	}
	fetch->is_string = type->is_string = true;
	fetch->parts = type->parts = (uint8_t)(1 + record->count);
	memcpy(&record->fetches[record->count], parts, sizeof(parts));
	record->count += 2;
}

static bool is_pointer(const struct ic_trace_type *type)
{
	return type->encoding == IC_TYPE_POINTER || type->encoding == IC_TYPE_REFERENCE ||
	       type->encoding == IC_TYPE_ARRAY;
}

// Fetches a buffer with the length that another argument has. Returns whether the copy has them.
static bool add_buffer(const struct ic_trace_copy *copy, const char *buffer, struct record *record)
{
	const char *comma = strchr(buffer, ',');
	char name[IC_TRACE_BUFFER_NAME];

	snprintf(name, sizeof(name), "%.*s", (int)(comma - buffer), buffer);
	size_t number = ic_trace_argument_find(copy, name);
	size_t length = ic_trace_argument_find(copy, comma + 1);
	if (number == SIZE_MAX || length == SIZE_MAX || !is_pointer(&record->types[number]) ||
	    record->types[length].encoding != IC_TYPE_INTEGER)
		return false;
	if (number >= IC_TRACE_MOST_SHOWN || length >= IC_TRACE_MOST_SHOWN ||
	    record->count + 2 > IC_TRACE_MOST_ARGUMENTS ||
	    record->fetches[number].base == IC_TRACE_NOTHING)
		return true;
	struct ic_trace_fetch *fetch = &record->fetches[number];
	struct ic_trace_type *type = &record->types[number];
	struct ic_trace_fetch *parts = &record->fetches[record->count];
	parts[0] = *fetch;
	parts[0].is_string = false;
	if (type->encoding == IC_TYPE_ARRAY) // its address is meant
		parts[0].memory_size = 0;
	parts[1] = record->fetches[length];
	fetch->is_string = type->is_string = type->is_buffer = true;
	fetch->parts = type->parts = (uint8_t)(1 + record->count);
	record->count += 2;
	return true;
}

// Fetches the return address of an out-of-line copy, as argument `number` of the record.
static void add_caller(const struct ic_site *site, struct ic_trace_item *item, uint32_t number,
		       struct ic_trace_fetch *fetches)
{
	if (site->kind == IC_SITE_OUT_OF_LINE && number < IC_TRACE_MOST_ARGUMENTS &&
	    ic_trace_fetch_return(&item->place, &fetches[number]))
		item->caller = (uint8_t)(1 + number);
}

static bool add_argument(struct maker *maker, const struct ic_trace_place *place,
			 const struct ic_parameter *parameter, size_t in_list, uint32_t number,
			 struct record *record)
{
	struct ic_trace_argument *argument = &record->arguments[number];
	struct ic_trace_type *type = &record->types[number];
	bool is_shown = number < IC_TRACE_MOST_SHOWN;
	struct ic_trace_fetch none = { .base = IC_TRACE_NOTHING };
	struct ic_trace_fetch *fetch = is_shown ? &record->fetches[number] : &none;
	const char *why = is_shown ? ic_trace_fetch_make(parameter, place, fetch)
				   : "more arguments than can be traced";

	if (!why)
		why = place_in_kernel(maker->trace, fetch);
	*argument = (struct ic_trace_argument){ .name = keep_text(maker, parameter->name),
						.type = keep_text(maker, parameter->type),
						.is_variable = parameter->is_variable,
						.why = why };
	if ((parameter->name && !argument->name) || (parameter->type && !argument->type))
		return ic_fail_memory(maker->err);
	if (!find_type(maker, parameter, in_list, fetch, type) ||
	    !keep_expression(maker, parameter, argument, type))
		return false;
	if (is_shown)
		add_string(maker->trace, place, parameter, number, record);
	return true;
}

// Whether to trace it: a result is not known yet, and a variable hides those before it that have
// its name, with their members.
static bool is_traced(const struct ic_parameter *list, size_t count, size_t number)
{
	size_t of = number;

	if (list[number].is_result)
		return false;
	while (of > 0 && list[of].is_member)
		of--;
	if (count > MOST_COMPARED)
		return true;
	for (size_t i = number + 1; list[of].name && i < count; i++)
		if (list[i].is_variable && list[i].name && strcmp(list[i].name, list[of].name) == 0)
			return false;
	return true;
}

static bool add_arguments(struct maker *maker, const struct ic_parameter *list, size_t count,
			  struct ic_trace_item *item, struct record *record)
{
	struct ic_arena *arena = &maker->trace->arena;
	uint32_t number = 0, total = 0;

	for (size_t i = 0; i < count; i++)
		total += is_traced(list, count, i);
	item->copy.argument_count = total;
	record->count = total < IC_TRACE_MOST_SHOWN ? total : IC_TRACE_MOST_SHOWN;
	record->arguments = ic_arena_items(arena, count, sizeof(*record->arguments));
	record->types = ic_arena_items(arena, count, sizeof(*record->types));
	if (!record->arguments || !record->types ||
	    !IC_ARRAY_RESERVE(&maker->trace->last.values, total + 1ull) ||
	    !IC_ARRAY_RESERVE(&maker->trace->last.spelled, total + 1ull))
		return ic_fail_memory(maker->err);
	item->copy.arguments = record->arguments;
	item->types = record->types;
	// If there are too many, members are those that are not read.
	bool are_last = total > IC_TRACE_MOST_SHOWN;
	for (int turn = 0; turn <= are_last; turn++)
		for (size_t i = 0; i < count; i++)
			if (is_traced(list, count, i) && (!are_last || list[i].is_member == turn) &&
			    !add_argument(maker, &item->place, &list[i], i, number++, record))
				return false;
	return true;
}

// Adds the result of a copy's function, if the kernel observes its return. False if memory runs
// out.
static bool add_result(struct maker *maker, struct ic_trace_item *item, const struct ic_site *site)
{
	struct ic_trace *trace = maker->trace;
	const struct ic_index *index = trace->sites->index;
	const struct ic_range start = { item->copy.addr, item->copy.addr + 1 };
	struct ic_trace_argument argument = { .name = NULL };
	struct ic_trace_item made = { .copy.argument_count = 1 };
	struct ic_result result;
	struct ic_trace_type type;

	if (item->exit_count != 1 || !trace->exits.items[item->first_exit].is_return)
		return true;
	struct ic_trace_exit *leave = &trace->exits.items[item->first_exit];
	if (!ic_parameters_result(maker->parameters, site, &result, maker->err))
		return false;
	if (result.type.encoding == IC_TYPE_VOID || result.type.encoding == IC_TYPE_UNKNOWN)
		return true;
	const struct ic_trace_returning returning = { &result, item->copy.addr,
						      ic_index_symbol(index, start, NULL),
						      &leave->place };
	if (!ic_trace_result_make(&maker->results, &returning, &leave->result, &argument.why,
				  maker->err) ||
	    !set_type(maker, &result.type, &leave->result, &result.enumeration, &type))
		return false;
	argument.type = keep_text(maker, result.type.type);
	made.copy.arguments = ic_arena_copy(&trace->arena, &argument, 1, sizeof(argument));
	made.types = ic_arena_copy(&trace->arena, &type, 1, sizeof(type));
	item->result = ic_arena_copy(&trace->arena, &made, 1, sizeof(made));
	item->copy.result = made.copy.arguments;
	return (item->result && made.types && made.copy.arguments &&
		(argument.type || !result.type.type)) ||
	       ic_fail_memory(maker->err);
}

// ---- Copies

// Adds a copy for one of a site's entries; `first` is the index of the first of these.
static bool add_entry(struct maker *maker, size_t number, uint32_t first, uint64_t addr)
{
	struct ic_trace *trace = maker->trace;
	struct ic_trace_item *item = IC_ARRAY_PUSH(&trace->items);

	if (!item)
		return ic_fail_memory(maker->err);
	*item = (struct ic_trace_item){
		.copy = { .site = number, .first = first, .addr = addr, .file_off = IC_NO_ADDR }
	};
	item->copy.why_not = ic_probe_place_fault(maker->ways.places, addr);
	if (ic_image_is_relocatable(maker->image) ||
	    !ic_image_offset_of_addr(maker->image, addr, &item->copy.file_off))
		item->copy.file_off = IC_NO_ADDR;
	if (!trace->placement && item->copy.file_off == IC_NO_ADDR)
		item->copy.why_not = "its code is not in the file";
	uint64_t loaded;
	if (trace->placement && !item->copy.why_not &&
	    !ic_placement_loaded(trace->placement, addr, &loaded))
		item->copy.why_not = "the address of its section is not known";
	return true;
}

// Fetches the arguments of the copy added last.
static bool find_arguments(struct maker *maker, const struct ic_site *site,
			   struct ic_trace_item *item, ic_trace_fetch_list *fetches)
{
	uint64_t first = fetches->count, last = first + IC_TRACE_MOST_ARGUMENTS;
	uint64_t addr = item->copy.addr;
	const struct ic_parameter *list;

	if (!IC_ARRAY_RESERVE(fetches, last))
		return ic_fail_memory(maker->err);
	memset(fetches->items + first, 0, IC_TRACE_MOST_ARGUMENTS * sizeof(*fetches->items));
	fetches->count = (uint32_t)last;
	if (!maker->parameters)
		return true;
	if (!IC_ARRAY_RESERVE(&maker->trace->last.values, 1) ||
	    !IC_ARRAY_RESERVE(&maker->trace->last.spelled, 1))
		return ic_fail_memory(maker->err);
	if (!ic_parameters_find(maker->parameters, site, addr == site->entry ? IC_NO_ADDR : addr,
				maker->err))
		return false;
	size_t count = ic_parameters_list(maker->parameters, &list);
	struct record record = { .fetches = fetches->items + first };
	ic_trace_place_find(&maker->ways, addr, &item->place);
	if (ic_parameters_is_known(maker->parameters) &&
	    !add_arguments(maker, list, count, item, &record))
		return false;
	const char *const *buffers = maker->options->buffers;
	for (uint32_t i = 0; buffers && buffers[i]; i++)
		if (add_buffer(&item->copy, buffers[i], &record))
			maker->buffers |= 1ull << i;
	add_caller(site, item, record.count, record.fetches);
	return true;
}

// Adds a copy that is not traced because its calls are counted with another one's.
static bool add_elsewhere(struct maker *maker, size_t number, uint32_t first,
			  const struct ic_site *site, ic_trace_fetch_list *fetches)
{
	if (!add_entry(maker, number, first, site->entry) ||
	    !IC_ARRAY_RESERVE(fetches, fetches->count + (uint64_t)IC_TRACE_MOST_ARGUMENTS))
		return ic_fail_memory(maker->err);
	memset(fetches->items + fetches->count, 0,
	       IC_TRACE_MOST_ARGUMENTS * sizeof(*fetches->items));
	fetches->count += IC_TRACE_MOST_ARGUMENTS;
	maker->trace->items.items[first].copy.is_counted_elsewhere = true;
	maker->trace->items.items[first].copy.why_not = NULL;
	return true;
}

static bool add_copy(struct maker *maker, size_t number, const struct ic_site *site,
		     ic_trace_fetch_list *fetches)
{
	struct ic_trace *trace = maker->trace;
	struct ic_exits *exits = maker->ways.exits;
	uint32_t first = trace->items.count;
	struct ic_site_entries entries =
		maker->options->entries
			? ic_entries_of(maker->options->entries, number)
			: (struct ic_site_entries){ .addrs = &site->entry, .count = 1 };

	for (size_t i = 0; i < entries.count; i++)
		if (!add_entry(maker, number, first, entries.addrs[i]))
			return false;
	if (entries.count == 0)
		return add_elsewhere(maker, number, first, site, fetches);
	if (exits && (!ic_exits_find(exits, site, &entries, maker->err) ||
		      !ic_trace_ways_out_find(&maker->ways, first, site)))
		return false;
	if (exits && maker->parameters && !add_result(maker, &trace->items.items[first], site))
		return false;
	for (uint32_t i = first; i < trace->items.count; i++)
		if (!find_arguments(maker, site, &trace->items.items[i], fetches))
			return false;
	return true;
}

static bool add_point(struct maker *maker, const struct ic_trace_point *point,
		      ic_trace_fetch_list *fetches)
{
	struct ic_trace *trace = maker->trace;
	uint32_t number = trace->items.count;
	struct ic_site site;

	if (!ic_sites_get(trace->sites, point->site, &site))
		return true;
	if (!add_entry(maker, point->site, number, point->addr))
		return false;
	struct ic_trace_copy *copy = &trace->items.items[number].copy;
	copy->file = point->file;
	copy->line = point->line;
	copy->column = point->column;
	return find_arguments(maker, &site, &trace->items.items[number], fetches);
}

static bool add_points(struct maker *maker, const struct ic_trace_options *options,
		       ic_trace_fetch_list *fetches)
{
	for (size_t i = 0; i < options->point_count; i++)
		if (!add_point(maker, &options->points[i], fetches))
			return false;
	return true;
}

static bool add_all(struct maker *maker, ic_trace_fetch_list *fetches)
{
	struct ic_site site;

	for (size_t i = 0; ic_sites_get(maker->trace->sites, i, &site); i++)
		if (site.kind != IC_SITE_CALL && site.entry != IC_NO_ADDR &&
		    (site.range_count > 0 || site.has_only_entry) &&
		    !add_copy(maker, i, &site, fetches))
			return false;
	return true;
}

bool ic_trace_copies_find(const struct ic_trace_ways *ways, struct ic_parameters *parameters,
			  const struct ic_trace_options *options, ic_trace_fetch_list *fetches)
{
	struct maker maker = { .trace = ways->trace,
			       .image = ways->image,
			       .parameters = parameters,
			       .options = options,
			       .ways = *ways,
			       .results = { .image = ways->image },
			       .err = ways->err };
	bool ok = options->points ? add_points(&maker, options, fetches) : add_all(&maker, fetches);

	for (uint32_t i = 0; ok && options->buffers && options->buffers[i]; i++)
		if (!(maker.buffers >> i & 1) && maker.trace->items.count > 0)
			ok = ic_fail(ways->err, IC_ERROR_ARGUMENT,
				     "'%s' are not a pointer and an integer among the arguments",
				     options->buffers[i]);
	ic_trace_results_free(&maker.results);
	return ok;
}
