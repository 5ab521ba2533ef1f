// Compares a table of inlined calls with debug information.
#include <inlinecall/extra/btf_dwarf.h>
#include <inlinecall/extra/parameters.h>

#include <stdlib.h>

#include "btf/inline_lower.h"
#include "encode/caller_start.h"
#include "encode/function_names.h"
#include "encode/inlined_calls.h"
#include "encode/places.h"

enum { MOST_ALIKE = 64 }; // calls of the same functions at the same place to compare

struct place { // of a call: equal in the table and in the debug information
	// The first functions of these names; the caller is 0 if the format does not record it.
	uint32_t caller, callee;
	uint64_t where;
};

struct known { // a call in the debug information
	uint32_t unit, number, host;
	uint32_t next; // another one at the same place; IC_NONE if there is none
	bool is_matched, is_placed;
};

struct compare {
	const struct ic_btf_inline *table;
	struct ic_image *image;
	const struct ic_index *index;
	struct ic_parameters *parameters;
	struct ic_function_names names;
	struct ic_caller_starts starts;
	struct ic_btf_lowering lowering;
	IC_ARRAY(struct known) known;
	struct ic_byte_map entries, lowest; // by place: the last in `known`
	IC_ARRAY(uint32_t) lowest_next;
	ic_btf_difference_taker *take;
	void *context;
};

const char *ic_btf_difference_text(enum ic_btf_difference difference)
{
	switch (difference) {
	case IC_BTF_DIFFERENCE_NONE: return "calls are in both";
	case IC_BTF_DIFFERENCE_MISSING: return "calls are missing";
	case IC_BTF_DIFFERENCE_NO_FUNCTION: return "calls are to functions that BTF lacks";
	case IC_BTF_DIFFERENCE_NO_PLACE:
		return "calls are at an address that the format cannot express";
	case IC_BTF_DIFFERENCE_EXTRA: return "calls are not in the DWARF";
	case IC_BTF_DIFFERENCE_LOWEST: return "calls are at their lowest address, not their entry";
	case IC_BTF_DIFFERENCE_COUNT: return "calls have a different number of parameters";
	case IC_BTF_DIFFERENCE_SAME: return "parameters are the same";
	case IC_BTF_DIFFERENCE_OTHER: return "parameters have a different location";
	case IC_BTF_DIFFERENCE_UNAVAILABLE:
		return "parameters are unavailable, but have a location in the DWARF";
	case IC_BTF_DIFFERENCE_INEXPRESSIBLE:
		return "parameters have a location that the format cannot express";
	case IC_BTF_DIFFERENCE_CLAIMED: return "parameters have a location, but none in the DWARF";
	case IC_BTF_DIFFERENCE_UNCOMPARED:
		return "parameters have a different kind of location than in the DWARF";
	case IC_BTF_DIFFERENCE_UNDESCRIBED:
		return "calls have parameters that the DWARF does not describe";
	}
	return NULL;
}

bool ic_btf_difference_is_fault(enum ic_btf_difference difference)
{
	switch (difference) {
	case IC_BTF_DIFFERENCE_MISSING:
	case IC_BTF_DIFFERENCE_EXTRA:
	case IC_BTF_DIFFERENCE_LOWEST:
	case IC_BTF_DIFFERENCE_COUNT:
	case IC_BTF_DIFFERENCE_OTHER:
	case IC_BTF_DIFFERENCE_UNAVAILABLE:
	case IC_BTF_DIFFERENCE_CLAIMED: return true;
	default: return false;
	}
}

static void report_difference(const struct compare *compare, enum ic_btf_difference difference,
			      uint64_t addr)
{
	compare->take(compare->context, difference, addr);
}

// ---- The calls of the debug information

static uint32_t name_number(const struct compare *compare, const char *name)
{
	return name ? ic_function_names_first(&compare->names, name) : IC_NONE;
}

// The place of a call if its address is `addr`. False if the format cannot express it.
static bool place_at(struct compare *compare, const struct ic_inlined_call *call, uint64_t addr,
		     struct place *place)
{
	int32_t offset = 0;
	bool is_told;

	if (compare->lowering.format == IC_BTF_INLINE_LOC) {
		place->where = addr;
		return ic_section_has(compare->image, addr);
	}
	bool is_known = ic_inlined_offset(
		compare->index,
		ic_caller_start(&compare->starts, call->host,
				ic_inlined_name(compare->index, call->unit, call->host), &is_told),
		addr, &offset);
	place->where = (uint32_t)offset;
	return is_known;
}

