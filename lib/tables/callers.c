#include "tables/callers.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "elf/symbols/names.h"
#include "text/clone_name.h"
#include "text/text.h"

// Finds a caller by the first `length` characters of `name`.
static uint32_t find_name(const struct ic_callers *callers, const char *name, size_t length)
{
	const uint32_t *slot = ic_map_find(&callers->by_name, ic_text_hash_up_to(name, length));
	uint32_t number = slot ? *slot : IC_NONE;

	while (number != IC_NONE) {
		const char *known = callers->list.items[number].name;
		if (strncmp(known, name, length) == 0 && known[length] == 0)
			break;
		number = callers->list.items[number].next;
	}
	return number;
}

uint32_t ic_callers_number(const struct ic_callers *callers, const char *name)
{
	return find_name(callers, name, strlen(name));
}

uint32_t ic_callers_add(struct ic_callers *callers, const char *name)
{
	size_t length = strlen(name);
	uint32_t number = find_name(callers, name, length);

	if (number != IC_NONE)
		return number;
	uint32_t *slot = ic_map_at(&callers->by_name, ic_text_hash_up_to(name, length));
	struct ic_caller *caller = slot ? IC_ARRAY_PUSH(&callers->list) : NULL;
	callers->out_of_memory |= !caller;
	if (!caller)
		return IC_NONE;
	*caller = (struct ic_caller){ .name = name, .next = *slot };
	return *slot = callers->list.count - 1;
}

static enum ic_caller_part part_of(const char *suffix)
{
	if (!suffix)
		return CALLER_ITSELF;
	if (strstr(suffix, ".cold"))
		return CALLER_COLD;
	return strstr(suffix, ".part.") ? CALLER_PART : CALLER_CLONE;
}

static void take_symbol(void *context, const struct ic_symbol *symbol, enum ic_symbol_kind kind)
{
	struct ic_callers *callers = context;
	size_t length = strcspn(symbol->name, ".@");
	const char *suffix = NULL;
	uint32_t caller;

	if (kind == IC_SYMBOL_OTHER)
		return;
	if (symbol->name[length] == '.') {
		suffix = ic_clone_suffix(symbol->name);
		length = suffix ? (size_t)(suffix - symbol->name) : strcspn(symbol->name, "@");
	}
	caller = find_name(callers, symbol->name, length);
	if (caller == IC_NONE || symbol->end < symbol->start)
		return;
	struct ic_caller_code *code = IC_ARRAY_PUSH(&callers->code);
	callers->out_of_memory |= !code;
	if (code)
		*code = (struct ic_caller_code){ caller,
						 part_of(suffix),
						 { symbol->start, symbol->end } };
}

static int compare_code(const void *left, const void *right)
{
	const struct ic_caller_code *a = left, *b = right;

	if (a->caller != b->caller)
		return a->caller < b->caller ? -1 : 1;
	if (a->part != b->part)
		return a->part < b->part ? -1 : 1;
	if (a->range.start != b->range.start)
		return a->range.start < b->range.start ? -1 : 1;
	return (a->range.end < b->range.end) - (a->range.end > b->range.end);
}

// Sorts the symbols. Of a caller's symbols at one address only the largest, which sorts first,
// remains.
static void sort_callers(struct ic_callers *callers)
{
	struct ic_caller_code *items = callers->code.items;
	uint32_t kept = 0;

	if (callers->code.count > 1)
		qsort(items, callers->code.count, sizeof(*items), compare_code);
	for (uint32_t i = 0; i < callers->code.count; i++) {
		struct ic_caller *caller = &callers->list.items[items[i].caller];
		if (caller->count > 0 && items[kept - 1].part == items[i].part &&
		    items[kept - 1].range.start == items[i].range.start)
			continue;
		if (caller->count++ == 0)
			caller->first = kept;
		items[kept++] = items[i];
	}
	callers->code.count = kept;
}

static void choose_starts(struct ic_callers *callers)
{
	for (uint32_t i = 0; i < callers->list.count; i++) {
		struct ic_caller *caller = &callers->list.items[i];

		caller->start = IC_NONE;
		if (caller->count == 0)
			continue;
		const struct ic_caller_code *code = callers->code.items + caller->first;
		bool is_own = code->part == CALLER_ITSELF;
		if (code->part != CALLER_COLD &&
		    (caller->count == 1 || code[1].part == CALLER_COLD ||
		     (is_own && code[1].part != CALLER_ITSELF)))
			caller->start = caller->first;
	}
}

bool ic_callers_find(struct ic_callers *callers, struct ic_image *image, struct ic_error *err)
{
	struct ic_symbol_files files = { NULL, NULL };

	if (!ic_image_load_descriptors(image, 1, err))
		return false;
	// If only the MiniDebugInfo is unreadable, the index reports that with its symbols.
	if (!ic_image_symbol_files(image, false, &files, err) && err->code == IC_ERROR_MEMORY)
		return false;
	ic_symtab_take_all(files.file, files.mini, take_symbol, callers);
	if (callers->out_of_memory)
		return ic_fail_memory(err);
	sort_callers(callers);
	choose_starts(callers);
	return true;
}

enum { MOST_PARTS = 64 }; // limits the search of a caller's code; in practice there are a few

const struct ic_caller_code *ic_callers_at(const struct ic_callers *callers, uint32_t number,
					   uint64_t addr)
{
	const struct ic_caller *caller = &callers->list.items[number];

	for (uint32_t i = 0; i < caller->count && i < MOST_PARTS; i++) {
		const struct ic_caller_code *code = &callers->code.items[caller->first + i];
		if (addr >= code->range.start && addr < code->range.end)
			return code;
	}
	return NULL;
}

void ic_callers_free(struct ic_callers *callers)
{
	IC_ARRAY_FREE(&callers->list);
	IC_ARRAY_FREE(&callers->code);
	ic_map_free(&callers->by_name);
}
