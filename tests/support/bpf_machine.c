#include "bpf_machine.h"

#include <endian.h>
#include <string.h>

enum { MOST_STEPS = 100000, LOST = 0x5a };

static bool fail(struct bpf_machine *machine, const char *fault)
{
	machine->fault = fault;
	return false;
}

// The bytes at an address that the program may use; NULL if they are not all in one region.
static uint8_t *find(struct bpf_machine *machine, uint64_t addr, size_t size, bool is_write)
{
	const struct bpf_region regions[BPF_MACHINE_REGIONS] = {
		machine->context,
		machine->copies,
		machine->slots,
		machine->has_group ? machine->sums : (struct bpf_region){ .size = 0 },
		machine->zeros,
		{ machine->stack, sizeof(machine->stack), false },
	};

	for (size_t i = 0; i < BPF_MACHINE_REGIONS; i++) {
		uint64_t start = (uint64_t)(uintptr_t)regions[i].bytes;
		if (addr >= start && addr - start < regions[i].size &&
		    size <= regions[i].size - (addr - start) &&
		    !(is_write && regions[i].is_constant))
			return regions[i].bytes + (addr - start);
	}
	return NULL;
}

static size_t size_of(uint8_t code)
{
	switch (code & 0x18) {
	case BPF_B: return 1;
	case BPF_H: return 2;
	case BPF_W: return 4;
	default: return 8;
	}
}

// ---- Helpers

static bool read_byte(struct bpf_machine *machine, uint64_t addr, uint8_t *to)
{
	const uint8_t *own = find(machine, addr, 1, false);

	if (own)
		*to = *own;
	return own || machine->read_user(machine->user, addr, to, 1);
}

static bool read_string(struct bpf_machine *machine, uint8_t *to, size_t size, uint64_t addr,
			uint64_t *result)
{
	for (size_t i = 0; i < size; i++) {
		if (!read_byte(machine, addr + i, to + i)) {
			*result = (uint64_t)-14;
			return true;
		}
		if (i + 1 == size)
			to[i] = 0;
		*result = i + 1;
		if (to[i] == 0)
			return true;
	}
	return true;
}

// What the table of groups has for a key.
static bool look_up_group(struct bpf_machine *machine, const uint64_t r[11], uint64_t *result)
{
	const uint8_t *key = find(machine, r[2], machine->key.size, false);

	if (!key)
		return fail(machine, "a key is outside of memory");
	if (machine->has_group && memcmp(key, machine->key.bytes, machine->key.size) == 0)
		*result = (uint64_t)(uintptr_t)machine->sums.bytes;
	return true;
}

// What an array has for a number.
static bool look_up_item(struct bpf_machine *machine, const uint64_t r[11], uint64_t *result)
{
	const struct bpf_region *map = r[1] == 1   ? &machine->copies
				       : r[1] == 3 ? &machine->slots
						   : &machine->zeros;
	size_t size = r[1] == 1   ? machine->copy_size
		      : r[1] == 3 ? machine->slots.size / machine->slot_count
				  : machine->zeros.size;
	uint32_t key;
	const uint8_t *bytes = find(machine, r[2], sizeof(key), false);

	if (!bytes || (r[1] != 1 && r[1] != 3 && r[1] != 5))
		return fail(machine, "a map is asked wrongly");
	memcpy(&key, bytes, sizeof(key));
	if ((key + 1ull) * size <= map->size)
		*result = (uint64_t)(uintptr_t)map->bytes + key * size;
	return true;
}

static bool look_up(struct bpf_machine *machine, const uint64_t r[11], uint64_t *result)
{
	return r[1] == 4 ? look_up_group(machine, r, result) : look_up_item(machine, r, result);
}

// Adds a group, unless there is one.
static bool update(struct bpf_machine *machine, const uint64_t r[11], uint64_t *result)
{
	const uint8_t *key = find(machine, r[2], machine->key.size, false);
	const uint8_t *value = find(machine, r[3], machine->sums.size, false);

	if (r[1] != 4 || !key || !value || r[4] != BPF_NOEXIST)
		return fail(machine, "a map is changed wrongly");
	if (machine->has_group || !machine->sums.bytes) {
		*result = (uint64_t)-7; // E2BIG
		return true;
	}
	memcpy(machine->key.bytes, key, machine->key.size);
	memcpy(machine->sums.bytes, value, machine->sums.size);
	machine->has_group = true;
	return true;
}

