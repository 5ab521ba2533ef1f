#include "trace/bpf/fetch.h"

#include <string.h>

#include "values/location_text.h"
#include "values/value_text.h"

// The word of the registers for a register.
static bool find_word(const struct ic_trace_place *place, uint32_t reg, uint8_t *word)
{
	for (uint8_t i = 0; reg <= INT8_MAX && i < place->layout->count; i++) {
		if (place->layout->numbers[i] == (int8_t)reg) {
			*word = i;
			return true;
		}
	}
	return false;
}

static const char *fetch_register(const struct ic_trace_place *place, uint32_t reg,
				  struct ic_trace_fetch *fetch)
{
	fetch->base = IC_TRACE_REGISTER;
	return find_word(place, reg, &fetch->word)
		       ? NULL
		       : "in a register that is not recorded, such as a floating-point register";
}

static const char *fetch_base(const struct ic_location *location,
			      const struct ic_trace_place *place, struct ic_trace_fetch *fetch)
{
	fetch->offsets[0] = (uint64_t)location->offset;
	fetch->number = location->constant;
	switch (location->base) {
	case IC_BASE_REGISTER: return fetch_register(place, location->reg, fetch);
	case IC_BASE_ADDRESS: fetch->base = IC_TRACE_IN_FILE; return NULL;
	case IC_BASE_CONSTANT: fetch->base = IC_TRACE_NUMBER; return NULL;
	case IC_BASE_CFA:
		if (!place->has_cfa)
			return "in a stack frame whose CFA is unknown there";
		fetch->offsets[0] += (uint64_t)place->cfa_offset;
		return fetch_register(place, place->cfa_reg, fetch);
	case IC_BASE_ENTRY_REGISTER: break;
	}
	return "relative to the entry value of a register";
}

// Sets up the base, its offset and the loads.
static const char *fetch_sum(const struct ic_location *location, const struct ic_trace_place *place,
			     struct ic_trace_fetch *fetch)
{
	const char *why = fetch_base(location, place, fetch);

	if (why)
		return why;
	if (location->load_count > IC_TRACE_MOST_LOADS)
		return "behind too many pointers";
	for (uint32_t i = 0; i < location->load_count; i++) {
		const struct ic_location_load *load = &location->loads[i];
		if (load->size == 0 || load->size > 8)
			return "behind a pointer of unsupported size";
		fetch->load_sizes[i] = (uint8_t)load->size;
		fetch->offsets[i + 1] = (uint64_t)load->offset;
	}
	fetch->load_count = (uint8_t)location->load_count;
	return NULL;
}

// Whether the pieces are all of a value.
static bool are_whole(const struct ic_location *location, uint64_t size)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < location->piece_count; i++)
		if (location->pieces[i].location.kind != IC_LOCATION_UNAVAILABLE)
			bits += location->pieces[i].bit_size;
	return bits >= 8 * size;
}

static const char *fetch_location(const struct ic_parameter *parameter,
				  const struct ic_trace_place *place, struct ic_trace_fetch *fetch)
{
	const struct ic_location *location = &parameter->location;

	fetch->number = location->constant;
	switch (location->kind) {
	case IC_LOCATION_CONSTANT: fetch->base = IC_TRACE_NUMBER; return NULL;
	case IC_LOCATION_BYTES:
		fetch->base = IC_TRACE_NUMBER;
		return location->size <= 8 ? NULL : "a constant of more than 8 bytes";
	case IC_LOCATION_ADDRESS: fetch->base = IC_TRACE_IN_FILE; return NULL;
	case IC_LOCATION_REGISTER:
		fetch->offsets[0] = (uint64_t)location->offset;
		return fetch_register(place, location->reg, fetch);
	case IC_LOCATION_VALUE:
	case IC_LOCATION_MEMORY: return fetch_sum(location, place, fetch);
	case IC_LOCATION_ENTRY_VALUE: return "the entry value of a register";
	case IC_LOCATION_PIECES:
		return are_whole(location, parameter->size) ? "split into pieces"
							    : "partly optimised out";
	case IC_LOCATION_COMPUTED: return "computed";
	case IC_LOCATION_UNAVAILABLE: break;
	}
	const char *why = ic_location_why_text(location->why);
	return why ? why : "unavailable";
}

