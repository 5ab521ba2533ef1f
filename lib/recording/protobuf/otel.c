// Adds the samples of OpenTelemetry profiles.
#include "recording/protobuf/otel.h"

#include <inttypes.h>

#include "recording/protobuf/otel_check.h"
#include "recording/protobuf/otel_fields.h"
#include "recording/protobuf/places.h"
#include "recording/protobuf/value_type.h"

struct resource { // a process, as far as known
	struct ic_attribute pid, program;
};

struct reader {
	// For the current message:
	struct ic_places places;
	IC_ARRAY(struct resource) resources;
	IC_ARRAY(uint32_t) nodes; // by index of the stack
	// Current items in it:
	uint32_t resource;           // its index
	struct ic_proto_numbers ids; // locations of a stack
	struct ic_value_type type;   // type of a profile's values
	uint32_t event;
	// For all messages:
	struct ic_profile_keys events; // by name and unit of the type
	uint64_t negative;             // negative values
	uint64_t unvalued;             // samples without a value for each time
};

// Calls a function for each message in a field of an enclosing message, which must be complete.
static bool each_of_whole(struct reader *reader, struct ic_cursor cur, unsigned number,
			  bool (*read)(void *context, struct ic_cursor cur))
{
	struct ic_proto_field field;
	struct ic_cursor end = cur;

	while (ic_proto_next(&end, &field))
		;
	ic_places_is_whole(&reader->places, &end);
	return ic_proto_each(cur, number, read, reader);
}

// ---- Resources

static bool read_resource(struct reader *reader, struct ic_cursor cur,
			  struct ic_attributes *attributes)
{
	struct ic_proto_field field;

	while (ic_proto_next(&cur, &field))
		if (field.number == RESOURCE_ATTRIBUTE && field.type == IC_PROTO_BYTES)
			ic_places_read_attribute(&reader->places, ic_proto_inside(&cur, &field),
						 attributes);
	ic_places_is_whole(&reader->places, &cur);
	// Mappings have only file names, but this is the path of the program.
	const char *path = attributes->by_key[IC_ATTRIBUTE_PATH].text;
	const char *slash = path ? strrchr(path, '/') : NULL;
	return !slash || !slash[1] || ic_places_add_path(&reader->places, slash + 1, path);
}

static bool add_resource(void *context, struct ic_cursor cur)
{
	struct reader *reader = context;
	struct ic_attributes attributes = { .by_key = { { .key = IC_ATTRIBUTE_OTHER } } };
	struct resource *place = IC_ARRAY_PUSH(&reader->resources);
	struct ic_proto_field field;

	if (!place)
		return false;
	while (ic_proto_next(&cur, &field))
		if (field.number == RESOURCE_RESOURCE && field.type == IC_PROTO_BYTES &&
		    !read_resource(reader, ic_proto_inside(&cur, &field), &attributes))
			return false;
	ic_places_is_whole(&reader->places, &cur);
	*place = (struct resource){ attributes.by_key[IC_ATTRIBUTE_PID],
				    attributes.by_key[IC_ATTRIBUTE_PROGRAM] };
	return true;
}

// ---- Samples

struct sample {
	struct ic_attributes attributes;
	uint64_t stack;
	uint64_t value_count, time_count;
	uint64_t weight, samples; // sum of its values
};

static void take_values(struct reader *reader, struct sample *sample, struct ic_cursor *cur,
			const struct ic_proto_field *field)
{
	struct ic_cursor list = ic_proto_inside(cur, field);

	while (ic_cursor_more(&list)) {
		uint64_t value = ic_value_type_scale(&reader->type, ic_cursor_uleb(&list),
						     &reader->negative);
		ic_profile_add(&sample->weight, value);
		ic_profile_add(&sample->samples, reader->type.unit ? value > 0 : value);
		sample->value_count++;
	}
	if (list.fault)
		ic_cursor_fault(cur, "truncated list of values");
}

// With times only, each counts as 1; with values only, they may be sums.
static void count_times(struct reader *reader, struct sample *sample)
{
	if (sample->value_count == 0) {
		sample->samples = sample->time_count;
		sample->weight =
			ic_value_type_scale(&reader->type, sample->time_count, &reader->negative);
	}
	reader->unvalued += sample->value_count == 0
				    ? sample->time_count == 0
				    : sample->time_count > 0 &&
					      sample->time_count != sample->value_count;
}

static uint32_t thread_of(struct reader *reader, const struct sample *sample)
{
	const struct ic_attribute *by_key = sample->attributes.by_key;
	const char *name = by_key[IC_ATTRIBUTE_THREAD].text;
	const struct ic_profile_thread thread = {
		.pid = (uint32_t)by_key[IC_ATTRIBUTE_PID].number,
		.tid = (uint32_t)by_key[IC_ATTRIBUTE_TID].number,
		.name = name ? name : by_key[IC_ATTRIBUTE_PROGRAM].text,
		.is_unknown = !by_key[IC_ATTRIBUTE_PID].key && !by_key[IC_ATTRIBUTE_TID].key &&
			      !name && !by_key[IC_ATTRIBUTE_PROGRAM].text,
	};

	return ic_profile_thread_add(reader->places.profile, &thread);
}

