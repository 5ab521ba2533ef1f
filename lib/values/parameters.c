// Parameters, and where their arguments are: implements inlinecall/parameters.h.
#include "values/parameters.h"

#include <stdlib.h>

#include "types/variables.h"
#include "units/source.h"
#include "values/parameter_reader.h"

#include <inlinecall/extra/parameters.h>

enum {
	MOST_DIES = 1 << 20,    // for one instance
	MANY_FORMALS = 1 << 12, // more do not fit in the processor's caches
};

// ---- Instances

static struct ic_die_place place_in(const struct ic_parameters *parameters, uint32_t unit,
				    uint32_t die_off)
{
	struct ic_unit *of = &parameters->scan.context.units.units.items[unit];
	return (struct ic_die_place){ of, of->off + die_off };
}

struct ic_parameter ic_parameter_of_type(const struct ic_type_text *text, const char *type)
{
	return (struct ic_parameter){ .type = type,
				      .size = text->has_size ? text->size : 0,
				      .encoding = text->encoding,
				      .is_signed = text->is_signed,
				      .item_size = text->item_size,
				      .item_encoding = text->item_encoding,
				      .item_is_signed = text->item_is_signed };
}

// A parameter of the function about which nothing is known in the instance.
static struct ic_parameter of_formal(const struct ic_formal *formal)
{
	struct ic_parameter parameter = ic_parameter_of_type(&formal->text, formal->type);

	parameter.name = formal->name;
	parameter.is_artificial = formal->is_artificial;
	parameter.is_result = formal->is_result;
	return parameter;
}

static struct ic_parameter *push_parameter(struct ic_parameters *parameters, struct ic_typed type)
{
	struct ic_parameter *parameter = IC_ARRAY_PUSH(&parameters->list);
	struct ic_typed *typed = IC_ARRAY_PUSH(&parameters->types);

	if (!parameter || !typed)
		return NULL;
	*typed = type;
	return parameter;
}

static void locate_member(const struct ic_type_member *member, const struct ic_parameter *argument,
			  struct ic_parameter *parameter)
{
	*parameter = ic_parameter_of_type(&member->text, member->type);
	ic_type_member_locate(member, argument, parameter);
}

// Sets the string of the last parameter, which is the argument itself or a member of it.
static bool add_string(struct ic_parameters *parameters, uint32_t number, uint32_t argument,
		       uint32_t path)
{
	const struct ic_formal *formal = &parameters->formals.list.items[number];
	bool ok = true;

	if (!parameters->wants_strings)
		return true;
	const struct ic_type_string *string = ic_type_string_find(
		&parameters->strings, &parameters->members, number, formal, path, &ok);
	if (!string)
		return ok;
	struct ic_parameter *parts = ic_arena_items(&parameters->arena, 2, sizeof(*parts));
	if (!parts)
		return false;
	const struct ic_parameter *of = &parameters->list.items[argument];
	locate_member(&string->data, of, &parts[0]);
	locate_member(&string->length, of, &parts[1]);
	parameters->list.items[parameters->list.count - 1].string = parts;
	return true;
}

// Adds the requested members that the last parameter has.
static bool add_members(struct ic_parameters *parameters, uint32_t number)
{
	const struct ic_formal *formal = &parameters->formals.list.items[number];
	uint32_t argument = parameters->list.count - 1;
	bool is_variable = parameters->list.items[argument].is_variable;
	const struct ic_type_member *member;

	for (uint32_t i = 0; i < parameters->members.paths.list.count; i++) {
		if (parameters->members.paths.list.items[i].is_all) {
			if (!ic_type_members_expand(&parameters->members, number, formal, i))
				return false;
			continue;
		}
		if (!ic_type_member_find(&parameters->members, number, formal, i, &member))
			return false;
		if (!member)
			continue;
		struct ic_parameter *parameter =
			push_parameter(parameters, (struct ic_typed){ true, member->type_place,
								      member->type_value });
		if (!parameter)
			return false;
		locate_member(member, &parameters->list.items[argument], parameter);
		parameter->name = member->name;
		parameter->is_member = true;
		parameter->is_variable = is_variable;
		if (!add_string(parameters, number, argument, i))
			return false;
	}
	return true;
}

