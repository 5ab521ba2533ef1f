// Reads the text that perf script prints.
#ifndef RECORDING_TEXT_SCRIPT_H
#define RECORDING_TEXT_SCRIPT_H

#include "profile/profile.h"

// Whether a text is one: it has a line of a sample, or of what was mapped.
bool ic_script_is(struct ic_bytes text);

// Adds the samples of a text. Lines that make no sense are a problem. False if memory runs out.
bool ic_script_read(struct ic_profile *profile, struct ic_bytes text, struct ic_error *err)
	IC_CHECKED;

#endif
