// Reads a unit into its model, whatever its source.
#ifndef READ_MODEL_H
#define READ_MODEL_H

#include "read/stream.h"

// Opens a unit and prepares the stream for a walk through it, which ends at the first step if there
// are no DIEs. False if the unit cannot be read; the reason is a problem of the stream. Either way
// ic_model_end must follow.
bool ic_model_begin(struct ic_stream *stream, uint32_t unit_index) IC_CHECKED;

// Builds the rest after the walk, and moves what the stream holds to the unit's model.
void ic_model_end(struct ic_stream *stream);

#endif
