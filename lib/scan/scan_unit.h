// Makes the model of a unit from its DIEs.
#ifndef SCAN_SCAN_UNIT_H
#define SCAN_SCAN_UNIT_H

#include "scan/scan_stream.h"

// Prepares the stream for a walk through a unit: its table and its root DIE. False if the unit
// cannot be walked; the reason is a problem of the stream. Either way ic_scan_unit_end must follow.
bool ic_scan_unit_begin(struct ic_scan_stream *stream, uint32_t unit_index) IC_CHECKED;

// Handles an event of the stream's walk other than IC_WALK_ON. False if the walk is over.
bool ic_scan_unit_event(struct ic_scan_stream *stream, enum ic_walk_event event) IC_CHECKED;

// Moves what the stream holds to the unit's model.
void ic_scan_unit_end(struct ic_scan_stream *stream);

#endif
