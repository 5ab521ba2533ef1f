#include "dwarf/expressions/reduce.h"

#include "dwarf/expressions/locations.h"
#include "dwarf/expressions/term.h"

enum { // more than compilers produce
	MOST_TERMS = 64,
	MOST_PIECES = 64,
	DEEPEST = 2, // an expression within an expression
};

enum ended { // which operation completed a simple location (DWARF 5, 2.6.1.1)
	ENDED_NOT,
	ENDED_REGISTER,
	ENDED_VALUE,
	ENDED_BYTES,
	ENDED_COMPUTED, // an implicit pointer
};

struct frame { // the frame base, reduced on first use
	bool is_found;
	struct ic_term base;
};

struct reducer {
	const struct ic_reduction *of;
	struct ic_expression walk;
	unsigned depth;
	// Set by an operation whose effect on the stack is unknown: the rest is only checked for
	// being well formed.
	bool is_computed;
	bool is_uninitialised;
	bool is_entry; // values are those at function entry
	enum ended ended;
	uint32_t reg;
	struct ic_cursor bytes;
	struct frame *frame;
	unsigned term_count, piece_count;
	struct ic_term terms[MOST_TERMS]; // from here on, only the elements counted are set
	struct ic_location_piece pieces[MOST_PIECES];
};

static bool reduce_part(struct reducer *reducer, struct ic_cursor bytes, struct ic_error *err);

static void reducer_init(struct reducer *reducer, const struct ic_reduction *of, unsigned depth)
{
	memset(reducer, 0, offsetof(struct reducer, terms));
	reducer->of = of;
	reducer->depth = depth;
}

static void push_term(struct reducer *reducer, struct ic_term term)
{
	if (reducer->term_count == MOST_TERMS)
		reducer->is_computed = true;
	else
		reducer->terms[reducer->term_count++] = term;
}

static void push_unknown(struct reducer *reducer)
{
	push_term(reducer, (struct ic_term){ .is_known = false });
}

static bool need_operands(struct reducer *reducer, const struct ic_operation *op, uint64_t count,
			  struct ic_error *err)
{
	return count <= reducer->term_count ||
	       ic_operation_fail(&reducer->walk, op, err, "too few values on the stack");
}

// The term that is `from_top` terms below the top.
static struct ic_term *term_at(struct reducer *reducer, uint64_t from_top)
{
	return &reducer->terms[reducer->term_count - 1 - from_top];
}

static uint8_t addr_size_of(const struct reducer *reducer)
{
	return reducer->of->unit->addr_size;
}

// The contents of a register, now or at function entry.
static struct ic_term register_term(const struct reducer *reducer, uint64_t reg, uint64_t offset)
{
	struct ic_term term =
		ic_term_of(reducer->is_entry ? IC_BASE_ENTRY_REGISTER : IC_BASE_REGISTER, reg, 0);

	ic_term_add(&term, offset, addr_size_of(reducer));
	return term;
}

// The value that a whole expression leaves on the stack, or the contents of the register it names.
static struct ic_term result_of(struct reducer *reducer)
{
	if (reducer->is_computed || reducer->piece_count > 0)
		return (struct ic_term){ .is_known = false };
	if (reducer->ended == ENDED_REGISTER)
		return register_term(reducer, reducer->reg, 0);
	if (reducer->term_count == 0 ||
	    (reducer->ended != ENDED_NOT && reducer->ended != ENDED_VALUE))
		return (struct ic_term){ .is_known = false };
	return *term_at(reducer, 0);
}

// Pushes the value that the block had at function entry (DWARF 5, 2.5.1.7).
static bool push_entry_value(struct reducer *reducer, struct ic_cursor block, struct ic_error *err)
{
	struct reducer inner;

	if (reducer->depth == DEEPEST || reducer->is_entry) {
		push_unknown(reducer);
		return true;
	}
	reducer_init(&inner, reducer->of, reducer->depth + 1);
	inner.frame = reducer->frame;
	inner.is_entry = true;
	if (!reduce_part(&inner, block, err))
		return false;
	push_term(reducer, result_of(&inner));
	return true;
}

