// What the samples of a profile of pprof refer to: strings, and places in code. Its messages refer
// to each other by IDs, in any order: so they are read kind by kind.
#ifndef RECORDING_PPROF_PLACES_H
#define RECORDING_PPROF_PLACES_H

#include "profile/profile.h"
#include "profile/proto.h"
#include "profile/proto_fields.h"

struct ic_pprof {
	struct ic_profile *profile;
	struct ic_bytes bytes;
	uint64_t dangling; // references to what is not there
	uint64_t left_out; // lines of locations that have too many
	// The rest is its own.
	IC_ARRAY(struct ic_bytes) strings;
	IC_ARRAY(struct ic_pprof_mapping) mappings;
	IC_ARRAY(struct ic_pprof_function) functions;
	struct ic_map mapping_of, function_of, location_of; // by ID
	IC_ARRAY(struct ic_profile_given) frames;           // of a location
};

// Calls a function with each message of one kind, until it returns false; whether it never did.
bool ic_pprof_each(const struct ic_pprof *pprof, unsigned kind,
		   bool (*read)(void *context, struct ic_cursor cur), void *context) IC_CHECKED;

// Whether a message was read as a whole; else that is a problem from now on.
bool ic_pprof_is_whole(struct ic_pprof *pprof, const struct ic_cursor *cur);

// Reads the strings, which are needed for all else. False if memory is out, as below.
bool ic_pprof_read_strings(struct ic_pprof *pprof) IC_CHECKED;

// String number `number`; NULL if it is empty, or there is none. It lives as long as the profile.
const char *ic_pprof_string(struct ic_pprof *pprof, uint64_t number);

// Reads the places.
bool ic_pprof_read_places(struct ic_pprof *pprof) IC_CHECKED;

// The location in the profile that has an ID; IC_NONE if memory is out.
uint32_t ic_pprof_location(struct ic_pprof *pprof, uint64_t id);

void ic_pprof_free(struct ic_pprof *pprof);

#endif
