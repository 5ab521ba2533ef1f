// Parameters, and where their arguments are. Implements inlinecall/parameters.h.
#include "scan/parameters.h"

#include <stdlib.h>
#include <string.h>

#include "dwarf/constants.h"
#include "dwarf/expression_text.h"
#include "dwarf/locations.h"
#include "dwarf/reduce.h"
#include "dwarf/shape.h"
#include "scan/scan.h"
#include "scan/scan_formals.h"
#include "scan/scan_inline_parameters.h"
#include "scan/scan_parameters.h"
#include "scan/unit_source.h"

enum { MOST_DIES = 1 << 20 }; // that are opened for one instance

struct frame_base {        // of the last host
	uint64_t host_off; // among the DIEs of all files
	bool is_read;
	struct ic_scan_die die;
};

struct ic_parameters {
	struct ic_image *image;
	const struct ic_index *index;     // or what a symbolizer has of one: without units
	struct ic_symbolizer *symbolizer; // NULL if it is of an index
	bool lists;
	struct ic_debug *debug;
	struct ic_index own;        // of the scan: without models
	struct ic_problems ignored; // of opening it, which the index has
	struct ic_scan scan;
	struct ic_scan_reader *reader; // with the problems
	struct ic_scan_dies dies;
	struct ic_scan_formals formals;
	struct ic_arena arena; // of what was found last
	struct ic_expression_text text;
	const struct ic_dwarf *dwarf; // that the location lists are of
	struct ic_location_sections sections;
	bool lacks_sections; // they cannot be made readable, which was reported
	struct frame_base frame_base;
	IC_ARRAY(struct ic_parameter) list;
	IC_ARRAY(struct ic_parameter_entry) entries; // of one parameter
	bool is_variadic, is_known;
	struct ic_scan_inline_texts texts; // if the index is of a table, in place of the scan
};

struct named_types { // for the text of an expression
	struct ic_parameters *parameters;
	struct ic_scan_die_place place;
};

struct search { // for the arguments of an instance
	struct ic_parameters *parameters;
	const struct ic_unit_model *model;
	const struct ic_instance *instance;
	struct ic_scan_die_place place; // of the instance
	struct ic_location_query query;
	struct ic_cursor frame_base; // the expression; `pos` is NULL if there is none
};

// ---- Location lists

// Reports an error of a DIE, unless it was reported for all that have the same.
static void report(struct ic_parameters *parameters, struct ic_scan_die_place place,
		   const struct ic_error *err)
{
	if (err->code != IC_ERROR_NONE)
		ic_scan_die_problem(&parameters->dies, place, err);
}

// Finds the sections with a unit's location lists. If that fails, it is tried and reported once.
static bool need_sections(struct ic_parameters *parameters, const struct ic_dwarf *dwarf,
			  struct ic_error *err)
{
	struct ic_location_sections sections;

	if (parameters->dwarf == dwarf) {
		err->code = IC_ERROR_NONE;
		return !parameters->lacks_sections;
	}
	struct ic_elf_file *split = ic_scan_split_file_of(parameters->scan.split, dwarf);
	struct ic_elf_file *file = split ? split : ic_image_dwarf_file(parameters->image);
	parameters->dwarf = dwarf;
	parameters->lacks_sections =
		!ic_scan_file_section(&sections.loc, file, split ? ".debug_loc.dwo" : ".debug_loc",
				      err) ||
		!ic_scan_file_section(&sections.loclists, file,
				      split ? ".debug_loclists.dwo" : ".debug_loclists", err);
	if (parameters->lacks_sections)
		return false;
	parameters->sections = sections;
	return true;
}

static bool open_list(struct ic_parameters *parameters, struct ic_scan_die_place place,
		      const struct ic_scan_die *die, struct ic_cursor attr,
		      const struct ic_attr_spec *spec, struct ic_locations *locations,
		      struct ic_error *err)
{
	const struct ic_scan_die_table *table =
		ic_scan_dies_table(&parameters->dies, place.unit, err);

	return table && need_sections(parameters, place.unit->dwarf, err) &&
	       ic_locations_open(locations, attr, spec, place.unit, &parameters->sections,
				 table->lists_base, err) &&
	       (!ic_value_is_given(&die->attrs.views) ||
		ic_locations_open_views(locations, &die->attrs.views, err));
}

// ---- Locations

static struct ic_location unavailable(enum ic_location_why why)
{
	return (struct ic_location){ .kind = IC_LOCATION_UNAVAILABLE, .why = why };
}

