#include "symbolize/calls/callee.h"

#include <stdio.h>
#include <string.h>

bool ic_host_at(struct ic_symbolizer *symbolizer, uint64_t addr, struct ic_host *host)
{
	struct ic_instance_place place;

	if (!ic_symbolizer_instance_at(symbolizer, addr, &place))
		return false;
	const struct ic_instance *instance = &place.model->instances[place.instance];
	while (instance->parent != IC_NONE)
		instance = &place.model->instances[instance->parent];
	*host = (struct ic_host){ place.unit, instance->die_off, instance->entry, IC_NO_ADDR,
				  NULL };
	if (instance->function != IC_NONE) {
		const struct ic_function *function = &place.model->functions[instance->function];
		host->origin = function->die_off;
		host->name = function->name ? function->name : function->linkage_name;
	}
	return instance->kind == IC_INSTANCE_HOST && instance->die_off != 0;
}

// Whether a copy of a function starts at an address.
static bool begins_at(struct ic_symbolizer *symbolizer, uint64_t addr, uint64_t origin)
{
	struct ic_host host;

	return ic_host_at(symbolizer, addr, &host) && host.entry == addr && host.origin == origin &&
	       origin != IC_NO_ADDR;
}

// NULL if memory runs out.
static const struct ic_binding *binding_of(struct ic_symbolizer *symbolizer)
{
	struct ic_symbolizer_names *symbols = &symbolizer->symbols;
	struct ic_error err;

	pthread_mutex_lock(&symbolizer->lock);
	if (!symbols->has_binding) {
		symbols->has_binding = ic_binding_read(&symbols->binding, symbolizer->image, &err);
		if (!symbols->has_binding)
			ic_binding_free(&symbols->binding);
	}
	bool has_binding = symbols->has_binding;
	pthread_mutex_unlock(&symbolizer->lock);
	return has_binding ? &symbols->binding : NULL;
}

// Whether calls by this name go to another function, because of `ld --wrap`.
static bool is_wrapped(struct ic_symbolizer *symbolizer, const char *name)
{
	struct ic_symbolizer_symbol symbol;
	char wrapper[256];
	int length = snprintf(wrapper, sizeof(wrapper), "__wrap_%s", name);

	return length < 0 || (size_t)length >= sizeof(wrapper) ||
	       ic_symbolizer_symbol_find(symbolizer, wrapper, 0, &symbol);
}

// The address of the only symbol of this name; IC_NO_ADDR if there is none or more than one.
static uint64_t find_name(struct ic_symbolizer *symbolizer, const char *name)
{
	struct ic_symbolizer_symbol symbol, other;

	if (!ic_symbolizer_symbol_find(symbolizer, name, 0, &symbol) ||
	    ic_symbolizer_symbol_find(symbolizer, name, 1, &other) || is_wrapped(symbolizer, name))
		return IC_NO_ADDR;
	return symbol.start;
}

static const char *symbol_of(const struct ic_callee *callee)
{
	return callee->linkage_name ? callee->linkage_name : callee->name;
}

uint64_t ic_callee_addr(struct ic_symbolizer *symbolizer, const struct ic_callee *callee,
			uint64_t call_addr, bool is_after)
{
	const char *name = symbol_of(callee);
	uint64_t addr = callee->addr;

	if (addr == IC_NO_ADDR && !name)
		return ic_image_relaxed_to(symbolizer->image, call_addr, is_after, &addr) &&
				       ic_range_set_find(&symbolizer->index.code, addr)
			       ? addr
			       : IC_NO_ADDR;
	const struct ic_binding *binding = binding_of(symbolizer);
	if (!binding)
		return IC_NO_ADDR;
	// The DIE of a copy that the linker discarded has address 0: another copy is called.
	if (addr == IC_NO_ADDR || !ic_range_set_find(&symbolizer->index.code, addr)) {
		addr = name && !ic_binding_is_undefined(binding, name) ? find_name(symbolizer, name)
								       : IC_NO_ADDR;
		if (addr == IC_NO_ADDR || !ic_range_set_find(&symbolizer->index.code, addr) ||
		    (!callee->has_symbol && !begins_at(symbolizer, addr, callee->origin)))
			return IC_NO_ADDR;
	}
	bool is_certain = ic_binding_is_certain(binding, addr) ||
			  ic_image_branches_to(symbolizer->image, call_addr, is_after, addr);
	return is_certain ? addr : IC_NO_ADDR;
}

bool ic_callee_is_in(struct ic_symbolizer *symbolizer, const struct ic_callee *callee,
		     struct ic_symbolizer *other, uint64_t entry)
{
	enum { MOST_SYMBOLS = 16 }; // of one name
	const char *name = symbol_of(callee);
	const struct ic_binding *binding = callee->has_symbol ? binding_of(symbolizer) : NULL;
	struct ic_symbolizer_symbol symbol;
	bool found = false;

	if (!binding || !ic_binding_is_undefined(binding, name))
		return false;
	for (uint32_t i = 0;
	     !found && i < MOST_SYMBOLS && ic_symbolizer_symbol_find(other, name, i, &symbol); i++)
		found = symbol.start == entry;
	return found;
}
