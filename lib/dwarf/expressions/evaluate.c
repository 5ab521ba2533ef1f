#include "dwarf/expressions/typed.h"

#include <inlinecall/extra/evaluate.h>

enum { MOST_STEPS = 10000, MOST_VALUES = 256, DEEPEST_CALL = 16 };

struct machine {
	const struct ic_evaluate_options *with;
	struct ic_dwarf dwarf;
	struct ic_unit unit;
	struct ic_error *err;
	struct ic_expression *walk; // of the expression being run
	const struct ic_operation *op;
	unsigned steps, depth;
	// Since the last piece: a complete simple location (DWARF 5, 2.6.1.1), or the stack.
	bool is_whole, is_uninitialised;
	struct ic_evaluated whole;
	size_t piece_count;
	unsigned count;
	struct ic_typed values[MOST_VALUES]; // only the first `count` are set
};

static bool run_ops(struct machine *machine, struct ic_cursor bytes);

static bool fail_op(struct machine *machine, enum ic_error_code code, const char *what)
{
	ic_operation_fail(machine->walk, machine->op, machine->err, "%s", what);
	machine->err->code = code;
	return false;
}

// Fails: the caller gave no function that provides what the operation needs.
static bool lack_fact(struct machine *machine, const char *what)
{
	return ic_operation_fail(machine->walk, machine->op, machine->err, "%s is not available",
				 what) ||
	       (machine->err->code = IC_ERROR_NOT_FOUND, false);
}

// Reports that `what` is unknown if the callback failed without an error of its own.
static bool need_fact(struct machine *machine, bool is_told, const char *what)
{
	if (!is_told && (machine->err->code == IC_ERROR_NONE || machine->err->message[0] == 0)) {
		ic_operation_fail(machine->walk, machine->op, machine->err, "cannot read %s", what);
		machine->err->code = IC_ERROR_NOT_FOUND;
	}
	return is_told;
}

// Calls one of the caller's functions; `what` names the value in error messages. The error is
// cleared first, so that need_fact() can see whether the function filled it in.
#define ASK(machine, what, function, ...)                                                      \
	((machine)->with->function == NULL                                                     \
		 ? lack_fact(machine, what)                                                    \
		 : ((machine)->err->code = IC_ERROR_NONE, (machine)->err->message[0] = 0,      \
		    need_fact(machine,                                                         \
			      (machine)->with->function((machine)->with->context, __VA_ARGS__, \
							(machine)->err),                       \
			      what)))

static bool push_top(struct machine *machine, struct ic_typed value)
{
	if (machine->count == MOST_VALUES)
		return fail_op(machine, IC_ERROR_LIMIT, "too many values on the stack");
	machine->values[machine->count++] = value;
	return true;
}

static bool push_number(struct machine *machine, uint64_t number)
{
	return push_top(machine, ic_typed_make(number, machine->unit.addr_size, IC_TYPED_GENERIC));
}

static bool need_count(struct machine *machine, uint64_t count)
{
	return count <= machine->count ||
	       fail_op(machine, IC_ERROR_MALFORMED, "too few values on the stack");
}

static struct ic_typed *value_at(struct machine *machine, uint64_t from_top)
{
	return &machine->values[machine->count - 1 - from_top];
}

// Pops the top value, which must be an integer.
static bool pop_number(struct machine *machine, uint64_t *number)
{
	if (!need_count(machine, 1))
		return false;
	if (value_at(machine, 0)->kind == IC_TYPED_FLOAT)
		return fail_op(machine, IC_ERROR_MALFORMED, "operand is not an integer");
	*number = machine->values[--machine->count].bits;
	return true;
}

static bool pop_addr(struct machine *machine, uint64_t *addr)
{
	if (!pop_number(machine, addr))
		return false;
	*addr &= UINT64_MAX >> (64 - 8 * machine->unit.addr_size);
	return true;
}

// Decodes a number of up to 8 bytes in the file's byte order.
static uint64_t number_of(const struct machine *machine, const uint8_t *bytes, uint8_t size)
{
	struct ic_cursor cur =
		ic_cursor_at((struct ic_bytes){ bytes, size }, "", 0, size, machine->dwarf.swap);

	return ic_cursor_uint(&cur, size);
}