// Finds the frame base, an address: the value of its expression, or the contents of the register it
// names (DWARF 5, 3.3.5).
static bool find_frame(struct reducer *reducer, struct ic_error *err)
{
	const struct ic_reduction of = { .unit = reducer->of->unit };
	struct reducer inner;

	reducer_init(&inner, &of, 1);
	if (!reduce_part(&inner, reducer->of->frame_base, err))
		return false;
	*reducer->frame = (struct frame){ .is_found = true, .base = result_of(&inner) };
	return true;
}

static bool push_frame(struct reducer *reducer, uint64_t offset, struct ic_error *err)
{
	if (!reducer->of->frame_base.pos) {
		push_unknown(reducer);
		return true;
	}
	if (!reducer->frame->is_found && !find_frame(reducer, err))
		return false;
	struct ic_term term = reducer->frame->base;
	// At entry, only the CFA is certain to be the same: the frame base or memory may change
	// later.
	if (reducer->is_entry && (term.base != IC_BASE_CFA || term.load_count > 0))
		term.is_known = false;
	ic_term_add(&term, offset, addr_size_of(reducer));
	push_term(reducer, term);
	return true;
}

static bool push_indexed(struct reducer *reducer, const struct ic_operation *op,
			 struct ic_error *err)
{
	uint64_t number;

	if (!ic_unit_address_at(reducer->of->unit, op->first, &number, err))
		return false;
	push_term(reducer, op->code == DW_OP_addrx || op->code == DW_OP_GNU_addr_index
				   ? ic_term_address(number)
				   : ic_term_number(number, addr_size_of(reducer)));
	return true;
}

// Handles operations that take no operand from the stack.
static bool take_literal(struct reducer *reducer, const struct ic_operation *op,
			 struct ic_error *err)
{
	uint8_t size = addr_size_of(reducer);

	switch (op->group) {
	case DW_OP_lit0: push_term(reducer, ic_term_number(op->number, size)); return true;
	case DW_OP_addr: push_term(reducer, ic_term_address(op->first)); return true;
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
	case DW_OP_constx:
	case DW_OP_GNU_const_index: return push_indexed(reducer, op, err);
	case DW_OP_breg0:
		push_term(reducer, register_term(reducer, op->number, op->first));
		return true;
	case DW_OP_bregx:
		push_term(reducer, register_term(reducer, op->first, op->second));
		return true;
	case DW_OP_fbreg: return push_frame(reducer, op->first, err);
	case DW_OP_call_frame_cfa: push_term(reducer, ic_term_of(IC_BASE_CFA, 0, 0)); return true;
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value: return push_entry_value(reducer, op->block, err);
	default: push_term(reducer, ic_term_number(op->first, size)); return true;
	}
}

static bool rearrange_stack(struct reducer *reducer, const struct ic_operation *op,
			    struct ic_error *err)
{
	uint64_t count = op->code == DW_OP_rot                              ? 3
			 : op->code == DW_OP_over || op->code == DW_OP_swap ? 2
			 : op->code == DW_OP_pick                           ? op->first + 1
									    : 1;
	struct ic_term top;

	if (!need_operands(reducer, op, count, err))
		return false;
	top = *term_at(reducer, 0);
	switch (op->code) {
	case DW_OP_dup: push_term(reducer, top); break;
	case DW_OP_drop: reducer->term_count--; break;
	case DW_OP_over: push_term(reducer, *term_at(reducer, 1)); break;
	case DW_OP_pick: push_term(reducer, *term_at(reducer, op->first)); break;
	case DW_OP_rot: // the top moves to third, the other two move up
		*term_at(reducer, 0) = *term_at(reducer, 1);
		*term_at(reducer, 1) = *term_at(reducer, 2);
		*term_at(reducer, 2) = top;
		break;
	default: *term_at(reducer, 0) = *term_at(reducer, 1); *term_at(reducer, 1) = top;
	}
	return true;
}

