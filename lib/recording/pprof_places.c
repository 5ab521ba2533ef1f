#include "recording/pprof_places.h"

#include "elf/build_id.h"
#include "profile/recorded_kernel.h"

enum { MOST_LINES = 1024 }; // of a location: functions that are inlined into each other

struct ic_pprof_mapping {
	uint64_t start, limit, offset;
	uint32_t file;  // in the profile
	uint32_t names; // its file of what has no address; IC_NONE if that is not needed yet
};

struct ic_pprof_function {
	uint32_t name, linkage_name, file; // texts in the profile
	uint32_t line;
};

bool ic_pprof_each(const struct ic_pprof *pprof, unsigned kind,
		   bool (*read)(void *context, struct ic_cursor cur), void *context)
{
	struct ic_cursor cur = ic_proto_cursor(pprof->bytes);
	struct ic_proto_field field;

	while (ic_proto_next(&cur, &field))
		if (field.number == kind && field.type == IC_PROTO_BYTES &&
		    !read(context, ic_proto_inside(&cur, &field)))
			return false;
	return true;
}

bool ic_pprof_is_whole(struct ic_pprof *pprof, const struct ic_cursor *cur)
{
	struct ic_error err;

	if (ic_cursor_ok(cur, &err))
		return true;
	ic_problems_add(&pprof->profile->problems, &err, NULL, 0);
	return false;
}

// ---- Strings

static bool add_string(void *context, struct ic_cursor cur)
{
	struct ic_pprof *pprof = context;
	struct ic_bytes *place = IC_ARRAY_PUSH(&pprof->strings);

	if (place)
		*place = (struct ic_bytes){ cur.pos, (size_t)(cur.end - cur.pos) };
	return place != NULL;
}

bool ic_pprof_read_strings(struct ic_pprof *pprof)
{
	return ic_pprof_each(pprof, PROFILE_STRING, add_string, pprof);
}

// The number of a string in the profile; IC_NONE if it is empty, or there is none.
static uint32_t text(struct ic_pprof *pprof, uint64_t number)
{
	if (number == 0)
		return IC_NONE;
	if (number >= pprof->strings.count) {
		pprof->dangling++;
		return IC_NONE;
	}
	if (pprof->strings.items[number].size == 0)
		return IC_NONE;
	uint32_t found = ic_profile_text_number(pprof->profile, pprof->strings.items[number]);
	pprof->profile->problems.out_of_memory |= found == IC_NONE;
	return found;
}

const char *ic_pprof_string(struct ic_pprof *pprof, uint64_t number)
{
	const char *found = ic_profile_text_at(pprof->profile, text(pprof, number));

	return found && *found ? found : NULL;
}

// What has an ID; IC_NONE if nothing has. 0 is nothing's.
static uint32_t find(struct ic_pprof *pprof, const struct ic_map *map, uint64_t id)
{
	const uint32_t *found = ic_map_find(map, id);

	pprof->dangling += !found && id > 0;
	return found ? *found : IC_NONE;
}

// ---- Mappings and functions

// Addresses of what is mapped nowhere in particular are those that the file has.
static bool add_file(struct ic_pprof *pprof, struct ic_pprof_mapping *mapping, const char *path,
		     const char *build_id)
{
	struct ic_profile_file file = { .path = path ? path : "[unknown]",
					.start = mapping->start,
					.offset = mapping->offset };

	file.kind = path ? ic_profile_file_kind_of(path) : IC_PROFILE_NOWHERE;
	mapping->names = IC_NONE;
	if (strncmp(file.path, "[kernel", 7) == 0) {
		mapping->file = ic_profile_kernel_file(pprof->profile);
		return mapping->file != IC_NONE;
	}
	if (ic_profile_has_offsets(&file)) {
		file.has_addr = mapping->start == 0 && mapping->offset == 0 &&
				(mapping->limit == 0 || mapping->limit == UINT64_MAX);
		// Others than the linker's, as Go's, are not known here.
		file.build_id_size = build_id ? ic_build_id_read(build_id, file.build_id) : 0;
	} else {
		file.start = file.offset = 0;
	}
	mapping->file = ic_profile_file_add(pprof->profile, &file);
	return mapping->file != IC_NONE;
}

