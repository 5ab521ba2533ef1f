#include "trace/hits/ways_out.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/machine.h"
#include "trace/hits/computed.h"

#include <inlinecall/extra/call_frames.h>

enum {
	TABLE_SIZE = 1 << 16, // of active copies
	NEAR = 16,            // slots of the table in which one may be
	X86_FLAGS = 18,       // index of a word in struct pt_regs
	MOST_POPPED = 64      // bytes of arguments that a function of x86 removes
};

// ---- Places

// The rule for the return address; UNDEFINED also if it may be signed.
static struct ic_register_rule return_rule(const struct ic_call_frame_entry *entry,
					   const struct ic_call_frame_row *row)
{
	struct ic_register_rule rule = { .reg = (uint16_t)entry->return_reg,
					 .kind = IC_RULE_SAME_VALUE };

	for (size_t i = 0; i < row->rule_count; i++) {
		if (row->rules[i].kind == IC_RULE_CONSTANT && row->rules[i].at.offset != 0)
			return (struct ic_register_rule){ .kind = IC_RULE_UNDEFINED };
		if (row->rules[i].reg == entry->return_reg)
			rule = row->rules[i];
	}
	return rule;
}

void ic_trace_place_find(const struct ic_trace_ways *ways, uint64_t addr,
			 struct ic_trace_place *place)
{
	struct ic_call_frame_entry entry;
	struct ic_call_frame_row row;

	*place = (struct ic_trace_place){ .layout = ways->trace->shape.registers,
					  .addr_size = ic_image_addr_size(ways->image) };
	if (!ways->rows || !ic_call_frame_reader_find(ways->rows, addr, &entry, &row, NULL) ||
	    row.cfa.kind != IC_RULE_REGISTER)
		return;
	place->has_cfa = true;
	place->cfa_reg = row.cfa.from;
	place->cfa_offset = row.cfa.at.offset;
	place->return_rule = return_rule(&entry, &row);
}

static bool say_why_not(const struct ic_trace_ways *ways, struct ic_trace_copy *copy,
			const char *why)
{
	copy->exits_why_not = ic_arena_copy(&ways->trace->arena, why, strlen(why) + 1, 1);
	return copy->exits_why_not || ic_fail_memory(ways->err);
}

static struct ic_trace_exit *push_exit(const struct ic_trace_ways *ways, uint32_t number,
				       uint64_t addr)
{
	struct ic_trace_exit *added = IC_ARRAY_PUSH(&ways->trace->exits);

	if (!added) {
		ic_fail_memory(ways->err);
		return NULL;
	}
	*added = (struct ic_trace_exit){ .copy = number, .addr = addr, .condition = -1 };
	ic_image_offset_of_addr(ways->image, addr, &added->file_off);
	return added;
}

// For returns observed by the kernel: the stack pointer is then the frame address; on x86 it may be
// above, since some functions pop their arguments.
static bool add_return(const struct ic_trace_ways *ways, uint32_t number, uint64_t addr)
{
	struct ic_trace_exit *added = push_exit(ways, number, addr);

	if (!added)
		return false;
	added->kind = IC_EXIT_RETURN;
	added->is_return = true;
	added->place = ways->trace->items.items[number].place;
	added->place.cfa_reg = ways->trace->shape.stack_reg;
	added->place.cfa_offset = 0;
	return true;
}

// Why an exit of the copies from `first` on cannot be traced; NULL if it can.
static const char *fault_of(const struct ic_trace_ways *ways, uint32_t first,
			    const struct ic_exit *leave)
{
	uint64_t offset;

	for (uint32_t i = first; i < ways->trace->items.count; i++)
		if (leave->addr == ways->trace->items.items[i].copy.addr)
			return "it is entered and left at the same instruction";
	if (leave->kind == IC_EXIT_PERHAPS &&
	    (leave->condition < 0 || ways->trace->shape.registers->machine != IC_MACHINE_X86_64))
		return "it is left by a conditional jump whose condition cannot be evaluated";
	if (!ic_image_offset_of_addr(ways->image, leave->addr, &offset))
		return "its code is not in the file";
	return ic_probe_place_fault(ways->places, leave->addr);
}

static bool add_exits(const struct ic_trace_ways *ways, uint32_t number)
{
	struct ic_trace *trace = ways->trace;
	struct ic_trace_copy *copy = &trace->items.items[number].copy;
	const char *doubt = ic_exits_doubt(ways->exits);
	const struct ic_exit *list;
	size_t count = ic_exits_get(ways->exits, &list);
	char text[160];

	for (size_t i = 0; i < count; i++) {
		const char *fault = fault_of(ways, number, &list[i]);
		if (!fault)
			continue;
		snprintf(text, sizeof(text), "%s, at 0x%" PRIx64, fault, list[i].addr);
		return say_why_not(ways, copy, text);
	}
	for (size_t i = 0; i < count; i++) {
		struct ic_trace_exit *added = push_exit(ways, number, list[i].addr);
		if (!added)
			return false;
		added->kind = list[i].kind;
		added->condition = list[i].condition;
		added->leaves_if_taken = list[i].leaves_if_taken;
		ic_trace_place_find(ways, added->addr, &added->place);
	}
	if (count == 0)
		return say_why_not(ways, copy, "control never leaves it");
	if (doubt)
		copy->exits_doubt = ic_arena_copy(&trace->arena, doubt, strlen(doubt) + 1, 1);
	return !doubt || copy->exits_doubt || ic_fail_memory(ways->err);
}

