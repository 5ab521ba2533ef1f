#include "code/stored/stored.h"

#include "base/machine.h"

enum { MOST_INSTRUCTIONS = 128, MOST_STORES = 64, MOST_REGISTERS = 64 };

struct machine { // its registers, by the numbers of struct ic_operand
	uint8_t count;
	uint8_t first_wide, wide_dwarf; // vector registers, and the DWARF number of the first
	uint8_t frame_pointer, stack_pointer;
	uint8_t pushed; // bytes that a call pushes
};

static const struct machine x86 = { 33, 17, 17, 6, 7, 8 }, aarch64 = { 64, 32, 64, 29, 31, 0 };

// A value, in terms of the initial state: a register plus a number, a number, or memory at such an
// address.
struct value {
	bool is_known, in_memory;
	uint8_t base; // enum ic_location_base: REGISTER, ADDRESS or CONSTANT
	uint8_t reg;
	uint8_t size; // number of known low-order bytes
	uint64_t number;
};

struct place { // in memory; at an address in the file if the base is ADDRESS
	bool is_known;
	uint8_t base, reg;
	uint64_t number, size;
};

struct state {
	const struct machine *machine;
	struct value registers[MOST_REGISTERS];
	struct place stores[MOST_STORES];
	struct value stored[MOST_STORES];
	uint32_t count;
	bool has_others; // something was stored that is not in the list
};

static const struct value unknown = { .is_known = false };

// ---- Places

static struct place place_of(const struct state *state, const struct ic_operand *operand)
{
	struct place place = { .base = IC_BASE_ADDRESS,
			       .number = operand->number,
			       .size = operand->size ? operand->size : INT64_MAX };

	if (operand->kind != IC_OPERAND_MEMORY)
		return place;
	place.is_known = true;
	if (operand->reg < 0)
		return place;
	const struct value *base = &state->registers[operand->reg];
	place.is_known = base->is_known && !base->in_memory && base->size >= 8 &&
			 base->base != IC_BASE_CONSTANT;
	place.base = base->base;
	place.reg = base->reg;
	place.number += base->number;
	return place;
}

static bool is_same_base(const struct place *a, const struct place *b)
{
	return a->is_known && b->is_known && a->base == b->base &&
	       (a->base != IC_BASE_REGISTER || a->reg == b->reg);
}

// Whether they are known to have bytes in common: not if their registers differ.
static bool places_overlap(const struct place *a, const struct place *b)
{
	return is_same_base(a, b) &&
	       (b->number - a->number < a->size || a->number - b->number < b->size);
}

// Whether they may have bytes in common. No file is loaded into the stack.
static bool may_overlap(const struct state *state, const struct place *a, const struct place *b)
{
	const struct place *of_file = a->base == IC_BASE_ADDRESS ? a : b;
	const struct place *other = of_file == a ? b : a;
	bool is_stack = other->base == IC_BASE_REGISTER &&
			other->reg == state->machine->stack_pointer;

	return is_same_base(a, b) ? places_overlap(a, b)
				  : of_file->base != IC_BASE_ADDRESS || !is_stack;
}

// ---- Values

// The bytes of a value from `first` on; false if they are unknown.
static bool take_bytes(struct value *value, uint64_t first, uint64_t size)
{
	if (!value->is_known || first > value->size || size > value->size - first)
		return false;
	if (value->in_memory)
		value->number += first;
	else if (value->base == IC_BASE_CONSTANT && first < 8)
		value->number >>= 8 * first;
	else if (first > 0)
		return false;
	value->size = (uint8_t)size;
	return true;
}

// The value last stored in a place, or its initial value.
static struct value value_in(const struct state *state, const struct place *place)
{
	struct value value = { .is_known = place->is_known,
			       .in_memory = true,
			       .base = place->base,
			       .reg = place->reg,
			       .size = place->size <= 16 ? (uint8_t)place->size : 0,
			       .number = place->number };

