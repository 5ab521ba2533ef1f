#include "unwind/frame_arguments.h"

#include <string.h>

#include "dwarf/expressions/operation.h"
#include "unwind/bound_calls.h"
#include "unwind/frames/registers.h"
#include "unwind/targets/target.h"
#include "values/value_text.h"

#include <inlinecall/extra/call_values.h>
#include <inlinecall/extra/evaluate.h>
#include <inlinecall/extra/parameters.h>

enum {
	MOST_CALLERS = 8,    // to examine for one value, each for the value of the one below
	MOST_QUESTIONS = 64, // queries to callers for one value: an expression can need many
	TEXT_SIZE = 1024,    // of a value as text
};

struct value {
	struct ic_value_bytes in;
	const char *how;
};

struct reading { // for one argument
	struct ic_target *target;
	struct ic_tail_frames *tail_frames;
	const struct ic_argument_place *place;
	unsigned depth;             // number of callers examined
	unsigned *questions;        // queries to callers that are still allowed
	bool has_asked_caller;      // the value comes from the caller
	struct ic_bytes frame_base; // an expression, for a value that a caller passed
};

// ---- Values from callers

static bool evaluate_number(struct reading *reading, const uint8_t *expression, size_t size,
			    uint64_t *number);

// Whether an expression is a constant of some type, such as for a floating-point register; the type
// does not matter, only its bits.
static bool is_typed_constant(const struct reading *reading, const struct ic_call_value *value,
			      uint64_t *number)
{
	const struct ic_bytes bytes = { value->expression, value->size };
	struct ic_cursor cur = ic_cursor_at(bytes, "DW_AT_call_value", 0, bytes.size, false);
	uint8_t code = ic_cursor_u8(&cur);

	if (code != DW_OP_const_type && code != DW_OP_GNU_const_type)
		return false;
	ic_cursor_uleb(&cur); // the type
	uint8_t size = ic_cursor_u8(&cur);
	const uint8_t *constant = ic_cursor_take(&cur, size);
	if (!constant || ic_cursor_more(&cur) || size > sizeof(*number))
		return false;
	*number = ic_value_number(constant, size, reading->target->is_big_endian);
	return true;
}

// Whether the running function is the one that the call goes to. If not, that one made a tail call,
// and the registers were those on entry to another function. If a call can be taken over by another
// file, its target is in memory; for a call through a pointer, an expression gives it.
static bool is_callee(const struct reading *reading, struct reading *above,
		      const struct ic_call_values *values)
{
	const struct ic_argument_place *place = reading->place;
	uint64_t addr;
	size_t size;

	if (place->entry == IC_NO_ADDR)
		return false;
	const uint8_t *target = ic_call_values_target(values, &size);
	if (target)
		return !place->tail_call && evaluate_number(above, target, size, &addr) &&
		       addr == place->entry + place->bias;
	if (place->caller->symbolizer == place->symbolizer &&
	    ic_call_values_callee_addr(values) == place->entry)
		return true;
	const struct ic_tail_call *tail_call = place->tail_call;
	uint64_t call_addr = tail_call ? tail_call->addr + place->caller->bias : place->return_addr;
	return ic_call_values_callee(values) &&
	       ic_bound_call_find(reading->target, call_addr, !tail_call || tail_call->is_after,
				  &addr) &&
	       addr == place->entry + place->bias;
}

