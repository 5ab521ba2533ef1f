// Adds the samples of a file to a profile, in any format.
#include "recording/read.h"
#include "elf/files/unpack.h"
#include "profile/proto.h"
#include "profile/proto_fields.h"
#include "recording/perf/file.h"
#include "recording/perf/read.h"
#include "recording/protobuf/otel.h"
#include "recording/protobuf/pprof.h"
#include "recording/text/folded.h"
#include "recording/text/script.h"

// Whether the first fields have the types of a profile's fields.
static bool starts_as_profile(struct ic_bytes bytes)
{
	enum { LOOKED_AT = 4, LAST_LIST = 6, COMMENT = 13, LAST = 15 };
	struct ic_cursor cur = ic_proto_cursor(bytes);
	struct ic_proto_field field;
	unsigned count = 0;

	while (count++ < LOOKED_AT && ic_proto_next(&cur, &field)) {
		bool is_bytes = field.number <= LAST_LIST || field.number == PROFILE_PERIOD_TYPE ||
				(field.number == COMMENT && field.type == IC_PROTO_BYTES);
		if (field.number > LAST ||
		    field.type != (unsigned)(is_bytes ? IC_PROTO_BYTES : IC_PROTO_VARINT))
			return false;
	}
	return !cur.fault;
}

// Binary messages contain lengths and numbers, at least a third of their bytes; a damaged text has
// only a few bytes that are not characters.
static bool is_text(struct ic_bytes bytes)
{
	enum { LOOKED_AT = 4096, SMALLEST_SHARE = 16 };
	size_t size = bytes.size < LOOKED_AT ? bytes.size : LOOKED_AT, others = 0;

	for (size_t i = 0; i < size; i++)
		others += bytes.data[i] < ' ' && !memchr("\t\n\v\f\r\033", bytes.data[i], 6);
	return others == 0 ||
	       (!starts_as_profile(bytes) && (others == 1 || others < size / SMALLEST_SHARE));
}

// OpenTelemetry profiles in the Collector's default format.
static bool is_json(struct ic_bytes text)
{
	static const char name[] = "\"resourceProfiles\"";

	return text.size > 0 && text.data[0] == '{' &&
	       memmem(text.data, text.size, name, sizeof(name) - 1);
}

// Adds the samples of a file that is not a perf recording.
static bool read_other(struct ic_profile *profile, struct ic_bytes bytes, struct ic_error *err)
{
	if (!is_text(bytes))
		return ic_pprof_read(profile, bytes, err);
	return ic_script_is(bytes) ? ic_script_read(profile, bytes, err)
				   : ic_folded_read(profile, bytes, err);
}

static bool refuse_file(const char *name, const char *reason, struct ic_error *err)
{
	return ic_fail(err, IC_ERROR_UNSUPPORTED, "%s: %s", name, reason);
}

bool ic_profile_read_bytes(struct ic_profile *profile, struct ic_bytes bytes, const char *name,
			   struct ic_error *err)
{
	if (!IC_ARRAY_ADD(&profile->kernels, (struct ic_profile_kernel){ .release = NULL }))
		return ic_fail_memory(err);
	profile->problems.file = ic_profile_text(profile, name);
	if (!profile->problems.file)
		return ic_fail_memory(err);
	bool is_otel = !is_text(bytes) && ic_otel_is(bytes);
	bool ok = ic_perf_file_is(bytes) ? ic_perf_read(profile, bytes, err)
		  : is_otel              ? ic_otel_read(profile, bytes, err)
					 : read_other(profile, bytes, err);
	if (!ok && err->code == IC_ERROR_UNSUPPORTED) {
		const struct ic_error reason = *err;
		refuse_file(name,
			    is_otel ? reason.message
			    : is_json(bytes)
				    ? "OpenTelemetry profiles in JSON are not supported; let "
				      "the Collector write them with \"format: proto\""
				    : "not a perf recording, perf script output, a pprof or "
				      "OpenTelemetry profile, or folded stacks",
			    err);
	}
	ic_problems_finish(&profile->problems, NULL, 0);
	return ok;
}

static bool read_mapping(struct ic_profile *profile, struct ic_mapping *mapping, const char *name,
			 struct ic_error *err)
{
	return ic_mapping_unpack_core(mapping, name, profile->limits.memory, err) &&
	       ic_profile_read_bytes(profile, (struct ic_bytes){ mapping->data, mapping->size },
				     name, err);
}

static struct ic_mapping *add_mapping(struct ic_profile *profile, struct ic_error *err)
{
	struct ic_mapping *mapping = IC_ARRAY_PUSH(&profile->recordings);

	if (mapping)
		*mapping = (struct ic_mapping){ .data = NULL };
	else
		ic_fail_memory(err);
	return mapping;
}

bool ic_profile_read(struct ic_profile *profile, const char *path, struct ic_error *err)
{
	const struct ic_place place = { .name = path, .path = path, .size = IC_PLACE_TO_END };
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	struct ic_mapping *mapping = add_mapping(profile, err);
	return mapping && ic_mapping_open(mapping, &place, err) &&
	       read_mapping(profile, mapping, path, err);
}

bool ic_profile_read_fd(struct ic_profile *profile, int fd, const char *name, struct ic_error *err)
{
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	struct ic_mapping *mapping = add_mapping(profile, err);
	return mapping && ic_mapping_read(mapping, fd, name, profile->limits.memory, err) &&
	       read_mapping(profile, mapping, name, err);
}
