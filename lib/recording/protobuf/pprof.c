// Adds the samples of a pprof profile.
#include "recording/protobuf/pprof.h"

#include <inttypes.h>

#include "recording/protobuf/places.h"
#include "recording/protobuf/value_type.h"

struct type { // of values
	struct ic_value_type of;
	uint32_t event;      // in the profile; IC_NONE if there is none
	uint32_t counted_by; // the type with the number of occurrences; IC_NONE if there is none
};

struct reader {
	struct ic_places places;
	IC_ARRAY(struct type) types;
	// Of a sample: locations, innermost first; values by type.
	struct ic_proto_numbers ids, values;
	uint64_t default_type; // number of a string
	uint64_t negative;     // negative values
	uint64_t unvalued;     // samples without a value for each type
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
	*type = (struct type){ ic_value_type_of(ic_places_string(&reader->places, name),
						ic_places_string(&reader->places, unit)),
			       IC_NONE, IC_NONE };
	// Values are by index, which a damaged type also has.
	ic_places_is_whole(&reader->places, &cur);
	return true;
}

static bool add_event(struct reader *reader, struct type *type)
{
	if (type->event == IC_NONE)
		type->event = ic_value_type_event(&type->of, reader->places.profile);
	return type->event != IC_NONE;
}

// An event for each type, the default first. A count before another type is its number of
// occurrences; if it counts "samples", it is not an event of its own.
static bool add_events(struct reader *reader)
{
	const char *default_type = ic_places_string(&reader->places, reader->default_type);
	struct type *types = reader->types.items;
	uint32_t count = reader->types.count;

	for (uint32_t i = 1; i < count; i++)
		if (!types[i - 1].of.unit && types[i].of.unit)
			types[i].counted_by = i - 1;
	// If no default is named, it is the last, as in pprof.
	uint32_t first = count - 1;
	for (uint32_t i = 0; default_type && i < count; i++)
		if (types[i].of.name && strcmp(default_type, types[i].of.name) == 0)
			first = i;
	if (!add_event(reader, &types[first]))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		bool is_count = i + 1 < count && types[i + 1].counted_by == i &&
				ic_value_type_is_of_samples(&types[i].of);
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
	const char *text = ic_places_is_whole(&reader->places, &cur)
				   ? ic_places_string(&reader->places, key)
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
						  .name = ic_places_string(&reader->places,
									   labels->name),
						  .is_unknown = !labels->any };

	return ic_profile_thread_add(reader->places.profile, &thread);
}

static uint64_t value_of(struct reader *reader, uint32_t number)
{
	return number < reader->values.list.count
		       ? ic_value_type_scale(&reader->types.items[number].of,
					     reader->values.list.items[number], &reader->negative)
		       : 0;
}

static bool add_values(struct reader *reader, uint32_t node, uint32_t thread)
{
	for (uint32_t i = 0; i < reader->types.count; i++) {
		const struct type *type = &reader->types.items[i];
		if (type->event == IC_NONE)
			continue;
		uint64_t weight = value_of(reader, i);
		uint64_t samples = type->counted_by != IC_NONE ? value_of(reader, type->counted_by)
				   : type->of.unit             ? weight > 0
							       : weight;
		if ((weight > 0 || samples > 0) &&
		    !ic_profile_samples_add(reader->places.profile,
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

	reader->ids.list.count = reader->values.list.count = 0;
	while (ic_proto_next(&cur, &field)) {
		if (field.number == SAMPLE_LABEL && field.type == IC_PROTO_BYTES)
			read_label(reader, ic_proto_inside(&cur, &field), &labels);
		else if ((field.number == SAMPLE_LOCATION &&
			  !ic_proto_take_numbers(&reader->ids, &cur, &field)) ||
			 (field.number == SAMPLE_VALUE &&
			  !ic_proto_take_numbers(&reader->values, &cur, &field)))
			return false;
	}
	if (!ic_places_is_whole(&reader->places, &cur))
		return true;
	reader->unvalued += reader->values.list.count != reader->types.count;
	uint32_t thread = thread_of(reader, &labels);
	return thread != IC_NONE && ic_places_stack(&reader->places, &reader->ids, &node) &&
	       add_values(reader, node, thread);
}

// ---- All

// Reads the fields of the profile itself. Its end may be missing.
static void read_head(struct reader *reader)
{
	struct ic_cursor cur = reader->places.messages;
	struct ic_proto_field field;

	while (ic_proto_next(&cur, &field)) {
		if (field.number == PROFILE_DEFAULT_SAMPLE_TYPE)
			reader->default_type = field.value;
		else if (field.number == PROFILE_DROP_FRAMES)
			reader->drops_frames = field.value != 0;
	}
	ic_places_is_whole(&reader->places, &cur);
}

static bool read_all(struct reader *reader, struct ic_error *err)
{
	struct ic_places *places = &reader->places;

	if (!ic_places_read_strings(places) ||
	    !ic_proto_each(places->messages, PROFILE_SAMPLE_TYPE, add_type, reader))
		return ic_fail_memory(err);
	if (reader->types.count == 0)
		return ic_fail(err, IC_ERROR_UNSUPPORTED, "not a pprof profile");
	read_head(reader);
	bool ok = add_events(reader) && ic_places_read(places) &&
		  ic_proto_each(places->messages, PROFILE_SAMPLE, add_sample, reader);
	return ok || ic_fail_memory(err);
}

static void say_what_is_left_out(struct reader *reader)
{
	struct ic_problems *problems = &reader->places.profile->problems;
	struct ic_error err;

	if (reader->drops_frames)
		ic_problems_note(problems, "pprof would drop functions that this profile names "
					   "(drop_frames); here they are counted");
	if (reader->unvalued > 0) {
		ic_fail(&err, IC_ERROR_MALFORMED,
			"%" PRIu64 " samples do not have as many values as there are value types",
			reader->unvalued);
		ic_problems_add(problems, &err, NULL, 0);
	}
	ic_value_type_tell_negative(reader->places.profile, reader->negative);
	ic_places_tell(&reader->places);
}

bool ic_pprof_read(struct ic_profile *profile, struct ic_bytes bytes, struct ic_error *err)
{
	static const struct ic_places_form form = { .string = PROFILE_STRING,
						    .mapping = PROFILE_MAPPING,
						    .function = PROFILE_FUNCTION,
						    .location = PROFILE_LOCATION,
						    .has_ids = true };
	struct reader reader = {
		.places = { .profile = profile, .form = &form, .messages = ic_proto_cursor(bytes) }
	};
	bool ok = read_all(&reader, err);

	say_what_is_left_out(&reader);
	ic_places_free(&reader.places);
	IC_ARRAY_FREE(&reader.types);
	IC_ARRAY_FREE(&reader.ids.list);
	IC_ARRAY_FREE(&reader.values.list);
	return ok;
}