// The value of a register on entry to the frame's function, from its caller's call site. If tail
// calls may lead from the function back to itself, it may have been entered again.
static bool find_entry_register(struct reading *reading, uint32_t reg, uint64_t *number)
{
	const struct ic_argument_place *place = reading->place, *caller = place->caller;
	const struct ic_call_value *list;
	bool may_return, found = false;

	if (!caller || !caller->symbolizer || reading->depth == MOST_CALLERS ||
	    *reading->questions == 0)
		return false;
	if (!ic_tail_frames_may_return(reading->tail_frames, place->symbolizer, place->bias,
				       place->addr, &may_return)) {
		reading->target->problems.out_of_memory = true;
		return false;
	}
	if (may_return)
		return false;
	--*reading->questions;
	struct ic_call_values *values =
		place->tail_call
			? ic_call_values_find_tail_call(caller->symbolizer, place->tail_call, NULL)
			: ic_call_values_find(caller->symbolizer, place->return_addr - caller->bias,
					      NULL);
	if (!values) {
		reading->target->problems.out_of_memory = true;
		return false;
	}
	struct reading above = { .target = reading->target,
				 .tail_frames = reading->tail_frames,
				 .place = caller,
				 .depth = reading->depth + 1,
				 .questions = reading->questions };
	above.frame_base.data = ic_call_values_frame_base(values, &above.frame_base.size);
	size_t count = is_callee(reading, &above, values) ? ic_call_values_get(values, &list) : 0;
	for (size_t i = 0; !found && i < count; i++)
		if (list[i].reg == reg)
			found = is_typed_constant(reading, &list[i], number) ||
				evaluate_number(&above, list[i].expression, list[i].size, number);
	ic_call_values_free(values);
	reading->has_asked_caller |= found;
	return found;
}

// ---- Where values are

static bool find_base(struct reading *reading, const struct ic_location *location, uint64_t *number)
{
	const struct ic_argument_place *place = reading->place;

	switch (location->base) {
	case IC_BASE_REGISTER:
		return ic_unwind_register_get(place->registers, location->reg, number);
	case IC_BASE_ADDRESS: *number = location->constant + place->bias; return true;
	case IC_BASE_CFA: *number = place->cfa; return place->has_cfa;
	case IC_BASE_CONSTANT: *number = location->constant; return true;
	case IC_BASE_ENTRY_REGISTER: return find_entry_register(reading, location->reg, number);
	}
	return false;
}

static void put_number(const struct reading *reading, uint64_t number, size_t size, uint8_t *bytes)
{
	for (size_t i = 0; i < size; i++)
		bytes[reading->target->is_big_endian ? size - 1 - i : i] =
			i < 8 ? (uint8_t)(number >> 8 * i) : 0;
}

static size_t word_of(const struct reading *reading)
{
	return reading->target->layout->is_32_bit ? 4 : 8;
}

// Sums wrap at the size of an address.
static uint64_t wrap_addr(const struct reading *reading, uint64_t sum)
{
	return word_of(reading) == 4 ? (uint32_t)sum : sum;
}

// The sum of base and offset, or what the loads lead to from there.
static bool find_sum(struct reading *reading, const struct ic_location *location, uint64_t *number)
{
	uint8_t bytes[8];

	if (!find_base(reading, location, number))
		return false;
	*number = wrap_addr(reading, *number + (uint64_t)location->offset);
	for (uint32_t i = 0; i < location->load_count; i++) {
		const struct ic_location_load *load = &location->loads[i];
		if (load->size > sizeof(bytes) ||
		    !ic_target_read_memory(reading->target, *number, bytes, load->size))
			return false;
		*number = wrap_addr(reading, ic_value_number(bytes, load->size,
							     reading->target->is_big_endian) +
						     (uint64_t)load->offset);
	}
	return true;
}

static bool give_number(const struct reading *reading, uint64_t number, size_t size,
			const char *how, struct value *value)
{
	put_number(reading, number, size, value->in.bytes);
	value->in.has_bytes = true;
	value->how = how;
	return true;
}

static bool give_memory(const struct reading *reading, uint64_t addr, size_t size,
			struct value *value)
{
	value->in.addr = addr;
	value->in.has_addr = true;
	value->how = "memory";
	value->in.has_bytes = size <= IC_VALUE_MOST &&
			      ic_target_read_memory(reading->target, addr, value->in.bytes, size);
	return true;
}

// ---- Expressions that reduce to none of these