static bool reduce(const struct search *search, struct ic_scan_die_place place,
		   const struct ic_parameter *parameter, struct ic_cursor expression,
		   struct ic_location *location)
{
	const struct ic_reduction reduction = { .unit = place.unit,
						.frame_base = search->frame_base,
						.size = parameter->size,
						.arena = &search->parameters->arena };
	struct ic_error err;

	if (ic_expression_reduce(&reduction, expression, location, &err))
		return true;
	ic_scan_die_problem(&search->parameters->dies, place, &err);
	return false;
}

static const char *type_name(void *context, uint64_t off)
{
	struct named_types *types = context;
	struct ic_scan_die_place place = { types->place.unit, off };
	struct ic_scan_die die;

	return ic_scan_die_open(&types->parameters->dies, place, &die)
		       ? ic_scan_die_text(&types->parameters->dies, place, &die.attrs.name)
		       : NULL;
}

// In the arena; NULL if memory is out. What cannot be read is marked so.
static const char *expression_text(struct ic_parameters *parameters, struct ic_scan_die_place place,
				   struct ic_cursor expression)
{
	struct named_types types = { parameters, place };
	const struct ic_expression_names names = {
		.machine = ic_image_dwarf_file(parameters->image)->machine,
		.type_name = type_name,
		.context = &types,
	};
	struct ic_error err;

	ic_expression_text_clear(&parameters->text);
	if (!ic_expression_write(&parameters->text, expression, place.unit, &names, &err) &&
	    err.code == IC_ERROR_MEMORY)
		return NULL;
	const char *text = ic_expression_text(&parameters->text);
	return ic_arena_copy(&parameters->arena, text, strlen(text) + 1, 1);
}

static void find_in_list(const struct search *search, struct ic_scan_die_place place,
			 struct ic_locations *locations, struct ic_parameter *parameter)
{
	struct ic_location_entry entry;
	const struct ic_range *ranges = search->model->ranges + search->instance->first_range;

	if (search->query.addr != IC_NO_ADDR &&
	    ic_locations_find(locations, &search->query, &entry)) {
		(void)reduce(search, place, parameter, entry.expression, &parameter->location);
		parameter->category = ic_expression_category(entry.expression, place.unit);
		parameter->shape = ic_expression_shape(entry.expression, place.unit);
		if (parameter->location.kind == IC_LOCATION_COMPUTED)
			parameter->expression =
				expression_text(search->parameters, place, entry.expression);
		if (parameter->location.why != IC_LOCATION_WHY_OPTIMISED_OUT)
			return;
	}
	if (ic_locations_find_later(locations, &search->query, ranges,
				    search->instance->range_count, &parameter->known_from))
		parameter->location = unavailable(IC_LOCATION_WHY_NOT_HERE);
	else
		parameter->known_from = IC_NO_ADDR;
}

// Everything that the list says. False if memory is out.
static bool keep_list(const struct search *search, struct ic_scan_die_place place,
		      struct ic_locations *locations, struct ic_parameter *parameter)
{
	struct ic_parameters *parameters = search->parameters;
	struct ic_location_entry next;

	parameters->entries.count = 0;
	ic_locations_rewind(locations);
	while (ic_locations_next(locations, &next)) {
		struct ic_parameter_entry *entry = IC_ARRAY_PUSH(&parameters->entries);
		if (!entry)
			return false;
		*entry = (struct ic_parameter_entry){
			.has_range = next.has_range,
			.range = next.range,
			.start_view = next.start_view,
			.end_view = next.end_view,
			.expression = expression_text(parameters, place, next.expression),
		};
		if (!entry->expression)
			return false;
		(void)reduce(search, place, parameter, next.expression, &entry->location);
	}
	parameter->list_count = parameters->entries.count;
	parameter->list = ic_arena_copy(&parameters->arena, parameters->entries.items,
					parameters->entries.count,
					sizeof(*parameters->entries.items));
	return parameter->list != NULL;
}

static bool locate(const struct search *search, const struct ic_scan_argument *argument,
		   struct ic_parameter *parameter)
{
	struct ic_parameters *parameters = search->parameters;
	const struct ic_scan_die_attrs *attrs = &argument->die.attrs;
	struct ic_scan_die_place place = argument->place;
	struct ic_locations locations;
	struct ic_error err;
	bool ok = true;

