#include "values/arguments.h"

#include <string.h>

#include "base/machine.h"
#include "debug/file.h"
#include "debug/split.h"
#include "dwarf/expressions/operation.h"
#include "dwarf/expressions/reduce.h"
#include "dwarf/expressions/shape.h"
#include "dwarf/units/constants.h"
#include "elf/image/image.h"

struct named_types { // for the text of an expression
	struct ic_dies *dies;
	struct ic_die_place place;
};

// ---- Location lists

// Reports an error in a DIE, unless it was already reported for all DIEs with the same error.
static void report_problem(struct ic_arguments *arguments, struct ic_die_place place,
			   const struct ic_error *err)
{
	if (err->code != IC_ERROR_NONE)
		ic_full_die_problem(arguments->dies, place, err);
}

// Finds the sections with a unit's location lists. If that fails, it is tried and reported only
// once.
static bool need_sections(struct ic_arguments *arguments, const struct ic_dwarf *dwarf,
			  struct ic_error *err)
{
	struct ic_location_sections sections;

	if (arguments->dwarf == dwarf) {
		err->code = IC_ERROR_NONE;
		return !arguments->lacks_sections;
	}
	struct ic_elf_file *split = ic_split_file_of(arguments->split, dwarf);
	struct ic_elf_file *file = split ? split : ic_image_dwarf_file(arguments->image);
	arguments->dwarf = dwarf;
	arguments->lacks_sections =
		!ic_dwarf_file_section(&sections.loc, file, split ? ".debug_loc.dwo" : ".debug_loc",
				       err) ||
		!ic_dwarf_file_section(&sections.loclists, file,
				       split ? ".debug_loclists.dwo" : ".debug_loclists", err);
	if (arguments->lacks_sections)
		return false;
	arguments->sections = sections;
	return true;
}

static bool open_list(struct ic_arguments *arguments, struct ic_die_place place,
		      const struct ic_full_die_attr *attr, struct ic_locations *locations,
		      struct ic_error *err)
{
	const struct ic_die_table *table = ic_dies_table(arguments->dies, place.unit, err);

	if (!table || !need_sections(arguments, place.unit->dwarf, err))
		return false;
	const struct ic_location_lists lists = { place.unit, &arguments->sections,
						 table->lists_base };
	return ic_locations_open(locations, attr->cur, &attr->spec, &lists, err);
}

// ---- Locations

static struct ic_location no_location(enum ic_location_why why)
{
	return (struct ic_location){ .kind = IC_LOCATION_UNAVAILABLE, .why = why };
}

static void reduce_expression(struct ic_arguments *arguments, struct ic_die_place place,
			      const struct ic_parameter *parameter, struct ic_cursor expression,
			      struct ic_location *location)
{
	const struct ic_reduction reduction = { .unit = place.unit,
						.frame_base = arguments->frame,
						.size = parameter->size,
						.arena = arguments->arena };
	struct ic_error err;

	if (!ic_expression_reduce(&reduction, expression, location, &err))
		ic_full_die_problem(arguments->dies, place, &err);
}

static const char *type_name(void *context, uint64_t off)
{
	struct named_types *types = context;
	struct ic_die_place place = { types->place.unit, off };
	struct ic_full_die die;

	return ic_full_die_open(types->dies, place, &die)
		       ? ic_full_die_text(types->dies, place, &die.attrs.name)
		       : NULL;
}

// In the arena; NULL if memory runs out. Unreadable parts are marked.
static const char *expression_text(struct ic_arguments *arguments, struct ic_die_place place,
				   struct ic_cursor expression)
{
	struct named_types types = { arguments->dies, place };
	const struct ic_expression_names names = {
		.machine = ic_image_dwarf_file(arguments->image)->machine,
		.type_name = type_name,
		.context = &types,
	};
	struct ic_error err;

	ic_expression_text_clear(&arguments->text);
	if (!ic_expression_write(&arguments->text, expression, place.unit, &names, &err) &&
	    err.code == IC_ERROR_MEMORY)
		return NULL;
	const char *text = ic_expression_text(&arguments->text);
	return ic_arena_copy(arguments->arena, text, strlen(text) + 1, 1);
}