static bool evaluate_register(void *context, uint32_t reg, void *bytes, size_t size,
			      struct ic_error *err)
{
	const struct reading *reading = context;

	(void)err;
	return ic_registers_bytes(reading->place->registers, reg, reading->target->is_big_endian,
				  bytes, size);
}

static bool evaluate_memory(void *context, uint64_t addr, void *bytes, size_t size,
			    struct ic_error *err)
{
	(void)err;
	return ic_target_read_memory(((const struct reading *)context)->target, addr, bytes, size);
}

static bool evaluate_cfa(void *context, uint64_t *addr, struct ic_error *err)
{
	const struct ic_argument_place *place = ((const struct reading *)context)->place;

	(void)err;
	*addr = place->cfa;
	return place->has_cfa;
}

static struct ic_evaluate_options evaluate_options(struct reading *reading);

static bool evaluate_frame_base(void *context, uint64_t *addr, struct ic_error *err)
{
	struct reading *reading = context;
	struct ic_evaluate_options options = evaluate_options(reading);
	struct ic_evaluated evaluated;

	options.find_frame_base = NULL; // it must not refer to itself
	if (!ic_evaluate(reading->frame_base.data, reading->frame_base.size, &options, &evaluated,
			 err))
		return false;
	*addr = evaluated.addr;
	return evaluated.kind == IC_EVALUATED_MEMORY ||
	       (evaluated.kind == IC_EVALUATED_REGISTER &&
		ic_unwind_register_get(reading->place->registers, evaluated.reg, addr));
}

// The operand of an entry value is usually a register.
static bool evaluate_entry(void *context, const uint8_t *expression, size_t size, uint64_t *value,
			   struct ic_error *err)
{
	(void)err;
	return size == 1 && expression[0] >= DW_OP_reg0 && expression[0] <= DW_OP_reg0 + 31 &&
	       find_entry_register(context, expression[0] - DW_OP_reg0, value);
}

static struct ic_evaluate_options evaluate_options(struct reading *reading)
{
	return (struct ic_evaluate_options){
		.version = 5,
		.addr_size = (uint8_t)word_of(reading),
		.offset_size = 4,
		.is_big_endian = reading->target->is_big_endian,
		.bias = reading->place->bias,
		.read_register = evaluate_register,
		.read_memory = evaluate_memory,
		.find_frame_base = reading->frame_base.size > 0 ? evaluate_frame_base : NULL,
		.find_cfa = evaluate_cfa,
		.find_entry_value = evaluate_entry,
		.context = reading,
	};
}

// Whether the value is only a register's value on entry, as some type: the type then does not
// change its bits. GCC describes floating-point arguments this way.
static bool is_typed_entry(const struct ic_location *location, uint32_t *reg)
{
	const struct ic_bytes bytes = { location->expression, location->expression_size };
	struct ic_cursor cur = ic_cursor_at(bytes, "DW_AT_location", 0, bytes.size, false);
	uint8_t code = ic_cursor_u8(&cur);
	uint64_t size = ic_cursor_uleb(&cur);
	const uint8_t *inner = cur.pos;
	uint8_t inner_code = ic_cursor_u8(&cur);

	*reg = ic_cursor_uleb32(&cur);
	ic_cursor_uleb(&cur); // the type
	return (code == DW_OP_entry_value || code == DW_OP_GNU_entry_value) &&
	       (inner_code == DW_OP_regval_type || inner_code == DW_OP_GNU_regval_type) &&
	       (uint64_t)(cur.pos - inner) == size && ic_cursor_u8(&cur) == DW_OP_stack_value &&
	       !ic_cursor_more(&cur) && !cur.fault;
}

static bool give_entry(struct reading *reading, uint32_t reg, int64_t offset, size_t size,
		       struct value *value)
{
	uint64_t number;

	return size <= word_of(reading) && find_entry_register(reading, reg, &number) &&
	       give_number(reading, number + (uint64_t)offset, size, "entry_value", value);
}