// Finds the base type at an offset in the unit; 0 is the generic type.
static bool find_type(struct machine *machine, uint64_t off, struct ic_typed *type)
{
	struct ic_base_type base = { 0 };

	*type = ic_typed_make(0, machine->unit.addr_size, IC_TYPED_GENERIC);
	if (off == 0)
		return true;
	if (!ASK(machine, "type", find_type, off, &base))
		return false;
	const char *why = ic_typed_of_base(base.size, base.encoding, type);
	return !why || fail_op(machine, IC_ERROR_UNSUPPORTED, why);
}

static bool push_register(struct machine *machine, uint64_t reg, struct ic_typed type,
			  uint64_t offset)
{
	uint8_t bytes[8] = { 0 };

	if (reg > UINT32_MAX)
		return fail_op(machine, IC_ERROR_MALFORMED, "register number too large");
	if (!ASK(machine, "register", read_register, (uint32_t)reg, bytes, type.size))
		return false;
	return push_top(machine, ic_typed_make(number_of(machine, bytes, type.size) + offset,
					       type.size, (enum ic_typed_kind)type.kind));
}

static bool push_plain_register(struct machine *machine, uint64_t reg, uint64_t offset)
{
	return push_register(machine, reg,
			     ic_typed_make(0, machine->unit.addr_size, IC_TYPED_GENERIC), offset);
}

static bool push_typed_register(struct machine *machine)
{
	struct ic_typed type;

	return find_type(machine, machine->op->second, &type) &&
	       push_register(machine, machine->op->first, type, 0);
}

static bool push_typed_constant(struct machine *machine)
{
	const struct ic_operation *op = machine->op;
	struct ic_typed type;

	if (!find_type(machine, op->first, &type))
		return false;
	if (op->second != type.size)
		return fail_op(machine, IC_ERROR_MALFORMED,
			       "size of the constant differs from its type");
	return push_top(machine, ic_typed_make(number_of(machine, op->block.pos, type.size),
					       type.size, (enum ic_typed_kind)type.kind));
}

static bool push_loaded(struct machine *machine, uint64_t addr)
{
	uint64_t loaded = addr + machine->with->bias;
	bool is_offset = ic_expression_is_thread_local(machine->walk);
	bool ok = is_offset || !machine->with->find_loaded ||
		  ASK(machine, "address", find_loaded, addr, &loaded);

	return ok && push_number(machine, is_offset ? addr : loaded);
}

static bool push_indexed(struct machine *machine)
{
	const struct ic_operation *op = machine->op;
	bool is_address = op->code == DW_OP_addrx || op->code == DW_OP_GNU_addr_index;
	uint64_t number = 0;

	return ASK(machine, "address", find_address, op->first, &number) &&
	       (is_address ? push_loaded : push_number)(machine, number);
}

// The value has the type of the register that the block names, if it gives one.
static bool push_entry_value(struct machine *machine)
{
	struct ic_cursor block = machine->op->block;
	struct ic_typed type = ic_typed_make(0, machine->unit.addr_size, IC_TYPED_GENERIC);
	struct ic_expression walk = ic_expression_open(block, &machine->unit);
	struct ic_operation op;
	uint64_t number = 0;

	if (ic_expression_next(&walk, &op) && !ic_cursor_more(&walk.cur) &&
	    (op.code == DW_OP_regval_type || op.code == DW_OP_GNU_regval_type) &&
	    !find_type(machine, op.second, &type))
		return false;
	if (!ASK(machine, "entry value", find_entry_value, block.pos, (size_t)machine->op->first,
		 &number))
		return false;
	return push_top(machine, ic_typed_make(number, type.size, (enum ic_typed_kind)type.kind));
}

