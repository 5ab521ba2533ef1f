#include "recording/protobuf/otel_check.h"

#include "profile/proto.h"
#include "profile/proto_fields.h"
#include "recording/protobuf/otel_fields.h"

struct check {
	uint64_t attribute_count; // in the dictionary
	const char *reason;       // why the message is not supported; NULL while it may be
};

// Messages do not contain their version, and before 1.10 samples had other fields with the same
// numbers:
//
//                1               2           3           4           5      6
//    until 1.7   first location  count       values      attributes  link   times
//    1.8, 1.9    stack           values      attributes  link        times
//    since 1.10  stack           attributes  link        values      times
//
// Links and counts are numbers, and all others but the first are lists, which are encoded as bytes.
static bool refuse_field(struct check *check, const char *reason)
{
	check->reason = reason;
	return false;
}

static bool check_attributes(struct check *check, struct ic_cursor list)
{
	while (ic_cursor_more(&list))
		if (ic_cursor_uleb(&list) >= check->attribute_count)
			return refuse_field(check, "a sample has attributes that do not exist");
	return true;
}

static bool check_sample(struct check *check, struct ic_cursor cur)
{
	struct ic_proto_field field;
	bool has_values = false, has_attributes = false;

	while (ic_proto_next(&cur, &field)) {
		bool is_list = field.type == IC_PROTO_BYTES;
		switch (field.number) {
		case OTEL_SAMPLE_ATTRIBUTE:
			has_attributes |= field.bytes.size > 0;
			if (!is_list)
				return refuse_field(check,
						    "the attributes of a sample are not a list");
			if (!check_attributes(check, ic_proto_inside(&cur, &field)))
				return false;
			break;
		case OTEL_SAMPLE_LINK:
			if (is_list)
				return refuse_field(check, "the link of a sample is a list");
			break;
		case OTEL_SAMPLE_VALUE:
			if (!is_list)
				return refuse_field(check, "the values of a sample are not a list");
			has_values |= field.bytes.size > 0;
			break;
		case OTEL_SAMPLE_TIME: has_values = true; break;
		}
	}
	return has_values || !has_attributes || cur.fault ||
	       refuse_field(check, "a sample has no values");
}

static bool check_type(struct check *check, struct ic_cursor cur)
{
	struct ic_proto_field field;

	while (ic_proto_next(&cur, &field))
		if (field.number > VALUE_UNIT) // from 1.8: how values are aggregated
			return refuse_field(check, "a value type has an unknown field");
	return true;
}

static bool check_profile(void *context, struct ic_cursor cur)
{
	struct check *check = context;
	struct ic_proto_field field;
	bool has_type = false;

	while (ic_proto_next(&cur, &field)) {
		switch (field.number) {
		case OTEL_PROFILE_TYPE:
			if (has_type || field.type != IC_PROTO_BYTES)
				return refuse_field(
					check,
					"a profile has several value types, or an invalid one");
			has_type = true;
			if (!check_type(check, ic_proto_inside(&cur, &field)))
				return false;
			break;
		case OTEL_PROFILE_SAMPLE:
			if (field.type == IC_PROTO_BYTES &&
			    !check_sample(check, ic_proto_inside(&cur, &field)))
				return false;
			break;
		case OTEL_PROFILE_TIME:
			if (field.type != IC_PROTO_64)
				return refuse_field(check,
						    "the time of a profile has the wrong type");
			break;
		}
	}
	return true;
}

static bool check_scope(void *context, struct ic_cursor cur)
{
	return ic_proto_each(cur, SCOPE_PROFILE, check_profile, context);
}

static bool check_resource(void *context, struct ic_cursor cur)
{
	return ic_proto_each(cur, RESOURCE_SCOPE, check_scope, context);
}

// The first item of each table stands for nothing, and must be empty, except for links.
static bool check_dictionary(struct check *check, struct ic_cursor cur)
{
	struct ic_proto_field field;
	uint32_t known = 0; // set of tables seen, as bits

	while (ic_proto_next(&cur, &field)) {
		uint32_t bit = field.number < 32 ? 1u << field.number : 0;
		if (bit & ~known && field.number != DICTIONARY_LINK && field.bytes.size > 0)
			return refuse_field(check, "the first item of a table is not empty");
		known |= bit;
		check->attribute_count += field.number == DICTIONARY_ATTRIBUTE;
	}
	return true;
}

static bool find_dictionary(struct check *check, struct ic_cursor cur, struct ic_cursor *dictionary)
{
	struct ic_proto_field field;
	bool has_profiles = false, has_dictionary = false;

	*dictionary = cur;
	dictionary->end = cur.pos;
	while (ic_proto_next(&cur, &field)) {
		if (field.number > DATA_DICTIONARY || field.type != IC_PROTO_BYTES)
			return refuse_field(check, "unexpected fields");
		if (field.number == DATA_DICTIONARY) {
			if (has_dictionary)
				return refuse_field(check, "several dictionaries");
			has_dictionary = true;
			*dictionary = ic_proto_inside(&cur, &field);
		}
		has_profiles |= field.number == DATA_RESOURCE;
	}
	return has_dictionary || (!has_profiles && !cur.fault) ||
	       refuse_field(check, "no dictionary");
}

const char *ic_otel_check(struct ic_cursor message, struct ic_cursor *dictionary)
{
	struct check check = { .reason = NULL };

	if (find_dictionary(&check, message, dictionary) && check_dictionary(&check, *dictionary) &&
	    ic_proto_each(message, DATA_RESOURCE, check_resource, &check))
		return NULL;
	return check.reason;
}