// The number that an expression evaluates to.
static bool evaluate_number(struct reading *reading, const uint8_t *expression, size_t size,
			    uint64_t *number)
{
	const struct ic_evaluate_options options = evaluate_options(reading);
	struct ic_evaluated evaluated;

	if (!ic_evaluate(expression, size, &options, &evaluated, NULL))
		return false;
	*number = evaluated.kind == IC_EVALUATED_MEMORY ? evaluated.addr : evaluated.value;
	return evaluated.kind == IC_EVALUATED_MEMORY || evaluated.kind == IC_EVALUATED_VALUE;
}

static bool evaluate_location(struct reading *reading, const struct ic_location *location,
			      size_t size, struct value *value)
{
	const struct ic_evaluate_options options = evaluate_options(reading);
	struct ic_evaluated evaluated;
	uint32_t reg;

	if (location->expression && is_typed_entry(location, &reg))
		return give_entry(reading, reg, 0, size, value);
	if (!location->expression || size > IC_VALUE_MOST ||
	    !ic_evaluate(location->expression, location->expression_size, &options, &evaluated,
			 NULL) ||
	    !ic_evaluated_read(&evaluated, &options, value->in.bytes, size, NULL))
		return false;
	value->in.has_bytes = true;
	value->how = "computed";
	return true;
}

static bool find_value(struct reading *reading, const struct ic_location *location, size_t size,
		       struct value *value);

// Adds a part of a value after `done` bits. Bits are counted from the low-order end; in big-endian
// order only parts of whole bytes are supported. False if it is unavailable.
static bool add_piece(struct reading *reading, const struct ic_location_piece *piece, uint64_t done,
		      uint64_t wanted, uint8_t *bytes)
{
	struct value part = { .how = NULL };
	uint64_t end;

	if (__builtin_add_overflow(piece->bit_offset, wanted, &end) || end > 8 * IC_VALUE_MOST)
		return false;
	if (reading->target->is_big_endian &&
	    (piece->bit_offset > 0 || wanted % 8 > 0 || done % 8 > 0 || wanted < piece->bit_size))
		return false;
	if (!find_value(reading, &piece->location, (size_t)(end + 7) / 8, &part) ||
	    !part.in.has_bytes)
		return false;
	for (uint64_t i = 0; i < wanted; i++) {
		uint64_t from = piece->bit_offset + i, to = done + i;
		unsigned bit = part.in.bytes[from / 8] >> from % 8 & 1;
		bytes[to / 8] |= (uint8_t)(bit << to % 8);
	}
	return true;
}

// Joins the parts of a value, all of which must be available.
static bool join_pieces(struct reading *reading, const struct ic_location *location, size_t size,
			struct value *value)
{
	uint64_t bits = 8 * (uint64_t)size, done = 0;
	uint8_t bytes[IC_VALUE_MOST] = { 0 };

	if (size > sizeof(bytes))
		return false;
	for (size_t i = 0; i < location->piece_count && done < bits; i++) {
		const struct ic_location_piece *piece = &location->pieces[i];
		uint64_t wanted = piece->bit_size < bits - done ? piece->bit_size : bits - done;

		if (!add_piece(reading, piece, done, wanted, bytes))
			return false;
		done += wanted;
	}
	memcpy(value->in.bytes, bytes, sizeof(bytes));
	value->in.has_bytes = done == bits;
	value->how = "pieces";
	return done == bits;
}

// The value at a location, of `size` bytes; false if it is unavailable.
static bool find_value(struct reading *reading, const struct ic_location *location, size_t size,
		       struct value *value)
{
	uint64_t number;

