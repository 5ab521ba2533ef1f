// What samples in pprof and OpenTelemetry profiles refer to: strings, places in code, and
// attributes. Messages refer to each other, in any order, so they are read kind by kind.
#ifndef RECORDING_PROTOBUF_PLACES_H
#define RECORDING_PROTOBUF_PLACES_H

#include "profile/profile.h"
#include "profile/proto.h"
#include "profile/proto_fields.h"

struct ic_places_form { // field numbers in the enclosing message
	unsigned string, mapping, function, location, attribute;
	// A message has an ID, which is its first field. Otherwise it is referred to by its index
	// among the messages of its kind, where 0 is none.
	bool has_ids;
};

enum ic_attribute_key {
	IC_ATTRIBUTE_OTHER, // one that is not used
	IC_ATTRIBUTE_PID,
	IC_ATTRIBUTE_PATH, // path of the program
	IC_ATTRIBUTE_PROGRAM,
	IC_ATTRIBUTE_TID,
	IC_ATTRIBUTE_THREAD,
	IC_ATTRIBUTE_BUILD_ID,
	IC_ATTRIBUTE_FRAME_TYPE,
	IC_ATTRIBUTE_COUNT
};

struct ic_attribute {
	enum ic_attribute_key key;
	const char *text; // NULL if it is not a text; valid as long as the profile
	uint64_t number;
};

struct ic_attributes {
	// An entry's key is IC_ATTRIBUTE_OTHER if it is not set.
	struct ic_attribute by_key[IC_ATTRIBUTE_COUNT];
};

struct ic_places {
	struct ic_profile *profile;
	const struct ic_places_form *form;
	struct ic_cursor messages; // the enclosing message
	uint64_t dangling;         // invalid references
	uint64_t left_out;         // lines of locations that have too many
	uint64_t unread_ids;       // build IDs that are not the linker's
	uint64_t of_kernel;        // number of locations in the kernel
	// The rest is private.
	IC_ARRAY(struct ic_bytes) strings;
	IC_ARRAY(struct ic_attribute) attributes;
	IC_ARRAY(struct ic_places_mapping) mappings;
	IC_ARRAY(struct ic_places_function) functions;
	// Texts, by the name of a file; the name itself if there are several paths.
	struct ic_map path_of;
	struct ic_map mapping_of, function_of, location_of; // index by ID
	uint64_t next_id;
	IC_ARRAY(struct ic_profile_given) frames; // of one location
};

// Whether a message was read completely; if not, this is a problem from now on.
bool ic_places_is_whole(struct ic_places *places, const struct ic_cursor *cur);

// Reads the strings and attributes, which everything else needs. False if memory runs out, as
// below.
bool ic_places_read_strings(struct ic_places *places) IC_CHECKED;

// String number `number`; NULL if it is empty, or does not exist. Valid as long as the profile.
const char *ic_places_string(struct ic_places *places, uint64_t number);

// Reads an attribute that is not in a table.
void ic_places_read_attribute(struct ic_places *places, struct ic_cursor cur,
			      struct ic_attributes *attributes);

// Collects the attributes referred to by a list in a field.
void ic_places_take_attributes(struct ic_places *places, struct ic_cursor *cur,
			       const struct ic_proto_field *field,
			       struct ic_attributes *attributes);

// Sets the path of a file that mappings may give only by its name.
bool ic_places_add_path(struct ic_places *places, const char *name, const char *path) IC_CHECKED;

// Reads the places.
bool ic_places_read(struct ic_places *places) IC_CHECKED;

// Gets the node in the profile for a stack of locations, given by ID, innermost first; the root if
// there are none.
bool ic_places_stack(struct ic_places *places, const struct ic_proto_numbers *ids, uint32_t *node)
	IC_CHECKED;

// Adds problems for data that could not be read.
void ic_places_tell(struct ic_places *places);

// Frees what was read. The counts for ic_places_tell() are kept, for further messages.
void ic_places_free(struct ic_places *places);

#endif