static bool add_sample(void *context, struct ic_cursor cur)
{
	struct reader *reader = context;
	const struct resource *resource = &reader->resources.items[reader->resource];
	struct sample sample = { .stack = 0 };
	struct ic_proto_field field;

	sample.attributes.by_key[IC_ATTRIBUTE_PID] = resource->pid;
	sample.attributes.by_key[IC_ATTRIBUTE_PROGRAM] = resource->program;
	while (ic_proto_next(&cur, &field)) {
		switch (field.number) {
		case OTEL_SAMPLE_STACK: sample.stack = field.value; break;
		case OTEL_SAMPLE_ATTRIBUTE:
			ic_places_take_attributes(&reader->places, &cur, &field,
						  &sample.attributes);
			break;
		case OTEL_SAMPLE_VALUE: take_values(reader, &sample, &cur, &field); break;
		case OTEL_SAMPLE_TIME:
			sample.time_count += field.type == IC_PROTO_BYTES ? field.bytes.size / 8
									  : 1;
			break;
		}
	}
	if (!ic_places_is_whole(&reader->places, &cur))
		return true;
	count_times(reader, &sample);
	if (sample.stack >= reader->nodes.count) {
		reader->places.dangling++;
		sample.stack = 0;
	}
	uint32_t thread = thread_of(reader, &sample);
	if (sample.weight == 0 && sample.samples == 0)
		return thread != IC_NONE;
	const struct ic_profile_cell cell = { reader->nodes.items[sample.stack], thread,
					      reader->event, sample.weight, sample.samples };
	return thread != IC_NONE && ic_profile_samples_add(reader->places.profile, &cell);
}

// All profiles of one type are one event.
static bool add_event(struct reader *reader)
{
	const uint32_t key[] = { ic_profile_keys_text(&reader->events, reader->type.name),
				 ic_profile_keys_text(&reader->events, reader->type.unit) };
	uint32_t *event = ic_profile_keys_at(&reader->events, key, sizeof(key));

	if (event && *event == IC_NONE)
		*event = ic_value_type_event(&reader->type, reader->places.profile);
	reader->event = event ? *event : IC_NONE;
	return reader->event != IC_NONE;
}

static bool read_type(void *context, struct ic_cursor cur)
{
	struct reader *reader = context;
	struct ic_proto_field field;
	uint64_t name = 0, unit = 0;

	while (ic_proto_next(&cur, &field)) {
		if (field.number == VALUE_TYPE)
			name = field.value;
		else if (field.number == VALUE_UNIT)
			unit = field.value;
	}
	ic_places_is_whole(&reader->places, &cur);
	reader->type = ic_value_type_of(ic_places_string(&reader->places, name),
					ic_places_string(&reader->places, unit));
	return true;
}

static bool add_profile(void *context, struct ic_cursor cur)
{
	struct reader *reader = context;

	reader->type = ic_value_type_of(NULL, NULL);
	return ic_proto_each(cur, OTEL_PROFILE_TYPE, read_type, reader) && add_event(reader) &&
	       each_of_whole(reader, cur, OTEL_PROFILE_SAMPLE, add_sample);
}

static bool add_scope(void *context, struct ic_cursor cur)
{
	return each_of_whole(context, cur, SCOPE_PROFILE, add_profile);
}

static bool add_samples(void *context, struct ic_cursor cur)
{
	struct reader *reader = context;
	bool ok = ic_proto_each(cur, RESOURCE_SCOPE, add_scope, reader);

	reader->resource++;
	return ok;
}

// ---- Messages

static bool add_stack(void *context, struct ic_cursor cur)
{
	struct reader *reader = context;
	uint32_t *node = IC_ARRAY_PUSH(&reader->nodes);
	struct ic_proto_field field;

	if (!node)
		return false;
	reader->ids.list.count = 0;
	while (ic_proto_next(&cur, &field))
		if (field.number == STACK_LOCATION &&
		    !ic_proto_take_numbers(&reader->ids, &cur, &field))
			return false;
	if (!ic_places_is_whole(&reader->places, &cur))
		reader->ids.list.count = 0;
	return ic_places_stack(&reader->places, &reader->ids, node);
}

static bool add_message(struct reader *reader, struct ic_cursor message)
{
	struct ic_places *places = &reader->places;
	struct ic_cursor nothing = message;

	nothing.end = nothing.pos;
	if (!ic_places_read_strings(places) ||
	    !each_of_whole(reader, message, DATA_RESOURCE, add_resource))
		return false;
	// The eBPF profiler names the vDSO as the loader does.
	return ic_places_add_path(places, "linux-vdso.1.so", "[vdso]") && ic_places_read(places) &&
	       each_of_whole(reader, places->messages, DICTIONARY_STACK, add_stack) &&
	       (reader->nodes.count > 0 || add_stack(reader, nothing)) &&
	       ic_proto_each(message, DATA_RESOURCE, add_samples, reader);
}