// Pushes a value that depends on the context, which only the caller's functions know.
static bool push_told(struct machine *machine)
{
	const struct ic_operation *op = machine->op;
	uint64_t number = 0;
	bool is_told;

	switch (op->code) {
	case DW_OP_fbreg:
		is_told = ASK(machine, "frame base", find_frame_base, &number);
		number += op->first;
		break;
	case DW_OP_call_frame_cfa:
		is_told = ASK(machine, "canonical frame address", find_cfa, &number);
		break;
	case DW_OP_push_object_address:
		is_told = ASK(machine, "object address", find_object, &number);
		break;
	case DW_OP_GNU_parameter_ref:
		is_told = ASK(machine, "parameter value", find_value, IC_DIE_OF_UNIT, op->first,
			      &number);
		break;
	default:
		is_told = ASK(machine, "variable value", find_value, IC_DIE_OF_SECTION, op->first,
			      &number);
	}
	return is_told && push_number(machine, number);
}

static bool push_literal(struct machine *machine)
{
	const struct ic_operation *op = machine->op;

	switch (op->group) {
	case DW_OP_lit0: return push_number(machine, op->number);
	case DW_OP_addr: return push_loaded(machine, op->first);
	case DW_OP_breg0: return push_plain_register(machine, op->number, op->first);
	case DW_OP_bregx: return push_plain_register(machine, op->first, op->second);
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
	case DW_OP_constx:
	case DW_OP_GNU_const_index: return push_indexed(machine);
	default: return push_number(machine, op->first);
	}
}

static bool rearrange_stack(struct machine *machine)
{
	const struct ic_operation *op = machine->op;
	struct ic_typed top;

	switch (op->code) {
	case DW_OP_dup: return need_count(machine, 1) && push_top(machine, *value_at(machine, 0));
	case DW_OP_over: return need_count(machine, 2) && push_top(machine, *value_at(machine, 1));
	case DW_OP_pick:
		return need_count(machine, op->first + 1) &&
		       push_top(machine, *value_at(machine, op->first));
	case DW_OP_drop:
		if (!need_count(machine, 1))
			return false;
		machine->count--;
		return true;
	}
	uint64_t count = op->code == DW_OP_rot ? 3 : 2;
	if (!need_count(machine, count))
		return false;
	top = *value_at(machine, 0); // goes below the others, which move up
	for (uint64_t i = 0; i + 1 < count; i++)
		*value_at(machine, i) = *value_at(machine, i + 1);
	*value_at(machine, count - 1) = top;
	return true;
}

static bool calculate_top(struct machine *machine, bool is_unary)
{
	const char *why;

	if (!need_count(machine, is_unary ? 1 : 2))
		return false;
	struct ic_typed *top = value_at(machine, 0);
	if (is_unary) {
		why = ic_typed_unary(machine->op->code, top);
	} else {
		machine->count--;
		why = ic_typed_binary(machine->op->code, value_at(machine, 0), top,
				      machine->unit.addr_size);
	}
	return !why || fail_op(machine, IC_ERROR_MALFORMED, why);
}

static bool add_constant(struct machine *machine)
{
	uint64_t number;

	if (!need_count(machine, 1))
		return false;
	struct ic_typed type = *value_at(machine, 0);
	return pop_number(machine, &number) &&
	       push_top(machine, ic_typed_make(number + machine->op->first, type.size,
					       (enum ic_typed_kind)type.kind));
}

static bool convert_value(struct machine *machine)
{
	const struct ic_operation *op = machine->op;
	struct ic_typed type;
	const char *why;

	if (!need_count(machine, 1) || !find_type(machine, op->first, &type))
		return false;
	enum ic_typed_kind kind = (enum ic_typed_kind)type.kind;
	if (op->code == DW_OP_convert || op->code == DW_OP_GNU_convert)
		why = ic_typed_convert(value_at(machine, 0), type.size, kind);
	else
		why = ic_typed_reinterpret(value_at(machine, 0), type.size, kind);
	return !why || fail_op(machine, IC_ERROR_MALFORMED, why);
}