	if (state->has_others)
		return unknown;
	for (uint32_t i = state->count; i-- > 0;) {
		const struct place *stored = &state->stores[i];
		if (!may_overlap(state, stored, place))
			continue;
		value = state->stored[i];
		return is_same_base(stored, place) &&
				       take_bytes(&value, place->number - stored->number,
						  place->size)
			       ? value
			       : unknown;
	}
	return value;
}

static struct value value_of(const struct state *state, const struct ic_operand *operand)
{
	struct value value = { .is_known = true,
			       .base = IC_BASE_CONSTANT,
			       .size = operand->size,
			       .number = operand->number };
	struct place place;

	switch (operand->kind) {
	case IC_OPERAND_REGISTER:
		value = state->registers[operand->reg];
		if (value.in_memory || value.reg >= state->machine->first_wide)
			value.is_known &= operand->number == 0;
		else
			value.number += operand->number;
		if (value.size > operand->size)
			value.size = operand->size;
		return value;
	case IC_OPERAND_NUMBER: return value;
	case IC_OPERAND_ADDRESS: value.base = IC_BASE_ADDRESS; return value;
	case IC_OPERAND_MEMORY: place = place_of(state, operand); return value_in(state, &place);
	}
	return unknown;
}

// ---- Steps

static void init_state(struct state *state, const struct machine *machine)
{
	state->machine = machine;
	state->count = 0;
	state->has_others = false;
	for (uint8_t i = 0; i < machine->count; i++)
		state->registers[i] = (struct value){ .is_known = true,
						      .base = IC_BASE_REGISTER,
						      .reg = i,
						      .size = i < machine->first_wide ? 8 : 16 };
}

static void store_value(struct state *state, const struct place *place, struct value value)
{
	if (!place->is_known || state->count == MOST_STORES) {
		state->has_others = true;
		return;
	}
	if (value.size > place->size)
		value.size = (uint8_t)place->size;
	state->stores[state->count] = *place;
	state->stored[state->count++] = value;
}

// A write to half of an 8-byte register zeroes the upper half.
static struct value extend_value(const struct state *state, struct value value,
				 const struct ic_operand *to)
{
	if (value.size > to->size)
		value.size = to->size;
	if (value.is_known && !value.in_memory && value.base == IC_BASE_CONSTANT && to->size == 4 &&
	    to->reg < state->machine->first_wide) {
		value.number &= UINT32_MAX;
		value.size = 8;
	}
	return value;
}

static void apply_effect(struct state *state, const struct ic_effect *effect)
{
	struct value *stack = &state->registers[state->machine->stack_pointer];
	const struct value before = *stack, from = value_of(state, &effect->from);
	const struct place to = place_of(state, &effect->to);

	for (int i = 0; i < state->machine->count; i++)
		if (effect->changed >> i & 1)
			state->registers[i] = unknown;
	if (effect->pushed != 0) {
		*stack = before;
		stack->number -= (uint64_t)(int64_t)effect->pushed;
		stack->is_known &= !stack->in_memory;
	}
	if (effect->to.kind == IC_OPERAND_REGISTER && effect->to.reg >= 0 &&
	    effect->to.reg < state->machine->count)
		state->registers[effect->to.reg] = extend_value(state, from, &effect->to);
	else if (effect->to.kind == IC_OPERAND_MEMORY || effect->to.kind == IC_OPERAND_OTHER)
		store_value(state, &to, from);
}

// ---- The slot

static bool is_in(const struct place *place, const struct place *slot)
{
	return is_same_base(place, slot) && slot->number - place->number <= place->size &&
	       slot->size <= place->size - (slot->number - place->number);
}

static struct ic_location location_of(const struct state *state, const struct value *value)
{
	const struct machine *machine = state->machine;
	struct ic_location location = { .kind = IC_LOCATION_CONSTANT };