	parameter->location = unavailable(IC_LOCATION_WHY_OPTIMISED_OUT);
	parameter->known_from = IC_NO_ADDR;
	if (!argument->has_die)
		return true;
	if (attrs->location_spec.form != 0) {
		if (!open_list(parameters, place, &argument->die, attrs->location,
			       &attrs->location_spec, &locations, &err)) {
			parameter->location = unavailable(IC_LOCATION_WHY_UNREADABLE);
			report(parameters, place, &err);
			return true;
		}
		find_in_list(search, place, &locations, parameter);
		ok = !parameters->lists || keep_list(search, place, &locations, parameter);
		if (!ic_locations_ok(&locations, &err)) {
			if (parameter->location.kind == IC_LOCATION_UNAVAILABLE)
				parameter->location = unavailable(IC_LOCATION_WHY_UNREADABLE);
			ic_scan_die_problem(&parameters->dies, place, &err);
		}
	} else if (attrs->constant_spec.form == 0) {
		return true;
	} else if (ic_const_value_reduce(attrs->constant, &attrs->constant_spec, place.unit,
					 parameter->is_signed, &parameter->location, &err)) {
		parameter->category = IC_CATEGORY_LITERAL;
		parameter->shape = parameter->location.kind == IC_LOCATION_BYTES ? IC_SHAPE_BYTES
										 : IC_SHAPE_NUMBER;
	} else {
		ic_scan_die_problem(&parameters->dies, place, &err);
	}
	return ok;
}

// ---- Instances

static struct ic_scan_die_place place_in(const struct ic_parameters *parameters, uint32_t unit,
					 uint32_t die_off)
{
	struct ic_unit *of = &parameters->scan.context.units.units.items[unit];

	return (struct ic_scan_die_place){ of, of->off + die_off };
}

// The frame base is that of the function that was not inlined (DWARF 5, 3.3.5). Its DIE is kept,
// since its instances come one after the other.
static void find_frame_base(struct search *search, uint32_t unit)
{
	struct ic_parameters *parameters = search->parameters;
	struct frame_base *kept = &parameters->frame_base;
	const struct ic_instance *host = search->instance;
	struct ic_location_entry entry;
	struct ic_locations locations;
	struct ic_error err;

	search->frame_base = (struct ic_cursor){ .pos = NULL };
	while (host->kind != IC_INSTANCE_HOST && host->parent != IC_NONE)
		host = &search->model->instances[host->parent];
	struct ic_scan_die_place place = place_in(parameters, unit, host->die_off);
	uint64_t off = ic_unit_global_off(place.unit, place.off);
	if (!kept->is_read || kept->host_off != off) {
		kept->is_read = ic_scan_die_open(&parameters->dies, place, &kept->die);
		kept->host_off = off;
	}
	if (!kept->is_read || kept->die.attrs.frame_base_spec.form == 0)
		return;
	if (!open_list(parameters, place, &kept->die, kept->die.attrs.frame_base,
		       &kept->die.attrs.frame_base_spec, &locations, &err))
		report(parameters, place, &err);
	else if (ic_locations_find(&locations, &search->query, &entry))
		search->frame_base = entry.expression;
}

static bool add_parameter(const struct search *search, uint32_t number)
{
	struct ic_parameters *parameters = search->parameters;
	const struct ic_scan_argument *argument = &parameters->formals.arguments.items[number];
	const struct ic_scan_formal *formal = &parameters->formals.list.items[argument->formal];
	struct ic_parameter *parameter = IC_ARRAY_PUSH(&parameters->list);

	if (!parameter)
		return false;
	*parameter = (struct ic_parameter){ .name = formal->name,
					    .type = formal->type,
					    .size = formal->text.has_size ? formal->text.size : 0,
					    .encoding = formal->text.encoding,
					    .is_signed = formal->text.is_signed,
					    .is_artificial = formal->is_artificial,
					    .is_result = formal->is_result,
					    .is_undeclared = number >=
							     parameters->formals.declared_count };
	return locate(search, argument, parameter);
}

// What the instance's own DIE says of its entry: the view in which it is entered.
static uint64_t entry_view(struct search *search)
{
	struct ic_scan_die die;
	uint64_t view;

	if (!ic_scan_die_open(&search->parameters->dies, search->place, &die) ||
	    !ic_scan_die_constant(&die.attrs.entry_view, &view))
		return 0;
	return view;
}

static bool join(struct search *search, uint32_t number)
{
	struct ic_scan_formals *formals = &search->parameters->formals;
	const struct ic_unit_model *model = search->model;
	uint32_t function = search->instance->function;
	const struct ic_parameter_die *dies;

	// Without a function it still has parameters of its own.
	uint64_t function_off = function == IC_NONE ? UINT64_MAX
						    : model->functions[function].die_off;
	if (!search->parameters->index->has_parameters)
		return ic_scan_formals_join_unread(formals, function_off, search->place);
	uint32_t count = ic_unit_model_parameters(model, number, &dies);
	return ic_scan_formals_join(formals, function_off, search->place, dies, count);
}

