// What a kernel says of itself in its log: which release and build it is, and where it runs.
#ifndef CLI_KERNEL_FACTS_H
#define CLI_KERNEL_FACTS_H

#include "trace_forms.h"

enum cli_kernel_fact_kind {
	CLI_KERNEL_NONE,
	CLI_KERNEL_RELEASE, // "CPU: 1 PID: 512 Comm: cat Not tainted 6.1.0-56-amd64 #1"
	CLI_KERNEL_BOOT,    // "Linux version 6.1.0-56-amd64 (...": what was known before is over
	CLI_KERNEL_OFFSET,  // "Kernel Offset: 0x1e000000 from 0xffffffff81000000"
};

struct cli_kernel_fact {
	enum cli_kernel_fact_kind kind;
	struct cli_slice release;  // of a release or a boot
	struct cli_slice build_id; // of a release, if it is printed
	uint64_t offset;           // to the addresses that the kernel was linked for
};

struct cli_kernel_fact cli_kernel_fact_read(struct cli_slice line);

#endif
