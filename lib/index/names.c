#include "index/names.h"

#include <stdlib.h>

#include "base/workers.h"

// With fewer units than this, no sample of them is searched first.
enum { FEWEST_TO_TRY = 32, ONE_IN = 16 };

// If more than this percentage of the bytes would be chosen, choosing is not worth it, and all
// units are read.
enum { MOST_CHOSEN = 70 };

struct search {
	struct ic_read_context *context;
	struct ic_name_needles *needles;
	// What to search .debug_info for in one pass: the words and, if they are few, the offsets.
	struct ic_byte_search bytes;
	bool has_few; // offsets
	atomic_uchar *wanted;
	// The same for all units of one section.
	const struct ic_dwarf *dwarf;
	uint32_t first_unit, unit_count;
	bool is_trial; // search only a sample of the units now
};

static void want_unit(struct search *search, uint32_t number)
{
	atomic_store_explicit(&search->wanted[number], 1, memory_order_relaxed);
}

// ---- Contents of units

struct hit {
	const struct search *search;
	bool any;
};

static bool take_found(const struct ic_needle *needle, size_t position, void *context)
{
	struct hit *hit = context;
	const struct search *search = hit->search;

	hit->any = needle->of == IC_NONE ||
		   ic_name_needles_has_word(search->needles, needle, search->dwarf->info, position);
	return !hit->any;
}

enum { RUN = 64 }; // bytes; DIEs with so many zeros or ones are rare

// Whether part of the section was overwritten with zeros or ones, as by unreadable disk sectors:
// names lost there cannot be found, but reading the unit reports the damage.
static bool is_overwritten(struct ic_bytes info, size_t start, size_t end)
{
	for (size_t i = start; i < end && end - i >= sizeof(uint64_t); i += RUN) {
		uint64_t word = ic_load64(info.data + i, false);
		if (word + 1 > 1) // neither all zeros nor all ones
			continue;
		uint8_t byte = (uint8_t)word;
		size_t first = i, last = i;
		while (first > start && i - first < RUN && info.data[first - 1] == byte)
			first--;
		while (last < end && last - i < RUN && info.data[last] == byte)
			last++;
		if (last - first >= RUN)
			return true;
	}
	return false;
}

static bool can_have_name(const struct search *search, const struct ic_unit *unit)
{
	const struct ic_bytes info = search->dwarf->info;
	size_t start = (size_t)unit->die_off, end = (size_t)unit->end_off;
	struct hit hit = { search, false };

	ic_byte_search_run(&search->bytes, info, start, end, take_found, &hit);
	// In a relocatable file, the offsets are in the relocations.
	return hit.any ||
	       (!search->has_few && !search->context->addends &&
		ic_offset_set_find(&search->needles->offsets, info, search->dwarf->swap, start,
				   end) < end) ||
	       is_overwritten(info, start, end);
}

static bool is_tried(const struct search *search, uint32_t number)
{
	return (number - search->first_unit) % ONE_IN == ONE_IN / 2;
}

static void search_units(struct ic_items *items, uint32_t worker, void *context)
{
	struct search *search = context;
	(void)worker;

	for (uint32_t i; ic_items_take(items, &i);) {
		uint32_t number = search->first_unit + i;
		if ((search->unit_count < FEWEST_TO_TRY ||
		     is_tried(search, number) == search->is_trial) &&
		    !search->wanted[number] &&
		    can_have_name(search, &search->context->units.units.items[number]))
			want_unit(search, number);
	}
}

// Runs the job for each of `count` items, on all threads.
static void run_items(struct search *search, uint32_t count, ic_worker_run *run)
{
	ic_workers_run(ic_workers_count(search->context->want.jobs, count), count, run, search);
}

static void want_units(struct search *search, unsigned char wanted)
{
	for (uint32_t i = 0; i < search->unit_count; i++)
		search->wanted[search->first_unit + i] = wanted;
}

// Searches a sample of the units. Returns whether so few of them may have a name that searching the
// others is worth it.
static bool try_units(struct search *search)
{
	uint64_t tried = 0, chosen = 0;

	if (search->unit_count < FEWEST_TO_TRY)
		return true;
	search->is_trial = true;
	run_items(search, search->unit_count, search_units);
	search->is_trial = false;
	for (uint32_t i = 0; i < search->unit_count; i++) {
		uint32_t number = search->first_unit + i;
		const struct ic_unit *unit = &search->context->units.units.items[number];
		if (!is_tried(search, number))
			continue;
		tried += unit->end_off - unit->off;
		chosen += search->wanted[number] ? unit->end_off - unit->off : 0;
	}
	return chosen / MOST_CHOSEN <= tried / 100;
}

