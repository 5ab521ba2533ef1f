// Adds the samples of a profile of pprof.
#include "recording/pprof_read.h"

#include <inttypes.h>

#include "recording/pprof_places.h"

struct type {                    // of values
	const char *name, *unit; // NULL if not known; `unit` also if it counts
	uint32_t event;          // in the profile; IC_NONE if there is none
	uint32_t counted_by;     // the type that says how often; IC_NONE if there is none
	uint64_t scale;
};

struct reader {
	struct ic_pprof pprof;
	IC_ARRAY(struct type) types;
	IC_ARRAY(uint64_t) ids, values; // of a sample: locations, the innermost first; by type
	uint64_t default_type;          // a string
	uint64_t negative;              // values
	uint64_t unvalued;              // samples that have not a value of each type
	bool drops_frames;
};

// ---- Types of values

static bool add_type(void *context, struct ic_cursor cur)
{
	struct reader *reader = context;
	struct type *type = IC_ARRAY_PUSH(&reader->types);
	struct ic_proto_field field;
	uint64_t name = 0, unit = 0;

	if (!type)
		return false;
	while (ic_proto_next(&cur, &field)) {
		if (field.number == VALUE_TYPE)
			name = field.value;
		else if (field.number == VALUE_UNIT)
			unit = field.value;
	}
	*type = (struct type){ ic_pprof_string(&reader->pprof, name),
			       ic_pprof_string(&reader->pprof, unit), IC_NONE, IC_NONE, 1 };
	ic_pprof_is_whole(&reader->pprof, &cur); // values are by number, also that of a wrong type
	return true;
}

// Times are in nanoseconds, whatever they are in there.
static void take_unit(struct type *type)
{
	static const struct {
		const char *name;
		uint64_t scale;
	} times[] = { { "microseconds", 1000 },
		      { "milliseconds", 1000000 },
		      { "seconds", 1000000000 } };

	for (size_t i = 0; type->unit && i < sizeof(times) / sizeof(*times); i++) {
		if (strcmp(type->unit, times[i].name) == 0) {
			type->unit = "nanoseconds";
			type->scale = times[i].scale;
		}
	}
	if (type->unit && strcmp(type->unit, "count") == 0)
		type->unit = NULL;
}

static bool is_of_samples(const struct type *type)
{
	return !type->unit && type->name && strcmp(type->name, "samples") == 0;
}

static bool add_event(struct reader *reader, struct type *type)
{
	if (type->event == IC_NONE)
		type->event = ic_profile_event_add(
			reader->pprof.profile, is_of_samples(type) ? NULL : type->name, type->unit);
	return type->event != IC_NONE;
}

// An event for each type, the default first. A count before something else is how often that
// happened; if it is of "samples", it is nothing by itself.
static bool add_events(struct reader *reader)
{
	const char *default_type = ic_pprof_string(&reader->pprof, reader->default_type);
	struct type *types = reader->types.items;
	uint32_t count = reader->types.count;

	for (uint32_t i = 0; i < count; i++) {
		take_unit(&types[i]);
		if (i > 0 && !types[i - 1].unit && types[i].unit)
			types[i].counted_by = i - 1;
	}
	// Where none is named it is the last, as pprof has it.
	uint32_t first = count - 1;
	for (uint32_t i = 0; default_type && i < count; i++)
		if (types[i].name && strcmp(default_type, types[i].name) == 0)
			first = i;
	if (!add_event(reader, &types[first]))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		bool is_count = i + 1 < count && types[i + 1].counted_by == i &&
				is_of_samples(&types[i]);
		if (!is_count && !add_event(reader, &types[i]))
			return false;
	}
	return true;
}

// ---- Samples

struct labels {
	uint64_t name, pid, tid; // `name` is a string
	bool any;
};

static bool is_one_of(const char *text, const char *const *list)
{
	while (*list && strcmp(text, *list) != 0)
		list++;
	return *list != NULL;
}

