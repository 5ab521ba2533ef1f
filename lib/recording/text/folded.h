// Reads folded stacks, as stackcollapse-perf.pl, inferno and this project write them: a line a
// stack, "outermost;...;innermost COUNT".
#ifndef RECORDING_TEXT_FOLDED_H
#define RECORDING_TEXT_FOLDED_H

#include "profile/profile.h"

// Adds the samples of a text. Lines that are no stacks are a problem. False if there is no other
// (IC_ERROR_UNSUPPORTED), or memory runs out.
bool ic_folded_read(struct ic_profile *profile, struct ic_bytes bytes, struct ic_error *err)
	IC_CHECKED;

#endif