// ---- Contents of relocations

enum { ENTRIES = 1 << 13 }; // taken by a thread at a time

// Marks the units to which relocations with one of the addends apply.
static void search_addends(struct ic_items *items, uint32_t worker, void *context)
{
	struct search *search = context;
	const struct ic_pending_addends *addends = search->context->addends;
	const struct ic_unit_list *list = &search->context->units;
	size_t count = addends->entries.size / addends->entry_size;
	(void)worker;

	for (uint32_t i; ic_items_take(items, &i);) {
		size_t start = (size_t)i * ENTRIES;
		size_t end = count - start < ENTRIES ? count : start + ENTRIES;
		for (size_t j = start; j < end; j++) {
			size_t at = j * addends->entry_size;
			uint32_t addend =
				ic_load32(addends->entries.data + at + addends->at, addends->swap);
			if (!ic_offset_set_has(&search->needles->offsets, addend))
				continue;
			uint64_t off = ic_pending_addend_target(addends, at);
			const struct ic_unit *unit =
				off < search->dwarf->info.size
					? ic_unit_list_find(list, search->dwarf->info_base + off)
					: NULL;
			if (unit)
				want_unit(search, (uint32_t)(unit - list->units.items));
		}
	}
}

// ---- Strings by index

struct string_tables {
	struct search *search;
	struct ic_keyed *units; // sorted by DW_AT_str_offsets_base
	uint32_t count;
};

// Reads the root DIEs, which have the bases of the tables. Unreadable units stay wanted, so that
// the reason is reported.
static bool list_tables(struct string_tables *tables, struct ic_read_context *context,
			struct ic_arena *arena)
{
	const struct search *search = tables->search;
	struct ic_reader reader = { .context = context, .arena = arena };

	tables->units = ic_items_alloc(search->unit_count + 1ull, sizeof(*tables->units));
	for (uint32_t i = 0; tables->units && i < search->unit_count; i++) {
		uint32_t number = search->first_unit + i;
		const struct ic_unit *unit = &context->units.units.items[number];
		if (unit->version < 5)
			continue;
		if (ic_reader_open_root(&reader, number))
			tables->units[tables->count++] =
				(struct ic_keyed){ unit->root.str_offsets_base, number };
		else
			search->wanted[number] = 1;
	}
	IC_ARRAY_FREE(&reader.problems.list);
	ic_reader_free(&reader);
	return tables->units && !reader.out_of_memory &&
	       ic_keyed_sort(tables->units, tables->count);
}

// Marks the units whose table contains an offset: those with the last base at or below it. The last
// of them is then reset, since many offsets may be in a table that many units share.
static void take_offset(struct string_tables *tables, size_t position)
{
	struct ic_keyed *units = tables->units;
	uint32_t end = ic_keyed_find(units, tables->count, position + 1);

	if (end == 0 || units[end - 1].number == IC_NONE) // in no table, or already marked
		return;
	for (uint32_t i = end; i > 0 && units[i - 1].key == units[end - 1].key; i--)
		want_unit(tables->search, units[i - 1].number);
	units[end - 1].number = IC_NONE;
}

static bool search_tables(struct search *search, struct ic_error *err)
{
	const struct ic_bytes offsets = search->dwarf->str_offsets;
	struct string_tables tables = { .search = search };
	struct ic_arena arena = { .blocks = NULL };
	bool ok = list_tables(&tables, search->context, &arena);

	for (size_t i = 0; ok && i < offsets.size; i++) {
		i = ic_offset_set_find(&search->needles->offsets, offsets, search->dwarf->swap, i,
				       offsets.size);
		if (i < offsets.size)
			take_offset(&tables, i);
	}
	free(tables.units);
	ic_arena_free(&arena);
	return ok || ic_fail_memory(err);
}

// ---- Whole sections

static bool add_offset(struct ic_byte_search *bytes, uint32_t off, bool swap)
{
	struct ic_needle needle = { .size = 4, .of = IC_NONE };

	ic_store(needle.bytes, off, sizeof(needle.bytes), swap);
	return ic_byte_search_add(bytes, needle);
}

// Prepares the search of .debug_info.
static bool prepare_search(struct search *search)
{
	const struct ic_offset_set *offsets = &search->needles->offsets;
	const struct ic_byte_search *words = &search->needles->words;
	struct ic_byte_search *bytes = &search->bytes;
	bool ok = true;

	search->has_few = offsets->count <= IC_OFFSET_SET_FEW;
	ic_byte_search_free(bytes);
	for (uint32_t i = 0; ok && i < words->needles.count; i++)
		ok = ic_byte_search_add(bytes, words->needles.items[i]);
	for (uint32_t i = 0; ok && search->has_few && i < offsets->count; i++)
		ok = add_offset(bytes, offsets->few[i], search->dwarf->swap);
	ic_byte_search_prepare(bytes);
	return ok;
}

