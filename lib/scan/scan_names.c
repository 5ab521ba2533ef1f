#include "scan/scan_names.h"

#include <stdlib.h>

#include "base/workers.h"
#include "scan/name_needles.h"

struct search {
	struct ic_scan_context *context;
	struct ic_name_needles needles;
	atomic_uchar *wanted;
	// The same for every chunk of one section.
	const struct ic_dwarf *dwarf;
	uint32_t first_unit, unit_count;
};

// Marks the unit that contains a position of the section.
static void want_unit_at(struct search *search, size_t position)
{
	const struct ic_unit_list *list = &search->context->units;
	const struct ic_unit *unit = ic_unit_list_find(list, search->dwarf->info_base + position);

	if (unit)
		atomic_store_explicit(&search->wanted[unit - list->units.items], 1,
				      memory_order_relaxed);
}

static void take_found(const struct ic_needle *needle, size_t position, void *context)
{
	struct search *search = context;

	if (needle->of == IC_NONE ||
	    ic_name_needles_has_word(&search->needles, needle, search->dwarf->info, position))
		want_unit_at(search, position);
}

// Marks the unit in which a relocation with this addend, the offset of a string, is applied.
static void take_addend(const struct ic_needle *needle, size_t position, void *context)
{
	struct search *search = context;
	const struct ic_pending_addends *addends = search->context->addends;

	if (needle->of != IC_NONE || position % addends->entry_size != addends->at)
		return;
	uint64_t off = ic_pending_addend_target(addends, position);
	if (off < search->dwarf->info.size)
		want_unit_at(search, (size_t)off);
}

enum { RUN = 64 }; // bytes; DIEs with so many zeros or ones are rare

// Marks the units that have been overwritten with zeros or ones, as for unreadable sectors of a
// disk: the names lost cannot be found, but reading the units reports the damage.
static void want_overwritten(struct search *search, size_t start, size_t end)
{
	const struct ic_bytes info = search->dwarf->info;

	if (info.size < sizeof(uint64_t))
		return;
	size_t most = info.size - sizeof(uint64_t) + 1, stop = end < most ? end : most;
	for (size_t i = start; i < stop; i += RUN) {
		uint64_t word = ic_load64(info.data + i, false);
		if (word + 1 > 1) // neither
			continue;
		uint8_t byte = (uint8_t)word;
		size_t first = i, last = i;
		while (first > 0 && i - first < RUN && info.data[first - 1] == byte)
			first--;
		while (last < info.size && last - i < RUN && info.data[last] == byte)
			last++;
		if (last - first >= RUN)
			want_unit_at(search, i);
	}
}

enum { CHUNK = 1 << 18 }; // bytes of a section that a thread takes at a time: less than its cache

static void search_chunks(struct ic_items *items, uint32_t worker, void *context)
{
	struct search *search = context;
	size_t size = search->dwarf->info.size;
	(void)worker;

	for (uint32_t i; ic_items_take(items, &i);) {
		size_t start = (size_t)i * CHUNK, end = size - start < CHUNK ? size : start + CHUNK;
		ic_byte_search_run(&search->needles.bytes, search->dwarf->info, start, end,
				   take_found, search);
		want_overwritten(search, start, end);
	}
}

static void search_addends(struct ic_items *items, uint32_t worker, void *context)
{
	struct search *search = context;
	const struct ic_bytes entries = search->context->addends->entries;
	(void)worker;

	for (uint32_t i; ic_items_take(items, &i);) {
		size_t start = (size_t)i * CHUNK;
		size_t end = entries.size - start < CHUNK ? entries.size : start + CHUNK;
		ic_byte_search_run(&search->needles.bytes, entries, start, end, take_addend,
				   search);
	}
}

// Runs the job on each chunk of `size` bytes, on all threads.
static void run_chunks(struct search *search, size_t size, ic_worker_run *run)
{
	uint32_t chunks = (uint32_t)((size + CHUNK - 1) / CHUNK);

	ic_workers_run(ic_workers_count(search->context->want.jobs, chunks), chunks, run, search);
}

static void want_units(struct search *search, unsigned char wanted)
{
	for (uint32_t i = 0; i < search->unit_count; i++)
		search->wanted[search->first_unit + i] = wanted;
}

// ---- Strings by index

struct string_tables {
	const struct search *search;
	struct ic_keyed *units; // by their DW_AT_str_offsets_base
	uint32_t count;
};

// Reads the root DIEs, which have the bases of the tables. Units that cannot be read stay wanted,
// so that the reason is reported.
static bool list_tables(struct string_tables *tables, struct ic_scan_context *context,
			struct ic_arena *arena)
{
	const struct search *search = tables->search;
	struct ic_scan_reader reader = { .context = context, .arena = arena };