// Adds the parts of an expression's description that are for people. False if memory runs out.
static bool describe_expression(struct ic_arguments *arguments, struct ic_die_place place,
				struct ic_cursor expression, struct ic_parameter *parameter)
{
	parameter->category = ic_expression_category(expression, place.unit);
	parameter->shape = ic_expression_shape(expression, place.unit);
	if (parameter->location.kind != IC_LOCATION_COMPUTED)
		return true;
	parameter->expression = expression_text(arguments, place, expression);
	return parameter->expression != NULL;
}

// Whether a location that holds everywhere does not hold yet: the function has stored nothing in
// its frame, and perhaps not even set up its frame pointer. Values stored by its caller are
// available, above the canonical frame address.
static bool is_not_stored(const struct ic_arguments *arguments,
			  const struct ic_location_entry *entry, const struct ic_location *location)
{
	if (!arguments->at_function_entry || entry->has_range ||
	    !ic_cursor_more(&entry->expression) || *entry->expression.pos != DW_OP_fbreg)
		return false;
	return location->kind != IC_LOCATION_MEMORY || location->base != IC_BASE_CFA ||
	       location->offset < 0;
}

static bool is_of_frame(unsigned machine, const struct ic_operation *operation)
{
	uint8_t reg = operation->number;

	if (operation->code == DW_OP_fbreg)
		return true;
	if (operation->group != DW_OP_breg0)
		return false;
	return (machine == IC_MACHINE_X86_64 && reg == 7) ||
	       (machine == IC_MACHINE_386 && reg == 4) ||
	       (machine == IC_MACHINE_AARCH64 && reg == 31);
}

// Whether a number smaller than an address is computed from the address of the frame. It is not:
// Clang 14 spilled it there, and forgets that the slot must be read.
static bool is_of_spilled(const struct ic_arguments *arguments, struct ic_die_place place,
			  const struct ic_parameter *parameter, struct ic_cursor bytes)
{
	struct ic_expression expression = ic_expression_open(bytes, place.unit);
	struct ic_operation operation;
	bool is_number = parameter->encoding == IC_TYPE_INTEGER ||
			 parameter->encoding == IC_TYPE_CHARACTER ||
			 parameter->encoding == IC_TYPE_BOOLEAN ||
			 parameter->encoding == IC_TYPE_ENUMERATION;

	if (!is_number || parameter->size >= place.unit->addr_size ||
	    parameter->location.kind == IC_LOCATION_MEMORY ||
	    !ic_expression_next(&expression, &operation) ||
	    !is_of_frame(ic_image_dwarf_file(arguments->image)->machine, &operation))
		return false;
	return ic_expression_next(&expression, &operation) && operation.code != DW_OP_deref &&
	       operation.code != DW_OP_deref_size && operation.code != DW_OP_deref_type;
}

// False if memory runs out.
static bool find_in_list(struct ic_arguments *arguments, struct ic_die_place place,
			 struct ic_locations *locations, struct ic_parameter *parameter)
{
	const struct ic_location_query *query = &arguments->query;
	struct ic_location_entry entry;

	if (query->addr != IC_NO_ADDR && ic_locations_find(locations, query, &entry)) {
		reduce_expression(arguments, place, parameter, entry.expression,
				  &parameter->location);
		parameter->is_everywhere = !entry.has_range;
		if (!arguments->leaves_texts &&
		    !describe_expression(arguments, place, entry.expression, parameter))
			return false;
		if (is_of_spilled(arguments, place, parameter, entry.expression))
			parameter->location = no_location(IC_LOCATION_WHY_UNREADABLE);
		// A later correction may find its location.
		if (is_not_stored(arguments, &entry, &parameter->location))
			parameter->location.why = IC_LOCATION_WHY_NOT_STORED;
		if (parameter->location.why != IC_LOCATION_WHY_OPTIMISED_OUT)
			return true;
	}
	if (ic_locations_find_later(locations, query, arguments->ranges, arguments->range_count,
				    &parameter->known_from))
		parameter->location = no_location(IC_LOCATION_WHY_NOT_HERE);
	else
		parameter->known_from = IC_NO_ADDR;
	return true;
}

// Keeps the complete location list. False if memory runs out.
static bool keep_list(struct ic_arguments *arguments, struct ic_die_place place,
		      struct ic_locations *locations, struct ic_parameter *parameter)
{
	struct ic_location_entry next;

