// Reads folded stacks, as written by stackcollapse-perf.pl, inferno and this project: a line per
// stack, "outermost;...;innermost COUNT".
#ifndef RECORDING_TEXT_FOLDED_H
#define RECORDING_TEXT_FOLDED_H

#include "profile/profile.h"

// Adds the samples of a text. Lines that are not stacks are a problem. False if there are only such
// lines (IC_ERROR_UNSUPPORTED), or memory runs out.
bool ic_folded_read(struct ic_profile *profile, struct ic_bytes bytes, struct ic_error *err)
	IC_CHECKED;

#endif