	tables->units = ic_items_alloc(search->unit_count + 1ull, sizeof(*tables->units));
	for (uint32_t i = 0; tables->units && i < search->unit_count; i++) {
		uint32_t number = search->first_unit + i;
		const struct ic_unit *unit = &context->units.units.items[number];
		if (unit->version < 5)
			continue;
		if (ic_scan_unit_open_root(&reader, number))
			tables->units[tables->count++] =
				(struct ic_keyed){ unit->str_offsets_base, number };
		else
			search->wanted[number] = 1;
	}
	IC_ARRAY_FREE(&reader.problems.list);
	ic_scan_reader_free(&reader);
	return tables->units && !reader.out_of_memory &&
	       ic_keyed_sort(tables->units, tables->count);
}

// Marks the units whose table an offset is in: those with the last base at or below it. The last of
// them then forgets its number, since many offsets may be in a table of many units.
static void take_offset(const struct ic_needle *needle, size_t position, void *context)
{
	struct string_tables *tables = context;
	struct ic_keyed *units = tables->units;
	uint32_t end = ic_keyed_find(units, tables->count, position + 1);

	if (needle->of != IC_NONE || end == 0 || units[end - 1].number == IC_NONE) // text, or known
		return;
	for (uint32_t i = end; i > 0 && units[i - 1].key == units[end - 1].key; i--)
		tables->search->wanted[units[i - 1].number] = 1;
	units[end - 1].number = IC_NONE;
}

static bool search_tables(struct search *search, struct ic_error *err)
{
	struct ic_bytes offsets = search->dwarf->str_offsets;
	struct string_tables tables = { .search = search };
	struct ic_arena arena = { .blocks = NULL };
	bool ok = list_tables(&tables, search->context, &arena);

	if (ok)
		ic_byte_search_run(&search->needles.bytes, offsets, 0, offsets.size, take_offset,
				   &tables);
	free(tables.units);
	ic_arena_free(&arena);
	return ok || ic_fail_memory(err);
}

// Selects among the units of one section.
static bool search_section(struct search *search, struct ic_error *err)
{
	const struct ic_dwarf *dwarf = search->dwarf;

	if (!ic_name_needles_collect(&search->needles, dwarf))
		return ic_fail_memory(err);
	if (search->needles.bytes.needles.count > IC_BYTE_SEARCH_MOST)
		return true;
	want_units(search, 0);
	ic_byte_search_prepare(&search->needles.bytes);
	run_chunks(search, dwarf->info.size, search_chunks);
	if (search->context->addends)
		run_chunks(search, search->context->addends->entries.size, search_addends);
	return dwarf->str_offsets.size == 0 || search_tables(search, err);
}

// ---- What units take from each other

struct links {
	struct ic_bytes abbrev;
	bool any;
};

// Two zeros end the attributes of an abbreviation; a code and a tag follow.
static void take_link(const struct ic_needle *needle, size_t position, void *context)
{
	struct links *links = context;
	const uint8_t *at = links->abbrev.data + position;
	(void)needle;

	links->any |= position >= 2 && (at[-1] != 0 || at[-2] != 0);
}

// Whether an abbreviation may be that of a DIE whose name is in another unit: it has a reference to
// a function, in a form that can leave the unit. A false match costs only time.
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
				&search, (struct ic_needle){ { attributes[i], forms[j] }, 2, 0 });
	if (ok) {
		ic_byte_search_prepare(&search);
		ic_byte_search_run(&search, dwarf->abbrev, 0, dwarf->abbrev.size, take_link,
				   &links);
	}
	ic_byte_search_free(&search);
	*may = links.any;
	return ok || ic_fail_memory(err);
}

// A section that is decompressed on demand is not decompressed for this.
static bool is_readable(struct ic_bytes section)
{
	return section.data || section.size == 0;
}

// Whether the units of one section need no other section's, and refer to strings only by offsets
// that can be searched for.
static bool stands_alone(const struct ic_dwarf *dwarf, bool *alone, struct ic_error *err)
{
	bool may = false;
	bool ok = may_have_links(dwarf, &may, err);

	*alone = !may && dwarf->source->has_dies && !dwarf->is_types && !dwarf->is_split &&
		 !dwarf->is_supplementary && !dwarf->supplementary &&
		 !dwarf->supplementary_missing && is_readable(dwarf->str) &&
		 is_readable(dwarf->line_str) && is_readable(dwarf->str_offsets);
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

bool ic_scan_names_select(struct ic_scan_context *context, const char *const *names,
			  atomic_uchar *wanted, struct ic_error *err)
{
	struct search search = { .context = context, .wanted = wanted };
	bool clear;
	bool ok = ic_name_needles_analyse(&search.needles, names, &clear)
			  ? !clear || select_units(&search, err)
			  : ic_fail_memory(err);

	ic_name_needles_free(&search.needles);
	return ok;
}