static bool add_mapping(void *context, struct ic_cursor cur)
{
	struct ic_pprof *pprof = context;
	struct ic_pprof_mapping mapping = { .limit = 0 };
	struct ic_proto_field field;
	uint64_t id = 0, file = 0, build_id = 0;

	while (ic_proto_next(&cur, &field)) {
		switch (field.number) {
		case MAPPING_ID: id = field.value; break;
		case MAPPING_START: mapping.start = field.value; break;
		case MAPPING_LIMIT: mapping.limit = field.value; break;
		case MAPPING_OFFSET: mapping.offset = field.value; break;
		case MAPPING_FILE: file = field.value; break;
		case MAPPING_BUILD_ID: build_id = field.value; break;
		}
	}
	if (!ic_pprof_is_whole(pprof, &cur))
		return true;
	uint32_t *number = ic_map_at(&pprof->mapping_of, id);
	struct ic_pprof_mapping *place = number ? IC_ARRAY_PUSH(&pprof->mappings) : NULL;
	if (!place || !add_file(pprof, &mapping, ic_pprof_string(pprof, file),
				ic_pprof_string(pprof, build_id)))
		return false;
	*place = mapping;
	*number = pprof->mappings.count - 1;
	return true;
}

static bool add_function(void *context, struct ic_cursor cur)
{
	struct ic_pprof *pprof = context;
	struct ic_pprof_function function = { .line = 0 };
	struct ic_proto_field field;
	uint64_t id = 0, name = 0, system_name = 0, file = 0;

	while (ic_proto_next(&cur, &field)) {
		switch (field.number) {
		case FUNCTION_ID: id = field.value; break;
		case FUNCTION_NAME: name = field.value; break;
		case FUNCTION_SYSTEM_NAME: system_name = field.value; break;
		case FUNCTION_FILE: file = field.value; break;
		case FUNCTION_START_LINE: function.line = (uint32_t)field.value; break;
		}
	}
	if (!ic_pprof_is_whole(pprof, &cur))
		return true;
	function.name = text(pprof, name != 0 ? name : system_name);
	function.linkage_name = system_name == name ? IC_NONE : text(pprof, system_name);
	function.file = text(pprof, file);
	uint32_t *number = ic_map_at(&pprof->function_of, id);
	struct ic_pprof_function *place = number ? IC_ARRAY_PUSH(&pprof->functions) : NULL;
	if (!place)
		return false;
	*place = function;
	*number = pprof->functions.count - 1;
	return true;
}

// ---- Locations