	if (value->in_memory) {
		location.kind = IC_LOCATION_MEMORY;
		location.base = (enum ic_location_base)value->base;
	} else if (value->base != IC_BASE_CONSTANT) {
		location.kind = value->base == IC_BASE_REGISTER ? IC_LOCATION_REGISTER
								: IC_LOCATION_ADDRESS;
	}
	if (value->base == IC_BASE_REGISTER) {
		location.reg =
			value->reg < machine->first_wide
				? value->reg
				: (uint32_t)machine->wide_dwarf + value->reg - machine->first_wide;
		location.offset = (int64_t)value->number;
	} else {
		location.constant = value->number;
	}
	return location;
}

// The place of the slot in a state.
static struct place place_of_slot(const struct state *state, const struct ic_slot *slot)
{
	const struct ic_operand operand = { .kind = IC_OPERAND_MEMORY,
					    .reg = (int8_t)slot->reg,
					    .number = slot->offset,
					    .size = 1 };
	struct place place = {
		.is_known = true, .base = IC_BASE_REGISTER, .reg = slot->reg, .number = slot->offset
	};

	if (slot->moves)
		place = place_of(state, &operand);
	place.size = slot->size;
	return place;
}

// Whether a place is above the frame of a function that has just been entered.
static bool is_of_caller(const struct state *state, const struct place *place)
{
	return place->base == IC_BASE_REGISTER && place->reg == state->machine->stack_pointer &&
	       place->number - state->machine->pushed < INT32_MAX;
}

// Whether a place that is written can be the slot, through an address made before.
static bool may_reach(const struct state *state, const struct place *written,
		      const struct ic_slot *slot)
{
	return slot->is_reached && written->is_known && written->base == IC_BASE_REGISTER &&
	       written->reg != slot->reg && written->reg != state->machine->frame_pointer &&
	       written->reg != state->machine->stack_pointer;
}

// The slot's contents after a value was written to a place that overlaps it.
static enum ic_stored_answer take_stored(const struct state *state, const struct place *written,
					 struct value value, const struct place *slot,
					 struct ic_location *location)
{
	if (!is_in(written, slot) ||
	    !take_bytes(&value, slot->number - written->number, slot->size))
		return IC_STORED_UNKNOWN;
	*location = location_of(state, &value);
	return IC_STORED_VALUE;
}

// Whether the instruction ends the search: it reads or writes the slot.
static bool touches_slot(struct state *state, const struct ic_effect *effect,
			 const struct ic_slot *slot, enum ic_stored_answer *answer,
			 struct ic_location *location)
{
	const struct place place = place_of_slot(state, slot);
	const struct place read = place_of(state, &effect->read),
			   written = place_of(state, &effect->to);

	if (effect->read.kind == IC_OPERAND_MEMORY && places_overlap(&read, &place)) {
		bool is_there = slot->moves && is_of_caller(state, &place);
		*answer = is_there ? IC_STORED_VALUE : IC_STORED_NOTHING;
		if (is_there)
			*location = (struct ic_location){ .kind = IC_LOCATION_MEMORY,
							  .reg = place.reg,
							  .offset = (int64_t)place.number };
		return true;
	}
	*answer = IC_STORED_UNKNOWN;
	if (effect->to.kind != IC_OPERAND_MEMORY)
		return false;
	if (!places_overlap(&written, &place))
		return may_reach(state, &written, slot);
	*answer = take_stored(state, &written, value_of(state, &effect->from), &place, location);
	return true;
}

// A call that copies a structure into the frame, which compilers make for structures passed by
// value: it looks like a call of memcpy() with a place in the frame, another place, and a number.
// From the System V ABI for AMD64, 3.2.
static bool is_copying(const struct state *state, const struct ic_instruction *instruction,
		       struct place *to, struct value *from)
{
	enum { RDX = 1, RSI = 4, RDI = 5 };
	const struct value *size = &state->registers[RDX], *at = &state->registers[RDI];
	struct place source;

