#include "compare/build.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compare/function_key.h"
#include "query/counts/facts.h"
#include "query/counts/own_ranges.h"
#include "query/find/definitions.h"
#include "query/find/names.h"
#include "query/find/parts.h"
#include "text/text.h"

enum {
	MOST_IDENTITY = 2 * IC_LONGEST_NAME + 16, // bytes: a key, a path, and a line
	MOST_COPIES = 1024                        // of a function, to look for the caller in
};

struct adder { // of an index to a build
	struct ic_build *build;
	const struct ic_index *index;
	struct ic_definitions definitions;
	uint8_t *facts;      // by definition
	uint32_t *functions; // of the build, by definition; IC_NONE if not added yet
	struct ic_names names;
	struct ic_own_ranges own;
	struct ic_parts parts;
	struct ic_parameters *parameters; // NULL if arguments are not wanted
	// By instance, unit after unit: its path, IC_NONE if it has none.
	IC_ARRAY(uint32_t) paths;
};

// ---- Functions

// Replaces a text, unless it is NULL, by a copy. False if memory runs out.
static bool keep_text(struct ic_build *build, const char **text)
{
	if (!*text)
		return true;
	*text = ic_arena_copy(&build->arena, *text, strlen(*text) + 1, 1);
	return *text;
}

// The name that a function's key is made from: without a linkage name, its scopes tell it apart.
static const char *key_name(const struct adder *adder, const struct ic_function *function,
			    char qualified[IC_LONGEST_NAME])
{
	if (function->linkage_name ||
	    !ic_function_qualified_name(adder->index, function, qualified, IC_LONGEST_NAME))
		return ic_function_symbol(function);
	return qualified;
}

// Adds a function unless it is there; IC_NONE if memory runs out.
static uint32_t add_function(struct adder *adder, const struct ic_function *function)
{
	struct ic_build *build = adder->build;
	char identity[MOST_IDENTITY], path[IC_LONGEST_NAME] = "", qualified[IC_LONGEST_NAME];
	size_t key =
		ic_function_key(key_name(adder, function, qualified), identity, IC_LONGEST_NAME);
	size_t length = key;

	if (function->decl_file)
		ic_text_plain_path(function->decl_file, path, sizeof(path));
	identity[length++] = 0;
	memcpy(identity + length, path, strlen(path));
	length += strlen(path);
	memcpy(identity + length, &function->decl_line, sizeof(function->decl_line));
	length += sizeof(function->decl_line);
	uint32_t number = ic_byte_pool_add(&build->identities, identity, (uint32_t)length);
	if (number == IC_NONE || number < build->functions.count)
		return number;
	uint32_t key_number = ic_byte_pool_add(&build->keys, identity, (uint32_t)key);
	if (key_number == build->by_key.count && !IC_ARRAY_ADD(&build->by_key, IC_NONE))
		return IC_NONE;
	struct ic_built_function added = {
		.name = ic_names_display(&adder->names, function),
		.linkage_name = function->linkage_name,
		.decl_file = *path ? path : NULL,
		.decl_line = function->decl_line,
		.key = key_number,
	};
	return key_number != IC_NONE && keep_text(build, &added.name) &&
			       keep_text(build, &added.linkage_name) &&
			       keep_text(build, &added.decl_file) &&
			       IC_ARRAY_ADD(&build->functions, added)
		       ? number
		       : IC_NONE;
}

static uint32_t function_of(struct adder *adder, uint32_t definition)
{
	const struct ic_function *function = adder->definitions.items.items[definition];
	uint32_t *number = &adder->functions[definition];

	if (*number == IC_NONE)
		*number = function ? add_function(adder, function) : 0;
	if (*number != IC_NONE)
		adder->build->functions.items[*number].facts |= adder->facts[definition];
	return *number;
}

// ---- Paths

// The path to a function from a parent, which is IC_NONE for an out-of-line function; NULL if
// memory runs out.
static struct ic_built_path *add_path(struct ic_build *build, uint32_t parent, uint32_t function)
{
	uint32_t *number = ic_map_at(&build->by_place, (uint64_t)parent << 32 | function);

