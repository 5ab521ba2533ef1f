// Checks tables of inlined calls that can be read for violations of the format.
#include "btf/inline_check.h"

#include <stdlib.h>

#include "btf/inline_expression.h"
#include "btf/inline_kinds.h"

enum { MOST_PARAMETERS = 255 }; // that tools support

const char *ic_btf_inline_fault_text(enum ic_btf_inline_fault fault)
{
	switch (fault) {
	case IC_BTF_FAULT_OVERLAP: return "calls and locations overlap";
	case IC_BTF_FAULT_NO_EMPTY: return "locations do not begin with an empty expression";
	case IC_BTF_FAULT_CALLEE: return "the callee is not a function";
	case IC_BTF_FAULT_CALLER: return "the caller is not a function";
	case IC_BTF_FAULT_COUNT: return "the function has a different number of parameters";
	case IC_BTF_FAULT_MANY: return "more than 255 parameters";
	case IC_BTF_FAULT_LIST: return "the location list is not a LOC_PROTO";
	case IC_BTF_FAULT_PLACE: return "a location does not exist";
	case IC_BTF_FAULT_NOT_OPERATOR: return "a location begins in the middle of an operator";
	case IC_BTF_FAULT_EXPRESSION: return "a location cannot be read";
	case IC_BTF_FAULT_SECTION: return "a LOCSEC has no name";
	}
	return NULL;
}

static void report_fault(const struct ic_btf_check *check, enum ic_btf_inline_fault fault,
			 uint64_t off)
{
	check->take(check->context, fault, off);
}

static bool is_of_kind(const struct ic_btf *btf, uint32_t id, enum ic_btf_kind kind)
{
	struct ic_btf_type type;

	return ic_btf_type_find(btf, id, &type) && type.kind == kind;
}

// Void stands for a function that BTF lacks.
static bool is_no_callee(const struct ic_btf_check *check, uint32_t id)
{
	return id != 0 && !is_of_kind(check->table->types, id, IC_BTF_FUNC);
}

static void check_count(const struct ic_btf_check *check, const struct ic_btf_inline_site *site)
{
	struct ic_btf_function function;

	if (site->parameter_count > MOST_PARAMETERS)
		report_fault(check, IC_BTF_FAULT_MANY, site->record_off);
	if (check->table->types && ic_btf_function(check->table->types, site->callee, &function) &&
	    function.parameter_count != site->parameter_count)
		report_fault(check, IC_BTF_FAULT_COUNT, site->record_off);
}

// ---- The RFC's format

static bool bit_at(const uint8_t *bits, uint32_t at)
{
	return bits[at / 8] >> at % 8 & 1;
}

static void set_bit(uint8_t *bits, uint32_t at)
{
	bits[at / 8] |= (uint8_t)(1u << at % 8);
}

static void walk_locations(struct ic_btf_check *check)
{
	struct ic_bytes locations = ic_btf_inline_locations(check->table);
	uint32_t size = check->table->locations_size, at = 0, next;

	for (; at < size; at = next) {
		next = ic_btf_expression_next(locations, at);
		if (next == 0)
			break;
		set_bit(check->starts, at);
	}
	check->walked_size = at;
}

bool ic_btf_check_begin(struct ic_btf_check *check, struct ic_error *err)
{
	size_t size = (size_t)check->table->locations_size / 8 + 1;

	if (check->table->own_types)
		return true;
	check->starts = calloc(size, 1);
	check->readable = calloc(size, 1);
	if (!check->starts || !check->readable)
		return ic_fail_memory(err);
	walk_locations(check);
	return true;
}

void ic_btf_check_end(struct ic_btf_check *check)
{
	free(check->starts);
	free(check->readable);
}

static void check_header(const struct ic_btf_check *check)
{
	const struct ic_btf_inline *table = check->table;
	struct ic_bytes locations = ic_btf_inline_locations(table);

	if (table->info_size > 0 && table->locations_size > 0 &&
	    table->info_off < table->locations_off + table->locations_size &&
	    table->locations_off < table->info_off + table->info_size)
		report_fault(check, IC_BTF_FAULT_OVERLAP, 8);
	// If empty, it may be BTF without these kinds.
	if (table->info_size == 0 && locations.size == 0)
		return;
	if (locations.size == 0 || locations.data[0] != IC_BTF_OP_END)
		report_fault(check, IC_BTF_FAULT_NO_EMPTY, table->locations_off);
}