// Copies a record to the ring.
static bool report(struct bpf_machine *machine, const uint64_t r[11], uint64_t *result)
{
	const uint8_t *bytes = find(machine, r[2], r[3], false);

	if (!bytes || r[1] != 2 || r[3] > machine->reported.size)
		return fail(machine, "a record is reported wrongly");
	if (machine->is_full) {
		*result = (uint64_t)-11;
		return true;
	}
	memcpy(machine->reported.bytes, bytes, r[3]);
	machine->reported_size = r[3];
	machine->is_submitted = true;
	return true;
}

// Reads memory of what is traced, or a string there.
static bool read_traced(struct bpf_machine *machine, int32_t helper, const uint64_t r[11],
			uint64_t *result)
{
	bool is_kernel = helper == BPF_FUNC_probe_read_kernel ||
			 helper == BPF_FUNC_probe_read_kernel_str;

	machine->is_absent &= helper != BPF_FUNC_copy_from_user;
	if (machine->is_kernel != is_kernel && !find(machine, r[3], 1, false))
		return fail(machine, "memory of another kind is read");
	uint8_t *bytes = find(machine, r[1], r[2], true);
	if (!bytes) // none may be read (ARG_CONST_SIZE_OR_ZERO)
		return fail(machine, "memory of the program is read to outside");
	if (machine->is_absent && !is_kernel) {
		*result = (uint64_t)-14;
		return true;
	}
	if (helper == BPF_FUNC_probe_read_user_str || helper == BPF_FUNC_probe_read_kernel_str) {
		read_string(machine, bytes, r[2], r[3], result);
	} else if (!machine->read_user(machine->user, r[3], bytes, r[2])) {
		memset(bytes, 0, r[2]);
		*result = (uint64_t)-14;
	}
	return true;
}

static bool call(struct bpf_machine *machine, int32_t helper, uint64_t r[11])
{
	uint64_t result = 0;
	bool ok = true;
	uint8_t *bytes;

	switch (helper) {
	case BPF_FUNC_get_attach_cookie: result = machine->cookie; break;
	case BPF_FUNC_ktime_get_ns: result = 12345; break;
	case BPF_FUNC_get_current_pid_tgid: result = 7ull << 32 | 8; break;
	case BPF_FUNC_get_current_comm:
		bytes = find(machine, r[1], r[2], true);
		if (!bytes)
			return fail(machine, "a name goes outside of memory");
		memset(bytes, 0, r[2]);
		break;
	case BPF_FUNC_map_lookup_elem: ok = look_up(machine, r, &result); break;
	case BPF_FUNC_map_update_elem: ok = update(machine, r, &result); break;
	case BPF_FUNC_get_smp_processor_id: result = 1; break;
	case BPF_FUNC_ringbuf_output: ok = report(machine, r, &result); break;
	case BPF_FUNC_copy_from_user:
	case BPF_FUNC_probe_read_user:
	case BPF_FUNC_probe_read_user_str:
	case BPF_FUNC_probe_read_kernel:
	case BPF_FUNC_probe_read_kernel_str: ok = read_traced(machine, helper, r, &result); break;
	default: return fail(machine, "an unknown helper is called");
	}
	for (int i = 1; i <= 5; i++)
		memset(&r[i], LOST, sizeof(r[i]));
	r[0] = result;
	return ok;
}

// ---- Instructions

static bool calculate(struct bpf_machine *machine, uint8_t op, uint64_t *to, uint64_t number)
{
	switch (op) {
	case BPF_MOV: *to = number; break;
	case BPF_ADD: *to += number; break;
	case BPF_SUB: *to -= number; break;
	case BPF_AND: *to &= number; break;
	case BPF_OR: *to |= number; break;
	case BPF_XOR: *to ^= number; break;
	case BPF_LSH: *to <<= number & 63; break;
	case BPF_RSH: *to >>= number & 63; break;
	case BPF_ARSH: *to = (uint64_t)((int64_t)*to >> (number & 63)); break;
	case BPF_MUL: *to *= number; break;
	case BPF_MOD: *to = number ? *to % number : *to; break;
	default: return fail(machine, "an unknown operation");
	}
	return true;
}

