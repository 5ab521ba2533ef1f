#include "recording/protobuf/places.h"

#include <inttypes.h>

#include "elf/files/build_id.h"
#include "profile/recorded_kernel.h"
#include "recording/protobuf/otel_fields.h"

enum { MOST_LINES = 1024 }; // of a location: functions inlined into each other

struct ic_places_mapping {
	uint64_t start, limit, offset;
	uint32_t file;  // index in the profile
	uint32_t names; // its file for frames without addresses; IC_NONE if not needed yet
};

struct ic_places_function {
	uint32_t name, linkage_name, file; // indexes of texts in the profile
	uint32_t line;
};

bool ic_places_is_whole(struct ic_places *places, const struct ic_cursor *cur)
{
	struct ic_error err;

	if (ic_cursor_ok(cur, &err))
		return true;
	ic_problems_add(&places->profile->problems, &err, NULL, 0);
	return false;
}

// ---- Strings

static bool add_string(void *context, struct ic_cursor cur)
{
	struct ic_places *places = context;
	struct ic_bytes *place = IC_ARRAY_PUSH(&places->strings);

	if (place)
		*place = (struct ic_bytes){ cur.pos, (size_t)(cur.end - cur.pos) };
	return place != NULL;
}

// The index of a text in the profile; IC_NONE if it is empty.
static uint32_t add_text(struct ic_places *places, struct ic_bytes bytes)
{
	if (bytes.size == 0)
		return IC_NONE;
	uint32_t found = ic_profile_text_number(places->profile, bytes);
	places->profile->problems.out_of_memory |= found == IC_NONE;
	return found;
}

// Empty if there is no such string.
static struct ic_bytes string_bytes(struct ic_places *places, uint64_t number)
{
	if (number < places->strings.count)
		return places->strings.items[number];
	places->dangling += number > 0;
	return (struct ic_bytes){ NULL, 0 };
}

// The index of a string in the profile; IC_NONE if it is empty, or does not exist.
static uint32_t text_number(struct ic_places *places, uint64_t number)
{
	return number == 0 ? IC_NONE : add_text(places, string_bytes(places, number));
}

// NULL if it is empty.
static const char *known_text(const struct ic_places *places, uint32_t number)
{
	const char *found = ic_profile_text_at(places->profile, number);

	return found && *found ? found : NULL;
}

const char *ic_places_string(struct ic_places *places, uint64_t number)
{
	return known_text(places, text_number(places, number));
}

// ---- Attributes

static enum ic_attribute_key key_of(struct ic_bytes name)
{
	static const char *const names[IC_ATTRIBUTE_COUNT] = {
		[IC_ATTRIBUTE_PID] = "process.pid",
		[IC_ATTRIBUTE_PATH] = "process.executable.path",
		[IC_ATTRIBUTE_PROGRAM] = "process.executable.name",
		[IC_ATTRIBUTE_TID] = "thread.id",
		[IC_ATTRIBUTE_THREAD] = "thread.name",
		[IC_ATTRIBUTE_BUILD_ID] = "process.executable.build_id.gnu",
		[IC_ATTRIBUTE_FRAME_TYPE] = "profile.frame.type",
	};
	enum ic_attribute_key key = IC_ATTRIBUTE_COUNT - 1;

	while (key > IC_ATTRIBUTE_OTHER &&
	       (strlen(names[key]) != name.size || memcmp(names[key], name.data, name.size) != 0))
		key--;
	return key;
}

static void read_value(struct ic_places *places, struct ic_cursor cur,
		       struct ic_attribute *attribute)
{
	struct ic_proto_field field;
	uint32_t number = IC_NONE;

	while (ic_proto_next(&cur, &field)) {
		switch (field.number) {
		case ANY_TEXT: number = add_text(places, field.bytes); break;
		case ANY_NUMBER: attribute->number = field.value; break;
		case ANY_STRING: number = text_number(places, field.value); break;
		}
	}
	if (!ic_places_is_whole(places, &cur))
		*attribute = (struct ic_attribute){ .key = IC_ATTRIBUTE_OTHER };
	else
		attribute->text = known_text(places, number);
}

