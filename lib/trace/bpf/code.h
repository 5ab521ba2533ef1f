// A sequence of BPF instructions, with forward jumps. The instructions are those of Linux's
// <linux/bpf.h>; the names here describe their effect.
#ifndef TRACE_BPF_CODE_H
#define TRACE_BPF_CODE_H

#include <linux/bpf.h>
#include <stdbool.h>

#include "base/array.h"

struct ic_bpf_code {
	IC_ARRAY(struct bpf_insn) items;
	bool out_of_memory;
	bool is_too_long; // a jump exceeds 32,767 instructions
};

enum ic_bpf_size { IC_BPF_1 = BPF_B, IC_BPF_2 = BPF_H, IC_BPF_4 = BPF_W, IC_BPF_8 = BPF_DW };

// to = number; to = from; to OP= number or from, in 64 bits: BPF_ADD, BPF_LSH and so on.
void ic_bpf_set(struct ic_bpf_code *code, unsigned to, int32_t number);
void ic_bpf_set_wide(struct ic_bpf_code *code, unsigned to, uint64_t number);
void ic_bpf_copy(struct ic_bpf_code *code, unsigned to, unsigned from);
void ic_bpf_do(struct ic_bpf_code *code, unsigned op, unsigned to, int32_t number);
void ic_bpf_do_register(struct ic_bpf_code *code, unsigned op, unsigned to, unsigned from);

// to = the map with a descriptor; to = memory at base + offset, as an unsigned number.
void ic_bpf_map(struct ic_bpf_code *code, unsigned to, int map);
void ic_bpf_load(struct ic_bpf_code *code, enum ic_bpf_size size, unsigned to, unsigned base,
		 int16_t offset);

// R1, R2 = the map, and base + offset: the address of a key, for the helpers of maps.
void ic_bpf_key(struct ic_bpf_code *code, int map, unsigned base, int32_t offset);

// Memory at base + offset = from; or atomically += from, after which `from` is the previous
// contents.
void ic_bpf_store(struct ic_bpf_code *code, enum ic_bpf_size size, unsigned base, int16_t offset,
		  unsigned from);
void ic_bpf_fetch_add(struct ic_bpf_code *code, unsigned base, int16_t offset, unsigned from);
void ic_bpf_add(struct ic_bpf_code *code, unsigned base, int16_t offset, unsigned from);

// Atomically exchanges `with` and 8 bytes of memory at base + offset.
void ic_bpf_exchange(struct ic_bpf_code *code, unsigned base, int16_t offset, unsigned with);

// If R0 is equal to 8 bytes of memory at base + offset, replaces these with `with`, atomically; R0
// is the previous contents.
void ic_bpf_compare_exchange(struct ic_bpf_code *code, unsigned base, int16_t offset,
			     unsigned with);

void ic_bpf_call(struct ic_bpf_code *code, int32_t helper);
void ic_bpf_exit(struct ic_bpf_code *code);

// Jumps if `left OP right` (BPF_JEQ, BPF_JGT and so on; BPF_JA for always). The target is where
// ic_bpf_land() is called with the returned number.
uint32_t ic_bpf_jump(struct ic_bpf_code *code, unsigned op, unsigned left, int32_t right);
uint32_t ic_bpf_jump_register(struct ic_bpf_code *code, unsigned op, unsigned left, unsigned right);
void ic_bpf_land(struct ic_bpf_code *code, uint32_t jump);

#endif