static void read_label(struct reader *reader, struct ic_cursor cur, struct labels *labels)
{
	static const char *const names[] = { "thread", "thread_name", "comm", NULL };
	static const char *const pids[] = { "pid", "process_id", NULL };
	static const char *const tids[] = { "tid", "thread_id", "thread", NULL };
	struct ic_proto_field field;
	uint64_t key = 0, string = 0, number = 0;

	while (ic_proto_next(&cur, &field)) {
		switch (field.number) {
		case LABEL_KEY: key = field.value; break;
		case LABEL_STRING: string = field.value; break;
		case LABEL_NUMBER: number = field.value; break;
		}
	}
	const char *text = ic_pprof_is_whole(&reader->pprof, &cur)
				   ? ic_pprof_string(&reader->pprof, key)
				   : NULL;
	if (!text)
		return;
	if (string != 0 && is_one_of(text, names))
		labels->name = string;
	else if (string == 0 && is_one_of(text, pids))
		labels->pid = number;
	else if (string == 0 && is_one_of(text, tids))
		labels->tid = number;
	else
		return;
	labels->any = true;
}

static uint32_t thread_of(struct reader *reader, const struct labels *labels)
{
	const struct ic_profile_thread thread = { .pid = (uint32_t)labels->pid,
						  .tid = (uint32_t)labels->tid,
						  .name = ic_pprof_string(&reader->pprof,
									  labels->name),
						  .is_unknown = !labels->any };

	return ic_profile_thread_add(reader->pprof.profile, &thread);
}

static bool push_number(struct reader *reader, bool is_location, uint64_t number)
{
	uint64_t *place = is_location ? IC_ARRAY_PUSH(&reader->ids)
				      : IC_ARRAY_PUSH(&reader->values);

	if (place)
		*place = number;
	return place != NULL;
}

// A list of numbers, in one field or in one of many.
static bool push_numbers(struct reader *reader, struct ic_cursor *cur,
			 const struct ic_proto_field *field)
{
	bool are_locations = field->number == SAMPLE_LOCATION;

	if (field->type != IC_PROTO_BYTES)
		return push_number(reader, are_locations, field->value);
	struct ic_cursor list = ic_proto_inside(cur, field);
	while (ic_cursor_more(&list))
		if (!push_number(reader, are_locations, ic_cursor_uleb(&list)))
			return false;
	if (list.fault) // then the sample is not whole either
		ic_cursor_fault(cur, "a list of numbers ends too early");
	return true;
}

static bool add_stack(struct reader *reader, uint32_t *node)
{
	struct ic_profile *profile = reader->pprof.profile;

	*node = IC_NONE;
	if (reader->ids.count == 0) { // it is nowhere
		uint64_t *place = IC_ARRAY_PUSH(&reader->ids);
		if (!place)
			return false;
		*place = 0;
	}
	for (uint32_t i = reader->ids.count; i > 0; i--) {
		uint32_t location = ic_pprof_location(&reader->pprof, reader->ids.items[i - 1]);
		if (location == IC_NONE || !ic_profile_node_add(profile, *node, location, node))
			return false;
		profile->locations.items[location].is_caller |= i > 1;
		if (*node == IC_NONE)
			break;
	}
	return true;
}

// The value of a type in nanoseconds, or as it is. Below 0 there are differences of profiles.
static uint64_t value_of(struct reader *reader, uint32_t number)
{
	uint64_t value = number < reader->values.count ? reader->values.items[number] : 0, scaled;

	if (value > INT64_MAX) {
		reader->negative++;
		return 0;
	}
	return __builtin_mul_overflow(value, reader->types.items[number].scale, &scaled)
		       ? UINT64_MAX
		       : scaled;
}

static bool add_values(struct reader *reader, uint32_t node, uint32_t thread)
{
	for (uint32_t i = 0; i < reader->types.count; i++) {
		const struct type *type = &reader->types.items[i];
		if (type->event == IC_NONE)
			continue;
		uint64_t weight = value_of(reader, i);
		uint64_t samples = type->counted_by != IC_NONE ? value_of(reader, type->counted_by)
				   : type->unit                ? weight > 0
							       : weight;
		if ((weight > 0 || samples > 0) &&
		    !ic_profile_samples_add(reader->pprof.profile,
					    &(struct ic_profile_cell){ node, thread, type->event,
								       weight, samples }))
			return false;
	}
	return true;
}