	switch (location->kind) {
	case IC_LOCATION_CONSTANT:
		return size <= 8 &&
		       give_number(reading, location->constant, size, "constant", value);
	case IC_LOCATION_ADDRESS:
		return size <= 8 && give_number(reading, location->constant + reading->place->bias,
						size, "constant", value);
	case IC_LOCATION_BYTES:
		if (location->size < size || size > IC_VALUE_MOST)
			return false;
		memcpy(value->in.bytes, location->bytes, size);
		value->in.has_bytes = true;
		value->how = "constant";
		return true;
	case IC_LOCATION_REGISTER:
		// Only integer registers are known, and none is larger than an address.
		return size <= word_of(reading) &&
		       ic_unwind_register_get(reading->place->registers, location->reg, &number) &&
		       give_number(reading, number + (uint64_t)location->offset, size, "register",
				   value);
	case IC_LOCATION_VALUE:
		return size <= 8 && find_sum(reading, location, &number) &&
		       give_number(reading, number, size, "computed", value);
	case IC_LOCATION_MEMORY:
		return find_sum(reading, location, &number) &&
		       give_memory(reading, number, size, value);
	case IC_LOCATION_COMPUTED: return evaluate_location(reading, location, size, value);
	case IC_LOCATION_ENTRY_VALUE:
		return give_entry(reading, location->reg, location->offset, size, value);
	case IC_LOCATION_PIECES:
		return join_pieces(reading, location, size, value) ||
		       evaluate_location(reading, location, size, value);
	case IC_LOCATION_UNAVAILABLE: break;
	}
	return false;
}

// ---- Arguments

// Copies a text, which may be NULL. False if memory runs out.
static bool keep_text(struct ic_frame_arguments *arguments, const char *text, const char **kept)
{
	*kept = text ? ic_arena_copy(arguments->arena, text, strlen(text) + 1, 1) : NULL;
	return *kept || !text;
}

// GCC does not track values in several registers through optimised code. For some it gives one
// location for the whole function: that held at some time, but a part may have moved to another
// register since.
static bool may_have_moved(const struct ic_parameter *parameter)
{
	const struct ic_location *location = &parameter->location;
	bool found = false;

	for (size_t i = 0; parameter->is_everywhere && i < location->piece_count; i++)
		found |= location->pieces[i].location.kind == IC_LOCATION_REGISTER;
	return found;
}

static bool read_target(void *context, uint64_t addr, void *bytes, size_t size)
{
	return ic_target_read_memory(context, addr, bytes, size);
}

// Finds the string of an argument; false if a part of it is unavailable.
static bool find_string(struct reading *reading, const struct ic_parameter *parameter,
			struct ic_value_string *string)
{
	bool is_big_endian = reading->target->is_big_endian;
	uint64_t *numbers[] = { &string->addr, &string->size };

	for (size_t i = 0; parameter->string && i < 2; i++) {
		const struct ic_parameter *part = &parameter->string[i];
		struct value value = { .how = NULL };
		if (part->size == 0 || part->size > 8 || part->bit_size > 0 ||
		    !find_value(reading, &part->location, (size_t)part->size, &value) ||
		    !value.in.has_bytes)
			return false;
		*numbers[i] = ic_value_number(value.in.bytes, (size_t)part->size, is_big_endian);
	}
	return parameter->string;
}

