// Executes BPF programs as Linux would, for tests: each access to memory must be within a region
// that the program may use, as the verifier would have it.
#ifndef SUPPORT_BPF_MACHINE_H
#define SUPPORT_BPF_MACHINE_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_region {
	uint8_t *bytes;
	size_t size;
	bool is_constant;
};

enum { BPF_MACHINE_REGIONS = 6, BPF_MACHINE_STACK = 512 };

struct bpf_machine {
	// What is handed to the program, and what its helpers give.
	struct bpf_region context, copies;
	struct bpf_region slots; // map 3, with `slot_count` items
	size_t copy_size, slot_count;
	uint64_t cookie;
	bool is_full; // the ring, which is map 2
	// Map 4, with one group of this key, and map 5, with one item of zeros; without bytes there
	// is no room for a group.
	struct bpf_region key, sums, zeros;
	bool has_group;
	struct bpf_region reported; // with room for a slot
	// Reads memory of the traced program; false if it is not there.
	bool is_kernel; // it is the kernel, not a program
	bool is_absent; // until it is read by a program that may wait for it
	bool (*read_user)(void *context, uint64_t addr, void *bytes, size_t size);
	void *user;

	// After it ran:
	bool is_submitted;
	size_t reported_size;
	uint64_t steps;
	const char *fault; // why it was stopped; NULL if it ended by itself
	uint8_t stack[BPF_MACHINE_STACK];
};

// False, with a fault, if the program did what the verifier does not allow.
bool bpf_machine_run(struct bpf_machine *machine, const struct bpf_insn *code, size_t count);

#endif
