#include "unwind/frame_arguments.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "unwind/target.h"
#include "unwind/unwind_registers.h"

#include <inlinecall/call_values.h>
#include <inlinecall/evaluate.h>

enum {
	MOST_STRING = 200, // bytes of a string that are shown
	MOST_VALUE = 16,   // bytes of a value
	TEXT_SIZE = 1024,
	MOST_CALLERS = 8,    // that are asked for one value, each for that of the one below
	MOST_QUESTIONS = 64, // to callers, for one value: an expression can ask often
};

struct value {
	uint8_t bytes[MOST_VALUE]; // as in memory
	uint64_t addr;             // of one that is in memory
	bool has_bytes, has_addr;
	const char *how;
};

struct reading { // of one argument
	struct ic_target *target;
	struct ic_tail_frames *tail_frames;
	const struct ic_argument_place *place;
	unsigned depth;        // of callers that are asked
	unsigned *questions;   // to callers, that may still be asked
	bool has_asked_caller; // the value is what the caller says
};

// ---- What callers know

static bool evaluate_number(struct reading *reading, const uint8_t *expression, size_t size,
			    uint64_t *number);

// Whether the function that the call goes to is the one that runs. If it is not, it has made a tail
// call, and the registers were those of another function's entry. Of a call into another file that
// cannot be told: another function of the name may have come first.
static bool is_callee(const struct ic_call_values *values, const struct ic_argument_place *place)
{
	return place->caller->symbolizer == place->symbolizer && place->entry != IC_NO_ADDR &&
	       ic_call_values_callee_addr(values) == place->entry;
}

