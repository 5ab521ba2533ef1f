#include "values/inline_parameters.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "btf/inline_table.h"

enum { MOST_LINKS = 64 }; // from a type to its target; more is a cycle

struct ic_inline_arguments ic_inline_arguments_open(const struct ic_btf_inline *table,
						    uint32_t addr_size, uint64_t function_off,
						    uint64_t number)
{
	struct ic_inline_arguments arguments = { .table = table,
						 .addr_size = addr_size,
						 .number = number };
	struct ic_btf_inline_site site = { .parameter_count = 0 };
	struct ic_btf_function function;

	if (function_off < UINT32_MAX)
		arguments.function = (uint32_t)function_off;
	if (number < table->record_count) {
		ic_btf_inline_get(table, (size_t)number, &site);
		arguments.function = site.callee; // whatever the function's name is in the model
	}
	if (table->types && ic_btf_function(table->types, arguments.function, &function)) {
		arguments.declared_count = function.parameter_count;
		arguments.is_variadic = function.is_variadic;
	}
	arguments.count = site.parameter_count > arguments.declared_count
				  ? site.parameter_count
				  : arguments.declared_count;
	return arguments;
}

static enum ic_type_encoding encoding_of_int(const struct ic_btf_type *type)
{
	enum { IS_CHARACTER = 2, IS_BOOLEAN = 4 };
	uint32_t encoding = ic_btf_type_word(type, 0) >> 24 & 0xf;

	return encoding & IS_BOOLEAN     ? IC_TYPE_BOOLEAN
	       : encoding & IS_CHARACTER ? IC_TYPE_CHARACTER
					 : IC_TYPE_INTEGER;
}

// Follows names and qualifiers to the type itself. False if there is none.
static bool find_plain(const struct ic_btf *types, uint32_t *id, struct ic_btf_type *type)
{
	for (unsigned i = 0; i < MOST_LINKS && ic_btf_type_find(types, *id, type); i++) {
		switch (type->kind) {
		case IC_BTF_CONST:
		case IC_BTF_VOLATILE:
		case IC_BTF_RESTRICT:
		case IC_BTF_TYPE_TAG:
		case IC_BTF_TYPEDEF: *id = type->size; continue;
		default: return true;
		}
	}
	return false;
}

static enum ic_type_encoding encoding_of(const struct ic_btf_type *type)
{
	switch (type->kind) {
	case IC_BTF_INT: return encoding_of_int(type);
	case IC_BTF_PTR: return IC_TYPE_POINTER;
	case IC_BTF_ARRAY: return IC_TYPE_ARRAY;
	case IC_BTF_ENUM:
	case IC_BTF_ENUM64: return IC_TYPE_ENUMERATION;
	case IC_BTF_STRUCT:
	case IC_BTF_UNION: return IC_TYPE_STRUCTURE;
	case IC_BTF_FLOAT: return IC_TYPE_FLOAT;
	case IC_BTF_FUNC_PROTO: return IC_TYPE_FUNCTION;
	default: return IC_TYPE_UNKNOWN;
	}
}

static const char *text_of(struct ic_inline_texts *texts, const struct ic_btf *types, uint32_t id)
{
	uint32_t *number = ic_map_at(&texts->numbers, id);
	char text[512];

	if (number && *number != IC_NONE)
		return texts->list.items[*number];
	const char **place = number ? IC_ARRAY_PUSH(&texts->list) : NULL;
	if (!place)
		return NULL;
	ic_btf_type_text(types, id, text, sizeof(text));
	*number = texts->list.count - 1;
	*place = ic_arena_copy(&texts->arena, text, strlen(text) + 1, 1);
	return *place;
}

// Keeps the target of a pointer. BTF of C marks no integer as a character, except by its name.
static bool keep_pointed(const struct ic_btf *types, uint32_t id, struct ic_inline_texts *texts,
			 struct ic_parameter *parameter)
{
	struct ic_btf_type type;

	if (!find_plain(types, &id, &type) || type.kind != IC_BTF_INT)
		return true;
	const char *name = text_of(texts, types, id);
	parameter->item_size = ic_btf_type_size(types, id, &parameter->item_is_signed);
	parameter->item_encoding = name && strcmp(name, "char") == 0 ? IC_TYPE_CHARACTER
								     : encoding_of_int(&type);
	return name;
}

static bool keep_type(const struct ic_inline_arguments *arguments, uint32_t id,
		      struct ic_inline_texts *texts, struct ic_parameter *parameter)
{
	const struct ic_btf *types = arguments->table->types;
	struct ic_btf_type type;

	if (id == 0)
		return true;
	parameter->type = text_of(texts, types, id);
	if (!parameter->type || !find_plain(types, &id, &type))
		return parameter->type;
	parameter->encoding = encoding_of(&type);
	if (parameter->encoding != IC_TYPE_POINTER)
		return true;
	if (parameter->size == 0)
		parameter->size = arguments->addr_size;
	return keep_pointed(types, type.size, texts, parameter);
}

static bool keep_location(const struct ic_btf_inline_parameter *found, struct ic_arena *arena,
			  struct ic_parameter *parameter)
{
	const struct ic_location *location = &found->location;
	char text[32];