bool ic_trace_ways_out_find(const struct ic_trace_ways *ways, uint32_t first,
			    const struct ic_site *site)
{
	struct ic_trace *trace = ways->trace;
	struct ic_trace_item *item = &trace->items.items[first];
	bool ok;

	if (item->copy.why_not)
		return true;
	item->first_exit = trace->exits.count;
	item->has_cfa = true;
	for (uint32_t i = first; i < trace->items.count; i++) {
		struct ic_trace_item *entry = &trace->items.items[i];
		ic_trace_place_find(ways, entry->copy.addr, &entry->place);
		item->has_cfa = item->has_cfa && entry->place.has_cfa;
	}
	if (site->kind == IC_SITE_OUT_OF_LINE && !ic_probe_places_is_go(ways->places))
		ok = add_return(ways, first, item->copy.addr);
	else if (ic_exits_why_not(ways->exits))
		ok = say_why_not(ways, &item->copy, ic_exits_why_not(ways->exits));
	else
		ok = add_exits(ways, first);
	item->exit_count = trace->exits.count - item->first_exit;
	for (uint32_t i = item->first_exit; i < trace->exits.count; i++)
		item->has_cfa = item->has_cfa && trace->exits.items[i].place.has_cfa;
	return ok;
}

// ---- Durations

// The slot of an active copy in a frame of a thread; NULL if it is not in the table. *oldest is a
// free slot for it, or otherwise the nearby one that was entered first: a copy left by an exception
// stays until it is entered again in such a frame, or for ever.
static struct ic_trace_entered *find_entered(struct ic_trace *trace, uint32_t copy, uint32_t tid,
					     uint64_t cfa, struct ic_trace_entered **oldest)
{
	uint64_t hash = (cfa ^ ((uint64_t)tid << 32 | copy)) * 0x9e3779b97f4a7c15u;
	uint32_t first = (uint32_t)(hash >> 48);

	*oldest = &trace->entered[first];
	for (uint32_t i = 0; i < NEAR; i++) {
		struct ic_trace_entered *at = &trace->entered[(first + i) % TABLE_SIZE];
		if (at->time && at->copy == copy && at->tid == tid && at->cfa == cfa)
			return at;
		if (at->time < (*oldest)->time)
			*oldest = at;
	}
	return NULL;
}

static uint64_t frame_of(const struct ic_trace_item *item, const struct ic_trace_place *place,
			 const struct ic_unwind_registers *registers)
{
	uint64_t cfa;

	return item->has_cfa && ic_trace_cfa(place, registers, &cfa) ? cfa : 0;
}

void ic_trace_enter(struct ic_trace *trace, const struct ic_trace_record *record,
		    const struct ic_unwind_registers *registers, uint32_t sum)
{
	const struct ic_trace_item *item = &trace->items.items[record->copy];
	uint32_t first = (uint32_t)item->copy.first;

	if (!trace->entered) {
		trace->entered = ic_items_zeroed(TABLE_SIZE, sizeof(*trace->entered));
		if (!trace->entered)
			return;
	}
	struct ic_trace_entered *oldest;
	uint64_t cfa = frame_of(&trace->items.items[first], &item->place, registers);
	struct ic_trace_entered *at =
		find_entered(trace, first, (uint32_t)record->tid, cfa, &oldest);
	*(at ? at : oldest) = (struct ic_trace_entered){ .time = record->time,
							 .cfa = cfa,
							 .copy = first,
							 .tid = (uint32_t)record->tid,
							 .sum = sum };
}

// Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, appendix B.
static bool is_condition(unsigned condition, uint64_t flags)
{
	bool carry = flags & 1, parity = flags >> 2 & 1, zero = flags >> 6 & 1;
	bool sign = flags >> 7 & 1, overflow = flags >> 11 & 1;
	const bool met[] = { overflow,
			     carry,
			     zero,
			     carry || zero,
			     sign,
			     parity,
			     sign != overflow,
			     zero || sign != overflow };

	return met[condition >> 1 & 7] != (condition & 1);
}

bool ic_trace_leave(struct ic_trace *trace, const struct ic_trace_exit *exit,
		    const struct ic_trace_record *record,
		    const struct ic_unwind_registers *registers, const uint8_t *words,
		    struct ic_trace_left *left)
{
	const struct ic_trace_item *item = &trace->items.items[exit->copy];

	if (!trace->entered)
		return false;
	if (exit->condition >= 0) {
		uint64_t flags;
		memcpy(&flags, words + 8 * X86_FLAGS, sizeof(flags));
		if (is_condition((unsigned)exit->condition, flags) != exit->leaves_if_taken)
			return false;
	}
	uint64_t frame = frame_of(item, &exit->place, registers);
	bool may_pop = frame && exit->is_return &&
		       trace->shape.registers->machine == IC_MACHINE_386;
	struct ic_trace_entered *at = NULL, *oldest;
	for (uint64_t popped = 0; !at && popped <= (may_pop ? MOST_POPPED : 0); popped += 4)
		at = find_entered(trace, exit->copy, (uint32_t)record->tid, frame - popped,
				  &oldest);
	if (!at)
		return false;
	*left = (struct ic_trace_left){ record->time - at->time, at->sum };
	at->time = 0;
	return true;
}
