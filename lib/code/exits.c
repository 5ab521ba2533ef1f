// Finds exits of sites. The public half is inlinecall/exits.h.
#include <inlinecall/exits.h>

#include <stdlib.h>
#include <string.h>

#include "code/leaving.h"
#include "code/returning.h"
#include "elf/stubs.h"
#include "model/index.h"

// Instructions that are gone through for all copies: of our own program some 20 million.
#define MOST_STEPS (1ull << 31)

struct ic_exits {
	const struct ic_image *image;
	const struct ic_index *index;
	struct ic_error fault; // why no code can be read; no code if it can
	struct ic_flow_source source;
	struct ic_returning returning;
	struct ic_slots slots;
	struct ic_flow flow;
	uint32_t unit, host;                 // that the flow is of; IC_NONE if it has not been read
	uint64_t start;                      // of the host
	IC_ARRAY(struct ic_range) code, own; // of the host, and of the copy
	struct ic_leaving leaving;
	uint64_t entry;
	uint64_t steps; // taken of MOST_STEPS
};

const char *ic_exit_kind_name(enum ic_exit_kind kind)
{
	static const char *const names[] = { "end",       "jump",  "return", "tail call",
					     "no return", "after", "perhaps" };

	return (unsigned)kind < sizeof(names) / sizeof(*names) ? names[kind] : NULL;
}

// ---- Code

static struct ic_bytes bytes_at(void *context, uint64_t addr)
{
	const struct ic_image *image = ((const struct ic_exits *)context)->image;
	const struct ic_elf_file *file = &image->file;
	uint64_t off;

	if (!ic_image_offset_of_addr(image, addr, &off) || off >= file->size)
		return (struct ic_bytes){ NULL, 0 };
	return (struct ic_bytes){ file->data + off, file->size - (size_t)off };
}

static bool returns(void *context, const struct ic_instruction *call)
{
	return ic_call_returns(&((struct ic_exits *)context)->returning, call);
}

static const char *slot_name(void *context, uint64_t slot)
{
	return ic_slots_name(&((const struct ic_exits *)context)->slots, slot);
}

static bool has_section(struct ic_image *image, const char *name)
{
	const void *bytes;
	size_t size;

	return ic_image_section(image, name, &bytes, &size, NULL);
}

// Fails if the code in the file is not what is run.
static bool check(struct ic_image *image, struct ic_error *err)
{
	if (ic_image_is_relocatable(image))
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "its jumps are not known before the file is linked");
	if (has_section(image, "__ksymtab") || has_section(image, "__jump_table"))
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "a kernel patches its jumps while it runs");
	return true;
}

static bool begin(struct ic_exits *exits, struct ic_image *image, struct ic_error *err)
{
	if (!check(image, &exits->fault))
		return true;
	exits->source.disassembler = ic_disassembler_open(ic_image_machine(image),
							  ic_image_addr_size(image), &exits->fault);
	if (!exits->source.disassembler)
		return exits->fault.code != IC_ERROR_MEMORY || ic_fail_memory(err);
	exits->source.bytes = bytes_at;
	exits->source.returns = returns;
	exits->source.context = exits;
	exits->returning.source = &exits->source;
	exits->returning.slot_name = slot_name;
	exits->returning.context = exits;
	return ic_slots_read(&exits->slots, image) || ic_image_fail_memory(image, err);
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
	exits->image = image;
	exits->index = index;
	exits->unit = exits->host = IC_NONE;
	exits->flow.nodes.memory = exits->flow.work.memory = &image->memory;
	exits->leaving.exits.memory = &image->memory;
	if (begin(exits, image, err))
		return exits;
	ic_exits_free(exits);
	return NULL;
}

void ic_exits_free(struct ic_exits *exits)
{
	if (!exits)
		return;
	ic_disassembler_close(exits->source.disassembler);
	ic_returning_free(&exits->returning);
	ic_slots_free(&exits->slots);
	ic_flow_free(&exits->flow);
	IC_ARRAY_FREE(&exits->code);
	IC_ARRAY_FREE(&exits->own);
	IC_ARRAY_FREE(&exits->leaving.exits);
	free(exits);
}

// ---- Copies

#define RANGES_OF(array) ((struct ic_range_set){ (array)->items, (array)->count })

static bool copy_ranges(struct ic_exits *exits, bool of_host, const struct ic_range *ranges,
			size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct ic_range *range = of_host ? IC_ARRAY_PUSH(&exits->code)
						 : IC_ARRAY_PUSH(&exits->own);
		if (!range)
			return false;
		*range = ranges[i];
	}
	return true;
}

// The function that the copy is in; NULL if it is not known.
static const struct ic_instance *host_of(const struct ic_unit_model *unit, uint32_t *number)
{
	const struct ic_instance *instance = &unit->instances[*number];

	while (instance->parent != IC_NONE) {
		*number = instance->parent;
		instance = &unit->instances[*number];
	}
	return instance->kind == IC_INSTANCE_HOST && instance->range_count > 0 ? instance : NULL;
}

