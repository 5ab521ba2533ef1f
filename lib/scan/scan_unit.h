// One unit's entries become its part of the model.
#ifndef SCAN_SCAN_UNIT_H
#define SCAN_SCAN_UNIT_H

#include "scan/scan_stream.h"

// Prepares the stream for a walk through a unit: its table and its root entry. False where the unit
// cannot be walked; the reason is a problem of the stream. Either way ic_scan_unit_end must follow.
bool ic_scan_unit_begin(struct ic_scan_stream *stream, uint32_t unit_index) IC_CHECKED;

// Sees to an event of the stream's walk, other than IC_WALK_ON. False where the walk is over.
bool ic_scan_unit_event(struct ic_scan_stream *stream, enum ic_walk_event event) IC_CHECKED;

// Moves what the stream holds to the unit's model.
void ic_scan_unit_end(struct ic_scan_stream *stream);

#endif