// Adds the argument for parameter number `number` of the reader. False if memory runs out.
static bool add_argument(struct ic_frame_arguments *arguments,
			 const struct ic_argument_place *place, struct ic_parameters *parameters,
			 const struct ic_parameter *parameter, size_t number)
{
	unsigned questions = MOST_QUESTIONS;
	struct reading reading = { .target = arguments->target,
				   .tail_frames = arguments->tail_frames,
				   .place = place,
				   .questions = &questions };
	struct ic_backtrace_argument *argument = IC_ARRAY_PUSH(&arguments->list);
	struct ic_enumeration enumeration = { .scope = "" };
	const struct ic_value_memory memory = { .is_big_endian = arguments->target->is_big_endian,
						.read = read_target,
						.context = arguments->target };
	struct value value = { .how = NULL };
	char text[TEXT_SIZE] = "";

	if (!argument)
		return false;
	*argument = (struct ic_backtrace_argument){ .name = NULL };
	if (!keep_text(arguments, parameter->name, &argument->name) ||
	    !keep_text(arguments, parameter->type, &argument->type))
		return false;
	if (parameter->encoding == IC_TYPE_ENUMERATION &&
	    !ic_parameters_enumeration(parameters, number, &enumeration, NULL))
		return false;
	if (may_have_moved(parameter))
		return true;
	bool has_value = find_value(&reading, &parameter->location, parameter->size, &value);
	value.in.has_string = find_string(&reading, parameter, &value.in.string);
	if (!has_value && !value.in.has_string)
		return true;
	if (ic_value_is_bit(parameter))
		value.in.bytes[0] &= 1;
	if (!ic_value_text(&memory, parameter, &enumeration, &value.in, text, sizeof(text)))
		return true;
	argument->how = reading.has_asked_caller ? "entry_value" : has_value ? value.how : "pieces";
	return keep_text(arguments, text, &argument->value);
}

// ---- Readers

static void report_problem(struct ic_frame_arguments *arguments,
			   const struct ic_symbolizer *symbolizer, const struct ic_error *err)
{
	const struct ic_index_problem problem = { .message = err->message };

	if (err->code == IC_ERROR_MEMORY)
		arguments->target->problems.out_of_memory = true;
	else
		ic_target_add_problem(arguments->target, symbolizer, &problem);
}

static struct ic_parameters *reader_of(struct ic_frame_arguments *arguments,
				       struct ic_symbolizer *symbolizer)
{
	const struct ic_parameters_options options = { .strings = true,
						       .variables = arguments->wants_variables };
	struct ic_error err;

	for (uint32_t i = 0; i < arguments->readers.count; i++)
		if (arguments->readers.items[i].symbolizer == symbolizer)
			return arguments->readers.items[i].parameters;
	struct ic_argument_reader *reader = IC_ARRAY_PUSH(&arguments->readers);
	if (!reader) {
		arguments->target->problems.out_of_memory = true;
		return NULL;
	}
	*reader = (struct ic_argument_reader){ symbolizer, ic_parameters_open_frames(
								   symbolizer, &options, &err) };
	if (!reader->parameters)
		report_problem(arguments, symbolizer, &err);
	return reader->parameters;
}

bool ic_frame_arguments_read(struct ic_frame_arguments *arguments,
			     const struct ic_argument_place *place, struct ic_error *err)
{
	struct ic_parameters *parameters = reader_of(arguments, place->symbolizer);
	const struct ic_parameter *list;

	arguments->list.count = arguments->variable_start = 0;
	if (!parameters)
		return true;
	if (!ic_parameters_find_frame(parameters, place->addr, place->number, err)) {
		if (err->code == IC_ERROR_MEMORY)
			return false;
		report_problem(arguments, place->symbolizer, err);
		return true;
	}
	size_t count = ic_parameters_list(parameters, &list);
	for (size_t i = 0; i < count; i++) {
		if (!list[i].is_result && !add_argument(arguments, place, parameters, &list[i], i))
			return ic_fail_memory(err);
		if (!list[i].is_variable)
			arguments->variable_start = arguments->list.count;
	}
	return true;
}

void ic_frame_arguments_free(struct ic_frame_arguments *arguments)
{
	struct ic_index_problem problem;

	for (uint32_t i = 0; i < arguments->readers.count; i++) {
		struct ic_argument_reader *reader = &arguments->readers.items[i];

		for (size_t number = 0;
		     reader->parameters &&
		     ic_parameters_problem_get(reader->parameters, number, &problem);
		     number++)
			ic_target_add_problem(arguments->target, reader->symbolizer, &problem);
		ic_parameters_free(reader->parameters);
	}
	IC_ARRAY_FREE(&arguments->readers);
	IC_ARRAY_FREE(&arguments->list);
}
