#include "query/counts/size_gaps.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

struct named {                 // code named by a symbol
	struct ic_range range; // empty if the symbol has no size
	uint64_t start;        // of the symbol
	const char *name;      // NULL for a mark, which only ends the code before it
};

struct finder {
	const struct ic_index *index;
	struct ic_size_gaps *gaps;
	IC_ARRAY(struct named) symbols; // sorted by start, without overlaps
	uint32_t next;                  // the first symbol that may extend beyond the last gap
	bool out_of_memory;
};

// ---- Symbols

// Whether a symbol without a size only marks the start or end of a section of code, as made by
// linker scripts: "__entry_text_end", "_etext". What follows is not its code.
static bool is_mark(const char *name)
{
	static const char *const ends[] = { "_start", "_begin", "_end", "text" };
	size_t length = strlen(name);

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		size_t end = strlen(ends[i]);
		if (length >= end && strcmp(name + length - end, ends[i]) == 0)
			return true;
	}
	return false;
}

static void take_symbol(void *context, const struct ic_symbol *symbol, enum ic_symbol_kind kind)
{
	struct finder *finder = context;

	bool marks = symbol->end <= symbol->start && kind == IC_SYMBOL_OTHER &&
		     is_mark(symbol->name);
	struct named *named = IC_ARRAY_PUSH(&finder->symbols);

	if (named)
		*named = (struct named){ { symbol->start, symbol->end },
					 symbol->start,
					 marks ? NULL : symbol->name };
	else
		finder->out_of_memory = true;
}

static int compare_symbols(const void *left, const void *right)
{
	const struct named *a = left, *b = right;

	if (a->range.start != b->range.start)
		return a->range.start < b->range.start ? -1 : 1;
	if (a->range.end != b->range.end)
		return a->range.end < b->range.end ? -1 : 1;
	return strcmp(a->name ? a->name : "", b->name ? b->name : "");
}

// A symbol without a size, as in assembly, names everything up to the next one.
static void reach_next(const struct finder *finder, uint32_t number)
{
	struct named *named = &finder->symbols.items[number];
	const struct ic_code_section *section =
		ic_index_code_section(finder->index, named->range.start);

	if (named->range.end > named->range.start)
		return;
	named->range.end = section ? section->end : named->range.start;
	if (number + 1 < finder->symbols.count &&
	    finder->symbols.items[number + 1].range.start < named->range.end)
		named->range.end = finder->symbols.items[number + 1].range.start;
}

// Of several symbols at one address, the first with a size counts.
static void sort_symbols(struct finder *finder)
{
	uint64_t end = 0;
	uint32_t kept = 0;

	if (finder->symbols.count > 0)
		qsort(finder->symbols.items, finder->symbols.count, sizeof(*finder->symbols.items),
		      compare_symbols);
	for (uint32_t i = 0; i < finder->symbols.count; i++) {
		reach_next(finder, i);
		struct named named = finder->symbols.items[i];
		if (!named.name)
			continue;
		if (named.range.start < end)
			named.range.start = end;
		if (named.range.start >= named.range.end)
			continue;
		end = named.range.end;
		finder->symbols.items[kept++] = named;
	}
	finder->symbols.count = kept;
}

// ---- Parts

// Without any section or segment of code, everything counts as code: its extent is unknown.
static bool knows_code(const struct ic_index *index)
{
	return index->code.count != 1 || index->code.ranges[0].start != 0 ||
	       index->code.ranges[0].end != UINT64_MAX;
}

static bool add_part(struct ic_code_parts *parts, const struct ic_index *index,
		     struct ic_range range)
{
	const struct ic_code_section *section = ic_index_code_section(index, range.start);
	struct ic_code_part *part = IC_ARRAY_PUSH(&parts->items);

	if (part)
		*part = (struct ic_code_part){ range,
					       section ? (uint32_t)(section - index->all_sections)
						       : index->all_section_count };
	return part != NULL;
}