static bool calculate_term(struct reducer *reducer, const struct ic_operation *op,
			   struct ic_error *err)
{
	uint8_t size = addr_size_of(reducer);
	bool is_unary = op->code == DW_OP_abs || op->code == DW_OP_neg || op->code == DW_OP_not;

	if (!need_operands(reducer, op, is_unary ? 1 : 2, err))
		return false;
	struct ic_term right = *term_at(reducer, 0);
	if (is_unary) {
		*term_at(reducer, 0) = ic_term_unary(op->code, &right, size);
		return true;
	}
	reducer->term_count--;
	*term_at(reducer, 0) = ic_term_binary(op->code, term_at(reducer, 0), &right, size);
	return true;
}

static bool load_term(struct reducer *reducer, const struct ic_operation *op, struct ic_error *err)
{
	uint64_t size = op->code == DW_OP_deref_size ? op->first : addr_size_of(reducer);

	if (!need_operands(reducer, op, 1, err))
		return false;
	if (!reducer->is_entry && ic_expression_pass_wide_load(&reducer->walk, op))
		return true;
	if (size == 0 || size > addr_size_of(reducer))
		return ic_operation_fail(&reducer->walk, op, err, "invalid load size: %u bytes",
					 (unsigned)size);
	// The memory may have changed since entry.
	if (reducer->is_entry)
		term_at(reducer, 0)->is_known = false;
	ic_term_load(term_at(reducer, 0), (uint32_t)size);
	return true;
}

// Pops some values and pushes one that is known only at run time.
static bool compute_term(struct reducer *reducer, const struct ic_operation *op, unsigned taken,
			 struct ic_error *err)
{
	if (!need_operands(reducer, op, taken, err))
		return false;
	reducer->term_count -= taken;
	push_unknown(reducer);
	return true;
}

static bool end_value(struct reducer *reducer, const struct ic_operation *op, struct ic_error *err)
{
	reducer->ended = ENDED_VALUE;
	return need_operands(reducer, op, 1, err);
}

static bool end_register(struct reducer *reducer, const struct ic_operation *op,
			 struct ic_error *err)
{
	uint64_t reg = op->group == DW_OP_reg0 ? op->number : op->first;

	if (reg > UINT32_MAX)
		return ic_operation_fail(&reducer->walk, op, err, "register number too large");
	reducer->ended = ENDED_REGISTER;
	reducer->reg = (uint32_t)reg;
	return true;
}

static bool is_big_endian(const struct ic_unit *unit)
{
	return unit->dwarf->swap != IC_HOST_IS_BIG_ENDIAN;
}

static void set_memory(const struct ic_unit *unit, const struct ic_term *term,
		       struct ic_location *location)
{
	location->base = term->base;
	location->reg = term->reg;
	location->constant = term->constant;
	if (term->base == IC_BASE_ADDRESS)
		location->constant &= ic_unit_addr_mask(unit);
	location->offset = term->offset;
	location->load_count = term->load_count;
	memcpy(location->loads, term->loads, term->load_count * sizeof(*term->loads));
}

// A value that was just loaded is in memory. If more bytes were loaded than it has, it is the
// low-order ones.
static bool is_in_memory(const struct ic_unit *unit, uint64_t size, struct ic_term *term)
{
	const struct ic_location_load *last = &term->loads[term->load_count - 1];

	if (last->offset != 0 || size == 0 || last->size < size)
		return false;
	uint64_t skipped = is_big_endian(unit) ? last->size - size : 0;
	term->load_count--;
	ic_term_add(term, skipped, unit->addr_size);
	return true;
}

static void settle_value(const struct ic_unit *unit, uint64_t size, struct ic_term term,
			 struct ic_location *location)
{
	static const enum ic_location_kind kinds[] = {
		[IC_BASE_REGISTER] = IC_LOCATION_REGISTER,
		[IC_BASE_ADDRESS] = IC_LOCATION_ADDRESS,
		[IC_BASE_CFA] = IC_LOCATION_VALUE,
		[IC_BASE_ENTRY_REGISTER] = IC_LOCATION_ENTRY_VALUE,
		[IC_BASE_CONSTANT] = IC_LOCATION_CONSTANT,
	};

