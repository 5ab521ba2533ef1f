// Finds the exits of sites. The public part is inlinecall/extra/exits.h.
#include <inlinecall/extra/exits.h>

#include <stdlib.h>
#include <string.h>

#include "code/flow/function_flow.h"
#include "code/flow/leaving.h"

// Limit on the instructions visited for all copies, in proportion to the code: real programs need
// far fewer.
enum { STEPS_PER_BYTE = 1 << 10 };
#define LEAST_STEPS (1ull << 31)

struct ic_exits {
	struct ic_function_flow function;
	IC_ARRAY(struct ic_range) own; // of the copy
	struct ic_leaving leaving;
	uint64_t steps; // still allowed
};

const char *ic_exit_kind_name(enum ic_exit_kind kind)
{
	static const char *const names[] = { "end",       "jump",  "return", "tail call",
					     "no return", "after", "perhaps" };

	return (unsigned)kind < sizeof(names) / sizeof(*names) ? names[kind] : NULL;
}

struct ic_exits *ic_exits_open(struct ic_image *image, const struct ic_index *index,
			       struct ic_error *err)
{
	struct ic_exits *exits = calloc(1, sizeof(*exits));
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!exits) {
		ic_fail_memory(err);
		return NULL;
	}
	exits->leaving.exits.memory = &image->memory;
	exits->steps = LEAST_STEPS + STEPS_PER_BYTE * ic_range_set_size(&index->code);
	if (ic_function_flow_open(&exits->function, image, index, IC_CODE_AS_RUN, err))
		return exits;
	ic_exits_free(exits);
	return NULL;
}

void ic_exits_free(struct ic_exits *exits)
{
	if (!exits)
		return;
	ic_function_flow_close(&exits->function);
	IC_ARRAY_FREE(&exits->own);
	IC_ARRAY_FREE(&exits->leaving.exits);
	free(exits);
}

// ---- Copies

static bool set_why_not(struct ic_exits *exits, const char *why)
{
	size_t size = strnlen(why, sizeof(exits->leaving.why_not) - 1);

	memcpy(exits->leaving.why_not, why, size);
	exits->leaving.why_not[size] = 0;
	return true;
}

// Finds the exits of a copy in a host.
static bool find_exits(struct ic_exits *exits, const struct ic_site *site, uint32_t host,
		       const uint64_t *entries, size_t entry_count, struct ic_error *err)
{
	struct ic_function_flow *function = &exits->function;
	struct ic_error fault;

	if (!ic_function_flow_read(function, site->unit_number, host, &fault)) {
		if (fault.code == IC_ERROR_LIMIT) // the function is too large
			return set_why_not(exits, fault.message);
		*err = fault;
		return false;
	}
	if (exits->steps < function->flow.nodes.count)
		return set_why_not(exits,
				   "too much code was searched for the exits of other copies");
	exits->steps -= function->flow.nodes.count;
	exits->own.count = 0;
	if (!IC_ARRAY_RESERVE(&exits->own, site->range_count))
		return ic_fail_memory(err);
	for (size_t i = 0; i < site->range_count; i++)
		*IC_ARRAY_PUSH(&exits->own) = site->ranges[i];
	struct ic_range_set own = ic_range_set_build(exits->own.items, exits->own.count);
	return ic_leaving_find(&exits->leaving, &function->flow, function->start, entries,
			       entry_count, &own) ||
	       ic_fail_memory(err);
}

bool ic_exits_find(struct ic_exits *exits, const struct ic_site *site,
		   const struct ic_site_entries *entries, struct ic_error *err)
{
	const struct ic_function_flow *function = &exits->function;
	const uint64_t *addrs = entries ? entries->addrs : &site->entry;
	size_t count = entries ? entries->count : 1;
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	exits->leaving.exits.count = 0;
	exits->leaving.why_not[0] = exits->leaving.doubt[0] = 0;
	if (function->fault.code != IC_ERROR_NONE)
		return set_why_not(exits, function->fault.message);
	if (site->kind == IC_SITE_CALL)
		return set_why_not(exits, "it is a call, not a copy");
	if (site->has_only_entry || site->range_count == 0)
		return set_why_not(exits, "its ranges are unknown");
	if (site->entry == IC_NO_ADDR)
		return set_why_not(exits, "its entry is unknown");
	if (count == 0)
		return set_why_not(exits, "its calls are attributed to another copy");
	if (ic_image_code_at(function->image, site->entry).size == 0)
		return set_why_not(exits, "its code is not in the file");
	uint32_t host = ic_function_flow_host(&function->index->units[site->unit_number],
					      site->instance_number);
	if (host == IC_NONE)
		return set_why_not(exits, "the function around it is unknown");
	return find_exits(exits, site, host, addrs, count, err);
}

const char *ic_exits_why_not(const struct ic_exits *exits)
{
	return exits->leaving.why_not[0] ? exits->leaving.why_not : NULL;
}

const char *ic_exits_doubt(const struct ic_exits *exits)
{
	return exits->leaving.doubt[0] ? exits->leaving.doubt : NULL;
}

size_t ic_exits_get(const struct ic_exits *exits, const struct ic_exit **list)
{
	*list = exits->leaving.exits.items;
	return exits->leaving.why_not[0] ? 0 : exits->leaving.exits.count;
}