static uint64_t lowest_of(const struct compare *compare, const struct ic_inlined_call *call)
{
	const struct ic_range *ranges =
		compare->index->units[call->unit].ranges + call->instance->first_range;
	uint64_t lowest = ranges->start;

	for (uint32_t i = 1; i < call->instance->range_count; i++)
		if (ranges[i].start < lowest)
			lowest = ranges[i].start;
	return lowest;
}

// Adds a call under its entry and its lowest address.
static bool add_known(struct compare *compare, const struct ic_inlined_call *call,
		      struct place place)
{
	uint32_t number = compare->known.count, *first, *lowest, *next;
	struct known *known = IC_ARRAY_PUSH(&compare->known);
	struct place low = place;

	if (!known)
		return false;
	*known = (struct known){ .unit = call->unit,
				 .number = call->number,
				 .host = call->host_number,
				 .next = IC_NONE };
	next = IC_ARRAY_PUSH(&compare->lowest_next);
	if (!next)
		return false;
	*next = IC_NONE;
	known->is_placed = place_at(compare, call, call->instance->entry, &place);
	if (!known->is_placed)
		return true;
	first = ic_byte_map_at(&compare->entries, &place, sizeof(place));
	if (!first)
		return false;
	known->next = *first;
	*first = number;
	if (!place_at(compare, call, lowest_of(compare, call), &low))
		return true;
	lowest = ic_byte_map_at(&compare->lowest, &low, sizeof(low));
	if (!lowest)
		return false;
	*next = *lowest;
	*lowest = number;
	return true;
}

// Lists the calls whose functions the types have; reports the others.
static bool list_known(struct compare *compare)
{
	struct ic_inlined_walk walk = { .index = compare->index };
	bool has_callers = compare->lowering.format == IC_BTF_INLINE_RFC;
	struct ic_inlined_call call;

	while (ic_inlined_next(&walk, &call)) {
		if (call.instance->range_count == 0 || call.instance->entry == IC_NO_ADDR)
			continue;
		// Damaged DWARF may have a call outside of any function. Only the RFC's format
		// names the function.
		const char *callee = ic_inlined_name(compare->index, call.unit, call.instance);
		const char *caller = ic_inlined_name(compare->index, call.unit, call.host);
		struct place place = { .callee = name_number(compare, callee),
				       .caller = has_callers ? name_number(compare, caller) : 0 };
		if (place.callee == IC_NONE || place.caller == IC_NONE)
			report_difference(compare, IC_BTF_DIFFERENCE_NO_FUNCTION,
					  call.instance->entry);
		else if (!add_known(compare, &call, place))
			return false;
	}
	return true;
}

// ---- Parameters

static enum ic_btf_difference compare_locations(const struct compare *compare,
						const struct ic_btf_inline_parameter *ours,
						const struct ic_parameter *theirs)
{
	struct ic_location location = theirs->location;
	struct ic_btf_lowered one, other;
	uint64_t size = theirs->size ? theirs->size : ours->size;
	enum ic_btf_loss said =
		ic_btf_lower(&compare->lowering, &ours->location, size, theirs->is_signed, &one);
	// In the format before the RFC's, addresses are numbers.
	if (location.kind == IC_LOCATION_ADDRESS && compare->lowering.has_fixed_addresses &&
	    ours->location.kind == IC_LOCATION_CONSTANT)
		location.kind = IC_LOCATION_CONSTANT;
	enum ic_btf_loss known =
		ic_btf_lower(&compare->lowering, &location, size, theirs->is_signed, &other);

	if (said == IC_BTF_LOSS_UNAVAILABLE) {
		if (known == IC_BTF_LOSS_NONE)
			return IC_BTF_DIFFERENCE_UNAVAILABLE;
		return known == IC_BTF_LOSS_UNAVAILABLE ? IC_BTF_DIFFERENCE_SAME
							: IC_BTF_DIFFERENCE_INEXPRESSIBLE;
	}
	if (known == IC_BTF_LOSS_UNAVAILABLE)
		return IC_BTF_DIFFERENCE_CLAIMED;
	// Only by chance does a register still have its value on entry to the host at a site.
	if (known == IC_BTF_LOSS_ENTRY_VALUE && said == IC_BTF_LOSS_NONE)
		return IC_BTF_DIFFERENCE_OTHER;
	if (said != IC_BTF_LOSS_NONE || known != IC_BTF_LOSS_NONE)
		return IC_BTF_DIFFERENCE_UNCOMPARED;
	return one.size == other.size && memcmp(one.bytes, other.bytes, one.size) == 0
		       ? IC_BTF_DIFFERENCE_SAME
		       : IC_BTF_DIFFERENCE_OTHER;
}