static struct ic_attribute read_attribute(struct ic_places *places, struct ic_cursor cur,
					  bool is_in_table)
{
	unsigned key_string = is_in_table ? KEY_VALUE_KEY : KEY_VALUE_KEY_STRING;
	struct ic_attribute attribute = { .key = IC_ATTRIBUTE_OTHER };
	struct ic_cursor value = cur;
	struct ic_bytes key = { NULL, 0 };
	struct ic_proto_field field;

	value.end = value.pos; // empty, unless it has a value
	while (ic_proto_next(&cur, &field)) {
		if (field.number == key_string)
			key = string_bytes(places, field.value);
		else if (field.number == KEY_VALUE_KEY)
			key = field.bytes;
		else if (field.number == KEY_VALUE_VALUE && field.type == IC_PROTO_BYTES)
			value = ic_proto_inside(&cur, &field);
	}
	if (ic_places_is_whole(places, &cur))
		attribute.key = key_of(key);
	if (attribute.key != IC_ATTRIBUTE_OTHER)
		read_value(places, value, &attribute);
	return attribute;
}

void ic_places_read_attribute(struct ic_places *places, struct ic_cursor cur,
			      struct ic_attributes *attributes)
{
	struct ic_attribute attribute = read_attribute(places, cur, false);

	attributes->by_key[attribute.key] = attribute;
}

static bool add_attribute(void *context, struct ic_cursor cur)
{
	struct ic_places *places = context;
	struct ic_attribute *place = IC_ARRAY_PUSH(&places->attributes);

	if (place)
		*place = read_attribute(places, cur, true);
	return place != NULL;
}

static void take_attribute(struct ic_places *places, uint64_t number,
			   struct ic_attributes *attributes)
{
	if (number >= places->attributes.count) {
		places->dangling++;
		return;
	}
	const struct ic_attribute *attribute = &places->attributes.items[number];
	attributes->by_key[attribute->key] = *attribute;
}

void ic_places_take_attributes(struct ic_places *places, struct ic_cursor *cur,
			       const struct ic_proto_field *field, struct ic_attributes *attributes)
{
	if (field->type != IC_PROTO_BYTES) {
		take_attribute(places, field->value, attributes);
		return;
	}
	struct ic_cursor list = ic_proto_inside(cur, field);
	while (ic_cursor_more(&list))
		take_attribute(places, ic_cursor_uleb(&list), attributes);
	if (list.fault)
		ic_cursor_fault(cur, "truncated list of attributes");
}

bool ic_places_read_strings(struct ic_places *places)
{
	return ic_proto_each(places->messages, places->form->string, add_string, places) &&
	       (places->form->has_ids ||
		ic_proto_each(places->messages, places->form->attribute, add_attribute, places));
}

// ---- IDs

// Takes the next index as the ID of a message that is about to be read, unless messages contain
// IDs. False for the ID that stands for nothing.
static bool take_id(struct ic_places *places, uint64_t *id)
{
	*id = places->form->has_ids ? 0 : places->next_id++;
	return places->form->has_ids || *id > 0;
}

// The number that a field has in pprof, where messages are the same except for an ID.
static unsigned field_number(const struct ic_places *places, const struct ic_proto_field *field)
{
	return field->number + !places->form->has_ids;
}

// The item with an ID; IC_NONE if there is none. 0 stands for nothing.
static uint32_t find_id(struct ic_places *places, const struct ic_map *map, uint64_t id)
{
	const uint32_t *found = ic_map_find(map, id);

	places->dangling += !found && id > 0;
	return found ? *found : IC_NONE;
}

// ---- Mappings and functions

bool ic_places_add_path(struct ic_places *places, const char *name, const char *path)
{
	uint32_t name_number =
		add_text(places, (struct ic_bytes){ (const uint8_t *)name, strlen(name) });
	uint32_t path_number =
		add_text(places, (struct ic_bytes){ (const uint8_t *)path, strlen(path) });
	uint32_t *known = name_number != IC_NONE && path_number != IC_NONE
				  ? ic_map_at(&places->path_of, name_number)
				  : NULL;

	if (known)
		*known = *known == IC_NONE || *known == path_number ? path_number : name_number;
	return known != NULL;
}

static const char *path_of(struct ic_places *places, uint64_t string)
{
	uint32_t name = text_number(places, string);
	const uint32_t *path = ic_map_find(&places->path_of, name);

	return known_text(places, path ? *path : name);
}

