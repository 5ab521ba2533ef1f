// The types of the results of functions.
#include "values/parameter_reader.h"

#include <inlinecall/extra/parameters.h>

// The producer of a unit.
static const char *producer_of(struct ic_parameters *parameters, struct ic_unit *unit)
{
	const struct ic_die_place root = { unit, unit->die_off };
	struct ic_full_die_attr attr;

	if (!ic_full_die_find(&parameters->dies, root, DW_AT_producer, &attr) ||
	    attr.spec.form == 0)
		return NULL;
	const struct ic_value value = ic_value_read(&attr.cur, &attr.spec, unit);
	return ic_full_die_text(&parameters->dies, root, &value);
}

// Follows references from a function to the DIE with its type. False if none can be read.
static bool find_result_type(struct ic_parameters *parameters, uint64_t function_off,
			     struct ic_die_place *place, struct ic_value *type)
{
	struct ic_dies *dies = &parameters->dies;
	struct ic_full_die die;

	if (!ic_full_die_place_at(dies->reader->context, function_off, place))
		return false;
	for (unsigned i = 0; i < IC_DIE_MOST_LINKS; i++) {
		if (!ic_full_die_open(dies, *place, &die))
			return false;
		*type = die.attrs.type;
		const struct ic_value *next = ic_value_is_given(&die.attrs.origin)
						      ? &die.attrs.origin
						      : &die.attrs.specification;
		if (ic_value_is_given(type) || !ic_value_is_given(next))
			return true;
		if (!ic_full_die_follow(dies, next, place))
			return false;
	}
	return false;
}

static bool read_result(struct ic_parameters *parameters, const struct ic_instance_place *of,
			struct ic_result *result)
{
	struct ic_types *types = &parameters->formals.types;
	struct ic_die_place place;
	struct ic_value type;

	if (!ic_parameters_enter_unit(parameters, of->unit))
		return true;
	ic_parameters_need_language(parameters, parameters->reader->unit);
	const struct ic_signature *signature =
		ic_formals_of(&parameters->formals, ic_parameters_function_of(of));
	if (!signature)
		return false;
	if (!signature->is_described ||
	    !find_result_type(parameters, ic_parameters_function_of(of), &place, &type))
		return !parameters->reader->out_of_memory;
	const struct ic_type_text text = ic_type_of(types, place, &type);
	result->type = ic_parameter_of_type(&text, ic_type_whole(types, &text));
	result->type.is_result = true;
	result->producer = producer_of(parameters, parameters->reader->unit);
	return ic_enumeration_of(&parameters->enumerations, types, place, &type,
				 &result->enumeration) &&
	       !parameters->reader->out_of_memory;
}

bool ic_parameters_result(struct ic_parameters *parameters, const struct ic_site *site,
			  struct ic_result *result, struct ic_error *err)
{
	struct ic_error unwanted;

	*result = (struct ic_result){ .type.encoding = IC_TYPE_UNKNOWN, .enumeration.scope = "" };
	if (!err)
		err = &unwanted;
	if (parameters->symbolizer)
		return ic_fail(err, IC_ERROR_ARGUMENT,
			       "these parameters are for frames, not for an index");
	if (site->kind == IC_SITE_CALL || parameters->index->inline_table)
		return true;
	const struct ic_instance_place place = ic_parameters_place_of(parameters, site);
	return read_result(parameters, &place, result) ||
	       ic_image_fail_memory(parameters->image, err);
}