	if (!term.is_known) {
		location->kind = IC_LOCATION_COMPUTED;
	} else if (term.load_count > 0) {
		location->kind = is_in_memory(unit, size, &term) ? IC_LOCATION_MEMORY
								 : IC_LOCATION_VALUE;
		set_memory(unit, &term, location);
	} else {
		location->kind = kinds[term.base];
		set_memory(unit, &term, location);
		if (location->kind != IC_LOCATION_VALUE)
			location->base = 0;
	}
}

static void settle_bytes(struct ic_cursor bytes, struct ic_location *location)
{
	location->kind = IC_LOCATION_BYTES;
	location->bytes = bytes.pos;
	location->size = (uint64_t)(bytes.end - bytes.pos);
	if (location->size <= 8)
		location->constant = ic_cursor_uint(&bytes, (unsigned)location->size);
}

// Turns the state since the last piece into a location of a value of `size` bytes, 0 if unknown.
static void settle_location(struct reducer *reducer, uint64_t size, struct ic_location *location)
{
	const struct ic_unit *unit = reducer->of->unit;

	*location = (struct ic_location){ .is_uninitialised = reducer->is_uninitialised };
	switch (reducer->ended) {
	case ENDED_REGISTER:
		location->kind = IC_LOCATION_REGISTER;
		location->reg = reducer->reg;
		break;
	case ENDED_BYTES: settle_bytes(reducer->bytes, location); break;
	case ENDED_COMPUTED: location->kind = IC_LOCATION_COMPUTED; break;
	case ENDED_VALUE:
		settle_value(unit, size, reducer->terms[--reducer->term_count], location);
		break;
	case ENDED_NOT:
		if (reducer->term_count == 0) {
			location->why = IC_LOCATION_WHY_OPTIMISED_OUT;
			break;
		}
		const struct ic_term *term = &reducer->terms[--reducer->term_count];
		location->kind = term->is_known ? IC_LOCATION_MEMORY : IC_LOCATION_COMPUTED;
		if (term->is_known)
			set_memory(unit, term, location);
	}
	reducer->ended = ENDED_NOT;
	reducer->is_uninitialised = false;
}

static bool take_piece(struct reducer *reducer, const struct ic_operation *op, struct ic_error *err)
{
	struct ic_location_piece piece = { .bit_size = op->first };

	if (op->code == DW_OP_bit_piece)
		piece.bit_offset = op->second;
	else if (__builtin_mul_overflow(op->first, 8, &piece.bit_size))
		return ic_operation_fail(&reducer->walk, op, err, "piece too large");
	bool is_whole = piece.bit_size % 8 == 0 && piece.bit_offset == 0;
	settle_location(reducer, is_whole ? piece.bit_size / 8 : 0, &piece.location);
	if (reducer->piece_count == MOST_PIECES)
		reducer->is_computed = true;
	else
		reducer->pieces[reducer->piece_count++] = piece;
	return true;
}

