#include "emit/function_list.h"

#include <stdlib.h>

#include "base/search.h"

void ic_function_list_add(struct ic_function_list *list, struct ic_range range, uint32_t off,
			  uint32_t copies)
{
	struct ic_listed_function function = { range, off, list->records.bytes.count - off,
					       copies };

	list->failed |= list->records.failed || !IC_ARRAY_ADD(&list->items, function);
}

static int compare_functions(const void *left, const void *right)
{
	const struct ic_listed_function *a = left, *b = right;

	if (a->range.start != b->range.start)
		return a->range.start < b->range.start ? -1 : 1;
	if (a->range.end != b->range.end)
		return a->range.end < b->range.end ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return (a->off > b->off) - (a->off < b->off);
}

static bool is_same_code(const struct ic_listed_function *a, const struct ic_listed_function *b)
{
	return a->range.start == b->range.start && a->range.end == b->range.end;
}

void ic_function_list_sort(struct ic_function_list *list)
{
	struct ic_listed_function *items = list->items.items;
	uint32_t kept = 0;

	if (list->items.count == 0)
		return;
	qsort(items, list->items.count, sizeof(*items), compare_functions);
	for (uint32_t i = 1; i < list->items.count; i++)
		if (!is_same_code(&items[kept], &items[i]))
			items[++kept] = items[i];
	list->items.count = kept + 1;
}

uint64_t ic_function_list_copies(const struct ic_function_list *list)
{
	uint64_t copies = 0;

	for (uint32_t i = 0; i < list->items.count; i++)
		copies += list->items.items[i].copies;
	return copies;
}

bool ic_function_list_covers(const struct ic_function_list *list, uint64_t addr)
{
	const struct ic_listed_function *items = list->items.items;
	uint32_t after;

	IC_SEARCH(after, list->items.count, at, items[at].range.start <= addr);
	return after > 0 && addr < items[after - 1].range.end;
}

void ic_function_list_free(struct ic_function_list *list)
{
	ic_out_free(&list->records);
	IC_ARRAY_FREE(&list->items);
}

static void take_symbol(void *context, const struct ic_symbol *symbol, enum ic_symbol_kind kind)
{
	struct ic_bare_symbols *symbols = context;

	if (kind != IC_SYMBOL_OTHER && symbol->name && *symbol->name &&
	    !ic_function_list_covers(symbols->list, symbol->start))
		symbols->failed |= !IC_ARRAY_ADD(&symbols->items, *symbol);
}

// At one address the largest symbol comes first.
static int compare_symbols(const void *left, const void *right)
{
	const struct ic_symbol *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return strcmp(a->name, b->name);
}

// The start of the first function after an address; IC_NO_ADDR if there is none.
static uint64_t next_start(const struct ic_function_list *list, uint64_t addr)
{
	const struct ic_listed_function *items = list->items.items;
	uint32_t after;

	IC_SEARCH(after, list->items.count, at, items[at].range.start <= addr);
	return after < list->items.count ? items[after].range.start : IC_NO_ADDR;
}

// Where the code of a symbol of unknown size ends: at the next function or symbol, or at the end of
// its section.
static uint64_t find_end(const struct ic_bare_symbols *symbols, const struct ic_index *index,
			 uint32_t number)
{
	const struct ic_symbol *symbol = &symbols->items.items[number];
	const struct ic_code_section *section = ic_index_code_section(index, symbol->start);
	uint64_t end = next_start(symbols->list, symbol->start);

	if (number + 1 < symbols->items.count && symbol[1].start < end)
		end = symbol[1].start;
	if (section && section->end < end)
		end = section->end;
	return end < IC_NO_ADDR ? end : symbol->start;
}

void ic_bare_symbols_list(struct ic_bare_symbols *symbols, const struct ic_index *index)
{
	uint32_t kept = 0;

	if (index->symbols)
		ic_index_symbols_each(index, take_symbol, symbols);
	if (symbols->failed || symbols->items.count == 0)
		return;
	struct ic_symbol *items = symbols->items.items;
	qsort(items, symbols->items.count, sizeof(*items), compare_symbols);
	for (uint32_t i = 1; i < symbols->items.count; i++)
		if (items[i].start != items[kept].start)
			items[++kept] = items[i];
	symbols->items.count = kept + 1;
	for (uint32_t i = 0; i < symbols->items.count; i++)
		if (items[i].end <= items[i].start)
			items[i].end = find_end(symbols, index, i);
}
