#include "trace/hits/filter.h"

#include <fnmatch.h>
#include <string.h>

#include "base/error.h"

// ---- What terms compare

// Whether a value can be compared with a number. A reference has only its address.
static bool is_comparable(const struct ic_trace_type *type)
{
	return !type->is_address && type->encoding != IC_TYPE_ARRAY &&
	       type->encoding != IC_TYPE_REFERENCE &&
	       (type->size <= 8 ||
		(type->encoding == IC_TYPE_FLOAT && type->size <= sizeof(long double)));
}

static bool is_real(const struct ic_trace_type *type)
{
	return type->encoding == IC_TYPE_FLOAT;
}

// The index of a copy's argument; NO_ARGUMENT if there is none.
static uint8_t find_argument(const struct ic_trace_item *item, const char *name)
{
	size_t number = *name ? ic_trace_argument_find(&item->copy, name) : SIZE_MAX;

	return number < IC_TRACE_NO_ARGUMENT ? (uint8_t)number : IC_TRACE_NO_ARGUMENT;
}

// A name is a builtin's if it is nowhere an argument's.
static void bind_builtin(const struct ic_trace *trace, struct ic_trace_operand *operand)
{
	bool is_argument = false;

	for (uint32_t i = 0; operand->fallback && i < trace->items.count; i++)
		is_argument |= find_argument(&trace->items.items[i], operand->name) !=
			       IC_TRACE_NO_ARGUMENT;
	operand->builtin = is_argument ? IC_TRACE_NO_BUILTIN : operand->fallback;
}

struct binding { // of a term to a copy
	const struct ic_trace *trace;
	const struct ic_trace_item *item;
	const struct ic_trace_term *term;
	struct ic_trace_bound *bound;
	bool is_named; // there is an argument with the name
	bool asks;     // only the reader can compare it
};

static bool is_available(const struct ic_trace_item *item, uint8_t argument)
{
	return !item->copy.arguments[argument].why;
}

// Determines the constant that a term compares with. False if there is none for this type.
static bool bind_constant(struct binding *binding, const struct ic_trace_type *type)
{
	const struct ic_trace_term *term = binding->term;
	struct ic_trace_bound *bound = binding->bound;
	uint64_t number = term->number;

	bound->is_negative = term->is_negative;
	if (term->with == IC_TRACE_WITH_NAME) {
		if (!ic_trace_term_enumerator(term, type ? type->enumeration : NULL, &number))
			return false;
		bound->is_negative = type->is_signed && (int64_t)number < 0;
	} else if (term->with == IC_TRACE_WITH_CHARACTER && type && type->is_signed) {
		number = (uint64_t)(int8_t)number;
		bound->is_negative = (int64_t)number < 0;
	}
	bool is_extended = bound->is_negative && term->with != IC_TRACE_WITH_NUMBER;
	bound->number = is_extended ? -number : number;
	bound->is_negative = bound->is_negative && bound->number > 0;
	return true;
}

// The same for a string, or an argument on the right-hand side.
static bool bind_right(struct binding *binding, const struct ic_trace_type *type)
{
	const struct ic_trace_term *term = binding->term;

	if (term->with == IC_TRACE_WITH_STRING)
		return type ? type->is_string : term->left.builtin == IC_TRACE_COMMAND;
	if (type ? !is_comparable(type) || (term->has_mask && is_real(type))
		 : term->left.builtin == IC_TRACE_COMMAND)
		return false;
	if (bind_constant(binding, type))
		return true;
	if (term->right.builtin)
		return term->right.builtin != IC_TRACE_COMMAND;
	uint8_t right = find_argument(binding->item, term->right.name);
	if (right == IC_TRACE_NO_ARGUMENT || !is_comparable(&binding->item->types[right]))
		return false;
	binding->bound->right = right;
	return true;
}

static const struct ic_trace_type *type_of(const struct ic_trace_item *item, uint8_t argument)
{
	return argument == IC_TRACE_NO_ARGUMENT ? NULL : &item->types[argument];
}

// Whether the left-hand side may be negative.
static bool has_sign(const struct ic_trace_term *term, const struct ic_trace_type *left)
{
	return left && left->is_signed && !term->has_mask;
}