static bool add_sample(void *context, struct ic_cursor cur)
{
	struct reader *reader = context;
	struct labels labels = { .any = false };
	struct ic_proto_field field;
	uint32_t node;

	reader->ids.count = reader->values.count = 0;
	while (ic_proto_next(&cur, &field)) {
		if (field.number == SAMPLE_LABEL && field.type == IC_PROTO_BYTES)
			read_label(reader, ic_proto_inside(&cur, &field), &labels);
		else if ((field.number == SAMPLE_LOCATION || field.number == SAMPLE_VALUE) &&
			 !push_numbers(reader, &cur, &field))
			return false;
	}
	if (!ic_pprof_is_whole(&reader->pprof, &cur))
		return true;
	reader->unvalued += reader->values.count != reader->types.count;
	uint32_t thread = thread_of(reader, &labels);
	return thread != IC_NONE && add_stack(reader, &node) && add_values(reader, node, thread);
}

// ---- All

// What is in the profile itself. Its end may be missing.
static void read_head(struct reader *reader)
{
	struct ic_cursor cur = ic_proto_cursor(reader->pprof.bytes);
	struct ic_proto_field field;

	while (ic_proto_next(&cur, &field)) {
		if (field.number == PROFILE_DEFAULT_SAMPLE_TYPE)
			reader->default_type = field.value;
		else if (field.number == PROFILE_DROP_FRAMES)
			reader->drops_frames = field.value != 0;
	}
	ic_pprof_is_whole(&reader->pprof, &cur);
}

static bool read_all(struct reader *reader, struct ic_error *err)
{
	struct ic_pprof *pprof = &reader->pprof;

	if (!ic_pprof_read_strings(pprof) ||
	    !ic_pprof_each(pprof, PROFILE_SAMPLE_TYPE, add_type, reader))
		return ic_fail_memory(err);
	if (reader->types.count == 0)
		return ic_fail(err, IC_ERROR_UNSUPPORTED, "not a profile of pprof");
	read_head(reader);
	bool ok = add_events(reader) && ic_pprof_read_places(pprof) &&
		  ic_pprof_each(pprof, PROFILE_SAMPLE, add_sample, reader);
	return ok || ic_fail_memory(err);
}

static void say_what_is_left_out(struct reader *reader)
{
	struct ic_problems *problems = &reader->pprof.profile->problems;
	struct ic_error err;

	if (reader->drops_frames)
		ic_problems_note(problems, "pprof leaves functions out that this profile names "
					   "(drop_frames); here they are counted");
	if (reader->negative > 0) {
		ic_fail(&err, IC_ERROR_UNSUPPORTED,
			"%" PRIu64 " values are below 0, as in a difference of profiles: they "
			"count as 0",
			reader->negative);
		ic_problems_add(problems, &err, NULL, 0);
	}
	if (reader->pprof.left_out > 0) {
		ic_fail(&err, IC_ERROR_LIMIT,
			"%" PRIu64 " lines are left out of locations that have too many",
			reader->pprof.left_out);
		ic_problems_add(problems, &err, NULL, 0);
	}
	if (reader->unvalued > 0) {
		ic_fail(&err, IC_ERROR_MALFORMED,
			"%" PRIu64
			" samples have more or fewer values than there are types of them",
			reader->unvalued);
		ic_problems_add(problems, &err, NULL, 0);
	}
	if (reader->pprof.dangling > 0) {
		ic_fail(&err, IC_ERROR_MALFORMED,
			"%" PRIu64 " references are to what the profile does not have: it is not "
			"whole",
			reader->pprof.dangling);
		ic_problems_add(problems, &err, NULL, 0);
	}
}

bool ic_pprof_read(struct ic_profile *profile, struct ic_bytes bytes, struct ic_error *err)
{
	struct reader reader = { .pprof = { .profile = profile, .bytes = bytes } };
	bool ok = read_all(&reader, err);

	say_what_is_left_out(&reader);
	ic_pprof_free(&reader.pprof);
	IC_ARRAY_FREE(&reader.types);
	IC_ARRAY_FREE(&reader.ids);
	IC_ARRAY_FREE(&reader.values);
	return ok;
}