static bool add_line(struct ic_pprof *pprof, struct ic_cursor cur)
{
	static const struct ic_pprof_function nothing = { IC_NONE, IC_NONE, IC_NONE, 0 };
	const struct ic_pprof_function *function = &nothing;
	struct ic_proto_field field;
	uint32_t number = IC_NONE;
	uint64_t line = 0;

	while (ic_proto_next(&cur, &field)) {
		if (field.number == LINE_FUNCTION)
			number = find(pprof, &pprof->function_of, field.value);
		else if (field.number == LINE_NUMBER)
			line = field.value;
	}
	if (!ic_pprof_is_whole(pprof, &cur))
		return true;
	if (pprof->frames.count >= MOST_LINES) {
		pprof->left_out++;
		return true;
	}
	if (number != IC_NONE)
		function = &pprof->functions.items[number];
	if (pprof->frames.count > 0)
		pprof->frames.items[pprof->frames.count - 1].inlined = 1;
	struct ic_profile_given *place = IC_ARRAY_PUSH(&pprof->frames);
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

// The file in the profile of an address that is not in a mapping.
static uint32_t nowhere(struct ic_pprof *pprof)
{
	return ic_profile_file_add(
		pprof->profile,
		&(struct ic_profile_file){ .path = "[unknown]", .kind = IC_PROFILE_NOWHERE });
}

// The location of frames that have no address.
static uint32_t add_named(struct ic_pprof *pprof, struct ic_pprof_mapping *mapping)
{
	const struct ic_profile *profile = pprof->profile;
	struct ic_profile_file file = { .path = "[unknown]", .kind = IC_PROFILE_NAMES };
	uint32_t number = mapping ? mapping->names : IC_NONE;

	if (mapping && number == IC_NONE) {
		file.path = profile->files.items[mapping->file].path;
		file.is_kernel = profile->files.items[mapping->file].is_kernel;
	}
	if (number == IC_NONE)
		number = ic_profile_file_add(pprof->profile, &file);
	if (mapping)
		mapping->names = number;
	return number == IC_NONE
		       ? IC_NONE
		       : ic_profile_named_location_add(pprof->profile, number, pprof->frames.items,
						       pprof->frames.count);
}

static uint32_t add_address(struct ic_pprof *pprof, struct ic_pprof_mapping *mapping, uint64_t addr)
{
	struct ic_profile *profile = pprof->profile;
	bool is_in = mapping && addr >= mapping->start &&
		     (mapping->limit == 0 || addr < mapping->limit);
	uint32_t file = is_in ? mapping->file : nowhere(pprof);

	if (file == IC_NONE)
		return IC_NONE;
	// In no file, the same address may be another function.
	if (pprof->frames.count > 0 && !ic_profile_has_offsets(&profile->files.items[file]) &&
	    profile->files.items[file].kind != IC_PROFILE_KERNEL)
		return add_named(pprof, is_in ? mapping : NULL);
	if (is_in && ic_profile_has_offsets(&profile->files.items[file]))
		addr = addr - mapping->start + mapping->offset;
	uint32_t location = ic_profile_location_add(profile, file, addr);
	return location != IC_NONE &&
			       ic_profile_location_give(profile, location, pprof->frames.items,
							pprof->frames.count)
		       ? location
		       : IC_NONE;
}

static bool add_location(void *context, struct ic_cursor cur)
{
	struct ic_pprof *pprof = context;
	struct ic_proto_field field;
	uint64_t id = 0, addr = 0;
	uint32_t of = IC_NONE;

	pprof->frames.count = 0;
	while (ic_proto_next(&cur, &field)) {
		switch (field.number) {
		case LOCATION_ID: id = field.value; break;
		case LOCATION_MAPPING: of = find(pprof, &pprof->mapping_of, field.value); break;
		case LOCATION_ADDRESS: addr = field.value; break;
		case LOCATION_LINE:
			if (field.type == IC_PROTO_BYTES &&
			    !add_line(pprof, ic_proto_inside(&cur, &field)))
				return false;
			break;
		}
	}
	if (!ic_pprof_is_whole(pprof, &cur))
		return true;
	struct ic_pprof_mapping *mapping = of != IC_NONE ? &pprof->mappings.items[of] : NULL;
	uint32_t location = addr != 0 ? add_address(pprof, mapping, addr)
				      : add_named(pprof, mapping);
	uint32_t *number = ic_map_at(&pprof->location_of, id);
	if (number)
		*number = location;
	return number && location != IC_NONE;
}

bool ic_pprof_read_places(struct ic_pprof *pprof)
{
	return ic_pprof_each(pprof, PROFILE_MAPPING, add_mapping, pprof) &&
	       ic_pprof_each(pprof, PROFILE_FUNCTION, add_function, pprof) &&
	       ic_pprof_each(pprof, PROFILE_LOCATION, add_location, pprof);
}

uint32_t ic_pprof_location(struct ic_pprof *pprof, uint64_t id)
{
	uint32_t location = find(pprof, &pprof->location_of, id);

	if (location != IC_NONE)
		return location;
	uint32_t file = nowhere(pprof);
	return file == IC_NONE ? IC_NONE : ic_profile_location_add(pprof->profile, file, 0);
}

void ic_pprof_free(struct ic_pprof *pprof)
{
	IC_ARRAY_FREE(&pprof->strings);
	IC_ARRAY_FREE(&pprof->mappings);
	IC_ARRAY_FREE(&pprof->functions);
	ic_map_free(&pprof->mapping_of);
	ic_map_free(&pprof->function_of);
	ic_map_free(&pprof->location_of);
	IC_ARRAY_FREE(&pprof->frames);
}