	parameter->location = *location;
	if (location->piece_count > 0) {
		parameter->location.pieces = ic_arena_copy(
			arena, location->pieces, location->piece_count, sizeof(*location->pieces));
		return parameter->location.pieces;
	}
	if (!found->is_on_frame)
		return true;
	snprintf(text, sizeof(text), "fbreg%+d", (int)location->offset);
	parameter->expression = ic_arena_copy(arena, text, strlen(text) + 1, 1);
	return parameter->expression;
}

// The shape of an expression for the same location.
static enum ic_location_shape shape_of(const struct ic_btf_inline_parameter *found)
{
	const struct ic_location *location = &found->location;
	bool is_memory = location->kind == IC_LOCATION_MEMORY;

	if (found->is_on_frame)
		return IC_SHAPE_FRAME;
	if (location->load_count > 0)
		return IC_SHAPE_LOAD;
	switch (location->kind) {
	case IC_LOCATION_UNAVAILABLE: return IC_SHAPE_EMPTY;
	case IC_LOCATION_CONSTANT: return IC_SHAPE_NUMBER;
	case IC_LOCATION_ADDRESS: return IC_SHAPE_ADDRESS;
	case IC_LOCATION_PIECES: return IC_SHAPE_PIECES;
	case IC_LOCATION_REGISTER:
		return location->offset ? IC_SHAPE_REGISTER_VALUE : IC_SHAPE_REGISTER;
	case IC_LOCATION_MEMORY:
	case IC_LOCATION_VALUE: break;
	default: return IC_SHAPE_COMPUTED;
	}
	switch (location->base) {
	case IC_BASE_REGISTER:
		return is_memory ? IC_SHAPE_REGISTER_MEMORY : IC_SHAPE_REGISTER_VALUE;
	case IC_BASE_ADDRESS: return is_memory ? IC_SHAPE_ADDRESS_MEMORY : IC_SHAPE_ADDRESS;
	case IC_BASE_CONSTANT: return is_memory ? IC_SHAPE_NUMBER_MEMORY : IC_SHAPE_NUMBER;
	default: return IC_SHAPE_COMPUTED;
	}
}

static enum ic_location_category category_of(enum ic_location_shape shape)
{
	switch (shape) {
	case IC_SHAPE_EMPTY: return IC_CATEGORY_EMPTY;
	case IC_SHAPE_REGISTER:
	case IC_SHAPE_REGISTER_VALUE:
	case IC_SHAPE_REGISTER_MEMORY: return IC_CATEGORY_REGISTER;
	case IC_SHAPE_PIECES: return IC_CATEGORY_COMPOSITE;
	case IC_SHAPE_FRAME: return IC_CATEGORY_STACK;
	case IC_SHAPE_LOAD:
	case IC_SHAPE_COMPUTED: return IC_CATEGORY_ARITHMETIC;
	default: return IC_CATEGORY_LITERAL;
	}
}

static bool fill_parameters(const struct ic_inline_arguments *arguments, uint32_t number,
			    struct ic_inline_texts *texts, struct ic_arena *arena,
			    struct ic_parameter *parameter)
{
	const struct ic_btf *types = arguments->table->types;
	struct ic_btf_inline_parameter found = { .name = NULL };
	struct ic_btf_inline_site site = { .parameter_count = 0 };

	*parameter = (struct ic_parameter){ .known_from = IC_NO_ADDR };
	if (arguments->number < arguments->table->record_count)
		ic_btf_inline_get(arguments->table, (size_t)arguments->number, &site);
	if (number < site.parameter_count)
		ic_btf_inline_parameter(arguments->table, (size_t)arguments->number, number,
					&found);
	else if (ic_btf_function_parameter(types, arguments->function, number, &found.name,
					   &found.type))
		found.size = ic_btf_type_size(types, found.type, &found.is_signed);
	parameter->name = found.name;
	parameter->size = found.size;
	parameter->is_signed = found.is_signed;
	parameter->shape = shape_of(&found);
	parameter->category = category_of(parameter->shape);
	return keep_type(arguments, found.type, texts, parameter) &&
	       keep_location(&found, arena, parameter);
}

struct ic_inline_arguments ic_inline_arguments_of(const struct ic_btf_inline *table,
						  const struct ic_image *image,
						  const struct ic_instance_place *place)
{
	const struct ic_instance *instance = &place->model->instances[place->instance];
	uint32_t function = instance->function;
	uint64_t function_off = function == IC_NONE ? UINT64_MAX
						    : place->model->functions[function].die_off;

	return ic_inline_arguments_open(table, ic_image_addr_size(image), function_off,
					instance->die_off);
}

bool ic_inline_arguments_fill(const struct ic_inline_arguments *arguments,
			      struct ic_inline_texts *texts, struct ic_arena *arena,
			      struct ic_parameter *parameters)
{
	bool ok = true;

	texts->list.memory = texts->arena.memory = arena->memory;
	for (uint32_t i = 0; ok && i < arguments->count; i++)
		ok = fill_parameters(arguments, i, texts, arena, &parameters[i]);
	return ok;
}

void ic_inline_texts_free(struct ic_inline_texts *texts)
{
	ic_map_free(&texts->numbers);
	IC_ARRAY_FREE(&texts->list);
	ic_arena_free(&texts->arena);
}