static bool take_operation(struct reducer *reducer, const struct ic_operation *op,
			   struct ic_error *err) // clang-format off
{
	switch (op->group) {
	case DW_OP_dup: case DW_OP_drop: case DW_OP_over: case DW_OP_pick: case DW_OP_swap:
	case DW_OP_rot:
		return rearrange_stack(reducer, op, err);
	case DW_OP_abs: case DW_OP_and: case DW_OP_div: case DW_OP_minus: case DW_OP_mod:
	case DW_OP_mul: case DW_OP_neg: case DW_OP_not: case DW_OP_or: case DW_OP_plus:
	case DW_OP_shl: case DW_OP_shr: case DW_OP_shra: case DW_OP_xor: case DW_OP_eq:
	case DW_OP_ge: case DW_OP_gt: case DW_OP_le: case DW_OP_lt: case DW_OP_ne:
		return calculate_term(reducer, op, err);
	case DW_OP_plus_uconst:
		if (!need_operands(reducer, op, 1, err))
			return false;
		ic_term_add(term_at(reducer, 0), op->first, addr_size_of(reducer));
		return true;
	case DW_OP_deref: case DW_OP_deref_size:
		return load_term(reducer, op, err);
	case DW_OP_xderef: case DW_OP_xderef_size: case DW_OP_xderef_type:
		return compute_term(reducer, op, 2, err);
	case DW_OP_deref_type: case DW_OP_GNU_deref_type: case DW_OP_convert: case DW_OP_GNU_convert:
	case DW_OP_reinterpret: case DW_OP_GNU_reinterpret: case DW_OP_form_tls_address:
	case DW_OP_GNU_push_tls_address:
		return compute_term(reducer, op, 1, err);
	case DW_OP_push_object_address: case DW_OP_const_type: case DW_OP_GNU_const_type:
	case DW_OP_regval_type: case DW_OP_GNU_regval_type: case DW_OP_GNU_encoded_addr:
	case DW_OP_GNU_parameter_ref: case DW_OP_GNU_variable_value:
		return compute_term(reducer, op, 0, err);
	case DW_OP_bra: case DW_OP_skip: case DW_OP_call2: case DW_OP_call4: case DW_OP_call_ref:
	case DW_OP_LLVM_user:
		reducer->is_computed = true;
		return true;
	case DW_OP_nop: case DW_OP_GNU_uninit: return true;
	case DW_OP_reg0: case DW_OP_regx: return end_register(reducer, op, err);
	case DW_OP_stack_value: return end_value(reducer, op, err);
	case DW_OP_implicit_value:
		reducer->bytes = op->block, reducer->ended = ENDED_BYTES;
		return true;
	case DW_OP_implicit_pointer: case DW_OP_GNU_implicit_pointer:
		reducer->ended = ENDED_COMPUTED;
		return true;
	case DW_OP_piece: case DW_OP_bit_piece: return take_piece(reducer, op, err);
	default: return take_literal(reducer, op, err);
	}
} // clang-format on

// After a complete simple location, only a piece operation may follow.
static bool may_follow(const struct reducer *reducer, uint8_t code)
{
	return reducer->ended == ENDED_NOT || code == DW_OP_piece || code == DW_OP_bit_piece ||
	       code == DW_OP_nop || code == DW_OP_GNU_uninit;
}

static bool reduce_part(struct reducer *reducer, struct ic_cursor bytes, struct ic_error *err)
{
	struct ic_operation op;

	reducer->walk = ic_expression_open(bytes, reducer->of->unit);
	while (ic_expression_next(&reducer->walk, &op)) {
		reducer->is_uninitialised |= op.code == DW_OP_GNU_uninit;
		if (reducer->is_computed)
			continue;
		if (!may_follow(reducer, op.code))
			return ic_operation_fail(&reducer->walk, &op, err,
						 "follows a whole location");
		if (!take_operation(reducer, &op, err))
			return false;
	}
	return ic_expression_ok(&reducer->walk, err);
}

// A single piece that covers the whole value is treated as a plain location.
static bool settle_pieces(struct reducer *reducer, struct ic_location *location,
			  struct ic_error *err)
{
	const struct ic_location_piece *first = reducer->pieces;
	uint64_t bits;

	if (reducer->piece_count == 1 && first->bit_offset == 0 &&
	    !__builtin_mul_overflow(reducer->of->size, 8, &bits) && first->bit_size == bits &&
	    bits > 0) {
		*location = first->location;
		location->is_uninitialised |= reducer->is_uninitialised;
		return true;
	}
	location->kind = IC_LOCATION_PIECES;
	location->is_uninitialised = reducer->is_uninitialised;
	location->piece_count = reducer->piece_count;
	location->pieces = ic_arena_copy(reducer->of->arena, reducer->pieces, reducer->piece_count,
					 sizeof(*reducer->pieces));
	return location->pieces || ic_fail_memory(err);
}