static bool find_all(struct ic_parameters *parameters, const struct ic_instance_place *place,
		     uint64_t addr)
{
	struct search search = { .parameters = parameters, .model = place->model };
	struct ic_scan_formals *formals = &parameters->formals;
	struct ic_error err;

	search.instance = &search.model->instances[place->instance];
	search.place = place_in(parameters, place->unit, search.instance->die_off);
	// The root DIE says the language. If it cannot be read, no DIE can: that is a problem then.
	(void)ic_scan_dies_table(&parameters->dies, search.place.unit, &err);
	bool at_entry = addr == IC_NO_ADDR || addr == search.instance->entry;
	search.query = (struct ic_location_query){
		.addr = at_entry ? search.instance->entry : addr,
		// Only a range that goes on after the address is for all of its views.
		.view = at_entry ? entry_view(&search) : UINT64_MAX,
		.code = &parameters->index->code,
	};
	formals->types.language = search.place.unit->language;
	find_frame_base(&search, place->unit);
	bool ok = join(&search, place->instance);
	parameters->is_variadic = formals->is_variadic;
	for (uint32_t i = 0; ok && i < formals->arguments.count; i++)
		ok = add_parameter(&search, i);
	return ok;
}

void ic_parameters_clear(struct ic_parameters *parameters)
{
	parameters->list.count = 0;
	parameters->is_variadic = parameters->is_known = false;
	ic_arena_free(&parameters->arena);
}

static bool find_in_table(struct ic_parameters *parameters, const struct ic_instance_place *place)
{
	const struct ic_scan_inline_arguments arguments = ic_scan_inline_arguments_of(
		parameters->index->inline_table, parameters->image, place);

	parameters->is_known = true;
	parameters->is_variadic = arguments.is_variadic;
	parameters->list.count = arguments.count;
	return IC_ARRAY_RESERVE(&parameters->list, arguments.count) &&
	       ic_scan_inline_arguments_fill(&arguments, &parameters->texts, &parameters->arena,
					     parameters->list.items);
}

static bool find_in_dies(struct ic_parameters *parameters, const struct ic_instance_place *place,
			 uint64_t addr)
{
	struct ic_unit *unit = &parameters->scan.context.units.units.items[place->unit];

	if (!unit->dwarf->source->has_dies)
		return true;
	parameters->is_known = true;
	parameters->dies.count = 0;
	parameters->reader->unit = unit;
	return find_all(parameters, place, addr) && !parameters->reader->out_of_memory;
}

bool ic_parameters_read(struct ic_parameters *parameters, const struct ic_instance_place *place,
			uint64_t addr, struct ic_error *err)
{
	ic_parameters_clear(parameters);
	if (parameters->index->inline_table ? find_in_table(parameters, place)
					    : find_in_dies(parameters, place, addr))
		return true;
	ic_parameters_clear(parameters);
	return ic_image_fail_memory(parameters->image, err);
}

bool ic_parameters_find(struct ic_parameters *parameters, const struct ic_site *site, uint64_t addr,
			struct ic_error *err)
{
	struct ic_error unwanted;

	ic_parameters_clear(parameters);
	if (!err)
		err = &unwanted;
	if (parameters->symbolizer)
		return ic_fail(err, IC_ERROR_ARGUMENT, "these parameters are those of frames");
	if (site->kind == IC_SITE_CALL)
		return true;
	const struct ic_instance_place place = { &parameters->index->units[site->unit_number],
						 site->unit_number, site->instance_number };
	return ic_parameters_read(parameters, &place, addr, err);
}

size_t ic_parameters_get(const struct ic_parameters *parameters, const struct ic_parameter **list)
{
	*list = parameters->list.items;
	return parameters->list.count;
}

bool ic_parameters_has_lists(const struct ic_parameters *parameters)
{
	return parameters->lists;
}

struct ic_scan_formals *ic_parameters_formals(struct ic_parameters *parameters)
{
	return &parameters->formals;
}

unsigned ic_parameters_machine(const struct ic_parameters *parameters)
{
	return ic_image_machine(parameters->image);
}

bool ic_parameters_is_variadic(const struct ic_parameters *parameters)
{
	return parameters->is_variadic;
}

bool ic_parameters_is_known(const struct ic_parameters *parameters)
{
	return parameters->is_known;
}

bool ic_parameters_section_find(const struct ic_parameters *parameters, uint64_t addr,
				struct ic_index_section *section)
{
	return ic_index_section_find(parameters->index, addr, section);
}

