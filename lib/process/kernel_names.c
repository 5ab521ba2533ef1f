#include "process/kernel_names.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/search.h"
#include "base/sort.h"
#include "process/placement/placement.h"

enum { PAGE_SIZE = 4096, LONGEST_FUNCTION = 1 << 20 };

struct ic_kernel_names {
	atomic_uint references;
	IC_ARRAY(struct ic_kernel_name) list; // sorted, one per address
	struct ic_arena arena;                // owns the texts
};

struct reading {
	struct ic_kernel_names *names;
	struct ic_proc_text *text;
	IC_ARRAY(struct ic_keyed) lines; // sorted by address; the number is the offset of a line
	const char *owner;               // of the last function kept
	bool (*has_file)(void *context, uint64_t addr);
	void *context;
};

static bool is_function(const struct ic_kallsym *symbol)
{
	return symbol->type != 0 && strchr("tTwW", symbol->type) != NULL;
}

static bool list_lines(struct reading *reading, struct ic_error *err)
{
	struct ic_kallsym symbol;
	size_t at = 0, start = 0;

	for (; ic_kallsym_next(reading->text, &at, &symbol); start = at) {
		if (start > UINT32_MAX)
			return ic_fail(err, IC_ERROR_MALFORMED,
				       "%s: too large for a list of symbols", reading->text->path);
		if (symbol.addr == 0) // hidden, or per-CPU data
			continue;
		if (!IC_ARRAY_ADD(&reading->lines,
				  (struct ic_keyed){ symbol.addr, (uint32_t)start }))
			return ic_fail_memory(err);
	}
	if (!ic_proc_text_check(reading->text, err))
		return false;
	if (reading->text->has_any && reading->lines.count == 0)
		return ic_fail(err, IC_ERROR_HIDDEN, "%s: all addresses are 0: " IC_HIDDEN_REASON,
			       reading->text->path);
	return ic_keyed_sort(reading->lines.items, reading->lines.count) || ic_fail_memory(err);
}

static struct ic_kallsym read_line(const struct reading *reading, uint32_t number)
{
	size_t at = reading->lines.items[number].number;
	struct ic_kallsym symbol = { .addr = 0 };

	(void)ic_kallsym_next(reading->text, &at, &symbol);
	return symbol;
}

static const char *copy_text(struct ic_arena *arena, const char *before, struct ic_span text,
			     const char *after)
{
	size_t first = strlen(before), last = strlen(after) + 1;
	char *copy = ic_arena_alloc(arena, first + text.size + last);

	if (!copy)
		return NULL;
	memcpy(copy, before, first);
	memcpy(copy + first, text.text, text.size);
	memcpy(copy + first + text.size, after, last);
	return copy;
}

static bool is_owner(const char *owner, struct ic_span module)
{
	return strlen(owner) == module.size + 2 && memcmp(owner + 1, module.text, module.size) == 0;
}

static struct ic_span owner_of(const struct ic_kallsym *symbol)
{
	static const char kernel[] = "kernel";

	return symbol->module.size > 0 ? symbol->module
				       : (struct ic_span){ kernel, sizeof(kernel) - 1 };
}

// The latest end of a function if the next symbol is another owner's, or far away: the end of the
// page after the one it starts in.
static uint64_t limit_of(uint64_t start)
{
	uint64_t limit = start / PAGE_SIZE * PAGE_SIZE;

	return __builtin_add_overflow(limit, (uint64_t)2 * PAGE_SIZE, &limit) ? UINT64_MAX : limit;
}

static struct ic_kernel_name *keep_name(struct reading *reading, const struct ic_kallsym *symbol)
{
	struct ic_kernel_name *name = IC_ARRAY_PUSH(&reading->names->list);
	struct ic_span owner = owner_of(symbol);

	if (!name)
		return NULL;
	if (!reading->owner || !is_owner(reading->owner, owner))
		reading->owner = copy_text(&reading->names->arena, "[", owner, "]");
	*name = (struct ic_kernel_name){
		.start = symbol->addr,
		.end = limit_of(symbol->addr),
		.function = copy_text(&reading->names->arena, "", symbol->name, ""),
		.owner = reading->owner,
	};
	return name->function && name->owner ? name : NULL;
}

// A function extends to the next symbol, even of data.
static void end_function(struct ic_kernel_name *name, const struct ic_kallsym *next)
{
	bool is_near = next->addr - name->start < LONGEST_FUNCTION &&
		       is_owner(name->owner, owner_of(next));

	if (is_near || next->addr < name->end)
		name->end = next->addr;
}

// Of several functions at one address, the first global one is kept, or else the first.
static bool keep_functions(struct reading *reading, struct ic_error *err)
{
	const struct ic_keyed *lines = reading->lines.items;
	struct ic_kernel_name *last = NULL;
	uint32_t count = reading->lines.count, i = 0;

	while (i < count) {
		uint64_t addr = lines[i].key;
		struct ic_kallsym chosen = read_line(reading, i);
		if (last)
			end_function(last, &chosen);
		for (last = NULL; ++i < count && lines[i].key == addr;) {
			struct ic_kallsym other = read_line(reading, i);
			if (is_function(&other) &&
			    (!is_function(&chosen) || (chosen.type == 't' && other.type != 't')))
				chosen = other;
		}
		if (!is_function(&chosen) || reading->has_file(reading->context, addr))
			continue;
		last = keep_name(reading, &chosen);
		if (!last)
			return ic_fail_memory(err);
	}
	return true;
}

struct ic_kernel_names *ic_kernel_names_read(struct ic_proc_text *kallsyms,
					     bool (*has_file)(void *context, uint64_t addr),
					     void *context, struct ic_error *err)
{
	struct ic_kernel_names *names = calloc(1, sizeof(*names));
	struct reading reading = {
		.names = names, .text = kallsyms, .has_file = has_file, .context = context
	};

	if (!names) {
		ic_fail_memory(err);
		return NULL;
	}
	atomic_init(&names->references, 1);
	bool ok = list_lines(&reading, err) && keep_functions(&reading, err);
	IC_ARRAY_FREE(&reading.lines);
	if (ok)
		return names;
	ic_kernel_names_release(names);
	return NULL;
}

struct ic_kernel_names *ic_kernel_names_hold(struct ic_kernel_names *names)
{
	if (names)
		atomic_fetch_add(&names->references, 1);
	return names;
}

void ic_kernel_names_release(struct ic_kernel_names *names)
{
	if (!names || atomic_fetch_sub(&names->references, 1) > 1)
		return;
	IC_ARRAY_FREE(&names->list);
	ic_arena_free(&names->arena);
	free(names);
}

const struct ic_kernel_name *ic_kernel_names_find(const struct ic_kernel_names *names,
						  uint64_t addr)
{
	if (!names)
		return NULL;
	uint32_t count = ic_search_up_to(names->list.items, sizeof(*names->list.items),
					 names->list.count, addr);
	const struct ic_kernel_name *name = count > 0 ? &names->list.items[count - 1] : NULL;

	return name && addr < name->end ? name : NULL;
}