static bool reduce_whole(struct reducer *reducer, struct ic_cursor bytes,
			 struct ic_location *location, struct ic_error *err)
{
	if (!reduce_part(reducer, bytes, err))
		return false;
	if (reducer->is_computed) {
		location->kind = IC_LOCATION_COMPUTED;
		location->is_uninitialised = reducer->is_uninitialised;
		return true;
	}
	if (reducer->piece_count == 0) {
		settle_location(reducer, reducer->of->size, location);
		return true;
	}
	if (reducer->ended != ENDED_NOT || reducer->term_count > 0) {
		uint64_t off = (uint64_t)(reducer->walk.cur.end - reducer->walk.cur.begin);
		return ic_fail_at(err, bytes.section, off, "location after the last piece");
	}
	return settle_pieces(reducer, location, err);
}

bool ic_expression_reduce(const struct ic_reduction *reduction, struct ic_cursor bytes,
			  struct ic_location *location, struct ic_error *err)
{
	struct frame frame = { .is_found = false };
	struct reducer reducer;

	reducer_init(&reducer, reduction, 0);
	reducer.frame = &frame;
	*location = (struct ic_location){ .kind = IC_LOCATION_UNAVAILABLE };
	bool is_read = reduce_whole(&reducer, bytes, location, err);
	if (!is_read)
		*location = (struct ic_location){ .why = IC_LOCATION_WHY_UNREADABLE };
	if (bytes.pos < bytes.end) {
		location->expression = bytes.pos;
		location->expression_size = (size_t)(bytes.end - bytes.pos);
	}
	return is_read;
}

static bool settle_string(const struct ic_value *value, const struct ic_unit *unit,
			  struct ic_location *location, struct ic_error *err)
{
	const char *text;

	if (!ic_value_string(value, unit, &text, err))
		return false;
	const struct ic_bytes bytes = { (const uint8_t *)text, strlen(text) + 1 };
	settle_bytes(ic_cursor_at(bytes, "string", 0, bytes.size, unit->dwarf->swap), location);
	location->is_string = true;
	return true;
}

static bool reduce_const_value(struct ic_cursor attr, const struct ic_attr_spec *spec,
			       const struct ic_unit *unit, bool is_signed,
			       struct ic_location *location, struct ic_error *err)
{
	struct ic_cursor bytes = attr;
	struct ic_value value = ic_value_read(&attr, spec, unit);

	if (!ic_cursor_ok(&attr, err))
		return false;
	if (spec->form == DW_FORM_indirect) // at most once: ic_value_read() rejects a second
		ic_cursor_uleb(&bytes);
	if (value.class == IC_FORM_CLASS_BLOCK) {
		settle_bytes(ic_block_read(&bytes, value.form), location);
		return true;
	}
	if (value.form == DW_FORM_data16) {
		bytes.end = attr.pos;
		settle_bytes(bytes, location);
		return true;
	}
	if (value.class == IC_FORM_CLASS_STRING)
		return settle_string(&value, unit, location, err);
	if (value.class == IC_FORM_CLASS_ADDRESS) {
		location->kind = IC_LOCATION_ADDRESS;
		return ic_value_address(&value, unit, &location->constant, err);
	}
	if (value.class != IC_FORM_CLASS_CONSTANT && value.class != IC_FORM_CLASS_FLAG)
		return ic_fail(err, IC_ERROR_MALFORMED, "unexpected form 0x%x for a constant",
			       value.form);
	location->kind = IC_LOCATION_CONSTANT;
	location->constant = value.number;
	uint8_t size = ic_form_info(value.form)->size;
	if (is_signed && size > 0)
		location->constant = ic_extend(value.number, 8 * size, true);
	return true;
}

bool ic_const_value_reduce(struct ic_cursor attr, const struct ic_attr_spec *spec,
			   const struct ic_unit *unit, bool is_signed, struct ic_location *location,
			   struct ic_error *err)
{
	*location = (struct ic_location){ .kind = IC_LOCATION_UNAVAILABLE };
	bool is_read = reduce_const_value(attr, spec, unit, is_signed, location, err);
	if (!is_read)
		*location = (struct ic_location){ .why = IC_LOCATION_WHY_UNREADABLE };
	return is_read;
}