static bool is_readable(const struct ic_btf_inline *table, uint32_t place)
{
	const struct ic_location location =
		ic_btf_expression_read(ic_btf_inline_locations(table), place, table->swap, 0);

	return location.kind != IC_LOCATION_UNAVAILABLE ||
	       location.why != IC_LOCATION_WHY_UNREADABLE;
}

static void check_place(const struct ic_btf_check *check, uint32_t place, uint64_t off)
{
	if (place >= check->table->locations_size) {
		report_fault(check, IC_BTF_FAULT_PLACE, off);
		return;
	}
	if (place < check->walked_size && !bit_at(check->starts, place))
		report_fault(check, IC_BTF_FAULT_NOT_OPERATOR, off);
	if (bit_at(check->readable, place))
		return;
	if (is_readable(check->table, place))
		set_bit(check->readable, place);
	else
		report_fault(check, IC_BTF_FAULT_EXPRESSION, off);
}

static void check_call(const struct ic_btf_check *check, uint32_t number)
{
	const struct ic_btf_inline *table = check->table;
	struct ic_btf_inline_site site;
	struct ic_btf_call call;

	ic_btf_inline_get(table, number, &site);
	ic_btf_call_read(table, number, &call);
	if (table->types && is_no_callee(check, call.callee))
		report_fault(check, IC_BTF_FAULT_CALLEE, site.record_off);
	if (table->types && !is_of_kind(table->types, call.caller, IC_BTF_FUNC))
		report_fault(check, IC_BTF_FAULT_CALLER, site.record_off);
	check_count(check, &site);
	for (uint32_t i = 0; i < call.parameter_count; i++)
		check_place(check, ic_load32(call.locations + 4 * (size_t)i, table->swap),
			    site.record_off);
}

// ---- The BTF kinds

static void check_list(const struct ic_btf_check *check, const struct ic_btf_type *list,
		       uint64_t off)
{
	struct ic_btf_loc loc;

	for (uint32_t i = 0; i < list->item_count; i++) {
		uint32_t id = ic_btf_type_word(list, i);
		if (id == 0)
			continue;
		if (!ic_btf_loc_find(check->table->types, id, &loc))
			report_fault(check, IC_BTF_FAULT_PLACE, off);
		else if (!loc.is_known)
			report_fault(check, IC_BTF_FAULT_EXPRESSION, off);
	}
}

// Calls share lists: each is checked once, where it is defined, not where it is used.
void ic_btf_check_lists(const struct ic_btf_check *check)
{
	const struct ic_btf *own = check->table->own_types;
	struct ic_btf_type type;

	if (!own)
		return;
	for (uint32_t id = own->first_id; id < ic_btf_count(own); id++) {
		ic_btf_type_find(own, id, &type);
		if (type.kind == IC_BTF_LOC_PROTO)
			check_list(check, &type, type.off);
		if (type.kind == IC_BTF_LOCSEC && !ic_btf_name(own, id))
			report_fault(check, IC_BTF_FAULT_SECTION, type.off);
	}
}

// A call without parameters needs no list.
static void check_kinds_call(const struct ic_btf_check *check, uint32_t number)
{
	const struct ic_btf_inline *table = check->table;
	struct ic_btf_inline_site site;
	uint32_t function, list;

	ic_btf_inline_get(table, number, &site);
	ic_btf_kinds_ids(table, number, &function, &list);
	if (is_no_callee(check, function))
		report_fault(check, IC_BTF_FAULT_CALLEE, site.record_off);
	if (list != 0 && !is_of_kind(table->types, list, IC_BTF_LOC_PROTO))
		report_fault(check, IC_BTF_FAULT_LIST, site.record_off);
	else
		check_count(check, &site);
}

void ic_btf_check_call(const struct ic_btf_check *check, uint32_t number)
{
	if (check->table->own_types)
		check_kinds_call(check, number);
	else
		check_call(check, number);
}

bool ic_btf_inline_check(const struct ic_btf_inline *table, ic_btf_inline_fault_taker *take,
			 void *context, struct ic_error *err)
{
	struct ic_btf_check check = { .table = table, .take = take, .context = context };
	struct ic_error unwanted;
	bool ok = ic_btf_check_begin(&check, err ? err : &unwanted);

	if (ok && table->own_types)
		ic_btf_check_lists(&check);
	else if (ok)
		check_header(&check);
	for (uint32_t i = 0; ok && i < table->record_count; i++)
		ic_btf_check_call(&check, i);
	ic_btf_check_end(&check);
	return ok;
}