static bool is_taken(uint8_t op, uint64_t left, uint64_t right)
{
	switch (op) {
	case BPF_JEQ: return left == right;
	case BPF_JNE: return left != right;
	case BPF_JGT: return left > right;
	case BPF_JGE: return left >= right;
	case BPF_JLE: return left <= right;
	case BPF_JLT: return left < right;
	case BPF_JSGT: return (int64_t)left > (int64_t)right;
	case BPF_JSGE: return (int64_t)left >= (int64_t)right;
	case BPF_JSLE: return (int64_t)left <= (int64_t)right;
	case BPF_JSLT: return (int64_t)left < (int64_t)right;
	default: return op == BPF_JA;
	}
}

// The low-order bytes of a register.
static uint8_t *low_bytes(uint64_t *r, size_t size)
{
	return (uint8_t *)r + (__BYTE_ORDER == __BIG_ENDIAN ? sizeof(*r) - size : 0);
}

static bool access_memory(struct bpf_machine *machine, const struct bpf_insn *insn, uint64_t r[11])
{
	bool is_load = BPF_CLASS(insn->code) == BPF_LDX;
	size_t size = size_of(insn->code);
	uint64_t addr = r[is_load ? insn->src_reg : insn->dst_reg] + (uint64_t)(int64_t)insn->off;
	uint8_t *bytes = find(machine, addr, size, !is_load);
	uint64_t before = 0;

	if (!bytes)
		return fail(machine, is_load ? "a load from outside" : "a store to outside");
	memcpy(low_bytes(&before, size), bytes, size);
	if (is_load) {
		r[insn->dst_reg] = before;
	} else if ((insn->code & 0xe0) == BPF_ATOMIC) {
		uint64_t after = r[insn->src_reg];
		if (insn->imm == BPF_CMPXCHG)
			after = before == r[0] ? after : before;
		else if (insn->imm != BPF_XCHG)
			after += before;
		memcpy(bytes, &after, sizeof(after));
		if (insn->imm == BPF_CMPXCHG)
			r[0] = before;
		else if (insn->imm & BPF_FETCH)
			r[insn->src_reg] = before;
	} else {
		memcpy(bytes, low_bytes(&r[insn->src_reg], size), size);
	}
	return true;
}

bool bpf_machine_run(struct bpf_machine *machine, const struct bpf_insn *code, size_t count)
{
	uint64_t r[11] = { 0 };

	r[1] = (uint64_t)(uintptr_t)machine->context.bytes;
	r[10] = (uint64_t)(uintptr_t)machine->stack + sizeof(machine->stack);
	machine->fault = NULL;
	for (size_t pc = 0; pc < count; pc++) {
		const struct bpf_insn *insn = &code[pc];
		uint64_t number = insn->code & BPF_X ? r[insn->src_reg]
						     : (uint64_t)(int64_t)insn->imm;

		if (++machine->steps > MOST_STEPS)
			return fail(machine, "it does not end");
		if (insn->dst_reg > 10 || insn->src_reg > 10)
			return fail(machine, "there is no such register");
		switch (BPF_CLASS(insn->code)) {
		case BPF_ALU64:
			if (!calculate(machine, insn->code & 0xf0, &r[insn->dst_reg], number))
				return false;
			break;
		case BPF_LD:
			if (pc + 1 == count)
				return fail(machine, "half a number");
			r[insn->dst_reg] = (uint32_t)insn->imm | (uint64_t)(uint32_t)insn[1].imm
									 << 32;
			pc++;
			break;
		case BPF_LDX:
		case BPF_STX:
			if (!access_memory(machine, insn, r))
				return false;
			break;
		case BPF_JMP:
			if ((insn->code & 0xf0) == BPF_EXIT)
				return true;
			if ((insn->code & 0xf0) == BPF_CALL) {
				if (!call(machine, insn->imm, r))
					return false;
			} else if (is_taken(insn->code & 0xf0, r[insn->dst_reg], number)) {
				pc += (size_t)insn->off;
			}
			break;
		default: return fail(machine, "an unknown instruction");
		}
	}
	return fail(machine, "it runs over its end");
}
