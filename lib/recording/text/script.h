// Reads the output of perf script.
#ifndef RECORDING_TEXT_SCRIPT_H
#define RECORDING_TEXT_SCRIPT_H

#include "profile/profile.h"

// Whether a text is such output: it has a line with a sample, or with a mapping.
bool ic_script_is(struct ic_bytes text);

// Adds the samples of a text. Invalid lines are a problem. False if memory runs out.
bool ic_script_read(struct ic_profile *profile, struct ic_bytes text, struct ic_error *err)
	IC_CHECKED;

#endif