static bool set_why_not(struct ic_exits *exits, const char *why)
{
	size_t size = strnlen(why, sizeof(exits->leaving.why_not) - 1);

	memcpy(exits->leaving.why_not, why, size);
	exits->leaving.why_not[size] = 0;
	return true;
}

// Reads the flow around a copy. If the function is too large, that is the reason.
static bool read_flow(struct ic_exits *exits, const struct ic_site *site, uint32_t number,
		      struct ic_error *err)
{
	const struct ic_unit_model *unit = &exits->index->units[site->unit_number];
	const struct ic_instance *host = &unit->instances[number];

	if (exits->unit == site->unit_number && exits->host == number)
		return true;
	exits->host = IC_NONE;
	exits->code.count = 0;
	if (!copy_ranges(exits, true, unit->ranges + host->first_range, host->range_count))
		return ic_fail_memory(err);
	struct ic_range_set code = ic_range_set_build(exits->code.items, exits->code.count);
	exits->start = host->entry != IC_NO_ADDR ? host->entry : code.ranges[0].start;
	if (!ic_flow_read(&exits->flow, &exits->source, &code, exits->start, err)) {
		ic_flow_clear(&exits->flow);
		return err->code == IC_ERROR_LIMIT && set_why_not(exits, err->message);
	}
	exits->unit = site->unit_number;
	exits->host = number;
	return true;
}

// Clang counts the padding before a loop to the copy that begins it. No path leads there.
static uint64_t entry_of(struct ic_exits *exits, uint64_t entry, const struct ic_range_set *own)
{
	uint64_t addr = entry;

	while (ic_flow_find(&exits->flow, addr) == IC_NONE && ic_range_set_find(own, addr)) {
		struct ic_instruction found = ic_instruction_read(exits->source.disassembler,
								  bytes_at(exits, addr), addr);
		if (found.kind != IC_INSTRUCTION_PADDING)
			return entry;
		addr += found.size;
	}
	return ic_range_set_find(own, addr) ? addr : entry;
}

static bool find(struct ic_exits *exits, const struct ic_site *site, uint32_t number,
		 struct ic_error *err)
{
	struct ic_leaving *leaving = &exits->leaving;

	if (!read_flow(exits, site, number, err))
		return false;
	if (leaving->why_not[0])
		return true;
	exits->steps += exits->flow.nodes.count;
	if (exits->steps > MOST_STEPS)
		return set_why_not(exits, "too much code was searched for the exits of others");
	exits->own.count = 0;
	if (!copy_ranges(exits, false, site->ranges, site->range_count))
		return ic_fail_memory(err);
	struct ic_range_set own = ic_range_set_build(exits->own.items, exits->own.count);
	exits->entry = entry_of(exits, site->entry, &own);
	return ic_leaving_find(leaving, &exits->flow, exits->start, exits->entry, &own) ||
	       ic_fail_memory(err);
}

bool ic_exits_find(struct ic_exits *exits, const struct ic_site *site, struct ic_error *err)
{
	struct ic_error unwanted;
	uint32_t number = site->instance_number;

	if (!err)
		err = &unwanted;
	exits->leaving.exits.count = 0;
	exits->leaving.why_not[0] = exits->leaving.doubt[0] = 0;
	exits->entry = site->entry;
	if (exits->fault.code != IC_ERROR_NONE)
		return set_why_not(exits, exits->fault.message);
	if (site->kind == IC_SITE_CALL)
		return set_why_not(exits, "it is a call, not a copy");
	if (site->has_only_entry || site->range_count == 0)
		return set_why_not(exits, "its ranges are not known");
	if (site->entry == IC_SITE_NO_ADDR)
		return set_why_not(exits, "where it is entered is not known");
	if (bytes_at(exits, site->entry).size == 0)
		return set_why_not(exits, "the file does not have its code");
	if (!host_of(&exits->index->units[site->unit_number], &number))
		return set_why_not(exits, "the code around it is not known");
	return find(exits, site, number, err);
}

const char *ic_exits_why_not(const struct ic_exits *exits)
{
	return exits->leaving.why_not[0] ? exits->leaving.why_not : NULL;
}

const char *ic_exits_doubt(const struct ic_exits *exits)
{
	return exits->leaving.doubt[0] ? exits->leaving.doubt : NULL;
}

uint64_t ic_exits_entry(const struct ic_exits *exits)
{
	return exits->entry;
}

size_t ic_exits_get(const struct ic_exits *exits, const struct ic_exit **list)
{
	*list = exits->leaving.exits.items;
	return exits->leaving.why_not[0] ? 0 : exits->leaving.exits.count;
}
