#include "code/flow/returning.h"

#include <string.h>

enum {
	MOST_INSTRUCTIONS = 2000, // to read for a call, up to a return
	MOST_DEPTH = 3            // nesting of calls
};

bool ic_name_is_no_return(const char *name)
{
	static const char *const names[] = {
#define NO_RETURN(name) name,
#include "code/flow/no_return.def"
#undef NO_RETURN
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	// std::__throw_bad_alloc() and similar functions of libstdc++
	return strncmp(name, "_ZSt", 4) == 0 && strstr(name, "__throw_");
}

struct walk { // a traversal of a function
	IC_ARRAY(uint64_t) work;
	struct ic_map seen;
	bool may_return;
};

// Continues at an address. If it cannot be read, it may return.
static void walk_from(struct ic_returning *returning, struct walk *walk, uint64_t addr)
{
	uint32_t *seen = ic_map_at(&walk->seen, addr);

	if (seen && *seen != IC_NONE)
		return;
	uint64_t *work = seen ? IC_ARRAY_PUSH(&walk->work) : NULL;
	returning->out_of_memory |= !work;
	if (!work || returning->left == 0) {
		walk->may_return = true;
		return;
	}
	returning->left--;
	*seen = 0;
	*work = addr;
}

// An AArch64 stub (AAELF64, 9.3): "adrp x16, page; ldr x17, [x16, offset]", possibly after a "bti
// c". IC_NO_ADDR for anything else.
static uint64_t find_arm_slot(struct ic_bytes bytes, uint64_t addr)
{
	static const uint32_t bti_c = 0xd503245f;
	bool has_bti = bytes.size >= 4 && ic_load32(bytes.data, IC_HOST_IS_BIG_ENDIAN) == bti_c;

	if (has_bti)
		addr += 4;
	if (bytes.size < (has_bti ? 12u : 8u))
		return IC_NO_ADDR;
	uint32_t adrp = ic_load32(bytes.data + (has_bti ? 4 : 0), IC_HOST_IS_BIG_ENDIAN);
	uint32_t load = ic_load32(bytes.data + (has_bti ? 8 : 4), IC_HOST_IS_BIG_ENDIAN);
	if ((adrp & 0x9f00001f) != 0x90000010 || (load & 0xffc003ff) != 0xf9400211)
		return IC_NO_ADDR;
	uint64_t pages = (adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3);
	pages = (pages ^ 0x100000) - 0x100000; // 21 bits, signed
	return (addr & ~0xfffull) + (pages << 12) + (load >> 10 & 0xfff) * 8;
}

// A stub of x86: "jmp *word(%rip)", possibly after an "endbr64".
uint64_t ic_stub_slot(const struct ic_flow_source *source, uint64_t addr)
{
	uint64_t slot = find_arm_slot(source->bytes(source->context, addr), addr);

	for (int i = 0; i < 2 && slot == IC_NO_ADDR; i++) {
		const struct ic_instruction found = ic_instruction_read(
			source->disassembler, source->bytes(source->context, addr), addr);
		if (found.kind == IC_INSTRUCTION_INDIRECT)
			return found.slot;
		if (found.kind != IC_INSTRUCTION_PLAIN && found.kind != IC_INSTRUCTION_PADDING)
			break;
		addr += found.size;
	}
	return slot;
}

static bool slot_returns(const struct ic_returning *returning, uint64_t slot)
{
	const char *name = returning->slot_name(returning->context, slot);

	return !name || !ic_name_is_no_return(name);
}

static bool function_returns(struct ic_returning *returning, uint64_t addr, unsigned depth);

static bool call_returns(struct ic_returning *returning, const struct ic_instruction *call,
			 unsigned depth)
{
	if (call->slot != IC_NO_ADDR)
		return slot_returns(returning, call->slot);
	return call->target == IC_NO_ADDR || function_returns(returning, call->target, depth);
}

static void step_walk(struct ic_returning *returning, struct walk *walk, uint64_t addr,
		      unsigned depth)
{
	const struct ic_flow_source *source = returning->source;
	struct ic_instruction found = ic_instruction_read(
		source->disassembler, source->bytes(source->context, addr), addr);
	uint64_t after = addr + found.size;

	switch ((enum ic_instruction_kind)found.kind) {
	case IC_INSTRUCTION_UNKNOWN:
	case IC_INSTRUCTION_RETURN: walk->may_return = true; break;
	case IC_INSTRUCTION_INDIRECT:
		walk->may_return |= found.slot == IC_NO_ADDR || slot_returns(returning, found.slot);
		break;
	case IC_INSTRUCTION_TRAP: break;
	case IC_INSTRUCTION_JUMP: walk_from(returning, walk, found.target); break;
	case IC_INSTRUCTION_BRANCH:
		walk_from(returning, walk, found.target);
		walk_from(returning, walk, after);
		break;
	case IC_INSTRUCTION_CALL:
		if (call_returns(returning, &found, depth + 1))
			walk_from(returning, walk, after);
		break;
	case IC_INSTRUCTION_PLAIN:
	case IC_INSTRUCTION_PADDING: walk_from(returning, walk, after); break;
	}
}

static bool function_returns(struct ic_returning *returning, uint64_t addr, unsigned depth)
{
	const struct ic_flow_source *source = returning->source;
	struct walk walk = { .may_return = false };

	if (depth == MOST_DEPTH)
		return true;
	uint64_t slot = find_arm_slot(source->bytes(source->context, addr), addr);
	if (slot != IC_NO_ADDR)
		walk.may_return = slot_returns(returning, slot);
	else
		walk_from(returning, &walk, addr);
	while (!walk.may_return && walk.work.count > 0)
		step_walk(returning, &walk, walk.work.items[--walk.work.count], depth);
	IC_ARRAY_FREE(&walk.work);
	ic_map_free(&walk.seen);
	return walk.may_return;
}

bool ic_call_returns(struct ic_returning *returning, const struct ic_instruction *call)
{
	const uint32_t *known = ic_map_find(&returning->known, call->target);

	if (known && call->target != IC_NO_ADDR)
		return *known;
	returning->left = MOST_INSTRUCTIONS;
	bool may_return = call_returns(returning, call, 0);
	uint32_t *kept = call->target != IC_NO_ADDR ? ic_map_at(&returning->known, call->target)
						    : NULL;
	if (kept)
		*kept = may_return;
	return may_return;
}

void ic_returning_free(struct ic_returning *returning)
{
	ic_map_free(&returning->known);
}
