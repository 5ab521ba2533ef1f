// The frames at addresses of a space: the part of inlinecall/space.h about answers.
#include <stdlib.h>

#include "base/array.h"
#include "base/sort.h"
#include "process/kernel_names.h"
#include "process/space.h"

struct found { // for one address
	enum ic_space_status status;
	uint32_t part;   // the part that contains it; IC_NONE if it is not mapped
	uint32_t number; // index in the stacks of the part, or of the name; IC_NONE if neither
	uint64_t offset, addr;
};

struct part {                     // consecutive addresses of one module
	struct ic_module *module; // reference held; also kept open if it has a file
	struct ic_module_place place;
	struct ic_module_open open;
	struct ic_stacks *stacks; // of the addresses in the file
	uint32_t first, count;    // in sorted order
	uint32_t stack_count;
};

struct named { // from a list of symbols
	const char *owner;
	struct ic_frame frame;
};

struct ic_space_answers {
	struct ic_modules *modules;
	struct found *found; // indexed by address number
	uint32_t count;      // number of addresses
	IC_ARRAY(struct part) parts;
	IC_ARRAY(struct named) named;
	struct ic_kernel_names *names; // that `named` borrows from
};

// For an unmapped address, under the lock. False if memory runs out.
static bool find_name(struct ic_space_answers *answers, const struct ic_kernel_names *names,
		      uint64_t addr, struct found *found)
{
	const struct ic_kernel_name *name = ic_kernel_names_find(names, addr);

	if (!name)
		return true;
	struct named *named = IC_ARRAY_PUSH(&answers->named);
	if (!named)
		return false;
	*named = (struct named){
		name->owner, { .function = name->function, .start = name->start, .is_symbol = true }
	};
	found->status = IC_SPACE_SYMBOL;
	found->number = answers->named.count - 1;
	return true;
}

// Finds the mappings of sorted addresses, under the lock. False if memory runs out.
static bool find_parts(struct ic_space_answers *answers, const struct ic_space *space,
		       const struct ic_space *kernel, const struct ic_keyed *sorted, uint32_t count)
{
	const struct ic_kernel_names *names = kernel ? kernel->names : space->names;
	struct part *part = NULL;

	for (uint32_t i = 0; i < count; i++) {
		struct found *found = &answers->found[sorted[i].number];
		const struct ic_mapped_code *mapping =
			ic_space_mapping_find(&space->mappings, sorted[i].key);
		*found = (struct found){ IC_SPACE_NONE, IC_NONE, IC_NONE, 0, IC_NO_ADDR };
		if (!mapping && kernel)
			mapping = ic_space_mapping_find(&kernel->mappings, sorted[i].key);
		if (!mapping) {
			if (!find_name(answers, names, sorted[i].key, found))
				return false;
			continue;
		}
		if (!part || part->module != mapping->module) {
			part = IC_ARRAY_PUSH(&answers->parts);
			if (!part)
				return false;
			*part = (struct part){ .module = mapping->module,
					       .place = mapping->place,
					       .first = i };
			ic_module_share(answers->modules, part->module);
		}
		found->part = (uint32_t)(part - answers->parts.items);
		uint64_t at = mapping->offset + (sorted[i].key - mapping->start);
		*(mapping->has_addr ? &found->addr : &found->offset) = at;
		part->count = i + 1 - part->first;
	}
	return true;
}

// Looks up the addresses of a part in their file. False if memory runs out.
static bool look_up(struct ic_space_answers *answers, struct part *part, uint32_t number,
		    const struct ic_keyed *sorted, uint64_t *addrs, struct ic_error *err)
{
	bool has_file = ic_module_key(part->module)->has_file;

	if (has_file)
		part->open = ic_module_hold(answers->modules, part->module, &part->place);
	for (uint32_t i = part->first; i < part->first + part->count; i++) {
		struct found *found = &answers->found[sorted[i].number];
		if (found->part != number) // between two mappings of the module
			continue;
		found->status = !has_file               ? IC_SPACE_NO_FILE
				: part->open.symbolizer ? IC_SPACE_FILE
							: IC_SPACE_UNOPENED;
		if (!part->open.symbolizer ||
		    (found->addr == UINT64_MAX &&
		     !ic_image_addr_of_offset(part->open.image, found->offset, &found->addr)))
			continue;
		found->number = part->stack_count;
		addrs[part->stack_count++] = found->addr;
	}
	if (part->stack_count > 0)
		part->stacks = ic_stacks_find(part->open.symbolizer, addrs, part->stack_count, err);
	return part->stack_count == 0 || part->stacks;
}