// If a mapping has no particular range, its addresses are those of the file.
static bool add_file(struct ic_places *places, struct ic_places_mapping *mapping, const char *path,
		     const char *build_id)
{
	struct ic_profile_file file = { .path = path ? path : "[unknown]",
					.start = mapping->start,
					.offset = mapping->offset };

	file.kind = path ? ic_profile_file_kind_of(path) : IC_PROFILE_NOWHERE;
	mapping->names = IC_NONE;
	if (strncmp(file.path, "[kernel", 7) == 0) {
		mapping->file = ic_profile_kernel_file(places->profile);
		return mapping->file != IC_NONE;
	}
	if (ic_profile_has_offsets(&file)) {
		file.has_addr = mapping->start == 0 && mapping->offset == 0 &&
				(mapping->limit == 0 || mapping->limit == UINT64_MAX);
		// Build IDs other than the linker's, such as Go's, are not supported here.
		file.build_id_size = build_id ? ic_build_id_read(build_id, file.build_id) : 0;
		places->unread_ids += build_id && file.build_id_size == 0;
	} else {
		file.start = file.offset = 0;
	}
	mapping->file = ic_profile_file_add(places->profile, &file);
	return mapping->file != IC_NONE;
}

static bool add_mapping(void *context, struct ic_cursor cur)
{
	struct ic_places *places = context;
	struct ic_places_mapping mapping = { .limit = 0 };
	struct ic_attributes attributes = { .by_key = { { .key = IC_ATTRIBUTE_OTHER } } };
	struct ic_proto_field field;
	uint64_t id, file = 0;
	const char *build_id = NULL;

	if (!take_id(places, &id))
		return true;
	while (ic_proto_next(&cur, &field)) {
		switch (field_number(places, &field)) {
		case MAPPING_ID: id = field.value; break;
		case MAPPING_START: mapping.start = field.value; break;
		case MAPPING_LIMIT: mapping.limit = field.value; break;
		case MAPPING_OFFSET: mapping.offset = field.value; break;
		case MAPPING_FILE: file = field.value; break;
		case MAPPING_BUILD_ID:
			if (places->form->has_ids)
				build_id = ic_places_string(places, field.value);
			else
				ic_places_take_attributes(places, &cur, &field, &attributes);
			break;
		}
	}
	if (!ic_places_is_whole(places, &cur))
		return true;
	uint32_t *number = ic_map_at(&places->mapping_of, id);
	struct ic_places_mapping *place = number ? IC_ARRAY_PUSH(&places->mappings) : NULL;
	if (!build_id)
		build_id = attributes.by_key[IC_ATTRIBUTE_BUILD_ID].text;
	if (!place || !add_file(places, &mapping, path_of(places, file), build_id))
		return false;
	*place = mapping;
	*number = places->mappings.count - 1;
	return true;
}

static bool add_function(void *context, struct ic_cursor cur)
{
	struct ic_places *places = context;
	struct ic_places_function function = { .line = 0 };
	struct ic_proto_field field;
	uint64_t id, name = 0, system_name = 0, file = 0;

	if (!take_id(places, &id))
		return true;
	while (ic_proto_next(&cur, &field)) {
		switch (field_number(places, &field)) {
		case FUNCTION_ID: id = field.value; break;
		case FUNCTION_NAME: name = field.value; break;
		case FUNCTION_SYSTEM_NAME: system_name = field.value; break;
		case FUNCTION_FILE: file = field.value; break;
		case FUNCTION_START_LINE: function.line = (uint32_t)field.value; break;
		}
	}
	if (!ic_places_is_whole(places, &cur))
		return true;
	function.name = text_number(places, name != 0 ? name : system_name);
	function.linkage_name = system_name == name ? IC_NONE : text_number(places, system_name);
	function.file = text_number(places, file);
	uint32_t *number = ic_map_at(&places->function_of, id);
	struct ic_places_function *place = number ? IC_ARRAY_PUSH(&places->functions) : NULL;
	if (!place)
		return false;
	*place = function;
	*number = places->functions.count - 1;
	return true;
}

// ---- Locations

