// Makes the model of a unit from its DIEs.
#ifndef READ_UNIT_H
#define READ_UNIT_H

#include "read/stream.h"

// Units of DIEs: those of .debug_info and .debug_types.
extern const struct ic_unit_source ic_unit_source_dies;

// Whether the unit's language has no namespaces and no classes with functions.
bool ic_unit_is_flat(const struct ic_unit *unit);

// Handles an event of the stream's walk other than IC_WALK_ON. False if the walk is over.
bool ic_unit_event(struct ic_stream *stream, enum ic_walk_event event) IC_CHECKED;

#endif