	if (!number)
		return NULL;
	if (*number != IC_NONE)
		return &build->paths.items[*number];
	*number = build->paths.count;
	struct ic_built_path *path = IC_ARRAY_PUSH(&build->paths);
	if (path)
		*path = (struct ic_built_path){ .parent = parent, .function = function };
	return path;
}

static bool find_own_size(struct adder *adder, const struct ic_unit_model *unit, uint32_t instance,
			  uint64_t *size)
{
	*size = 0;
	if (unit->has_only_entries || unit->instances[instance].range_count == 0)
		return true;
	if (!ic_own_ranges_find(&adder->own, unit, instance))
		return false;
	for (uint32_t i = 0; i < adder->own.own.count; i++)
		*size += adder->own.own.items[i].end - adder->own.own.items[i].start;
	return true;
}

static void count_copy(struct ic_build *build, struct ic_built_path *path, bool is_part,
		       uint64_t size)
{
	struct ic_built_function *function = &build->functions.items[path->function];
	uint32_t *of_key = &build->by_key.items[function->key];
	bool is_host = path->parent == IC_NONE;

	if (*of_key != path->function)
		*of_key = *of_key == IC_NONE ? path->function : (uint32_t)IC_BUILD_SEVERAL;
	path->copies += !is_part;
	path->size += size;
	*(is_host ? &function->out_of_line : &function->copies) += !is_part;
	*(is_host ? &function->out_of_line_size : &function->size) += size;
}

static bool add_argument(struct ic_build *build, uint32_t path,
			 const struct ic_parameter *parameter)
{
	uint32_t name = ic_byte_pool_add(&build->argument_names, parameter->name,
					 (uint32_t)strlen(parameter->name) + 1);
	uint32_t *number =
		name == IC_NONE ? NULL : ic_map_at(&build->by_name, (uint64_t)path << 32 | name);

	if (!number)
		return false;
	if (*number == IC_NONE) {
		*number = build->arguments.count;
		if (!IC_ARRAY_ADD(&build->arguments,
				  (struct ic_built_argument){ .path = path, .name = name }))
			return false;
	}
	build->arguments.items[*number].copies++;
	build->arguments.items[*number].readable += parameter->location.why ==
						    IC_LOCATION_WHY_KNOWN;
	return true;
}

// The arguments of a copy, which is in the unit with that number.
static bool add_arguments(struct adder *adder, uint32_t unit, uint32_t instance, uint32_t path)
{
	const struct ic_site_place place = { .unit = unit,
					     .number = instance,
					     .kind = IC_SITE_INLINED };
	const struct ic_parameter *list;
	struct ic_site site;

	ic_site_describe(adder->index, &place, &site);
	if (!ic_parameters_find(adder->parameters, &site, IC_NO_ADDR, NULL))
		return false;
	size_t count = ic_parameters_list(adder->parameters, &list);
	for (size_t i = 0; i < count; i++)
		if (list[i].name && !list[i].is_result && !list[i].is_member &&
		    !add_argument(adder->build, path, &list[i]))
			return false;
	return true;
}

// The path around copies that are in no out-of-line function, or in one without code.
static bool find_unknown_host(struct ic_build *build, uint32_t *number)
{
	const struct ic_built_path *path = add_path(build, IC_NONE, 0);

	if (path)
		*number = (uint32_t)(path - build->paths.items);
	return path;
}