// Whether the kernel cannot compare the two sides.
static bool must_ask(const struct binding *binding)
{
	const struct ic_trace_term *term = binding->term;
	const struct ic_trace_type *left = type_of(binding->item, binding->bound->left);
	const struct ic_trace_type *right = type_of(binding->item, binding->bound->right);

	if ((left && left->expression) || (right && right->expression))
		return true;
	if (term->with == IC_TRACE_WITH_STRING)
		return term->relation >= IC_TRACE_LIKE &&
		       ic_trace_prefix_length(term) == UINT32_MAX;
	if (term->with == IC_TRACE_WITH_REAL || (left && is_real(left)) ||
	    (right && is_real(right)))
		return true;
	// A 64-bit number without a sign, and one with a sign, have no common type.
	bool left_has_sign = has_sign(term, left), right_has_sign = right && right->is_signed;
	bool is_large = left_has_sign    ? right && right->size == 8
			: term->has_mask ? term->mask >> 63
					 : left && left->size == 8;
	return right && left_has_sign != right_has_sign && is_large;
}

// Binds a term. Returns whether the types of its sides can be compared at this copy.
static bool bind_term(struct binding *binding)
{
	const struct ic_trace_item *item = binding->item;
	const struct ic_trace_term *term = binding->term;
	struct ic_trace_bound *bound = binding->bound;

	*bound = (struct ic_trace_bound){ .left = IC_TRACE_NO_ARGUMENT,
					  .right = IC_TRACE_NO_ARGUMENT };
	if (!term->left.builtin) {
		bound->left = find_argument(item, term->left.name);
		if (bound->left == IC_TRACE_NO_ARGUMENT)
			return false;
		binding->is_named = true;
	}
	if (!bind_right(binding, type_of(item, bound->left)))
		return false;
	bound->is_available =
		(bound->left == IC_TRACE_NO_ARGUMENT || is_available(item, bound->left)) &&
		(bound->right == IC_TRACE_NO_ARGUMENT || is_available(item, bound->right));
	binding->asks = bound->is_available && must_ask(binding);
	return true;
}

// ---- What the kernel compares

static enum ic_trace_answer answer_of(bool is_true)
{
	return is_true ? IC_TRACE_YES : IC_TRACE_NO;
}

// How to compare with a constant. If no value of the type can be equal to it, the answer is always
// the same.
static uint8_t compare_constant(const struct ic_trace_bound *bound, enum ic_trace_relation relation,
				bool is_signed)
{
	const uint64_t half = 1ull << 63;
	bool is_below = bound->is_negative && (!is_signed || bound->number > half);
	bool is_above = !bound->is_negative && is_signed && bound->number >= half;

	if (!is_below && !is_above)
		return IC_TRACE_COMPARE_NUMBERS;
	if (relation == IC_TRACE_EQUAL || relation == IC_TRACE_UNEQUAL)
		return (uint8_t)answer_of(relation == IC_TRACE_UNEQUAL);
	bool is_less = relation == IC_TRACE_LESS || relation == IC_TRACE_LESS_EQUAL;
	return (uint8_t)answer_of(is_less == is_above);
}

static void set_condition(const struct binding *binding, struct ic_trace_condition *condition)
{
	const struct ic_trace *trace = binding->trace;
	const struct ic_trace_bound *bound = binding->bound;
	const struct ic_trace_term *term = binding->term;
	const struct ic_trace_type *left = type_of(binding->item, bound->left);
	const struct ic_trace_type *right = type_of(binding->item, bound->right);

	*condition = (struct ic_trace_condition){ .how = IC_TRACE_UNKNOWN,
						  .left = bound->left,
						  .right = bound->right,
						  .has_number = !right && !term->right.builtin };
	if (!bound->is_available || binding->asks)
		return;
	if (term->with == IC_TRACE_WITH_STRING) {
		condition->how = IC_TRACE_COMPARE_STRINGS;
		condition->string_at =
			left ? ic_trace_string_offset(&trace->shape, &trace->layout, bound->left)
			     : offsetof(struct ic_trace_record, command_size);
		return;
	}
	condition->is_signed = has_sign(term, left) || (right && right->is_signed);
	condition->number = bound->is_negative ? -bound->number : bound->number;
	condition->how = !condition->has_number
				 ? IC_TRACE_COMPARE_NUMBERS
				 : compare_constant(bound, term->relation, condition->is_signed);
}

// Binds a term to each copy. False if it cannot be compared anywhere.
static bool bind_everywhere(struct ic_trace *trace, uint32_t number, struct ic_error *err)
{
	const struct ic_trace_term *term = &trace->shape.filter.terms[number];
	bool is_found = trace->items.count == 0, is_named = false;

	for (uint32_t i = 0; i < trace->items.count; i++) {
		struct ic_trace_copy_data *data = ic_trace_data(trace, trace->data, i);
		struct ic_trace_item *item = &trace->items.items[i];
		struct binding binding = {
			.trace = trace, .item = item, .term = term, .bound = &item->terms[number]
		};
		is_found |= bind_term(&binding);
		is_named |= binding.is_named;
		data->asks |= binding.asks;
		set_condition(&binding, &ic_trace_conditions(data)[number]);
	}
	if (is_found)
		return true;
	const char *name = term->left.name;
	return ic_fail(err, IC_ERROR_ARGUMENT,
		       is_named || !*name     ? "filter: '%s' cannot be compared with that value"
		       : strpbrk(name, ".-[") ? "filter: no argument or member '%s'"
					      : "filter: no argument '%s'",
		       *name ? name : "comm");
}