static bool is_number(const struct ic_parameter *parameter)
{
	switch (parameter->encoding) {
	case IC_TYPE_STRUCTURE:
	case IC_TYPE_ARRAY:
	case IC_TYPE_VECTOR:
	case IC_TYPE_COMPLEX: return false;
	default: return true;
	}
}

// Why the bits of a bit-field cannot be extracted; NULL if they can.
static const char *fault_of_bits(const struct ic_parameter *parameter,
				 const struct ic_trace_place *place)
{
	if (place->is_big_endian)
		return "a bit-field on a big-endian machine";
	return parameter->size > 8 || parameter->bit_size > 64 ||
			       parameter->bit_offset > 64 - parameter->bit_size
		       ? "a bit-field that does not fit in 64 bits"
		       : NULL;
}

const char *ic_trace_fetch_make(const struct ic_parameter *parameter,
				const struct ic_trace_place *place, struct ic_trace_fetch *fetch)
{
	bool in_memory = parameter->location.kind == IC_LOCATION_MEMORY;

	memset(fetch, 0, sizeof(*fetch));
	if (parameter->location.is_uninitialised)
		return "possibly uninitialised";
	const char *why = fetch_location(parameter, place, fetch);
	if (!why && parameter->bit_size > 0)
		why = fault_of_bits(parameter, place);
	if (!why && parameter->size == 0)
		why = "its size is unknown";
	if (!why && !in_memory && parameter->size > place->addr_size)
		why = "larger than a register";
	if (why) {
		memset(fetch, 0, sizeof(*fetch));
		return why;
	}
	bool has_items = in_memory && ic_value_has_items(parameter);
	uint64_t size = parameter->size < IC_TRACE_VALUE_SIZE || !has_items ? parameter->size
									    : IC_TRACE_VALUE_SIZE;
	fetch->is_address = in_memory && !has_items &&
			    (size > IC_TRACE_VALUE_SIZE || !is_number(parameter));
	if (in_memory && !fetch->is_address)
		fetch->memory_size = (uint8_t)size;
	if (!fetch->is_address && !has_items && parameter->size <= 8)
		fetch->unused_bits = (uint8_t)(64 - 8 * parameter->size);
	fetch->is_signed = parameter->is_signed;
	if (ic_value_is_bit(parameter))
		fetch->unused_bits = 63;
	if (parameter->bit_size > 0) {
		fetch->unused_bits = (uint8_t)(64 - parameter->bit_offset - parameter->bit_size);
		fetch->low_bits = (uint8_t)parameter->bit_offset;
	}
	fetch->is_string = fetch->is_address ? ic_value_is_text(parameter)
					     : ic_value_is_string(parameter);
	if (fetch->is_address && fetch->is_string && parameter->size < UINT16_MAX)
		fetch->string_size = (uint16_t)(parameter->size + 1);
	return NULL;
}

bool ic_trace_fetch_string(const struct ic_parameter *parameter, const struct ic_trace_place *place,
			   struct ic_trace_fetch parts[2])
{
	return parameter->string && !ic_trace_fetch_make(&parameter->string[0], place, &parts[0]) &&
	       !ic_trace_fetch_make(&parameter->string[1], place, &parts[1]);
}

bool ic_trace_fetch_return(const struct ic_trace_place *place, struct ic_trace_fetch *fetch)
{
	const struct ic_register_rule *rule = &place->return_rule;
	const char *why = "unknown";

	memset(fetch, 0, sizeof(*fetch));
	if (place->has_cfa && rule->kind == IC_RULE_SAME_VALUE) {
		why = fetch_register(place, rule->reg, fetch);
	} else if (place->has_cfa && rule->kind == IC_RULE_OFFSET) {
		why = fetch_register(place, place->cfa_reg, fetch);
		fetch->offsets[0] = (uint64_t)(place->cfa_offset + rule->at.offset);
		fetch->memory_size = (uint8_t)place->addr_size;
	}
	if (why)
		memset(fetch, 0, sizeof(*fetch));
	return !why;
}
