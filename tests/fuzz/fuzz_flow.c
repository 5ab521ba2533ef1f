// Fuzzes the walk through machine code: the input is instructions, the ranges of a copy in them,
// and which calls return. Wanted: exits are at instructions that a path reaches, each once, except
// at most one of the code after the copy; however control goes from the entry, up to the exit it
// stays in what is known, and there is no second one until it is entered again.
#include <stdlib.h>

#include "code/flow/leaving.h"
#include "fuzz_input.h"

enum { START = 0x1000, MOST_RANGES = 4, PATHS = 64, MOST_STEPS = 400 };

struct code {
	struct ic_bytes bytes;
	uint8_t returning; // a bit by the lowest bits of a call's address
};

static struct ic_bytes bytes_at(void *context, uint64_t addr)
{
	const struct code *code = context;

	if (addr < START || addr - START >= code->bytes.size)
		return (struct ic_bytes){ NULL, 0 };
	return (struct ic_bytes){ code->bytes.data + (addr - START),
				  code->bytes.size - (size_t)(addr - START) };
}

static bool returns(void *context, const struct ic_instruction *call)
{
	return ((const struct code *)context)->returning >> (call->addr & 7) & 1;
}

static const struct ic_exit *exit_at(const struct ic_leaving *leaving, uint64_t addr)
{
	const struct ic_exit *found = NULL;

	for (uint32_t i = 0; i < leaving->exits.count; i++) {
		if (leaving->exits.items[i].addr != addr)
			continue;
		PROMISE(!found || found->kind == IC_EXIT_AFTER ||
			leaving->exits.items[i].kind == IC_EXIT_AFTER);
		found = &leaving->exits.items[i];
	}
	return found;
}

static bool has_perhaps(const struct ic_leaving *leaving)
{
	for (uint32_t i = 0; i < leaving->exits.count; i++)
		if (leaving->exits.items[i].kind == IC_EXIT_PERHAPS)
			return true;
	return false;
}

// Goes a way from the entry, which the seed chooses: one exit is reached, and no other until the
// copy is entered again, if there are only those that are certain.
static void check_path(const struct ic_flow *flow, const struct ic_leaving *leaving, uint32_t entry,
		       uint32_t other, uint32_t seed)
{
	uint32_t at = entry, found = 0;

	for (uint32_t step = 0; step < MOST_STEPS; step++) {
		const struct ic_flow_node *node = &flow->nodes.items[at];
		const struct ic_exit *here = exit_at(leaving, node->instruction.addr);
		found += here != NULL;
		PROMISE(found <= 1);
		seed = seed * 1103515245 + 12345;
		bool jumps = (seed >> 16 & 1) != 0;
		uint32_t next = jumps ? node->branch : node->next;
		bool is_out = jumps ? node->is_branch_out : node->is_next_out;
		if (next == IC_NONE && !is_out) { // not this way
			next = jumps ? node->next : node->branch;
			is_out = jumps ? node->is_next_out : node->is_branch_out;
		}
		if (next == IC_NONE) { // the end of it: what is not known ends what is outside
			PROMISE(found == 1);
			return;
		}
		if (next == entry || next == other)
			return;
		at = next;
	}
}

static void check(const struct ic_flow *flow, const struct ic_leaving *leaving,
		  const uint64_t *entries)
{
	for (uint32_t i = 0; i < leaving->exits.count; i++) {
		const struct ic_exit *leave = &leaving->exits.items[i];
		uint32_t node = ic_flow_find(flow, leave->addr);
		PROMISE(node != IC_NONE);
		PROMISE(ic_exit_kind_name(leave->kind));
		(void)exit_at(leaving, leave->addr);
	}
	if (has_perhaps(leaving) || leaving->doubt[0])
		return;
	for (uint32_t i = 0; i < PATHS; i++)
		check_path(flow, leaving, ic_flow_find(flow, entries[i % 2]),
			   ic_flow_find(flow, entries[1 - i % 2]), i * 2654435761u);
}

static void check_copy(struct fuzz_input *in, struct code *code,
		       struct ic_disassembler *disassembler)
{
	struct ic_flow_source source = { disassembler, bytes_at, returns, code };
	struct ic_range own[MOST_RANGES], all[MOST_RANGES];
	uint32_t own_count = 1 + fuzz_take_u8(in) % MOST_RANGES;
	uint32_t all_count = 1 + fuzz_take_u8(in) % MOST_RANGES;
	struct ic_flow flow = { .indirect_addr = 0 };
	struct ic_leaving leaving = { .doubt = "" };
	struct ic_error err = { 0 };

	for (uint32_t i = 0; i < MOST_RANGES; i++) {
		own[i].start = START + fuzz_take_u8(in);
		own[i].end = own[i].start + 1 + fuzz_take_u8(in) % 64;
		all[i].start = START + fuzz_take_u8(in);
		all[i].end = all[i].start + 1 + fuzz_take_u8(in);
	}
	uint64_t start = all[0].start;
	const uint64_t entries[] = { START + fuzz_take_u8(in), START + fuzz_take_u8(in) };
	code->bytes = (struct ic_bytes){ in->pos, (size_t)(in->end - in->pos) };
	struct ic_range_set own_set = ic_range_set_build(own, own_count);
	struct ic_range_set all_set = ic_range_set_build(all, all_count);
	if (ic_flow_read(&flow, &source, &all_set, start, &err)) {
		PROMISE(ic_leaving_find(&leaving, &flow, start, entries, 2, &own_set));
		PROMISE(leaving.why_not[0] == 0 || leaving.exits.count == 0);
		if (!leaving.why_not[0])
			check(&flow, &leaving, entries);
	}
	IC_ARRAY_FREE(&leaving.exits);
	ic_flow_free(&flow);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct ic_disassembler *disassemblers[3]; // they take long to open
	static const unsigned machines[] = { 62, 3, 183 };
	struct fuzz_input in = { data, data + size };
	struct ic_error err;

	for (int i = 0; i < 3; i++)
		if (!disassemblers[i])
			disassemblers[i] =
				ic_disassembler_open(machines[i], machines[i] == 3 ? 4 : 8, &err);
	uint8_t which = fuzz_take_u8(&in) % 3;
	struct code code = { .returning = fuzz_take_u8(&in) };
	if (disassemblers[which])
		check_copy(&in, &code, disassemblers[which]);
	return 0;
}