static size_t declared_count(const struct compare *compare, const struct ic_parameter **list)
{
	size_t count = ic_parameters_list(compare->parameters, list);

	while (count > 0 && (*list)[count - 1].is_undeclared)
		count--;
	return count;
}

static bool find_parameters(const struct compare *compare, const struct known *known,
			    struct ic_error *err)
{
	const struct ic_site site = ic_inlined_site(known->unit, known->number, IC_SITE_INLINED);

	return ic_parameters_find(compare->parameters, &site, IC_NO_ADDR, err);
}

// The number of parameters that are not known to be equal in record `number` and the last call
// found. They are reported if `addr` is an address.
static size_t compare_parameters(const struct compare *compare, size_t number,
				 const struct ic_btf_inline_site *site, uint64_t addr)
{
	const struct ic_parameter *list;
	size_t count = declared_count(compare, &list), unlike = 0;
	struct ic_btf_inline_parameter read;

	// A format may omit the list for a call without any location.
	if (count != site->parameter_count &&
	    (site->parameter_count > 0 || compare->lowering.format == IC_BTF_INLINE_RFC)) {
		if (addr != IC_NO_ADDR)
			report_difference(compare,
					  ic_parameters_is_undescribed(compare->parameters)
						  ? IC_BTF_DIFFERENCE_UNDESCRIBED
						  : IC_BTF_DIFFERENCE_COUNT,
					  addr);
		unlike++;
	}
	for (uint32_t i = 0; i < count && i < site->parameter_count; i++) {
		ic_btf_inline_parameter(compare->table, number, i, &read);
		enum ic_btf_difference difference = compare_locations(compare, &read, &list[i]);
		unlike += difference != IC_BTF_DIFFERENCE_SAME &&
			  difference != IC_BTF_DIFFERENCE_INEXPRESSIBLE;
		if (addr != IC_NO_ADDR)
			report_difference(compare, difference, addr);
	}
	return unlike;
}

// ---- The calls of the table

// Finds the unmatched call that is most similar to record `number`, among those at the place whose
// first is *best; IC_NONE if there is none.
static bool find_best(const struct compare *compare, size_t number,
		      const struct ic_btf_inline_site *site, const uint32_t *nexts, uint32_t *best,
		      struct ic_error *err)
{
	size_t fewest = SIZE_MAX;
	uint32_t first = *best;
	unsigned tried = 0;

	*best = IC_NONE;
	for (uint32_t i = first; i != IC_NONE && tried < MOST_ALIKE && fewest > 0;
	     i = nexts ? nexts[i] : compare->known.items[i].next) {
		if (compare->known.items[i].is_matched)
			continue;
		if (!find_parameters(compare, &compare->known.items[i], err))
			return false;
		size_t unlike = compare_parameters(compare, number, site, IC_NO_ADDR);
		if (unlike < fewest) {
			fewest = unlike;
			*best = i;
		}
		tried++;
	}
	return true;
}

// The place of a record. False if its functions have no name.
static bool place_of(const struct compare *compare, const struct ic_btf_inline_site *site,
		     struct place *place)
{
	uint64_t start = 0;

	*place = (struct place){ .callee = name_number(compare, site->callee_name) };
	if (compare->lowering.format == IC_BTF_INLINE_RFC)
		place->caller = name_number(compare, site->caller_name);
	if (compare->lowering.format == IC_BTF_INLINE_LOC &&
	    !ic_section_place_named(compare->image, site->section, &start))
		return false;
	place->where = start + site->offset;
	return place->callee != IC_NONE && place->caller != IC_NONE;
}

static bool match_record(struct compare *compare, size_t number, bool by_lowest, bool *is_matched,
			 struct ic_error *err)
{
	const struct ic_byte_map *places = by_lowest ? &compare->lowest : &compare->entries;
	const uint32_t *nexts = by_lowest ? compare->lowest_next.items : NULL;
	struct ic_btf_inline_site site;
	struct place place;
	uint32_t best = IC_NONE;

	ic_btf_inline_get(compare->table, number, &site);
	if (place_of(compare, &site, &place)) {
		best = ic_byte_map_find(places, &place, sizeof(place));
		if (!find_best(compare, number, &site, nexts, &best, err))
			return false;
	}
	*is_matched = best != IC_NONE;
	if (best == IC_NONE) {
		if (by_lowest)
			report_difference(compare, IC_BTF_DIFFERENCE_EXTRA, site.record_off);
		return true;
	}
	struct known *known = &compare->known.items[best];
	uint64_t addr = compare->index->units[known->unit].instances[known->number].entry;
	known->is_matched = true;
	report_difference(compare, by_lowest ? IC_BTF_DIFFERENCE_LOWEST : IC_BTF_DIFFERENCE_NONE,
			  addr);
	if (by_lowest)
		return true;
	if (!find_parameters(compare, known, err))
		return false;
	compare_parameters(compare, number, &site, addr);
	return true;
}