static bool add_parameter(struct ic_parameters *parameters, uint32_t number)
{
	const struct ic_formals *formals = &parameters->formals;
	const struct ic_argument *argument = &formals->arguments.items[number];
	const struct ic_formal *formal = &formals->list.items[argument->formal];
	struct ic_parameter *parameter = push_parameter(
		parameters,
		(struct ic_typed){ formal->knows_type, formal->type_place, formal->type_value });

	if (!parameter)
		return false;
	*parameter = of_formal(formal);
	parameter->is_variable = number >= parameters->first_variable;
	parameter->is_undeclared = number >= formals->declared_count && !parameter->is_variable;
	return ic_arguments_locate(&parameters->arguments, argument, parameter) &&
	       (formal->is_result ||
		(add_string(parameters, argument->formal, parameters->list.count - 1, IC_NO_PATH) &&
		 add_members(parameters, argument->formal)));
}

uint64_t ic_parameters_function_of(const struct ic_instance_place *place)
{
	uint32_t function = place->model->instances[place->instance].function;

	return function == IC_NONE ? UINT64_MAX : place->model->functions[function].die_off;
}

static bool join_parameters(struct ic_parameters *parameters, const struct ic_instance_place *place,
			    struct ic_die_place die)
{
	struct ic_formals *formals = &parameters->formals;
	uint64_t function_off = ic_parameters_function_of(place);
	const struct ic_parameter_die *dies;

	if (!parameters->index->has_parameters)
		return ic_formals_join_unread(formals, function_off, die);
	uint32_t count = ic_unit_model_parameters(place->model, place->instance, &dies);
	return ic_formals_join(formals, function_off, die, dies, count);
}

// The root DIE has the language. If it cannot be read, no DIE can: that is then a problem.
void ic_parameters_need_language(struct ic_parameters *parameters, struct ic_unit *unit)
{
	struct ic_error err;

	if (!ic_dies_table(&parameters->dies, unit, &err) && err.code == IC_ERROR_MEMORY)
		parameters->reader->out_of_memory = true;
	parameters->formals.types.language = unit->root.language;
}

static void note_undescribed(struct ic_parameters *parameters, bool is_undescribed, bool is_cut)
{
	parameters->is_undescribed = is_undescribed;
	parameters->is_known = !is_undescribed && !is_cut;
}

static bool find_all(struct ic_parameters *parameters, const struct ic_instance_place *place,
		     uint64_t addr)
{
	const struct ic_instance *instance = &place->model->instances[place->instance];
	struct ic_die_place die = place_in(parameters, place->unit, instance->die_off);
	const struct ic_formals *formals = &parameters->formals;

	ic_parameters_need_language(parameters, die.unit);
	ic_arguments_begin(&parameters->arguments, place->model, instance, die, addr,
			   &parameters->index->code);
	bool ok = join_parameters(parameters, place, die);
	parameters->first_variable = formals->arguments.count;
	if (ok && parameters->wants_variables)
		ok = ic_variables_join(&parameters->formals, die,
				       addr == IC_NO_ADDR ? instance->entry : addr);
	parameters->is_variadic = formals->is_variadic;
	note_undescribed(parameters, !formals->is_described && formals->arguments.count == 0,
			 formals->is_cut);
	for (uint32_t i = 0; ok && !formals->is_cut && i < formals->arguments.count; i++)
		ok = add_parameter(parameters, i);
	if (ok) // otherwise the last one is incomplete
		ic_arguments_correct(&parameters->arguments, parameters->list.items,
				     parameters->list.count);
	return ok;
}

void ic_parameters_clear(struct ic_parameters *parameters)
{
	parameters->list.count = parameters->types.count = 0;
	parameters->is_variadic = parameters->is_known = parameters->is_undescribed = false;
	ic_arena_free(&parameters->arena);
}

static bool find_in_table(struct ic_parameters *parameters, const struct ic_instance_place *place)
{
	const struct ic_inline_arguments arguments =
		ic_inline_arguments_of(parameters->index->inline_table, parameters->image, place);

	parameters->is_known = true;
	parameters->is_variadic = arguments.is_variadic;
	parameters->list.count = arguments.count;
	return IC_ARRAY_RESERVE(&parameters->list, arguments.count) &&
	       ic_inline_arguments_fill(&arguments, &parameters->texts, &parameters->arena,
					parameters->list.items);
}