bool ic_parameters_problem_get(const struct ic_parameters *parameters, uint64_t number,
			       struct ic_index_problem *problem)
{
	if (!parameters->reader) // nothing was read yet
		return false;
	struct ic_problems *problems = &parameters->reader->problems;
	if (number < problems->list.count) {
		const struct ic_problem *found = &problems->list.items[number];
		*problem = (struct ic_index_problem){ found->file, found->section, found->offset,
						      found->message };
		return true;
	}
	*problem = (struct ic_index_problem){ .message = ic_problems_more(problems) };
	return number == problems->list.count && problem->message;
}

// ---- The reader

static bool open_scan(struct ic_parameters *parameters, struct ic_error *err)
{
	const struct ic_scan_want want = { .jobs = 1 };

	parameters->debug = ic_debug_hold(parameters->image, err);
	if (!parameters->debug || !ic_debug_load(parameters->debug, 0, &parameters->ignored, err) ||
	    !ic_scan_file_need_all(&parameters->debug->main, 0, err) ||
	    !ic_scan_open(&parameters->scan, &parameters->own, parameters->debug, &want,
			  &parameters->ignored, err))
		return false;
	ic_scan_prepare(&parameters->scan);
	return true;
}

static void start(struct ic_parameters *parameters)
{
	struct ic_memory *memory = &parameters->image->memory;
	uint64_t size = 0;

	for (uint32_t i = 0; i < parameters->debug->dwarf_count; i++)
		size += parameters->debug->dwarfs[i]->info.size;
	parameters->reader = &parameters->scan.workers[0].streams[0].reader;
	parameters->reader->problems = (struct ic_problems){ .arena = parameters->reader->arena };
	parameters->dies = (struct ic_scan_dies){ .reader = parameters->reader,
						  .most = MOST_DIES,
						  .of_roots = &parameters->ignored };
	parameters->formals.types.dies = &parameters->dies;
	parameters->formals.types.arena = parameters->reader->arena;
	parameters->formals.budget = 16 * size + MOST_DIES;
	parameters->entries.memory = memory;
	parameters->formals.list.memory = parameters->formals.functions.memory = memory;
	parameters->formals.types.list.memory = memory;
}

struct ic_parameters *ic_parameters_new(struct ic_image *image, const struct ic_index *index,
					struct ic_symbolizer *symbolizer,
					const struct ic_parameters_options *options,
					struct ic_error *err)
{
	struct ic_parameters *parameters = calloc(1, sizeof(*parameters));

	if (!parameters) {
		ic_fail_memory(err);
		return NULL;
	}
	parameters->image = image;
	parameters->index = index;
	parameters->symbolizer = symbolizer;
	parameters->lists = options && options->lists;
	parameters->own.arena.memory = parameters->arena.memory = &image->memory;
	parameters->own.code = index->code;
	parameters->own.holes = index->holes;
	parameters->ignored.arena = &parameters->own.arena;
	parameters->list.memory = &image->memory;
	return parameters;
}

bool ic_parameters_begin(struct ic_parameters *parameters, struct ic_error *err)
{
	if (parameters->reader || parameters->index->inline_table)
		return true;
	if (open_scan(parameters, err)) {
		start(parameters);
		return true;
	}
	if (err->code == IC_ERROR_MEMORY)
		(void)ic_image_fail_memory(parameters->image, err);
	return false;
}

struct ic_symbolizer *ic_parameters_symbolizer(const struct ic_parameters *parameters)
{
	return parameters->symbolizer;
}

struct ic_parameters *ic_parameters_open(struct ic_image *image, const struct ic_index *index,
					 const struct ic_parameters_options *options,
					 struct ic_error *err)
{
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	struct ic_parameters *parameters = ic_parameters_new(image, index, NULL, options, err);
	if (!parameters || ic_parameters_begin(parameters, err))
		return parameters;
	ic_parameters_free(parameters);
	return NULL;
}

void ic_parameters_free(struct ic_parameters *parameters)
{
	if (!parameters)
		return;
	ic_scan_formals_free(&parameters->formals);
	ic_scan_dies_free(&parameters->dies);
	ic_expression_text_free(&parameters->text);
	ic_scan_inline_texts_free(&parameters->texts);
	IC_ARRAY_FREE(&parameters->list);
	IC_ARRAY_FREE(&parameters->entries);
	IC_ARRAY_FREE(&parameters->ignored.list);
	ic_arena_free(&parameters->arena);
	ic_scan_close(&parameters->scan);
	ic_debug_release(parameters->debug);
	ic_arena_free(&parameters->own.arena);
	free(parameters);
}