// What a register held when the function of the frame was entered, by its caller's call site. If
// tail calls may lead from the function back to it, it may have been entered again.
static bool find_entry_register(struct reading *reading, uint32_t reg, uint64_t *number)
{
	const struct ic_argument_place *place = reading->place, *caller = place->caller;
	const struct ic_call_value *list;
	bool found = false;

	if (!caller || !caller->symbolizer || reading->depth == MOST_CALLERS ||
	    *reading->questions == 0 ||
	    ic_tail_frames_may_return(reading->tail_frames, place->symbolizer, place->addr))
		return false;
	--*reading->questions;
	struct ic_call_values *values =
		place->tail_call
			? ic_call_values_find_tail_call(caller->symbolizer, place->tail_call, NULL)
			: ic_call_values_find(caller->symbolizer, place->return_addr - caller->bias,
					      NULL);
	if (!values)
		return false;
	size_t count = is_callee(values, place) ? ic_call_values_get(values, &list) : 0;
	struct reading above = { .target = reading->target,
				 .tail_frames = reading->tail_frames,
				 .place = caller,
				 .depth = reading->depth + 1,
				 .questions = reading->questions };
	for (size_t i = 0; !found && i < count; i++)
		if (list[i].reg == reg)
			found = evaluate_number(&above, list[i].expression, list[i].size, number);
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

static uint64_t number_of(const struct reading *reading, const uint8_t *bytes, size_t size)
{
	uint64_t number = 0;

	for (size_t i = 0; i < size; i++)
		number |= (uint64_t)bytes[reading->target->is_big_endian ? size - 1 - i : i]
			  << 8 * i;
	return number;
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
static uint64_t wrap(const struct reading *reading, uint64_t sum)
{
	return word_of(reading) == 4 ? (uint32_t)sum : sum;
}

// The sum of base and offset, or what the loads lead to.
static bool find_sum(struct reading *reading, const struct ic_location *location, uint64_t *number)
{
	uint8_t bytes[8];

	if (!find_base(reading, location, number))
		return false;
	*number = wrap(reading, *number + (uint64_t)location->offset);
	for (uint32_t i = 0; i < location->load_count; i++) {
		const struct ic_location_load *load = &location->loads[i];
		if (load->size > sizeof(bytes) ||
		    !ic_target_read_memory(reading->target, *number, bytes, load->size))
			return false;
		*number = wrap(reading,
			       number_of(reading, bytes, load->size) + (uint64_t)load->offset);
	}
	return true;
}

static bool give_number(const struct reading *reading, uint64_t number, size_t size,
			const char *how, struct value *value)
{
	put_number(reading, number, size, value->bytes);
	value->has_bytes = true;
	value->how = how;
	return true;
}

static bool give_memory(const struct reading *reading, uint64_t addr, size_t size,
			struct value *value)
{
	value->addr = addr;
	value->has_addr = true;
	value->how = "memory";
	value->has_bytes = size <= MOST_VALUE &&
			   ic_target_read_memory(reading->target, addr, value->bytes, size);
	return true;
}

// ---- Expressions that come down to none of these

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

// The operation of an entry value is mostly a register.
static bool evaluate_entry(void *context, const uint8_t *expression, size_t size, uint64_t *value,
			   struct ic_error *err)
{
	enum { REG0 = 0x50, REG31 = 0x6f }; // DW_OP_reg0 and DW_OP_reg31

	(void)err;
	return size == 1 && expression[0] >= REG0 && expression[0] <= REG31 &&
	       find_entry_register(context, expression[0] - REG0, value);
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
		.find_cfa = evaluate_cfa,
		.find_entry_value = evaluate_entry,
		.context = reading,
	};
}

// The number that an expression comes to.
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

static bool evaluate(struct reading *reading, const struct ic_location *location, size_t size,
		     struct value *value)
{
	const struct ic_evaluate_options options = evaluate_options(reading);
	struct ic_evaluated evaluated;

	if (!location->expression || size > MOST_VALUE ||
	    !ic_evaluate(location->expression, location->expression_size, &options, &evaluated,
			 NULL) ||
	    !ic_evaluated_read(&evaluated, &options, value->bytes, size, NULL))
		return false;
	value->has_bytes = true;
	value->how = "computed";
	return true;
}

// The value of a location, of `size` bytes; false if it is not available.
static bool find_value(struct reading *reading, const struct ic_location *location, size_t size,
		       struct value *value)
{
	size_t kept = size < MOST_VALUE ? size : MOST_VALUE;
	uint64_t number;

	switch (location->kind) {
	case IC_LOCATION_CONSTANT:
		return give_number(reading, location->constant, kept, "constant", value);
	case IC_LOCATION_ADDRESS:
		return give_number(reading, location->constant + reading->place->bias, kept,
				   "constant", value);
	case IC_LOCATION_BYTES:
		if (location->size < size || size > MOST_VALUE)
			return false;
		memcpy(value->bytes, location->bytes, size);
		value->has_bytes = true;
		value->how = "constant";
		return true;
	case IC_LOCATION_REGISTER:
		// Only integer registers are known, and one has no more bytes than an address.
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
	case IC_LOCATION_COMPUTED: return evaluate(reading, location, size, value);
	case IC_LOCATION_ENTRY_VALUE:
		return size <= word_of(reading) &&
		       find_entry_register(reading, location->reg, &number) &&
		       give_number(reading, number + (uint64_t)location->offset, size,
				   "entry_value", value);
	case IC_LOCATION_PIECES:
	case IC_LOCATION_UNAVAILABLE: break;
	}
	return false;
}

// ---- Text

static bool points_to_characters(const char *type)
{
	static const char *const types[] = { "char *", "const char *", "char const *" };
	bool found = false;

	for (size_t i = 0; type && i < sizeof(types) / sizeof(*types); i++)
		found |= strcmp(type, types[i]) == 0;
	return found;
}

// Appends a string of the target: printable ASCII, other bytes in octal.
static void put_string(struct reading *reading, uint64_t addr, char *text, size_t room)
{
	size_t used = strlen(text);
	uint8_t byte = 0;
	unsigned count = 0;

	if (!ic_target_read_memory(reading->target, addr, &byte, 1))
		return;
	used += (size_t)snprintf(text + used, room - used, " \"");
	for (; count < MOST_STRING && byte != 0; count++) {
		bool is_plain = byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\';
		used += (size_t)snprintf(text + used, room - used, is_plain ? "%c" : "\\%03o",
					 byte);
		if (!ic_target_read_memory(reading->target, addr + count + 1, &byte, 1))
			break;
	}
	snprintf(text + used, room - used, byte != 0 ? "\"..." : "\"");
}

static void put_float(uint64_t number, size_t size, char *text, size_t room)
{
	double value;

	if (size == 4) {
		uint32_t bits = (uint32_t)number;
		float narrow;
		memcpy(&narrow, &bits, sizeof(narrow));
		value = narrow;
		snprintf(text, room, "%.9g", value);
		return;
	}
	memcpy(&value, &number, sizeof(value));
	snprintf(text, room, "%.17g", value);
}

// A character has its number, as GDB writes it.
static void put_integer(const struct ic_parameter *parameter, uint64_t number, size_t size,
			char *text, size_t room)
{
	unsigned unused = (unsigned)(64 - 8 * size);

	if (parameter->encoding == IC_TYPE_CHARACTER && number >= ' ' && number < 0x7f)
		snprintf(text, room, "%" PRIu64 " '%s%c'", number,
			 number == '\'' || number == '\\' ? "\\" : "", (char)number);
	else if (parameter->is_signed)
		snprintf(text, room, "%" PRId64, (int64_t)(number << unused) >> unused);
	else
		snprintf(text, room, "%" PRIu64, number);
}

// A value as a debugger prints it; false if there is none to print.
static bool write_value(struct reading *reading, const struct ic_parameter *parameter,
			const struct value *value, char *text, size_t room)
{
	size_t size = parameter->size;
	uint64_t number = value->has_bytes && size <= 8 ? number_of(reading, value->bytes, size)
							: 0;
	bool is_number = value->has_bytes && size >= 1 && size <= 8;

	switch (parameter->encoding) {
	case IC_TYPE_BOOLEAN:
		if (is_number && number <= 1) {
			snprintf(text, room, "%s", number ? "true" : "false");
			return true;
		}
		break;
	case IC_TYPE_FLOAT:
		if (value->has_bytes && (size == 4 || size == 8)) {
			put_float(number, size, text, room);
			return true;
		}
		is_number = false;
		break;
	case IC_TYPE_POINTER:
	case IC_TYPE_REFERENCE:
	case IC_TYPE_FUNCTION:
		if (!is_number)
			return false;
		snprintf(text, room, "0x%" PRIx64, number);
		if (points_to_characters(parameter->type))
			put_string(reading, number, text, room);
		return true;
	case IC_TYPE_INTEGER:
	case IC_TYPE_CHARACTER:
	case IC_TYPE_ENUMERATION: break;
	default: is_number = false;
	}
	if (is_number)
		put_integer(parameter, number, size, text, room);
	else if (value->has_addr)
		snprintf(text, room, "{...} at 0x%" PRIx64, value->addr);
	return is_number || value->has_addr;
}

// Copies a text, which may be NULL. False if memory is out.
static bool keep(struct ic_frame_arguments *arguments, const char *text, const char **kept)
{
	*kept = text ? ic_arena_copy(arguments->arena, text, strlen(text) + 1, 1) : NULL;
	return *kept || !text;
}

static bool add_argument(struct ic_frame_arguments *arguments,
			 const struct ic_argument_place *place,
			 const struct ic_parameter *parameter)
{
	unsigned questions = MOST_QUESTIONS;
	struct reading reading = { .target = arguments->target,
				   .tail_frames = arguments->tail_frames,
				   .place = place,
				   .questions = &questions };
	struct ic_backtrace_argument *argument = IC_ARRAY_PUSH(&arguments->list);
	struct value value = { .how = NULL };
	char text[TEXT_SIZE] = "";

	if (!argument)
		return false;
	*argument = (struct ic_backtrace_argument){ .name = NULL };
	if (!keep(arguments, parameter->name, &argument->name) ||
	    !keep(arguments, parameter->type, &argument->type))
		return false;
	if (!find_value(&reading, &parameter->location, parameter->size, &value) ||
	    !write_value(&reading, parameter, &value, text, sizeof(text)))
		return true;
	argument->how = reading.has_asked_caller ? "entry_value" : value.how;
	return keep(arguments, text, &argument->value);
}

// ---- Readers

static void complain(struct ic_frame_arguments *arguments, const struct ic_symbolizer *symbolizer,
		     const struct ic_error *err)
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
	struct ic_error err;

	for (uint32_t i = 0; i < arguments->readers.count; i++)
		if (arguments->readers.items[i].symbolizer == symbolizer)
			return arguments->readers.items[i].parameters;
	struct ic_argument_reader *reader = IC_ARRAY_PUSH(&arguments->readers);
	if (!reader)
		return NULL;
	*reader = (struct ic_argument_reader){ symbolizer,
					       ic_parameters_open_frames(symbolizer, NULL, &err) };
	if (!reader->parameters)
		complain(arguments, symbolizer, &err);
	return reader->parameters;
}