// First matches records at the entry of a call, then those at its lowest address.
static bool match_records(struct compare *compare, struct ic_error *err)
{
	size_t count = ic_btf_inline_count(compare->table);
	bool *is_matched = ic_items_zeroed(count + 1, sizeof(*is_matched));
	bool ok = is_matched || ic_fail_memory(err);

	for (size_t i = 0; ok && i < count; i++)
		ok = match_record(compare, i, false, &is_matched[i], err);
	for (size_t i = 0; ok && i < count; i++)
		if (!is_matched[i])
			ok = match_record(compare, i, true, &is_matched[i], err);
	free(is_matched);
	return ok;
}

// Whether the types have an instance's function with its parameters, and no other like it.
static bool has_function(struct compare *compare, uint32_t unit, uint32_t number, bool *has,
			 struct ic_error *err)
{
	const struct ic_instance *instance = &compare->index->units[unit].instances[number];
	const struct ic_site site = ic_inlined_site(
		unit, number,
		instance->kind == IC_INSTANCE_HOST ? IC_SITE_OUT_OF_LINE : IC_SITE_INLINED);
	const struct ic_parameter *list;
	uint32_t id;

	if (!ic_parameters_find(compare->parameters, &site, IC_NO_ADDR, err))
		return false;
	size_t count = ic_parameters_list(compare->parameters, &list);
	*has = ic_function_names_find(&compare->names,
				      ic_inlined_name(compare->index, unit, instance), list, count,
				      &id) == IC_FUNCTION_FOUND;
	return true;
}

static bool say_missing(struct compare *compare, struct ic_error *err)
{
	for (uint32_t i = 0; i < compare->known.count; i++) {
		const struct known *known = &compare->known.items[i];
		bool has_callee = true, has_caller = true;
		if (known->is_matched)
			continue;
		if (!has_function(compare, known->unit, known->number, &has_callee, err) ||
		    (compare->lowering.format == IC_BTF_INLINE_RFC &&
		     !has_function(compare, known->unit, known->host, &has_caller, err)))
			return false;
		enum ic_btf_difference difference = IC_BTF_DIFFERENCE_MISSING;
		if (!has_callee || !has_caller)
			difference = IC_BTF_DIFFERENCE_NO_FUNCTION;
		else if (!known->is_placed)
			difference = IC_BTF_DIFFERENCE_NO_PLACE;
		report_difference(
			compare, difference,
			compare->index->units[known->unit].instances[known->number].entry);
	}
	return true;
}

static bool compare_all(struct compare *compare, struct ic_error *err)
{
	const struct ic_btf *types = ic_btf_inline_types(compare->table);

	if (!types)
		return ic_fail(err, IC_ERROR_ARGUMENT, "BTF types are needed to name calls");
	compare->parameters = ic_parameters_open(compare->image, compare->index, NULL, err);
	if (!compare->parameters || !ic_function_names_build(&compare->names, types, err))
		return false;
	if (!ic_caller_starts_open(&compare->starts, compare->image, compare->index, err))
		return false;
	if (!list_known(compare))
		return ic_fail_memory(err);
	return match_records(compare, err) && say_missing(compare, err);
}

bool ic_btf_compare(const struct ic_btf_inline *table, struct ic_image *image,
		    const struct ic_index *index, ic_btf_difference_taker *take, void *context,
		    struct ic_error *err)
{
	struct ic_error unwanted;
	struct compare compare = {
		.table = table,
		.image = image,
		.index = index,
		.take = take,
		.context = context,
		.lowering = { .format = ic_btf_inline_format(table),
			      .has_fixed_addresses = ic_image_has_fixed_addresses(image) },
	};

	bool ok = compare_all(&compare, err ? err : &unwanted);
	ic_function_names_free(&compare.names);
	ic_caller_starts_close(&compare.starts);
	ic_parameters_free(compare.parameters);
	ic_byte_map_free(&compare.entries);
	ic_byte_map_free(&compare.lowest);
	IC_ARRAY_FREE(&compare.known);
	IC_ARRAY_FREE(&compare.lowest_next);
	return ok;
}
