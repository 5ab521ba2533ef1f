// Where Go functions start after the stack check. If the stack is too small, runtime.morestack()
// enlarges it, and control returns to the start of the function.
#ifndef CODE_FLOW_GO_PROLOGUE_H
#define CODE_FLOW_GO_PROLOGUE_H

#include "code/flow/host_code.h"

// The address after the check, which is passed once per call; `entry` if the host, whose flow has
// been read, is not a Go function, or has no check.
uint64_t ic_go_prologue_end(const struct ic_host_code *code, uint64_t entry);

#endif
