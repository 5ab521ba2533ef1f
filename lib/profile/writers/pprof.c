// pprof's format (github.com/google/pprof, proto/profile.proto), as read by `go tool pprof`,
// Grafana, Pyroscope and Parca. A location has a line for each function inlined there, innermost
// first.
#include <stdlib.h>

#include "elf/files/build_id.h"
#include "elf/files/squeeze.h"
#include "profile/proto.h"
#include "profile/proto_fields.h"
#include "profile/writers/write.h"
#include "text/text.h"

struct writer {
	const struct ic_profile *profile;
	size_t event;
	// The profile, a message in it, and a part of that message.
	struct ic_proto whole, message, part;
	struct ic_byte_pool strings;      // with the profile's numbers
	IC_ARRAY(char) text;              // scratch for one of them
	struct ic_profile_keys functions; // from pairs of function and source file
	uint32_t function_count;
	bool *used_locations, *used_files, *known_files; // by index; known: has functions
	bool out_of_memory;
};

// The number of a string; 0 for NULL. Message strings are UTF-8, but names can have any bytes.
static uint32_t string_number(struct writer *writer, const char *text)
{
	writer->text.count = 0;
	while (text && *text) {
		size_t size = ic_text_character(text), kept = size > 0 ? size : 1;
		if (!IC_ARRAY_RESERVE(&writer->text, writer->text.count + kept)) {
			writer->out_of_memory = true;
			return 0;
		}
		memcpy(writer->text.items + writer->text.count, size > 0 ? text : "?", kept);
		writer->text.count += (uint32_t)kept;
		text += kept;
	}
	uint32_t number =
		ic_byte_pool_add(&writer->strings, writer->text.items, writer->text.count);
	writer->out_of_memory |= number == IC_NONE;
	return number;
}

// Numbers are signed in this format.
static uint64_t signed_most(uint64_t number)
{
	return number > INT64_MAX ? INT64_MAX : number;
}

// ---- Events

static void write_type(struct writer *writer, unsigned field, const char *type, const char *unit)
{
	ic_proto_number(&writer->message, VALUE_TYPE, string_number(writer, type));
	ic_proto_number(&writer->message, VALUE_UNIT, string_number(writer, unit));
	ic_proto_message(&writer->whole, field, &writer->message);
}

// Whether each sample counts once: the weight is only their number.
static bool is_number(const struct ic_profile_event *event)
{
	return !event->name && !event->unit && event->weight == event->samples;
}

static void write_types(struct writer *writer)
{
	const struct ic_profile_event *event = &writer->profile->events.items[writer->event];
	const char *name = event->name ? event->name : "weight";
	const char *unit = event->unit ? event->unit : "count";

	write_type(writer, PROFILE_SAMPLE_TYPE, "samples", "count");
	if (is_number(event))
		return;
	write_type(writer, PROFILE_SAMPLE_TYPE, name, unit);
	write_type(writer, PROFILE_PERIOD_TYPE, name, unit);
	ic_proto_number(&writer->whole, PROFILE_DEFAULT_SAMPLE_TYPE, string_number(writer, name));
}

// ---- Samples

static void write_label(struct writer *writer, const char *key, unsigned field, uint64_t value)
{
	ic_proto_number(&writer->part, LABEL_KEY, string_number(writer, key));
	ic_proto_number(&writer->part, field, value);
	ic_proto_message(&writer->message, SAMPLE_LABEL, &writer->part);
}

static void write_sample(struct writer *writer, const struct ic_profile_cell *cell)
{
	const struct ic_profile *profile = writer->profile;
	const struct ic_profile_thread *thread = &profile->threads.items[cell->thread];

	for (uint32_t i = cell->node; i != IC_NONE; i = profile->nodes.items[i].caller) {
		uint32_t location = profile->nodes.items[i].location;
		writer->used_locations[location] = true;
		ic_proto_varint(&writer->part, location + 1ull);
	}
	ic_proto_message(&writer->message, SAMPLE_LOCATION, &writer->part);
	ic_proto_varint(&writer->part, signed_most(cell->samples));
	if (!is_number(&profile->events.items[cell->event]))
		ic_proto_varint(&writer->part, signed_most(cell->weight));
	ic_proto_message(&writer->message, SAMPLE_VALUE, &writer->part);
	if (thread->name)
		write_label(writer, "thread", LABEL_STRING, string_number(writer, thread->name));
	if (!thread->is_unknown) {
		write_label(writer, "pid", LABEL_NUMBER, thread->pid);
		write_label(writer, "tid", LABEL_NUMBER, thread->tid);
	}
	ic_proto_message(&writer->whole, PROFILE_SAMPLE, &writer->message);
}

// ---- Code

// The ID of a function for lines in a source file: a function may have lines in several.
static uint32_t function_of(struct writer *writer, const struct ic_profile_frame *frame)
{
	const struct ic_profile_function *function =
		&writer->profile->resolved.functions.items[frame->function];
	const uint32_t key[] = { frame->function, string_number(writer, frame->source) };
	uint32_t *id = ic_profile_keys_at(&writer->functions, key, sizeof(key));

	if (!id) {
		writer->out_of_memory = true;
		return 0;
	}
	if (*id != IC_NONE)
		return *id;
	bool is_declared_there = frame->source && function->decl_file &&
				 strcmp(frame->source, function->decl_file) == 0;
	*id = ++writer->function_count;
	ic_proto_number(&writer->part, FUNCTION_ID, *id);
	ic_proto_number(&writer->part, FUNCTION_NAME, string_number(writer, function->name));
	ic_proto_number(&writer->part, FUNCTION_SYSTEM_NAME,
			string_number(writer, function->linkage_name ? function->linkage_name
								     : function->name));
	ic_proto_number(&writer->part, FUNCTION_FILE, key[1]);
	ic_proto_number(&writer->part, FUNCTION_START_LINE,
			is_declared_there ? function->decl_line : 0);
	ic_proto_message(&writer->whole, PROFILE_FUNCTION, &writer->part);
	return writer->function_count;
}

