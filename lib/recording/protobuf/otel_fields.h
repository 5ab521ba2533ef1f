// Fields of OpenTelemetry profiles, by message (github.com/open-telemetry/opentelemetry-proto,
// profiles/v1development/profiles.proto in 1.10 and 1.11). Mappings, functions, locations and lines
// have pprof's fields without the ID, with numbers one lower: see profile/proto_fields.h.
#ifndef RECORDING_PROTOBUF_OTEL_FIELDS_H
#define RECORDING_PROTOBUF_OTEL_FIELDS_H

enum {
	DATA_RESOURCE = 1,
	DATA_DICTIONARY = 2,
	DICTIONARY_MAPPING = 1,
	DICTIONARY_LOCATION = 2,
	DICTIONARY_FUNCTION = 3,
	DICTIONARY_LINK = 4,
	DICTIONARY_STRING = 5,
	DICTIONARY_ATTRIBUTE = 6,
	DICTIONARY_STACK = 7,
	RESOURCE_RESOURCE = 1,
	RESOURCE_ATTRIBUTE = 1, // of the resource
	RESOURCE_SCOPE = 2,
	SCOPE_PROFILE = 2,
	OTEL_PROFILE_TYPE = 1, // same as pprof's
	OTEL_PROFILE_SAMPLE = 2,
	OTEL_PROFILE_TIME = 3,
	OTEL_SAMPLE_STACK = 1,
	OTEL_SAMPLE_ATTRIBUTE = 2,
	OTEL_SAMPLE_LINK = 3,
	OTEL_SAMPLE_VALUE = 4,
	OTEL_SAMPLE_TIME = 5,
	STACK_LOCATION = 1,
	KEY_VALUE_KEY = 1, // in the dictionary the number of a string; otherwise the text itself
	KEY_VALUE_VALUE = 2,
	KEY_VALUE_KEY_STRING = 3, // in the dictionary the unit
	ANY_TEXT = 1,
	ANY_NUMBER = 3,
	ANY_STRING = 8,
};

#endif