// The path of the unit's first instance has this number in adder->paths.
static bool add_instance(struct adder *adder, uint32_t unit_number, uint32_t number, uint32_t first)
{
	uint32_t *paths = adder->paths.items + first;
	const struct ic_unit_model *unit = &adder->index->units[unit_number];
	const struct ic_instance *instance = &unit->instances[number];
	bool is_host = instance->kind == IC_INSTANCE_HOST;
	uint32_t parent = is_host || instance->parent == IC_NONE ? IC_NONE
								 : paths[instance->parent];

	paths[number] = parent;
	// What was inlined into a part of a function belongs to the function.
	if (ic_instance_is_part(unit, instance) ||
	    (parent == IC_NONE && !ic_instance_has_code(unit, instance)))
		return true;
	if (!is_host && parent == IC_NONE && !find_unknown_host(adder->build, &parent))
		return false;
	uint32_t function =
		function_of(adder, ic_definition_of(&adder->definitions, unit_number, instance));
	struct ic_built_path *path = function == IC_NONE ? NULL
							 : add_path(adder->build, parent, function);
	uint64_t size;
	if (!path || !find_own_size(adder, unit, number, &size))
		return false;
	paths[number] = (uint32_t)(path - adder->build->paths.items);
	if (!ic_instance_has_code(unit, instance)) {
		path->emptied++;
		return true;
	}
	count_copy(adder->build, path, is_host && ic_parts_has(&adder->parts, unit, instance),
		   size);
	return is_host || !adder->parameters ||
	       add_arguments(adder, unit_number, number, paths[number]);
}

static bool add_instances(struct adder *adder)
{
	const struct ic_index *index = adder->index;
	uint32_t first = 0;

	for (uint32_t i = 0; i < index->unit_count; i++) {
		const struct ic_unit_model *unit = &index->units[i];
		if (!IC_ARRAY_RESERVE(&adder->paths, (uint64_t)first + unit->instance_count) ||
		    !ic_own_ranges_begin(&adder->own, unit))
			return false;
		for (uint32_t j = 0; j < unit->instance_count; j++)
			if (!add_instance(adder, i, j, first))
				return false;
		first += unit->instance_count;
	}
	return true;
}

// The function of this name that the build defines: IC_BUILD_SEVERAL if it has several, IC_NONE if
// it has none.
static uint32_t find_defined(struct adder *adder, const struct ic_function *function)
{
	const struct ic_build *build = adder->build;
	char key[IC_LONGEST_NAME], qualified[IC_LONGEST_NAME];
	size_t size = ic_function_key(key_name(adder, function, qualified), key, sizeof(key));
	uint32_t number = ic_byte_pool_find(&build->keys, key, (uint32_t)size);

	return number == IC_NONE ? IC_NONE : build->by_key.items[number];
}

// A function that a unit only declares is the one that the build defines, if it has only one of
// that name.
static uint32_t callee_of(struct adder *adder, uint32_t unit_number, uint32_t function)
{
	const struct ic_unit_model *unit = &adder->index->units[unit_number];
	uint32_t definition = ic_definition_of_function(&adder->definitions, unit_number, function);

	if (definition != IC_NONE)
		return function_of(adder, definition);
	uint32_t defined = find_defined(adder, &unit->functions[function]);
	return defined != IC_NONE && defined != IC_BUILD_SEVERAL
		       ? defined
		       : add_function(adder, &unit->functions[function]);
}

// The instance that a call is in. Clang describes all calls of a function at the function itself:
// those in a copy are found by their address, unless the function has very many copies.
static uint32_t caller_of(const struct ic_unit_model *unit, const struct ic_call *call)
{
	uint64_t addr = call->return_addr == IC_NO_ADDR ? call->addr : call->return_addr - 1;
	uint32_t caller = call->parent;

	if (caller == IC_NONE || addr == IC_NO_ADDR ||
	    unit->instances[caller].kind != IC_INSTANCE_HOST)
		return caller;
	for (uint32_t i = call->parent + 1;
	     i < unit->instance_count && i - call->parent <= MOST_COPIES &&
	     unit->instances[i].parent != IC_NONE;
	     i++)
		if (ic_instance_has_address(unit, &unit->instances[i], addr))
			caller = i;
	return caller;
}

static bool add_call(struct adder *adder, uint32_t unit_number, const struct ic_call *call,
		     uint32_t first)
{
	uint32_t caller = caller_of(&adder->index->units[unit_number], call);
	uint32_t parent = caller == IC_NONE ? IC_NONE : adder->paths.items[first + caller];

	if (parent == IC_NONE || call->function == IC_NONE)
		return true;
	uint32_t function = callee_of(adder, unit_number, call->function);
	struct ic_built_path *path = function == IC_NONE ? NULL
							 : add_path(adder->build, parent, function);
	if (path)
		path->calls++;
	return path;
}