static bool add_line(struct ic_places *places, struct ic_cursor cur)
{
	static const struct ic_places_function nothing = { IC_NONE, IC_NONE, IC_NONE, 0 };
	const struct ic_places_function *function = &nothing;
	struct ic_proto_field field;
	uint32_t number = IC_NONE;
	uint64_t line = 0;

	while (ic_proto_next(&cur, &field)) {
		if (field.number == LINE_FUNCTION)
			number = find_id(places, &places->function_of, field.value);
		else if (field.number == LINE_NUMBER)
			line = field.value;
	}
	if (!ic_places_is_whole(places, &cur))
		return true;
	if (places->frames.count >= MOST_LINES) {
		places->left_out++;
		return true;
	}
	if (number != IC_NONE)
		function = &places->functions.items[number];
	if (places->frames.count > 0)
		places->frames.items[places->frames.count - 1].inlined = 1;
	struct ic_profile_given *place = IC_ARRAY_PUSH(&places->frames);
	if (place)
		*place = (struct ic_profile_given){ function->name,
						    function->linkage_name,
						    function->file,
						    function->file,
						    function->line,
						    (uint32_t)line,
						    0 };
	return place != NULL;
}

// The file in the profile for addresses that are not in a mapping.
static uint32_t place_nowhere(struct ic_places *places)
{
	return ic_profile_file_add(
		places->profile,
		&(struct ic_profile_file){ .path = "[unknown]", .kind = IC_PROFILE_NOWHERE });
}

// The location of frames without an address, or with one that is meaningless here.
static uint32_t add_named(struct ic_places *places, struct ic_places_mapping *mapping)
{
	const struct ic_profile *profile = places->profile;
	struct ic_profile_file file = { .path = "[unknown]", .kind = IC_PROFILE_NAMES };
	uint32_t number = mapping ? mapping->names : IC_NONE;

	if (mapping && number == IC_NONE) {
		file.path = profile->files.items[mapping->file].path;
		file.is_kernel = profile->files.items[mapping->file].is_kernel;
	}
	if (number == IC_NONE)
		number = ic_profile_file_add(places->profile, &file);
	if (mapping)
		mapping->names = number;
	return number == IC_NONE
		       ? IC_NONE
		       : ic_profile_named_location_add(places->profile, number,
						       places->frames.items, places->frames.count);
}

static uint32_t add_address(struct ic_places *places, struct ic_places_mapping *mapping,
			    uint64_t addr)
{
	struct ic_profile *profile = places->profile;
	bool is_in = mapping && addr >= mapping->start &&
		     (mapping->limit == 0 || addr < mapping->limit);
	uint32_t file = is_in ? mapping->file : place_nowhere(places);

	if (file == IC_NONE)
		return IC_NONE;
	// Outside any file, the same address may be another function.
	if (places->frames.count > 0 && !ic_profile_has_offsets(&profile->files.items[file]) &&
	    profile->files.items[file].kind != IC_PROFILE_KERNEL)
		return add_named(places, is_in ? mapping : NULL);
	if (is_in && ic_profile_has_offsets(&profile->files.items[file]))
		addr = addr - mapping->start + mapping->offset;
	uint32_t location = ic_profile_location_add(profile, file, addr);
	return location != IC_NONE &&
			       ic_profile_location_give(profile, location, places->frames.items,
							places->frames.count)
		       ? location
		       : IC_NONE;
}

// Addresses in the kernel are relative to its start, or to that of a module, which is unknown.
static uint32_t add_of_kernel(struct ic_places *places)
{
	uint32_t file = ic_profile_file_add(places->profile,
					    &(struct ic_profile_file){ .path = "[kernel]",
								       .kind = IC_PROFILE_NAMES,
								       .is_kernel = true });

	places->of_kernel++;
	return file == IC_NONE
		       ? IC_NONE
		       : ic_profile_named_location_add(places->profile, file, places->frames.items,
						       places->frames.count);
}

// Other frames have an address of another kind, such as the index of a Java instruction.
static bool is_machine_code(const char *frame_type)
{
	return !frame_type || strcmp(frame_type, "native") == 0 || strcmp(frame_type, "go") == 0 ||
	       strcmp(frame_type, "rust") == 0;
}