// Loads `size` bytes as a value of that size, or of the generic type, which may be larger.
static bool load_value(struct machine *machine, uint64_t size, struct ic_typed type, bool has_space)
{
	uint8_t bytes[8] = { 0 };
	uint64_t addr, space = 0;

	if (size == 0 || size > type.size || (type.kind != IC_TYPED_GENERIC && size < type.size))
		return fail_op(machine, IC_ERROR_MALFORMED, "load size does not match the type");
	if (!pop_addr(machine, &addr) || (has_space && !pop_number(machine, &space)))
		return false;
	if (has_space ? !ASK(machine, "memory in other address spaces", read_space, space, addr,
			     bytes, (size_t)size)
		      : !ASK(machine, "memory", read_memory, addr, bytes, (size_t)size))
		return false;
	return push_top(machine, ic_typed_make(number_of(machine, bytes, (uint8_t)size), type.size,
					       (enum ic_typed_kind)type.kind));
}

static bool load_generic(struct machine *machine, uint64_t size, bool has_space)
{
	if (ic_expression_pass_wide_load(machine->walk, machine->op))
		return need_count(machine, 1);
	return load_value(machine, size,
			  ic_typed_make(0, machine->unit.addr_size, IC_TYPED_GENERIC), has_space);
}

static bool load_typed(struct machine *machine, bool has_space)
{
	struct ic_typed type;

	return find_type(machine, machine->op->second, &type) &&
	       load_value(machine, machine->op->first, type, has_space);
}

static bool find_thread_local(struct machine *machine)
{
	uint64_t off, addr = 0;

	return pop_number(machine, &off) &&
	       ASK(machine, "thread-local storage", find_thread_local, off, &addr) &&
	       push_number(machine, addr);
}

static bool take_branch(struct machine *machine)
{
	const uint8_t *begin = machine->walk->begin;
	uint64_t condition = 1;

	if (machine->op->code == DW_OP_bra && !pop_number(machine, &condition))
		return false;
	return condition == 0 ||
	       ic_expression_go(machine->walk,
				machine->walk->cur.pos - begin + (int64_t)machine->op->first) ||
	       ic_expression_ok(machine->walk, machine->err);
}

static bool call_procedure(struct machine *machine)
{
	enum ic_die_base base = machine->op->code == DW_OP_call_ref ? IC_DIE_OF_SECTION
								    : IC_DIE_OF_UNIT;
	const uint8_t *bytes = NULL;
	size_t size = 0;

	if (machine->depth == DEEPEST_CALL)
		return fail_op(machine, IC_ERROR_LIMIT, "calls are nested too deeply");
	if (!ASK(machine, "location of the DIE", find_location, base, machine->op->first, &bytes,
		 &size))
		return false;
	machine->depth++;
	bool is_run = run_ops(machine, ic_cursor_at((struct ic_bytes){ bytes, bytes ? size : 0 },
						    "called expression", 0, bytes ? size : 0,
						    machine->dwarf.swap));
	machine->depth--;
	return is_run;
}

static bool end_whole(struct machine *machine, struct ic_evaluated whole)
{
	machine->is_whole = true;
	machine->whole = whole;
	return true;
}

static bool end_register(struct machine *machine)
{
	const struct ic_operation *op = machine->op;
	uint64_t reg = op->group == DW_OP_reg0 ? op->number : op->first;

	if (reg > UINT32_MAX)
		return fail_op(machine, IC_ERROR_MALFORMED, "register number too large");
	return end_whole(machine, (struct ic_evaluated){ .kind = IC_EVALUATED_REGISTER,
							 .reg = (uint32_t)reg });
}

static bool end_value(struct machine *machine)
{
	if (!need_count(machine, 1))
		return false;
	struct ic_typed top = *value_at(machine, 0);
	machine->count--;
	return end_whole(machine, (struct ic_evaluated){ .kind = IC_EVALUATED_VALUE,
							 .value = top.bits,
							 .size = top.size });
}

static bool end_implicit(struct machine *machine)
{
	const struct ic_operation *op = machine->op;

	if (op->code == DW_OP_implicit_value)
		return end_whole(machine, (struct ic_evaluated){ .kind = IC_EVALUATED_BYTES,
								 .bytes = op->block.pos,
								 .size = op->first });
	return end_whole(machine, (struct ic_evaluated){ .kind = IC_EVALUATED_POINTER,
							 .die_off = op->first,
							 .offset = (int64_t)op->second });
}