static bool read_message(struct reader *reader, struct ic_cursor message, struct ic_error *err)
{
	const char *reason = ic_otel_check(message, &reader->places.messages);

	if (reason)
		return ic_fail(
			err, IC_ERROR_UNSUPPORTED,
			"%s: damaged, or not in version 1.10 or 1.11 of the OpenTelemetry protocol",
			reason);
	bool ok = add_message(reader, message);
	ic_places_free(&reader->places);
	IC_ARRAY_FREE(&reader->resources);
	IC_ARRAY_FREE(&reader->nodes);
	reader->resource = 0;
	return ok || ic_fail_memory(err);
}

// ---- Files

// The Collector's file exporter writes each message after its length, in four bytes, most
// significant first. A message cannot start like a length below 128 MiB: it would be a field with
// number 0.
static bool has_lengths(struct ic_bytes bytes)
{
	return bytes.size > 4 && bytes.data[0] < 8;
}

static struct ic_cursor cursor_of_lengths(struct ic_bytes bytes)
{
	return ic_cursor_at(bytes, "profile", 0, bytes.size, !IC_HOST_IS_BIG_ENDIAN);
}

static bool next_message(struct ic_cursor *cur, struct ic_bytes *message)
{
	if (!ic_cursor_more(cur))
		return false;
	message->size = ic_cursor_u32(cur);
	message->data = ic_cursor_take(cur, message->size);
	return message->data != NULL;
}

static bool is_compressed(struct ic_bytes message)
{
	return message.size >= 4 && memcmp(message.data, "\x28\xb5\x2f\xfd", 4) == 0; // RFC 8878
}

// Both start with messages in field 1: OpenTelemetry's are profiles of a resource, all of whose
// fields are messages or texts; in pprof they are types of values, which have only numbers. An
// empty one may be either, so the first non-empty one decides.
static bool begins_with_resource(struct ic_bytes message)
{
	struct ic_cursor cur = ic_proto_cursor(message);
	struct ic_proto_field field;

	while (ic_proto_next(&cur, &field)) {
		if (field.number != DATA_RESOURCE || field.type != IC_PROTO_BYTES ||
		    field.bytes.size == 0)
			continue;
		struct ic_cursor inside = ic_proto_inside(&cur, &field);
		return ic_proto_next(&inside, &field) && field.type == IC_PROTO_BYTES;
	}
	return false;
}

bool ic_otel_is(struct ic_bytes bytes)
{
	struct ic_cursor cur = cursor_of_lengths(bytes);
	struct ic_bytes message;

	if (!has_lengths(bytes))
		return begins_with_resource(bytes);
	while (next_message(&cur, &message))
		if (begins_with_resource(message) || is_compressed(message))
			return true;
	return false;
}

static bool read_messages(struct reader *reader, struct ic_bytes bytes, struct ic_error *err)
{
	struct ic_cursor cur = cursor_of_lengths(bytes);
	struct ic_bytes message;
	bool any = false;

	while (next_message(&cur, &message)) {
		uint64_t off = (uint64_t)(message.data - bytes.data);
		bool ok = is_compressed(message)
				  ? ic_fail(err, IC_ERROR_UNSUPPORTED,
					    "individually compressed messages are not supported")
				  : read_message(reader,
						 ic_cursor_at(bytes, "profile", off, message.size,
							      IC_HOST_IS_BIG_ENDIAN),
						 err);
		if (!ok && err->code == IC_ERROR_MEMORY)
			return false;
		if (!ok)
			ic_problems_add(&reader->places.profile->problems, err, "profile", off);
		any |= ok;
	}
	ic_places_is_whole(&reader->places, &cur);
	return any;
}

static void tell_unvalued(struct reader *reader)
{
	struct ic_error err;

	if (reader->unvalued == 0)
		return;
	ic_fail(&err, IC_ERROR_MALFORMED,
		"%" PRIu64 " samples have no values, or not one for each of their timestamps",
		reader->unvalued);
	ic_problems_add(&reader->places.profile->problems, &err, NULL, 0);
}

bool ic_otel_read(struct ic_profile *profile, struct ic_bytes bytes, struct ic_error *err)
{
	static const struct ic_places_form form = { .string = DICTIONARY_STRING,
						    .mapping = DICTIONARY_MAPPING,
						    .function = DICTIONARY_FUNCTION,
						    .location = DICTIONARY_LOCATION,
						    .attribute = DICTIONARY_ATTRIBUTE };
	struct reader reader = { .places = { .profile = profile, .form = &form } };
	bool ok = has_lengths(bytes) ? read_messages(&reader, bytes, err)
				     : read_message(&reader, ic_proto_cursor(bytes), err);

	tell_unvalued(&reader);
	ic_value_type_tell_negative(profile, reader.negative);
	ic_places_tell(&reader.places);
	ic_profile_keys_free(&reader.events);
	IC_ARRAY_FREE(&reader.ids.list);
	return ok;
}