static bool add_location(void *context, struct ic_cursor cur)
{
	struct ic_places *places = context;
	struct ic_attributes attributes = { .by_key = { { .key = IC_ATTRIBUTE_OTHER } } };
	struct ic_proto_field field;
	uint64_t id, addr = 0;
	uint32_t of = IC_NONE;

	if (!take_id(places, &id))
		return true;
	places->frames.count = 0;
	while (ic_proto_next(&cur, &field)) {
		switch (field_number(places, &field)) {
		case LOCATION_ID: id = field.value; break;
		case LOCATION_MAPPING:
			of = find_id(places, &places->mapping_of, field.value);
			break;
		case LOCATION_ADDRESS: addr = field.value; break;
		case LOCATION_LINE:
			if (field.type == IC_PROTO_BYTES &&
			    !add_line(places, ic_proto_inside(&cur, &field)))
				return false;
			break;
		case LOCATION_ATTRIBUTE:
			if (!places->form->has_ids)
				ic_places_take_attributes(places, &cur, &field, &attributes);
			break;
		}
	}
	if (!ic_places_is_whole(places, &cur))
		return true;
	struct ic_places_mapping *mapping = of != IC_NONE ? &places->mappings.items[of] : NULL;
	const char *type = attributes.by_key[IC_ATTRIBUTE_FRAME_TYPE].text;
	uint32_t location = type && strcmp(type, "kernel") == 0 ? add_of_kernel(places)
			    : addr != 0 && is_machine_code(type)
				    ? add_address(places, mapping, addr)
				    : add_named(places, mapping);
	uint32_t *number = ic_map_at(&places->location_of, id);
	if (number)
		*number = location;
	return number && location != IC_NONE;
}

// Reads the messages of one kind.
static bool read_kind(struct ic_places *places, unsigned kind,
		      bool (*read)(void *context, struct ic_cursor cur))
{
	places->next_id = 0;
	return ic_proto_each(places->messages, kind, read, places);
}

bool ic_places_read(struct ic_places *places)
{
	return read_kind(places, places->form->mapping, add_mapping) &&
	       read_kind(places, places->form->function, add_function) &&
	       read_kind(places, places->form->location, add_location);
}

static uint32_t find_location(struct ic_places *places, uint64_t id)
{
	uint32_t location = find_id(places, &places->location_of, id);

	if (location != IC_NONE)
		return location;
	uint32_t file = place_nowhere(places);
	return file == IC_NONE ? IC_NONE : ic_profile_location_add(places->profile, file, 0);
}

bool ic_places_stack(struct ic_places *places, const struct ic_proto_numbers *ids, uint32_t *node)
{
	uint32_t count = ids->list.count;

	*node = IC_NONE;
	for (uint32_t i = count > 0 ? count : 1; i > 0; i--) {
		uint32_t at = find_location(places, count > 0 ? ids->list.items[i - 1] : 0);
		if (at == IC_NONE || !ic_profile_node_add(places->profile, *node, at, node))
			return false;
		places->profile->locations.items[at].is_caller |= i > 1;
		if (*node == IC_NONE)
			break;
	}
	return true;
}

void ic_places_tell(struct ic_places *places)
{
	struct ic_problems *problems = &places->profile->problems;
	struct ic_error err;

	if (places->left_out > 0) {
		ic_fail(&err, IC_ERROR_LIMIT,
			"%" PRIu64 " lines are left out: their locations have too many",
			places->left_out);
		ic_problems_add(problems, &err, NULL, 0);
	}
	if (places->unread_ids > 0) {
		ic_fail(&err, IC_ERROR_UNSUPPORTED,
			"%" PRIu64 " build IDs are longer than 20 bytes, or not hexadecimal: their "
			"files are not checked",
			places->unread_ids);
		ic_problems_add(problems, &err, NULL, 0);
	}
	if (places->of_kernel > 0) {
		ic_fail(&err, IC_ERROR_UNSUPPORTED,
			"%" PRIu64 " kernel locations have only the names in the recording: "
			"functions inlined there are unknown",
			places->of_kernel);
		ic_problems_add(problems, &err, NULL, 0);
	}
	if (places->dangling > 0) {
		ic_fail(&err, IC_ERROR_MALFORMED,
			"%" PRIu64 " references to missing items: the profile is incomplete",
			places->dangling);
		ic_problems_add(problems, &err, NULL, 0);
	}
}

void ic_places_free(struct ic_places *places)
{
	IC_ARRAY_FREE(&places->strings);
	IC_ARRAY_FREE(&places->attributes);
	ic_map_free(&places->path_of);
	IC_ARRAY_FREE(&places->mappings);
	IC_ARRAY_FREE(&places->functions);
	ic_map_free(&places->mapping_of);
	ic_map_free(&places->function_of);
	ic_map_free(&places->location_of);
	IC_ARRAY_FREE(&places->frames);
}