// Turns the state since the last piece into a location.
static bool settle_place(struct machine *machine, struct ic_evaluated *evaluated)
{
	uint64_t addr;

	*evaluated = (struct ic_evaluated){ .kind = IC_EVALUATED_NOTHING };
	if (machine->is_whole) {
		*evaluated = machine->whole;
	} else if (machine->count > 0) {
		if (!pop_addr(machine, &addr))
			return false;
		*evaluated = (struct ic_evaluated){ .kind = IC_EVALUATED_MEMORY, .addr = addr };
	}
	evaluated->is_uninitialised = machine->is_uninitialised;
	machine->is_whole = machine->is_uninitialised = false;
	return true;
}

static bool end_piece(struct machine *machine)
{
	const struct ic_operation *op = machine->op;
	struct ic_evaluated_piece piece = { .bit_size = op->first };

	if (op->code == DW_OP_bit_piece)
		piece.bit_offset = op->second;
	else if (__builtin_mul_overflow(op->first, 8, &piece.bit_size))
		return fail_op(machine, IC_ERROR_MALFORMED, "piece too large");
	if (machine->piece_count == machine->with->piece_room)
		return fail_op(machine, IC_ERROR_LIMIT, "too many pieces");
	if (!settle_place(machine, &piece.place))
		return false;
	machine->with->pieces[machine->piece_count++] = piece;
	return true;
}

static bool step_machine(struct machine *machine) // clang-format off
{
	const struct ic_operation *op = machine->op;

	switch (op->group) {
	case DW_OP_dup: case DW_OP_drop: case DW_OP_over: case DW_OP_pick: case DW_OP_swap:
	case DW_OP_rot: return rearrange_stack(machine);
	case DW_OP_abs: case DW_OP_neg: case DW_OP_not:
		return calculate_top(machine, true);
	case DW_OP_and: case DW_OP_div: case DW_OP_minus: case DW_OP_mod: case DW_OP_mul:
	case DW_OP_or: case DW_OP_plus: case DW_OP_shl: case DW_OP_shr: case DW_OP_shra:
	case DW_OP_xor: case DW_OP_eq: case DW_OP_ge: case DW_OP_gt: case DW_OP_le: case DW_OP_lt:
	case DW_OP_ne:
		return calculate_top(machine, false);
	case DW_OP_plus_uconst: return add_constant(machine);
	case DW_OP_deref: return load_generic(machine, machine->unit.addr_size, false);
	case DW_OP_deref_size: return load_generic(machine, op->first, false);
	case DW_OP_xderef: return load_generic(machine, machine->unit.addr_size, true);
	case DW_OP_xderef_size: return load_generic(machine, op->first, true);
	case DW_OP_deref_type: case DW_OP_GNU_deref_type: return load_typed(machine, false);
	case DW_OP_xderef_type: return load_typed(machine, true);
	case DW_OP_convert: case DW_OP_GNU_convert: case DW_OP_reinterpret:
	case DW_OP_GNU_reinterpret: return convert_value(machine);
	case DW_OP_regval_type: case DW_OP_GNU_regval_type: return push_typed_register(machine);
	case DW_OP_const_type: case DW_OP_GNU_const_type: return push_typed_constant(machine);
	case DW_OP_entry_value: case DW_OP_GNU_entry_value: return push_entry_value(machine);
	case DW_OP_fbreg: case DW_OP_call_frame_cfa: case DW_OP_push_object_address:
	case DW_OP_GNU_parameter_ref: case DW_OP_GNU_variable_value:
		return push_told(machine);
	case DW_OP_form_tls_address: case DW_OP_GNU_push_tls_address:
		return find_thread_local(machine);
	case DW_OP_bra: case DW_OP_skip: return take_branch(machine);
	case DW_OP_call2: case DW_OP_call4: case DW_OP_call_ref: return call_procedure(machine);
	case DW_OP_nop: return true;
	case DW_OP_GNU_uninit: machine->is_uninitialised = true; return true;
	case DW_OP_reg0: case DW_OP_regx: return end_register(machine);
	case DW_OP_stack_value: return end_value(machine);
	case DW_OP_implicit_value: case DW_OP_implicit_pointer: case DW_OP_GNU_implicit_pointer:
		return end_implicit(machine);
	case DW_OP_piece: case DW_OP_bit_piece: return end_piece(machine);
	case DW_OP_LLVM_user: case DW_OP_GNU_encoded_addr:
		return fail_op(machine, IC_ERROR_UNSUPPORTED, "not supported");
	default: return push_literal(machine);
	}
} // clang-format on