static bool find_all(struct ic_space_answers *answers, struct ic_space *space,
		     const uint64_t *addrs, uint32_t count, struct ic_error *err)
{
	struct ic_keyed *sorted = ic_items_alloc(count + 1ull, sizeof(*sorted));
	uint64_t *in_file = ic_items_alloc(count + 1ull, sizeof(*in_file));

	answers->count = count;
	answers->found = ic_items_alloc(count + 1ull, sizeof(*answers->found));
	for (uint32_t i = 0; sorted && i < count; i++)
		sorted[i] = (struct ic_keyed){ addrs[i], i };
	bool ok = sorted && in_file && answers->found && ic_keyed_sort(sorted, count);
	if (ok) {
		pthread_rwlock_rdlock(&space->lock);
		struct ic_space *kernel = space->kernel;
		if (kernel)
			pthread_rwlock_rdlock(&kernel->lock);
		ok = find_parts(answers, space, kernel, sorted, count);
		answers->names = ic_kernel_names_hold(kernel ? kernel->names : space->names);
		if (kernel)
			pthread_rwlock_unlock(&kernel->lock);
		pthread_rwlock_unlock(&space->lock);
	}
	ok = ok || ic_fail_memory(err);
	for (uint32_t i = 0; ok && i < answers->parts.count; i++)
		ok = look_up(answers, &answers->parts.items[i], i, sorted, in_file, err);
	free(sorted);
	free(in_file);
	return ok;
}

static IC_COLD struct ic_space_answers *find_without_error(struct ic_space *space,
							   const uint64_t *addrs, size_t count)
{
	struct ic_error unwanted;

	return ic_space_find(space, addrs, count, &unwanted);
}

struct ic_space_answers *ic_space_find(struct ic_space *space, const uint64_t *addrs, size_t count,
				       struct ic_error *err)
{
	if (!err)
		return find_without_error(space, addrs, count);
	struct ic_space_answers *answers = calloc(1, sizeof(*answers));
	if (!answers) {
		ic_fail_memory(err);
		return NULL;
	}
	answers->modules = space->modules;
	bool ok = count < UINT32_MAX ? find_all(answers, space, addrs, (uint32_t)count, err)
				     : ic_fail(err, IC_ERROR_ARGUMENT,
					       "too many addresses for one lookup: %zu", count);
	if (ok)
		return answers;
	ic_space_answers_free(answers);
	return NULL;
}

bool ic_space_answers_get(const struct ic_space_answers *answers, size_t number,
			  struct ic_space_answer *answer)
{
	if (number >= answers->count)
		return false;
	const struct found *found = &answers->found[number];
	struct ic_stack stack;

	*answer = (struct ic_space_answer){ .status = found->status,
					    .lookup = IC_LOOKUP_OUTSIDE,
					    .addr = found->addr,
					    .offset = found->offset };
	if (found->status == IC_SPACE_SYMBOL) {
		const struct named *named = &answers->named.items[found->number];
		answer->lookup = IC_LOOKUP_NO_DEBUG;
		answer->path = named->owner;
		answer->frames = &named->frame;
		answer->frame_count = 1;
	}
	if (found->part == IC_NONE)
		return true;
	const struct part *part = &answers->parts.items[found->part];
	answer->path = ic_module_key(part->module)->path;
	answer->reason = part->open.reason;
	answer->symbolizer = part->open.symbolizer;
	if (found->number == IC_NONE || !ic_stacks_get(part->stacks, found->number, &stack))
		return true;
	answer->frames = stack.frames;
	answer->frame_count = stack.count;
	answer->lookup = stack.status;
	return true;
}

void ic_space_answers_free(struct ic_space_answers *answers)
{
	if (!answers)
		return;
	for (uint32_t i = 0; i < answers->parts.count; i++) {
		struct part *part = &answers->parts.items[i];
		ic_stacks_free(part->stacks);
		if (part->open.symbolizer || part->open.reason)
			ic_module_let_go(answers->modules, part->module);
		ic_module_release(answers->modules, part->module);
	}
	IC_ARRAY_FREE(&answers->parts);
	IC_ARRAY_FREE(&answers->named);
	ic_kernel_names_release(answers->names);
	free(answers->found);
	free(answers);
}