bool ic_frame_arguments_read(struct ic_frame_arguments *arguments,
			     const struct ic_argument_place *place, struct ic_error *err)
{
	struct ic_parameters *parameters = reader_of(arguments, place->symbolizer);
	const struct ic_parameter *list;

	arguments->list.count = 0;
	if (!parameters)
		return true;
	if (!ic_parameters_find_frame(parameters, place->addr, place->number, err)) {
		if (err->code == IC_ERROR_MEMORY)
			return false;
		complain(arguments, place->symbolizer, err);
		return true;
	}
	size_t count = ic_parameters_get(parameters, &list);
	for (size_t i = 0; i < count; i++)
		if (!list[i].is_result && !add_argument(arguments, place, &list[i]))
			return ic_fail_memory(err);
	return true;
}

void ic_frame_arguments_free(struct ic_frame_arguments *arguments)
{
	struct ic_index_problem problem;

	for (uint32_t i = 0; i < arguments->readers.count; i++) {
		struct ic_argument_reader *reader = &arguments->readers.items[i];

		for (uint64_t number = 0;
		     reader->parameters &&
		     ic_parameters_problem_get(reader->parameters, number, &problem);
		     number++)
			ic_target_add_problem(arguments->target, reader->symbolizer, &problem);
		ic_parameters_free(reader->parameters);
	}
	IC_ARRAY_FREE(&arguments->readers);
	IC_ARRAY_FREE(&arguments->list);
}