// Selects among the units of one section.
static bool search_section(struct search *search, struct ic_error *err)
{
	const struct ic_pending_addends *addends = search->context->addends;

	if (!ic_name_needles_collect(search->needles, search->dwarf) || !prepare_search(search))
		return ic_fail_memory(err);
	want_units(search, 0);
	if (addends)
		run_items(search,
			  (uint32_t)(addends->entries.size / addends->entry_size / ENTRIES) + 1,
			  search_addends);
	if (search->dwarf->str_offsets.size > 0 && !search_tables(search, err))
		return false;
	if (try_units(search))
		run_items(search, search->unit_count, search_units);
	else
		want_units(search, 1);
	return true;
}

// ---- References between units

struct links {
	struct ic_bytes abbrev;
	bool any;
};

// The attributes of an abbreviation end with two zeros; a code and a tag follow.
static bool take_link(const struct ic_needle *needle, size_t position, void *context)
{
	struct links *links = context;
	const uint8_t *at = links->abbrev.data + position;
	(void)needle;

	links->any = position >= 2 && (at[-1] != 0 || at[-2] != 0);
	return !links->any;
}

// Whether there may be an abbreviation for DIEs whose names are in other units: one with a
// reference to a function, in a form that can leave the unit. A false positive only costs time.
static bool may_have_links(const struct ic_dwarf *dwarf, bool *may, struct ic_error *err)
{
	static const uint8_t attributes[] = { DW_AT_abstract_origin, DW_AT_specification,
					      DW_AT_call_origin };
	static const uint8_t forms[] = { DW_FORM_ref_addr, DW_FORM_ref_sup4,
					 DW_FORM_ref_sup8, DW_FORM_ref_sig8,
					 DW_FORM_indirect, 0x80 | (DW_FORM_GNU_ref_alt & 0x7f) };
	struct ic_byte_search search = { .needles = { 0 } };
	bool ok = true;
	struct links links = { .abbrev = dwarf->abbrev };

	for (size_t i = 0; i < sizeof(attributes); i++)
		for (size_t j = 0; j < sizeof(forms); j++)
			ok &= ic_byte_search_add(
				&search, (struct ic_needle){ .bytes = { attributes[i], forms[j] },
							     .size = 2 });
	if (ok) {
		ic_byte_search_prepare(&search);
		ic_byte_search_run(&search, dwarf->abbrev, 0, dwarf->abbrev.size, take_link,
				   &links);
	}
	ic_byte_search_free(&search);
	*may = links.any;
	return ok || ic_fail_memory(err);
}

// Whether the units of one section need no other section's units, and refer to strings only by
// offsets that can be searched for. A section that is decompressed on demand is not decompressed
// for this.
static bool stands_alone(const struct ic_dwarf *dwarf, bool *alone, struct ic_error *err)
{
	bool may = false;
	bool ok = may_have_links(dwarf, &may, err);

	*alone = !may && dwarf->source->has_dies && !dwarf->is_types && !dwarf->is_split &&
		 !dwarf->is_supplementary && !dwarf->supplementary &&
		 !dwarf->supplementary_missing && ic_dwarf_is_readable(dwarf->str) &&
		 ic_dwarf_is_readable(dwarf->line_str) && ic_dwarf_is_readable(dwarf->str_offsets);
	return ok;
}

static bool next_section(struct search *search)
{
	const struct ic_unit_list *list = &search->context->units;

	search->first_unit += search->unit_count;
	search->unit_count = 0;
	if (search->first_unit == list->units.count)
		return false;
	search->dwarf = list->units.items[search->first_unit].dwarf;
	while (search->first_unit + search->unit_count < list->units.count &&
	       list->units.items[search->first_unit + search->unit_count].dwarf == search->dwarf)
		search->unit_count++;
	return true;
}

static bool select_units(struct search *search, struct ic_error *err)
{
	bool alone = true;

	while (alone && next_section(search))
		if (!stands_alone(search->dwarf, &alone, err))
			return false;
	if (!alone)
		return true;
	search->first_unit = search->unit_count = 0;
	while (next_section(search))
		if (!search_section(search, err))
			return false;
	return true;
}

bool ic_units_select(struct ic_read_context *context, struct ic_name_needles *needles,
		     atomic_uchar *wanted, struct ic_error *err)
{
	struct search search = { .context = context, .needles = needles, .wanted = wanted };
	bool ok = select_units(&search, err);

	ic_byte_search_free(&search.bytes);
	return ok;
}