// Functions are mostly queried unit by unit, and those of a unit are rarely needed later. Each
// query has a limit of its own, and data read only partly because of it is dropped: a result does
// not depend on earlier queries.
static void begin_question(struct ic_parameters *parameters, uint32_t unit)
{
	bool is_further = unit > parameters->last_unit;

	if (is_further)
		parameters->last_unit = unit;
	if (parameters->dies.gave_up ||
	    (is_further && parameters->formals.list.count > MANY_FORMALS)) {
		ic_formals_forget(&parameters->formals);
		ic_type_members_forget(&parameters->members);
		ic_type_strings_forget(&parameters->strings);
		ic_enumerations_forget(&parameters->enumerations);
	}
	parameters->dies.gave_up = false;
	parameters->dies.count = 0;
}

// False if the unit has no DIEs.
bool ic_parameters_enter_unit(struct ic_parameters *parameters, uint32_t number)
{
	struct ic_unit *unit = &parameters->scan.context.units.units.items[number];

	if (!unit->dwarf->source->has_dies)
		return false;
	begin_question(parameters, number);
	parameters->reader->unit = unit;
	return true;
}

static bool find_in_dies(struct ic_parameters *parameters, const struct ic_instance_place *place,
			 uint64_t addr)
{
	if (!ic_parameters_enter_unit(parameters, place->unit)) {
		parameters->is_undescribed = true;
		return true;
	}
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

static bool find_declared(struct ic_parameters *parameters, const struct ic_instance_place *place)
{
	struct ic_formals *formals = &parameters->formals;

	if (!ic_parameters_enter_unit(parameters, place->unit)) {
		parameters->is_undescribed = true;
		return true;
	}
	ic_parameters_need_language(parameters, parameters->reader->unit);
	const struct ic_signature *signature =
		ic_formals_of(formals, ic_parameters_function_of(place));
	if (!signature || !IC_ARRAY_RESERVE(&parameters->list, signature->count))
		return false;
	parameters->is_variadic = signature->is_variadic;
	note_undescribed(parameters, !signature->is_described, signature->is_cut);
	parameters->list.count = signature->is_cut ? 0 : signature->count;
	for (uint32_t i = 0; i < parameters->list.count; i++)
		parameters->list.items[i] = of_formal(&formals->list.items[signature->first + i]);
	return !parameters->reader->out_of_memory;
}

struct ic_instance_place ic_parameters_place_of(const struct ic_parameters *parameters,
						const struct ic_site *site)
{
	return (struct ic_instance_place){ &parameters->index->units[site->unit_number],
					   site->unit_number, site->instance_number };
}

bool ic_parameters_declared(struct ic_parameters *parameters, const struct ic_site *site,
			    struct ic_error *err)
{
	const struct ic_instance_place place = ic_parameters_place_of(parameters, site);

	ic_parameters_clear(parameters);
	if (parameters->index->inline_table ? find_in_table(parameters, &place)
					    : find_declared(parameters, &place))
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
		return ic_fail(err, IC_ERROR_ARGUMENT,
			       "these parameters are for frames, not for an index");
	if (site->kind == IC_SITE_CALL)
		return true;
	const struct ic_instance_place place = ic_parameters_place_of(parameters, site);
	return ic_parameters_read(parameters, &place, addr, err);
}

// ---- Getting results

size_t ic_parameters_list(const struct ic_parameters *parameters, const struct ic_parameter **list)
{
	*list = parameters->list.items;
	return parameters->list.count;
}

bool ic_parameters_enumeration(struct ic_parameters *parameters, size_t number,
			       struct ic_enumeration *enumeration, struct ic_error *err)
{
	struct ic_error unwanted;

	*enumeration = (struct ic_enumeration){ .scope = "" };
	if (number >= parameters->types.count)
		return true;
	const struct ic_typed *type = &parameters->types.items[number];
	return !type->is_known ||
	       ic_enumeration_of(&parameters->enumerations, &parameters->formals.types, type->place,
				 &type->value, enumeration) ||
	       ic_image_fail_memory(parameters->image, err ? err : &unwanted);
}

const char *ic_parameters_unknown_member(const struct ic_parameters *parameters)
{
	for (uint32_t i = 0; i < parameters->members.paths.list.count; i++)
		if (!parameters->members.paths.list.items[i].is_found)
			return parameters->members.paths.list.items[i].text;
	return NULL;
}

bool ic_parameters_has_lists(const struct ic_parameters *parameters)
{
	return parameters->arguments.lists;
}

void ic_parameters_leave_texts(struct ic_parameters *parameters)
{
	parameters->arguments.leaves_texts = true;
}

struct ic_formals *ic_parameters_formals(struct ic_parameters *parameters)
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

bool ic_parameters_is_undescribed(const struct ic_parameters *parameters)
{
	return parameters->is_undescribed;
}

bool ic_parameters_section_find(const struct ic_parameters *parameters, uint64_t addr,
				struct ic_index_section *section)
{
	return ic_index_section_find(parameters->index, addr, section);
}

bool ic_parameters_problem_get(const struct ic_parameters *parameters, size_t number,
			       struct ic_index_problem *problem)
{
	return parameters->reader && // otherwise nothing has been read yet
	       ic_problems_get(&parameters->reader->problems, number, problem);
}

static bool open_scan(struct ic_parameters *parameters, struct ic_error *err)
{
	const struct ic_read_options want = { .jobs = 1 };

	parameters->debug = ic_debug_hold(parameters->image, err);
	if (!parameters->debug || !ic_debug_load(parameters->debug, 0, &parameters->ignored, err) ||
	    !ic_dwarf_file_need_all(&parameters->debug->main, 0, err) ||
	    !ic_scan_open(&parameters->scan, &parameters->own, parameters->debug, &want,
			  &parameters->ignored, err))
		return false;
	ic_scan_prepare(&parameters->scan);
	return true;
}

static void start_parameters(struct ic_parameters *parameters)
{
	struct ic_memory *memory = &parameters->image->memory;

	parameters->reader = &ic_scan_stream(&parameters->scan, 0)->reader;
	parameters->reader->problems = (struct ic_problems){ .arena = parameters->reader->arena };
	parameters->dies = (struct ic_dies){ .reader = parameters->reader,
					     .most = MOST_DIES,
					     .of_roots = &parameters->ignored };
	parameters->formals.types.dies = &parameters->dies;
	parameters->formals.types.arena = parameters->reader->arena;
	parameters->arguments.split = parameters->scan.split;
	parameters->arguments.dies = &parameters->dies;
	parameters->arguments.entries.memory = memory;
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
	parameters->arguments.image = image;
	parameters->arguments.arena = &parameters->arena;
	parameters->arguments.lists = options && options->lists;
	parameters->own.arena.memory = parameters->arena.memory = &image->memory;
	parameters->own.code = index->code;
	parameters->own.holes = index->holes;
	parameters->ignored.arena = &parameters->own.arena;
	parameters->list.memory = parameters->types.memory = &image->memory;
	parameters->arguments.at_entry = options && !symbolizer ? options->at_entry : NULL;
	parameters->arguments.context = options ? options->context : NULL;
	parameters->members.types = &parameters->formals.types;
	parameters->members.paths.arena = &parameters->own.arena;
	parameters->members.list.memory = parameters->strings.list.memory = &image->memory;
	parameters->wants_strings = options && options->strings;
	parameters->wants_variables = options && options->variables;
	parameters->arguments.at_other_places = options && options->at_other_places;
	parameters->enumerations.list.memory = parameters->enumerations.found.memory =
		&image->memory;
	if (!options || !options->members ||
	    ic_member_paths_read(&parameters->members.paths, options->members, err))
		return parameters;
	ic_parameters_free(parameters);
	return NULL;
}

bool ic_parameters_begin(struct ic_parameters *parameters, struct ic_error *err)
{
	if (parameters->reader || parameters->index->inline_table)
		return true;
	if (open_scan(parameters, err)) {
		start_parameters(parameters);
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
	ic_enumerations_free(&parameters->enumerations);
	ic_formals_free(&parameters->formals);
	ic_dies_free(&parameters->dies);
	ic_arguments_free(&parameters->arguments);
	ic_inline_texts_free(&parameters->texts);
	IC_ARRAY_FREE(&parameters->list);
	IC_ARRAY_FREE(&parameters->types);
	ic_type_members_free(&parameters->members);
	ic_type_strings_free(&parameters->strings);
	IC_ARRAY_FREE(&parameters->ignored.list);
	ic_arena_free(&parameters->arena);
	ic_scan_close(&parameters->scan);
	ic_debug_release(parameters->debug);
	ic_arena_free(&parameters->own.arena);
	free(parameters);
}
