// What the samples of a profile of pprof refer to: strings, and places in code. Its messages refer
// to each other by IDs, in any order: so they are read kind by kind.
#ifndef RECORDING_PLACES_READ_H
#define RECORDING_PLACES_READ_H

#include "profile/profile.h"
#include "profile/proto.h"
#include "profile/proto_fields.h"

struct ic_places {
	struct ic_profile *profile;
	struct ic_cursor messages; // what has the strings, mappings, functions and locations
	uint64_t dangling;         // references to what is not there
	uint64_t left_out;         // lines of locations that have too many
	// The rest is its own.
	IC_ARRAY(struct ic_bytes) strings;
	IC_ARRAY(struct ic_places_mapping) mappings;
	IC_ARRAY(struct ic_places_function) functions;
	struct ic_map mapping_of, function_of, location_of; // by ID
	IC_ARRAY(struct ic_profile_given) frames;           // of a location
};

// Whether a message was read as a whole; else that is a problem from now on.
bool ic_places_is_whole(struct ic_places *places, const struct ic_cursor *cur);

// Reads the strings, which are needed for all else. False if memory is out, as below.
bool ic_places_read_strings(struct ic_places *places) IC_CHECKED;

// String number `number`; NULL if it is empty, or there is none. It lives as long as the profile.
const char *ic_places_string(struct ic_places *places, uint64_t number);

// Reads the places.
bool ic_places_read(struct ic_places *places) IC_CHECKED;

// The node in the profile of a stack of locations, by their IDs, the innermost first; it is nowhere
// if there are none.
bool ic_places_stack(struct ic_places *places, const struct ic_proto_numbers *ids, uint32_t *node)
	IC_CHECKED;

// Adds problems for what could not be read.
void ic_places_tell(struct ic_places *places);

void ic_places_free(struct ic_places *places);

#endif
