// What the samples of profiles of pprof and OpenTelemetry refer to: strings, places in code, and
// attributes. Messages refer to each other, in any order: so they are read kind by kind.
#ifndef RECORDING_PROTOBUF_PLACES_H
#define RECORDING_PROTOBUF_PLACES_H

#include "profile/profile.h"
#include "profile/proto.h"
#include "profile/proto_fields.h"

struct ic_places_form { // the fields of what has the messages
	unsigned string, mapping, function, location, attribute;
	// A message has an ID, which is its first field. Else others refer to the number that it
	// has among those of its kind, of which 0 is nothing.
	bool has_ids;
};

enum ic_attribute_key {
	IC_ATTRIBUTE_OTHER, // one that is not read
	IC_ATTRIBUTE_PID,
	IC_ATTRIBUTE_PATH, // of the program
	IC_ATTRIBUTE_PROGRAM,
	IC_ATTRIBUTE_TID,
	IC_ATTRIBUTE_THREAD,
	IC_ATTRIBUTE_BUILD_ID,
	IC_ATTRIBUTE_FRAME_TYPE,
	IC_ATTRIBUTE_COUNT
};

struct ic_attribute {
	enum ic_attribute_key key;
	const char *text; // NULL if it is none; as long-lived as the profile
	uint64_t number;
};

struct ic_attributes {
	struct ic_attribute by_key[IC_ATTRIBUTE_COUNT]; // of the key IC_ATTRIBUTE_OTHER if not set
};

struct ic_places {
	struct ic_profile *profile;
	const struct ic_places_form *form;
	struct ic_cursor messages; // what has the messages
	uint64_t dangling;         // references to what is not there
	uint64_t left_out;         // lines of locations that have too many
	uint64_t unread_ids;       // build IDs that are not the linker's
	uint64_t of_kernel;        // locations
	// The rest is its own.
	IC_ARRAY(struct ic_bytes) strings;
	IC_ARRAY(struct ic_attribute) attributes;
	IC_ARRAY(struct ic_places_mapping) mappings;
	IC_ARRAY(struct ic_places_function) functions;
	struct ic_map path_of; // by the name of a file: texts; the name itself if there are several
	struct ic_map mapping_of, function_of, location_of; // by ID
	uint64_t next_id;
	IC_ARRAY(struct ic_profile_given) frames; // of a location
};

// Whether a message was read as a whole; else that is a problem from now on.
bool ic_places_is_whole(struct ic_places *places, const struct ic_cursor *cur);

// Reads the strings and attributes, which are needed for all else. False if memory runs out, as
// below.
bool ic_places_read_strings(struct ic_places *places) IC_CHECKED;

// String number `number`; NULL if it is empty, or there is none. It lives as long as the profile.
const char *ic_places_string(struct ic_places *places, uint64_t number);

// Reads an attribute that is not in a table.
void ic_places_read_attribute(struct ic_places *places, struct ic_cursor cur,
			      struct ic_attributes *attributes);

// Takes the attributes that a list in a field refers to.
void ic_places_take_attributes(struct ic_places *places, struct ic_cursor *cur,
			       const struct ic_proto_field *field,
			       struct ic_attributes *attributes);

// Says which path a file has that mappings may have only by its name.
bool ic_places_add_path(struct ic_places *places, const char *name, const char *path) IC_CHECKED;

// Reads the places.
bool ic_places_read(struct ic_places *places) IC_CHECKED;

// The node in the profile of a stack of locations, by their IDs, the innermost first; it is nowhere
// if there are none.
bool ic_places_stack(struct ic_places *places, const struct ic_proto_numbers *ids, uint32_t *node)
	IC_CHECKED;

// Adds problems for what could not be read.
void ic_places_tell(struct ic_places *places);

// Frees what was read. What ic_places_tell() tells is kept, for other messages.
void ic_places_free(struct ic_places *places);

#endif
