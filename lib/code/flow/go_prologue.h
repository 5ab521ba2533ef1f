// Where functions of Go begin once their stack is large enough. Before, they check that; if it is
// not, runtime.morestack() gives them a larger one, and control comes back to the start.
#ifndef CODE_FLOW_GO_PROLOGUE_H
#define CODE_FLOW_GO_PROLOGUE_H

#include "code/flow/host_code.h"

// The address after the check, which is passed once for each call; `entry` if the host, whose flow
// was read, is not a function of Go, or has no check.
uint64_t ic_go_prologue_end(const struct ic_host_code *code, uint64_t entry);

#endif