// Sections that touch form one range of code: it is split where they end.
bool ic_code_parts_find(struct ic_code_parts *parts, const struct ic_index *index)
{
	uint32_t section = 0;
	bool ok = true;

	for (uint32_t i = 0; ok && knows_code(index) && i < index->code.count; i++) {
		struct ic_range code = index->code.ranges[i];
		for (; ok && section < index->all_section_count; section++) {
			uint64_t end = index->all_sections[section].end;
			if (end >= code.end)
				break;
			if (end <= code.start)
				continue;
			ok = add_part(parts, index, (struct ic_range){ code.start, end });
			code.start = end;
		}
		ok = ok && add_part(parts, index, code);
	}
	return ok;
}

// ---- Gaps

static bool is_linkage(const struct ic_index *index, uint64_t addr)
{
	const struct ic_code_section *section = ic_index_code_section(index, addr);

	return section &&
	       (strncmp(section->name, ".plt", 4) == 0 || strncmp(section->name, ".iplt", 5) == 0);
}

// Whether most functions have no name: there is neither debug information nor a full symbol table.
static bool lacks_names(const struct ic_index *index)
{
	return index->unit_count == 0 && (!index->symbols || index->symbols->is_stripped);
}

// Adds code that no symbol names.
static void add_unnamed(struct finder *finder, uint64_t start, uint64_t end)
{
	if (is_linkage(finder->index, start))
		finder->gaps->linkage += end - start;
	else if (lacks_names(finder->index))
		finder->gaps->unnamed += end - start;
	else
		finder->gaps->padding += end - start;
}

static void add_named(struct finder *finder, const struct named *named, uint64_t size)
{
	struct ic_size_symbol *symbol = IC_ARRAY_PUSH(&finder->gaps->symbols);

	if (symbol)
		*symbol = (struct ic_size_symbol){ named->name, named->start, size };
	else
		finder->out_of_memory = true;
	finder->gaps->named += size;
}

static void add_gap(struct finder *finder, struct ic_range gap)
{
	while (finder->next < finder->symbols.count &&
	       finder->symbols.items[finder->next].range.end <= gap.start)
		finder->next++;
	for (uint32_t i = finder->next; i < finder->symbols.count && gap.start < gap.end; i++) {
		const struct named *named = &finder->symbols.items[i];
		if (named->range.start >= gap.end)
			break;
		if (named->range.start > gap.start) {
			add_unnamed(finder, gap.start, named->range.start);
			gap.start = named->range.start;
		}
		uint64_t end = named->range.end < gap.end ? named->range.end : gap.end;
		add_named(finder, named, end - gap.start);
		gap.start = end;
	}
	if (gap.start < gap.end)
		add_unnamed(finder, gap.start, gap.end);
}

// Adds the gaps in a part of the code; `*next` is the first covered range that may reach into it.
static void add_gaps_of(struct finder *finder, struct ic_range code,
			const struct ic_range_set *covered, uint32_t *next)
{
	while (*next < covered->count && covered->ranges[*next].end <= code.start)
		++*next;
	for (uint32_t i = *next; i < covered->count && covered->ranges[i].start < code.end; i++) {
		if (covered->ranges[i].start > code.start)
			add_gap(finder, (struct ic_range){ code.start, covered->ranges[i].start });
		code.start = covered->ranges[i].end;
	}
	if (code.start < code.end)
		add_gap(finder, code);
}

bool ic_size_gaps_find(struct ic_size_gaps *gaps, const struct ic_index *index,
		       const struct ic_code_parts *parts, const struct ic_range_set *covered)
{
	struct finder finder = { .index = index, .gaps = gaps };
	uint32_t next = 0;

	*gaps = (struct ic_size_gaps){ .named = 0 };
	ic_index_symbols_each(index, take_symbol, &finder);
	sort_symbols(&finder);
	for (uint32_t i = 0; i < parts->items.count; i++)
		add_gaps_of(&finder, parts->items.items[i].range, covered, &next);
	IC_ARRAY_FREE(&finder.symbols);
	return !finder.out_of_memory;
}

void ic_size_gaps_free(struct ic_size_gaps *gaps)
{
	IC_ARRAY_FREE(&gaps->symbols);
}