// After all instances: calls go to what these define.
static bool add_calls(struct adder *adder)
{
	const struct ic_index *index = adder->index;
	uint32_t first = 0;

	for (uint32_t i = 0; i < index->unit_count; i++) {
		const struct ic_unit_model *unit = &index->units[i];
		for (uint32_t j = 0; j < unit->call_count; j++)
			if (!add_call(adder, i, &unit->calls[j], first))
				return false;
		adder->build->has_calls |= unit->call_count > 0;
		first += unit->instance_count;
	}
	return true;
}

// ---- Builds

static bool prepare_facts(struct adder *adder)
{
	uint32_t count;

	if (!ic_definitions_build(&adder->definitions, adder->index, NULL))
		return false;
	count = adder->definitions.items.count;
	adder->facts = ic_items_alloc(count, sizeof(*adder->facts));
	adder->functions = ic_items_alloc(count, sizeof(*adder->functions));
	if (!adder->facts || !adder->functions)
		return false;
	memset(adder->facts, IC_FACT_IS_WANTED, count);
	memset(adder->functions, 0xff, count * sizeof(*adder->functions)); // IC_NONE
	return ic_facts_note(adder->facts, &adder->definitions, &adder->parts);
}

static bool add_index(struct adder *adder)
{
	struct ic_build *build = adder->build;
	uint64_t size = ic_range_set_size(&adder->index->code);

	if (!prepare_facts(adder) || !add_instances(adder) || !add_calls(adder))
		return false;
	build->code_size = size == UINT64_MAX || build->code_size == UINT64_MAX
				   ? UINT64_MAX
				   : build->code_size + size;
	build->file_count++;
	build->has_arguments |= adder->parameters != NULL;
	return !adder->parts.out_of_memory && !adder->names.out_of_memory;
}

struct ic_build *ic_build_new(struct ic_error *err)
{
	static const struct ic_built_function unknown = { .key = 0 };
	struct ic_build *build = calloc(1, sizeof(*build));

	if (build && ic_byte_pool_add(&build->identities, "", 0) == 0 &&
	    ic_byte_pool_add(&build->keys, "", 0) == 0 &&
	    IC_ARRAY_ADD(&build->functions, unknown) &&
	    IC_ARRAY_ADD(&build->by_key, IC_BUILD_SEVERAL))
		return build;
	ic_fail_memory(err);
	ic_build_free(build);
	return NULL;
}

bool ic_build_add(struct ic_build *build, const struct ic_index *index,
		  struct ic_parameters *parameters, struct ic_error *err)
{
	struct adder adder = { .build = build,
			       .index = index,
			       .parameters = parameters,
			       .names = { .index = index, .style = IC_DEMANGLE_NAME } };

	ic_parts_init(&adder.parts, index);
	bool ok = add_index(&adder);
	ic_definitions_free(&adder.definitions);
	ic_names_free(&adder.names);
	ic_own_ranges_free(&adder.own);
	ic_parts_free(&adder.parts);
	IC_ARRAY_FREE(&adder.paths);
	free(adder.facts);
	free(adder.functions);
	return ok || ic_fail_memory(err);
}

void ic_build_free(struct ic_build *build)
{
	if (!build)
		return;
	IC_ARRAY_FREE(&build->functions);
	IC_ARRAY_FREE(&build->paths);
	IC_ARRAY_FREE(&build->by_key);
	IC_ARRAY_FREE(&build->arguments);
	ic_byte_pool_free(&build->argument_names);
	ic_map_free(&build->by_name);
	ic_byte_pool_free(&build->identities);
	ic_byte_pool_free(&build->keys);
	ic_map_free(&build->by_place);
	ic_arena_free(&build->arena);
	free(build);
}