	arguments->entries.count = 0;
	ic_locations_rewind(locations);
	while (ic_locations_next(locations, &next)) {
		struct ic_parameter_entry *entry = IC_ARRAY_PUSH(&arguments->entries);
		if (!entry)
			return false;
		*entry = (struct ic_parameter_entry){
			.has_range = next.has_range,
			.range = next.range,
			.start_view = next.start_view,
			.end_view = next.end_view,
			.expression = expression_text(arguments, place, next.expression),
		};
		if (!entry->expression)
			return false;
		reduce_expression(arguments, place, parameter, next.expression, &entry->location);
	}
	parameter->list_count = arguments->entries.count;
	parameter->list = ic_arena_copy(arguments->arena, arguments->entries.items,
					arguments->entries.count,
					sizeof(*arguments->entries.items));
	return parameter->list != NULL;
}

static bool locate_in_list(struct ic_arguments *arguments, const struct ic_argument *argument,
			   struct ic_parameter *parameter)
{
	struct ic_die_place place = argument->place;
	struct ic_locations locations;
	struct ic_error err;

	if (!open_list(arguments, place, &argument->value, &locations, &err) ||
	    (ic_value_is_given(&argument->views) &&
	     !ic_locations_open_views(&locations, &argument->views, &err))) {
		parameter->location = no_location(IC_LOCATION_WHY_UNREADABLE);
		report_problem(arguments, place, &err);
		return true;
	}
	bool ok = find_in_list(arguments, place, &locations, parameter) &&
		  (!arguments->lists || keep_list(arguments, place, &locations, parameter));
	if (!ic_locations_ok(&locations, &err)) {
		if (parameter->location.kind == IC_LOCATION_UNAVAILABLE)
			parameter->location = no_location(IC_LOCATION_WHY_UNREADABLE);
		ic_full_die_problem(arguments->dies, place, &err);
	}
	return ok;
}

static void take_constant(struct ic_arguments *arguments, const struct ic_argument *argument,
			  struct ic_parameter *parameter)
{
	struct ic_error err;

	if (!ic_const_value_reduce(argument->value.cur, &argument->value.spec, argument->place.unit,
				   parameter->is_signed, &parameter->location, &err)) {
		ic_full_die_problem(arguments->dies, argument->place, &err);
		return;
	}
	parameter->category = IC_CATEGORY_LITERAL;
	parameter->shape = parameter->location.kind == IC_LOCATION_BYTES ? IC_SHAPE_BYTES
									 : IC_SHAPE_NUMBER;
}

bool ic_arguments_locate(struct ic_arguments *arguments, const struct ic_argument *argument,
			 struct ic_parameter *parameter)
{
	parameter->location = no_location(argument->is_unread ? IC_LOCATION_WHY_NOT_READ
							      : IC_LOCATION_WHY_OPTIMISED_OUT);
	parameter->known_from = IC_NO_ADDR;
	if (!argument->has_die || argument->value.spec.form == 0)
		return true;
	if (!argument->is_constant)
		return locate_in_list(arguments, argument, parameter);
	take_constant(arguments, argument, parameter);
	return true;
}

static bool is_same_place(const struct ic_location *a, const struct ic_location *b)
{
	return a->kind == b->kind && a->base == b->base && a->reg == b->reg &&
	       a->offset == b->offset && a->load_count == b->load_count;
}

// A member that nothing is stored into may not be set yet either, if others of its structure are
// not: compilers omit stores, and nevertheless describe the structure as in memory.
// Corrects the parts of a string. If a structure is not stored yet, neither are they, unless the
// code shows where they come from.
static void correct_string(const struct ic_arguments *arguments, struct ic_parameter *parameter)
{
	struct ic_parameter *parts = (struct ic_parameter *)parameter->string;
	bool is_unset = parameter->encoding == IC_TYPE_STRUCTURE &&
			parameter->location.why == IC_LOCATION_WHY_NOT_STORED;

	for (int i = 0; parts && i < 2; i++) {
		const struct ic_location said = parts[i].location;
		if (arguments->at_entry)
			arguments->at_entry(arguments->context, arguments->query.addr, &parts[i]);
		if ((is_unset && is_same_place(&said, &parts[i].location)) ||
		    parts[i].location.why == IC_LOCATION_WHY_NOT_STORED)
			parts[i].location = no_location(IC_LOCATION_WHY_NOT_STORED);
	}
}

