// System calls for tracing: bpf(2), perf_event_open(2). Debian 12's headers predate uprobe_multi
// (Linux 6.6), so its constants are defined here. libbpf would have to be loaded by every command
// (docs/decisions/0030).
#ifndef TRACE_BPF_KERNEL_H
#define TRACE_BPF_KERNEL_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

// Makes an array of `count` values that can be mapped into memory; one that cannot, whose values
// are zero at first; or a ring buffer of `size` bytes, a power of two and a multiple of the page
// size. A descriptor, or -1.
int ic_bpf_array_new(uint32_t value_size, uint32_t count, struct ic_error *err);
int ic_bpf_slots_new(uint32_t value_size, uint32_t count, struct ic_error *err);
int ic_bpf_ring_new(uint32_t size, struct ic_error *err);

// Makes a hash table, which can have up to `most` entries. A descriptor, or -1.
int ic_bpf_table_new(uint32_t key_size, uint32_t value_size, uint32_t most, struct ic_error *err);

// Gets the key after `key`, or the first one if that is NULL; and the value of a key. False if
// there is none.
bool ic_bpf_table_next(int table, const void *key, void *next);
bool ic_bpf_table_get(int table, const void *key, void *value);
bool ic_bpf_table_put(int table, const void *key, const void *value, struct ic_error *err)
	IC_CHECKED;
void ic_bpf_table_remove(int table, const void *key);

struct ic_bpf_program {
	const struct bpf_insn *code;
	uint32_t count;
	bool is_multi;         // for many places at once, or, on older kernels, for one
	bool can_sleep;        // for programs only
	bool is_of_tracepoint; // rather than of probes
};

// Loads a program for probes. A descriptor, or -1 with the verifier's message.
int ic_bpf_program_load(const struct ic_bpf_program *program, struct ic_error *err);

struct ic_bpf_places {                     // in a file, or in the kernel
	const char *path;                  // NULL for the kernel
	const uint64_t *offsets, *cookies; // `count` each; for the kernel the offsets are addresses
	uint32_t count;
	uint32_t pid;     // 0 for all processes
	bool is_returned; // fire when the functions there return
};

// Puts a program there until the descriptor is closed: at all places of a file, or at one of any.
// The error number negated if that fails.
int ic_bpf_attach_multi(int program, const struct ic_bpf_places *places, struct ic_error *err);
int ic_bpf_attach_one(int program, const struct ic_bpf_places *places, uint32_t number,
		      struct ic_error *err);

// Runs a program at a tracepoint of the kernel until the descriptor is closed. The error number
// negated if that fails.
int ic_bpf_attach_tracepoint(int program, const char *name, struct ic_error *err);

// Whether the kernel supports attaching to many places at once.
bool ic_bpf_has_multi(void);

#endif