	if (state->machine != &x86 || instruction->kind != IC_INSTRUCTION_CALL || !size->is_known ||
	    size->size < 8 || at->size < 8 || size->in_memory || size->base != IC_BASE_CONSTANT ||
	    size->number > INT64_MAX || !at->is_known || at->in_memory ||
	    at->base != IC_BASE_REGISTER ||
	    (at->reg != x86.stack_pointer && at->reg != x86.frame_pointer))
		return false;
	*to = (struct place){ true, IC_BASE_REGISTER, at->reg, at->number, size->number };
	*from = state->registers[RSI];
	source = (struct place){ true, from->base, from->reg, from->number, size->number };
	from->is_known &= !from->in_memory && from->size >= 8 && from->base != IC_BASE_CONSTANT &&
			  size->number <= UINT8_MAX && !state->has_others;
	for (uint32_t i = 0; i < state->count; i++)
		from->is_known &= !may_overlap(state, &state->stores[i], &source);
	from->in_memory = true;
	from->size = (uint8_t)size->number;
	return true;
}

static void apply_copying(struct state *state, const struct place *to, struct value from)
{
	static const uint8_t kept[] = { 3, 6, 7, 12, 13, 14, 15 };
	uint64_t is_kept = 0;

	for (unsigned i = 0; i < sizeof(kept); i++)
		is_kept |= 1ull << kept[i];
	for (int i = 0; i < x86.count; i++)
		if (!(is_kept >> i & 1))
			state->registers[i] = unknown;
	store_value(state, to, from);
}

// Where control continues after an instruction, if there is only one possibility; otherwise
// IC_NO_ADDR.
static uint64_t find_next(const struct ic_instruction *instruction)
{
	switch (instruction->kind) {
	case IC_INSTRUCTION_PLAIN:
	case IC_INSTRUCTION_PADDING: return instruction->addr + instruction->size;
	case IC_INSTRUCTION_JUMP: return instruction->target;
	}
	return IC_NO_ADDR;
}

// Takes the effects of an instruction on the slot. Returns whether it ends the search.
static bool take_effects(struct state *state, const struct ic_effect *effects, unsigned count,
			 const struct ic_slot *slot, enum ic_stored_answer *answer,
			 struct ic_location *value)
{
	for (unsigned i = 0; i < count; i++) {
		if (touches_slot(state, &effects[i], slot, answer, value))
			return true;
		apply_effect(state, &effects[i]);
	}
	return false;
}

enum ic_stored_answer ic_stored_find(const struct ic_stored_source *source, uint64_t addr,
				     const struct ic_slot *slot, struct ic_location *value,
				     uint64_t *after)
{
	bool is_aarch64 = ic_disassembler_machine(source->disassembler) == IC_MACHINE_AARCH64;
	const struct machine *machine = is_aarch64 ? &aarch64 : &x86;
	struct ic_effect effects[IC_MOST_EFFECTS];
	enum ic_stored_answer answer;
	struct state state;

	if (slot->reg >= machine->first_wide || slot->size == 0 || slot->size > INT64_MAX)
		return IC_STORED_NOTHING;
	init_state(&state, machine);
	for (unsigned i = 0; i < MOST_INSTRUCTIONS && addr != IC_NO_ADDR; i++) {
		const struct ic_bytes bytes = source->bytes(source->context, addr);
		const struct ic_instruction instruction =
			ic_instruction_read(source->disassembler, bytes, addr);
		uint64_t here = addr;
		struct place to;
		struct value from;
		if (is_copying(&state, &instruction, &to, &from)) {
			const struct place place = place_of_slot(&state, slot);
			*after = addr += instruction.size;
			if (places_overlap(&to, &place))
				return take_stored(&state, &to, from, &place, value);
			apply_copying(&state, &to, from);
			continue;
		}
		addr = find_next(&instruction);
		if (instruction.kind == IC_INSTRUCTION_JUMP ||
		    instruction.kind == IC_INSTRUCTION_PADDING)
			continue;
		unsigned count = addr == IC_NO_ADDR ? 0
						    : ic_effects_read(source->disassembler, bytes,
								      here, effects);
		if (count == 0)
			break;
		*after = addr;
		if (take_effects(&state, effects, count, slot, &answer, value))
			return answer;
	}
	return IC_STORED_NOTHING;
}