void ic_arguments_correct(const struct ic_arguments *arguments, struct ic_parameter *list,
			  uint32_t count)
{
	// The preceding argument, if it is such a structure.
	const struct ic_parameter *unset = NULL;

	for (uint32_t i = 0; arguments->is_entered && i < count; i++) {
		struct ic_parameter *parameter = &list[i];
		const struct ic_location said = parameter->location;
		if (arguments->at_entry)
			arguments->at_entry(arguments->context, arguments->query.addr, parameter);
		bool is_set = parameter->location.why != IC_LOCATION_WHY_NOT_STORED;
		if (!parameter->is_member)
			unset = !is_set && said.kind == IC_LOCATION_MEMORY &&
						parameter->encoding == IC_TYPE_STRUCTURE
					? parameter
					: NULL;
		if (unset && said.kind == IC_LOCATION_MEMORY &&
		    is_same_place(&said, &parameter->location)) {
			is_set = false;
			parameter->known_from = unset->known_from;
			parameter->is_everywhere = false;
		}
		if (!is_set)
			parameter->location = no_location(IC_LOCATION_WHY_NOT_STORED);
		correct_string(arguments, parameter);
	}
}

// ---- Instances

// Reads the frame base of a host. False after a problem.
static bool open_frame_base(struct ic_arguments *arguments, struct ic_die_place place)
{
	struct ic_frame_base *kept = &arguments->frame_base;
	struct ic_full_die_attr *attr = &kept->attr;

	if (!ic_full_die_find(arguments->dies, place, DW_AT_frame_base, attr))
		return false;
	kept->is_list = attr->spec.form != 0 && attr->spec.class != IC_FORM_CLASS_BLOCK;
	kept->expression = (struct ic_cursor){ .pos = NULL };
	if (attr->spec.form != 0 && !kept->is_list)
		kept->expression = ic_block_read(&attr->cur, attr->spec.form);
	return true;
}

// The frame base is that of the out-of-line function (DWARF 5, 3.3.5). It is cached, because the
// instances of a host are consecutive.
static void find_frame_base(struct ic_arguments *arguments, struct ic_die_place place)
{
	struct ic_frame_base *kept = &arguments->frame_base;
	struct ic_location_entry entry;
	struct ic_locations locations;
	struct ic_error err;

	arguments->frame = (struct ic_cursor){ .pos = NULL };
	if (kept->unit != place.unit || kept->off != place.off) {
		kept->unit = open_frame_base(arguments, place) ? place.unit : NULL;
		kept->off = place.off;
	}
	if (!kept->unit)
		return;
	if (!kept->is_list)
		arguments->frame = kept->expression;
	else if (!open_list(arguments, place, &kept->attr, &locations, &err))
		report_problem(arguments, place, &err);
	else if (ic_locations_find(&locations, &arguments->query, &entry))
		arguments->frame = entry.expression;
}

// The view in which the instance is entered, from its own DIE.
static uint64_t entry_view(struct ic_arguments *arguments, struct ic_die_place place)
{
	struct ic_full_die_attr attr;
	uint64_t view;

	if (!ic_full_die_find(arguments->dies, place, DW_AT_GNU_entry_view, &attr) ||
	    attr.spec.form == 0)
		return 0;
	const struct ic_value value = ic_value_read(&attr.cur, &attr.spec, place.unit);
	return ic_full_die_constant(&value, &view) ? view : 0;
}

void ic_arguments_begin(struct ic_arguments *arguments, const struct ic_unit_model *model,
			const struct ic_instance *instance, struct ic_die_place place,
			uint64_t addr, const struct ic_range_set *code)
{
	const struct ic_instance *host = instance;
	uint64_t unit_off = place.off - instance->die_off;
	bool at_entry = addr == IC_NO_ADDR || addr == instance->entry;

	while (host->kind != IC_INSTANCE_HOST && host->parent != IC_NONE)
		host = &model->instances[host->parent];
	arguments->ranges = model->ranges + instance->first_range;
	arguments->range_count = instance->range_count;
	arguments->query = (struct ic_location_query){
		.addr = at_entry ? instance->entry : addr,
		// Only a range that extends beyond the address covers all of its views.
		.view = at_entry ? entry_view(arguments, place) : UINT64_MAX,
		.code = code,
	};
	arguments->is_entered = at_entry || !arguments->at_other_places;
	arguments->at_function_entry = at_entry && host == instance;
	find_frame_base(arguments, (struct ic_die_place){ place.unit, unit_off + host->die_off });
}

void ic_arguments_free(struct ic_arguments *arguments)
{
	ic_expression_text_free(&arguments->text);
	IC_ARRAY_FREE(&arguments->entries);
}