bool ic_trace_filter_bind(struct ic_trace *trace, struct ic_error *err)
{
	struct ic_trace_filter *filter = &trace->shape.filter;

	if (filter->count == 0)
		return true;
	for (uint32_t i = 0; i < filter->count; i++) {
		bind_builtin(trace, &filter->terms[i].left);
		bind_builtin(trace, &filter->terms[i].right);
	}
	for (uint32_t i = 0; i < trace->items.count; i++) {
		struct ic_trace_item *item = &trace->items.items[i];
		item->terms = ic_arena_items(&trace->arena, filter->count, sizeof(*item->terms));
		if (!item->terms)
			return ic_fail_memory(err);
	}
	for (uint32_t i = 0; i < filter->count; i++)
		if (!bind_everywhere(trace, i, err))
			return false;
	return true;
}

// ---- Answers

struct number { // an integer, by its magnitude, or a floating-point number
	bool is_real, is_negative;
	uint64_t magnitude;
	long double real;
};

struct asked { // a hit
	const struct ic_trace *trace;
	const struct ic_trace_item *item;
	const struct ic_trace_reading *reading;
};

static bool read_real(const struct ic_trace_type *type, const uint8_t *bytes, long double *number)
{
	float single;
	double real;

	if (type->size == sizeof(single)) {
		memcpy(&single, bytes, sizeof(single));
		*number = (long double)single;
	} else if (type->size == sizeof(real)) {
		memcpy(&real, bytes, sizeof(real));
		*number = (long double)real;
	} else if (type->size == sizeof(*number)) {
		memcpy(number, bytes, sizeof(*number));
	} else {
		return false;
	}
	return true;
}

// The number of an argument. False if unknown.
static bool read_argument(const struct asked *asked, uint8_t argument, struct number *number)
{
	const struct ic_trace_type *type = &asked->item->types[argument];
	struct ic_value_bytes value;

	if (!ic_trace_bytes_find(asked->trace, asked->item, asked->reading, argument, &value))
		return false;
	number->is_real = is_real(type);
	if (number->is_real)
		return read_real(type, value.bytes, &number->real);
	uint64_t extended = ic_trace_number_extend(type, value.bytes);
	number->is_negative = type->is_signed && (int64_t)extended < 0;
	number->magnitude = number->is_negative ? -extended : extended;
	return true;
}

static bool read_operand(const struct asked *asked, const struct ic_trace_operand *operand,
			 uint8_t argument, struct number *number)
{
	struct ic_trace_record record;

	if (!operand->builtin)
		return argument < asked->item->copy.argument_count &&
		       read_argument(asked, argument, number);
	memcpy(&record, asked->reading->record, sizeof(record));
	number->magnitude = operand->builtin == IC_TRACE_PID   ? record.pid
			    : operand->builtin == IC_TRACE_TID ? record.tid
							       : record.cpu;
	return true;
}

static long double real_of(const struct number *number)
{
	if (number->is_real)
		return number->real;
	return number->is_negative ? -(long double)number->magnitude
				   : (long double)number->magnitude;
}

static bool is_integer_less(const struct number *left, const struct number *right)
{
	if (left->is_negative != right->is_negative)
		return left->is_negative;
	return left->is_negative ? left->magnitude > right->magnitude
				 : left->magnitude < right->magnitude;
}

static bool is_true(enum ic_trace_relation relation, const struct number *left,
		    const struct number *right)
{
	bool is_less = is_integer_less(left, right);
	bool is_equal = !is_less && !is_integer_less(right, left);

	if (left->is_real || right->is_real) {
		is_less = real_of(left) < real_of(right);
		is_equal = real_of(left) == real_of(right);
		if (relation >= IC_TRACE_GREATER) // not a number is neither
			return real_of(left) > real_of(right) ||
			       (is_equal && relation == IC_TRACE_GREATER_EQUAL);
	}
	switch (relation) {
	case IC_TRACE_EQUAL: return is_equal;
	case IC_TRACE_UNEQUAL: return !is_equal;
	case IC_TRACE_LESS: return is_less;
	case IC_TRACE_LESS_EQUAL: return is_less || is_equal;
	case IC_TRACE_GREATER: return !is_less && !is_equal;
	default: return !is_less;
	}
}

