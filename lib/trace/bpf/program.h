// The BPF program that runs where copies are entered.
#ifndef TRACE_BPF_PROGRAM_H
#define TRACE_BPF_PROGRAM_H

#include "trace/bpf/layout.h"

void ic_trace_program_write(const struct ic_trace_shape *shape, struct ic_bpf_code *code);

#endif
