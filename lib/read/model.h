// Reads a unit into its model, whatever its source.
#ifndef READ_MODEL_H
#define READ_MODEL_H

#include "read/stream.h"

// Opens a unit and prepares the stream for a walk through it, which ends at once if there are no
// DIEs. Returns false if the unit cannot be read, for a reason that becomes a problem of the
// stream. In either case ic_model_end() must follow.
bool ic_model_begin(struct ic_stream *stream, uint32_t unit_index) IC_CHECKED;

// Builds the rest after the walk, and moves the stream's contents into the unit's model.
void ic_model_end(struct ic_stream *stream);

#endif