static enum ic_trace_answer answer_numbers(const struct asked *asked,
					   const struct ic_trace_term *term,
					   const struct ic_trace_bound *bound)
{
	struct number left = { .magnitude = 0 };
	struct number right = { .is_negative = bound->is_negative, .magnitude = bound->number };

	if (!read_operand(asked, &term->left, bound->left, &left))
		return IC_TRACE_UNKNOWN;
	if (term->has_mask)
		left = (struct number){ .magnitude = term->mask &
						     (left.is_negative ? -left.magnitude
								       : left.magnitude) };
	if (term->with == IC_TRACE_WITH_REAL)
		right = (struct number){ .is_real = true, .real = term->real };
	else if ((term->right.builtin || bound->right != IC_TRACE_NO_ARGUMENT) &&
		 !read_operand(asked, &term->right, bound->right, &right))
		return IC_TRACE_UNKNOWN;
	return answer_of(is_true(term->relation, &left, &right));
}

// Compares a string, which may not be whole.
static enum ic_trace_answer compare_string(const struct ic_trace_term *term, const char *string,
					   bool is_cut)
{
	bool is_like = term->relation >= IC_TRACE_LIKE;
	bool is_equal = is_like ? fnmatch(term->text, string, 0) == 0
				: strcmp(string, term->text) == 0;
	// The known beginning of a truncated string is longer than any text in a filter.
	bool is_prefix = !is_like || ic_trace_prefix_length(term) != UINT32_MAX;

	if (is_cut && !is_prefix)
		return IC_TRACE_UNKNOWN;
	return answer_of(is_equal ==
			 (term->relation == IC_TRACE_EQUAL || term->relation == IC_TRACE_LIKE));
}

static enum ic_trace_answer answer_string(const struct asked *asked,
					  const struct ic_trace_term *term, uint8_t argument)
{
	char text[IC_TRACE_MOST_STRING + IC_TRACE_STRING_MORE] = "";
	struct ic_value_bytes value;

	if (term->left.builtin) {
		struct ic_trace_record record;
		memcpy(&record, asked->reading->record, sizeof(record));
		memcpy(text, record.command, IC_TRACE_COMMAND_SIZE);
		return compare_string(term, text, false);
	}
	if (!ic_trace_bytes_find(asked->trace, asked->item, asked->reading, argument, &value))
		return IC_TRACE_UNKNOWN;
	const struct ic_trace_string string =
		ic_trace_string_find(asked->trace, asked->item, asked->reading, argument, &value);
	if (string.is_null) // no text equals it
		return term->relation == IC_TRACE_EQUAL || term->relation == IC_TRACE_LIKE
			       ? IC_TRACE_NO
			       : IC_TRACE_YES;
	if (!string.is_read)
		return IC_TRACE_UNKNOWN;
	size_t size = string.size < sizeof(text) ? (size_t)string.size : sizeof(text) - 1;
	for (size_t i = 0; i < size; i++) // a NUL in it is not equal to any text
		text[i] = string.bytes[i] ? (char)string.bytes[i] : '\1';
	return compare_string(term, text, !string.is_whole);
}

static enum ic_trace_answer answer_term(const struct asked *asked, uint32_t number)
{
	const struct ic_trace_term *term = &asked->trace->shape.filter.terms[number];
	const struct ic_trace_bound *bound = &asked->item->terms[number];

	if (!bound->is_available)
		return IC_TRACE_UNKNOWN;
	return term->with == IC_TRACE_WITH_STRING ? answer_string(asked, term, bound->left)
						  : answer_numbers(asked, term, bound);
}

enum ic_trace_answer ic_trace_filter_answer(const struct ic_trace *trace, uint32_t copy,
					    const struct ic_trace_reading *reading)
{
	const struct ic_trace_filter *filter = &trace->shape.filter;
	const struct asked asked = { trace, &trace->items.items[copy], reading };
	enum ic_trace_answer answers[IC_TRACE_MOST_TERMS] = { IC_TRACE_YES };
	uint32_t depth = 0;

	for (uint32_t i = 0; i < filter->step_count; i++) {
		uint8_t step = filter->steps[i];
		if (step < IC_TRACE_AND) {
			answers[depth++] = answer_term(&asked, step);
		} else if (step == IC_TRACE_NOT) {
			answers[depth - 1] = IC_TRACE_YES - answers[depth - 1];
		} else {
			depth--;
			bool is_less = answers[depth] < answers[depth - 1];
			if (is_less == (step == IC_TRACE_AND))
				answers[depth - 1] = answers[depth];
		}
	}
	return answers[0];
}