static void write_location(struct writer *writer, uint32_t number)
{
	const struct ic_profile *profile = writer->profile;
	const struct ic_profile_location *location = &profile->locations.items[number];
	const struct ic_profile_file *file = &profile->files.items[location->file];

	writer->used_files[location->file] = true;
	ic_proto_number(&writer->message, LOCATION_ID, number + 1ull);
	ic_proto_number(&writer->message, LOCATION_MAPPING, location->file + 1ull);
	ic_proto_number(&writer->message, LOCATION_ADDRESS,
			file->start - file->offset + location->addr);
	for (uint32_t i = 0; i < location->frame_count; i++) {
		const struct ic_profile_frame *frame =
			&profile->resolved.frames.items[location->first_frame + i];
		if (!profile->resolved.functions.items[frame->function].name)
			continue;
		writer->known_files[location->file] = true;
		uint32_t function = function_of(writer, frame); // uses `part`
		ic_proto_number(&writer->part, LINE_FUNCTION, function);
		ic_proto_number(&writer->part, LINE_NUMBER, frame->line);
		ic_proto_message(&writer->message, LOCATION_LINE, &writer->part);
	}
	ic_proto_message(&writer->whole, PROFILE_LOCATION, &writer->message);
}

static void write_mapping(struct writer *writer, uint32_t number)
{
	const struct ic_profile_file *file = &writer->profile->files.items[number];
	char build_id[IC_BUILD_ID_TEXT_SIZE] = "";

	if (file->build_id_size > 0)
		ic_build_id_text((struct ic_bytes){ file->build_id, file->build_id_size },
				 build_id);
	ic_proto_number(&writer->message, MAPPING_ID, number + 1ull);
	ic_proto_number(&writer->message, MAPPING_START, file->start);
	ic_proto_number(&writer->message, MAPPING_LIMIT,
			file->start - file->offset + file->last_addr + 1);
	ic_proto_number(&writer->message, MAPPING_OFFSET, file->offset);
	ic_proto_number(&writer->message, MAPPING_FILE, string_number(writer, file->name));
	ic_proto_number(&writer->message, MAPPING_BUILD_ID, string_number(writer, build_id));
	for (unsigned i = MAPPING_HAS_FUNCTIONS; i <= MAPPING_HAS_INLINE_FRAMES; i++)
		ic_proto_number(&writer->message, i, writer->known_files[number]);
	ic_proto_message(&writer->whole, PROFILE_MAPPING, &writer->message);
}

// ---- All

static void write_messages(struct writer *writer)
{
	const struct ic_profile *profile = writer->profile;

	string_number(writer, ""); // number 0
	write_types(writer);
	for (uint32_t i = 0; i < profile->cells.count; i++)
		if (profile->cells.items[i].event == writer->event)
			write_sample(writer, &profile->cells.items[i]);
	for (uint32_t i = 0; i < profile->locations.count; i++)
		if (writer->used_locations[i])
			write_location(writer, i);
	for (uint32_t i = 0; i < profile->files.count; i++)
		if (writer->used_files[i])
			write_mapping(writer, i);
	for (uint32_t i = 0; i < writer->strings.runs.count; i++)
		ic_proto_bytes(&writer->whole, PROFILE_STRING,
			       ic_byte_pool_get(&writer->strings, i));
}

static bool write_out(const struct writer *writer, struct ic_output *output)
{
	const struct ic_bytes bytes = { writer->whole.bytes.items, writer->whole.bytes.count };
	size_t size = 0;

	if (writer->out_of_memory || writer->whole.out_of_memory)
		return false;
	char *packed = ic_squeeze_gzip(bytes, &size);
	if (packed)
		ic_output_bytes(output, packed, size);
	free(packed);
	return packed != NULL;
}

bool ic_profile_write_pprof(const struct ic_profile *profile, size_t event,
			    struct ic_output *output, struct ic_error *err)
{
	struct writer writer = {
		.profile = profile,
		.event = event,
		.used_locations = ic_items_zeroed(profile->locations.count + 1ull, sizeof(bool)),
		.known_files = ic_items_zeroed(profile->files.count + 1ull, sizeof(bool)),
		.used_files = ic_items_zeroed(profile->files.count + 1ull, sizeof(bool)),
	};
	bool ok = writer.used_locations && writer.known_files && writer.used_files;

	if (ok)
		write_messages(&writer);
	ok = ok && write_out(&writer, output);
	ic_proto_free(&writer.whole);
	ic_proto_free(&writer.message);
	ic_proto_free(&writer.part);
	ic_byte_pool_free(&writer.strings);
	IC_ARRAY_FREE(&writer.text);
	ic_profile_keys_free(&writer.functions);
	free(writer.used_locations);
	free(writer.known_files);
	free(writer.used_files);
	return ok || ic_fail_memory(err);
}