// After a complete simple location, only a piece operation may follow.
static bool may_follow(const struct machine *machine, uint8_t code)
{
	return !machine->is_whole || code == DW_OP_piece || code == DW_OP_bit_piece ||
	       code == DW_OP_nop || code == DW_OP_GNU_uninit;
}

static bool run_ops(struct machine *machine, struct ic_cursor bytes)
{
	struct ic_expression walk = ic_expression_open(bytes, &machine->unit);
	struct ic_expression *caller = machine->walk;
	struct ic_operation op;
	bool is_done = true;

	machine->walk = &walk;
	machine->op = &op;
	while (is_done && ic_expression_next(&walk, &op)) {
		if (++machine->steps > MOST_STEPS)
			is_done = fail_op(machine, IC_ERROR_LIMIT, "too many operations");
		else if (!may_follow(machine, op.code))
			is_done = fail_op(machine, IC_ERROR_MALFORMED, "follows a whole location");
		else
			is_done = step_machine(machine);
	}
	machine->walk = caller;
	machine->op = NULL;
	return is_done && ic_expression_ok(&walk, machine->err);
}

static bool run_whole(struct machine *machine, struct ic_cursor bytes,
		      struct ic_evaluated *evaluated)
{
	if (!run_ops(machine, bytes))
		return false;
	if (machine->piece_count == 0) {
		const struct ic_typed *top = machine->count ? value_at(machine, 0) : NULL;
		if (!machine->is_whole && top && top->kind == IC_TYPED_FLOAT)
			return ic_fail(machine->err, IC_ERROR_MALFORMED,
				       "address is not an integer");
		return settle_place(machine, evaluated);
	}
	if (machine->is_whole || machine->count > 0)
		return ic_fail(machine->err, IC_ERROR_MALFORMED, "location after the last piece");
	evaluated->kind = IC_EVALUATED_PIECES;
	evaluated->piece_count = machine->piece_count;
	evaluated->is_uninitialised = machine->is_uninitialised;
	return true;
}

bool ic_evaluate(const uint8_t *expression, size_t size, const struct ic_evaluate_options *options,
		 struct ic_evaluated *evaluated, struct ic_error *err)
{
	const struct ic_bytes bytes = { expression, size };
	struct ic_error unused;
	struct machine machine;

	memset(&machine, 0, offsetof(struct machine, values));
	machine.with = options;
	machine.err = err ? err : &unused;
	machine.dwarf.swap = options->is_big_endian != IC_HOST_IS_BIG_ENDIAN;
	machine.unit = (struct ic_unit){ .dwarf = &machine.dwarf,
					 .version = options->version,
					 .addr_size = options->addr_size,
					 .offset_size = options->offset_size };
	*evaluated = (struct ic_evaluated){ .kind = IC_EVALUATED_NOTHING };
	if ((options->addr_size != 4 && options->addr_size != 8) ||
	    (options->offset_size != 4 && options->offset_size != 8))
		return ic_fail(machine.err, IC_ERROR_ARGUMENT,
			       "address and offset sizes must be 4 or 8");
	for (size_t i = 0; i < options->stack_count && i < MOST_VALUES; i++)
		push_number(&machine, options->stack[i]);
	if (run_whole(&machine, ic_cursor_at(bytes, "expression", 0, size, machine.dwarf.swap),
		      evaluated))
		return true;
	*evaluated = (struct ic_evaluated){ .kind = IC_EVALUATED_NOTHING };
	return false;
}
