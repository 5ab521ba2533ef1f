#include "dwarf_builder_internal.h"

#include "dwarf_constants.h"

#include <stdlib.h>
#include <string.h>

// ---- Strings

void dw_string_sharing(struct dwarf_builder *dw, enum dw_string_sharing sharing)
{
	dw->string_sharing = sharing;
}

static bool string_find(const struct dwarf_builder *dw, const struct byte_buffer *strings,
			const char *text, uint64_t *off)
{
	size_t size = strlen(text) + 1;
	bool tails = dw->string_sharing == DW_STRINGS_TAILS;

	if (dw->string_sharing == DW_STRINGS_APART)
		return false;
	for (size_t i = 0; i + size <= strings->size; i++) {
		bool starts = tails || i == 0 || strings->data[i - 1] == '\0';
		if (starts && !memcmp(strings->data + i, text, size)) {
			*off = i;
			return true;
		}
	}
	return false;
}

uint64_t string_add(struct dwarf_builder *dw, uint32_t section, const char *text)
{
	struct byte_buffer *strings = &dw->sections[section].bytes;
	uint64_t off = strings->size;

	if (!string_find(dw, strings, text, &off)) {
		section_push(dw, section);
		dw_text(dw, text);
		dw_section_end(dw);
	}
	return off;
}

uint64_t dw_str_off(struct dwarf_builder *dw, const char *section, const char *text)
{
	return string_add(dw, section_of_unit(dw, section), text);
}

// ---- Pools

void pools_init(struct dwarf_builder *dw)
{
	for (int i = 0; i < POOL_COUNT; i++)
		dw->pools[i] = (struct pool){ .section = section_new(dw, NULL), .base = NO_LABEL };
	dw->pool_format = dw->builder_format;
}

void pools_free(struct dwarf_builder *dw)
{
	for (int i = 0; i < POOL_COUNT; i++)
		free(dw->pools[i].items);
}

static const char *pool_section_name(enum pool_kind kind, uint16_t version)
{
	switch (kind) {
	case POOL_STRINGS: return ".debug_str_offsets";
	case POOL_ADDRS: return ".debug_addr";
	case POOL_RANGES: return version < 5 ? ".debug_ranges" : ".debug_rnglists";
	case POOL_LOCS: return version < 5 ? ".debug_loc" : ".debug_loclists";
	case POOL_COUNT: break;
	}
	return NULL;
}

// Addresses, and the range lists of DWARF 4, stay in the main file.
static uint32_t pool_real_section(struct dwarf_builder *dw, enum pool_kind kind)
{
	char name[64];
	uint16_t version = dw->pool_format.version;
	bool stays = kind == POOL_ADDRS || (kind == POOL_RANGES && version < 5);

	strcpy(name, pool_section_name(kind, version));
	if (dw->pool_dwo && !stays)
		strcat(name, ".dwo");
	return section_find(dw, name);
}

static void pool_header_write(struct dwarf_builder *dw, enum pool_kind kind)
{
	const struct pool *pool = &dw->pools[kind];

	dw_initial_length_begin(dw);
	dw_u16(dw, 5);
	if (kind == POOL_STRINGS) {
		dw_u16(dw, 0); // padding
		return;
	}
	dw_u8(dw, dw->format.addr_size);
	dw_u8(dw, 0); // no segment selectors
	if (kind != POOL_ADDRS)
		dw_u32(dw, pool->indexed ? (uint32_t)pool->item_count : 0);
}

static void pool_flush(struct dwarf_builder *dw, enum pool_kind kind)
{
	struct pool *pool = &dw->pools[kind];
	bool has_header = dw->format.version >= 5;
	bool is_lists = kind == POOL_RANGES || kind == POOL_LOCS;

	if (pool->base != NO_LABEL)
		pool->indexed = true;
	else if (pool->item_count > 0)
		pool->base = label_new(dw);
	else
		return;
	section_push(dw, pool_real_section(dw, kind));
	if (has_header)
		pool_header_write(dw, kind);
	label_place(dw, pool->base);
	for (size_t i = 0; has_header && is_lists && pool->indexed && i < pool->item_count; i++)
		put_distance(dw, pool->base, pool->items[i].label, dw->format.offset_size);
	section_take(dw, pool->section);
	if (has_header)
		dw_length_end(dw);
	dw_section_end(dw);
	pool->item_count = 0;
	pool->indexed = false;
	pool->base = NO_LABEL;
}

void pools_flush(struct dwarf_builder *dw)
{
	dw->format = dw->pool_format;
	for (int i = 0; i < POOL_COUNT; i++)
		pool_flush(dw, (enum pool_kind)i);
	dw->format = dw->builder_format;
	dw->pool_format = dw->builder_format;
	dw->pool_dwo = false;
}

void pools_begin_unit(struct dwarf_builder *dw)
{
	const char *labels[POOL_COUNT] = {
		[POOL_STRINGS] = dw->unit.str_offsets_label,
		[POOL_ADDRS] = dw->unit.addr_label,
		[POOL_RANGES] = dw->unit.rnglists_label,
		[POOL_LOCS] = dw->unit.loclists_label,
	};

	dw->pool_format = dw->format;
	dw->pool_dwo = dw->unit.dwo;
	for (int i = 0; i < POOL_COUNT; i++) {
		if (labels[i])
			dw->pools[i].base = label_find(dw, labels[i]);
	}
}

static uint64_t pool_add(struct pool *pool, struct pool_item item)
{
	pool->items = support_grow(pool->items, pool->item_count, sizeof(*pool->items));
	pool->items[pool->item_count] = item;
	return pool->item_count++;
}

// The index of an item that is there already; the count of items if it is not.
static size_t pool_find(const struct pool *pool, struct pool_item item)
{
	size_t i = 0;

	while (i < pool->item_count &&
	       (pool->items[i].value != item.value || pool->items[i].target != item.target))
		i++;
	return i;
}

uint64_t dw_str_index(struct dwarf_builder *dw, const char *text)
{
	struct pool *pool = &dw->pools[POOL_STRINGS];
	uint32_t strings = section_of_unit(dw, ".debug_str");
	struct pool_item item = { .value = string_add(dw, strings, text) };
	size_t index = pool_find(pool, item);

	if (index < pool->item_count)
		return index;
	section_push(dw, pool->section);
	put_offset_to(dw, dw->sections[strings].start, item.value, dw->format.offset_size);
	dw_section_end(dw);
	return pool_add(pool, item);
}

uint64_t dw_addr_index(struct dwarf_builder *dw, uint64_t addr)
{
	struct pool *pool = &dw->pools[POOL_ADDRS];
	struct pool_item item = { .target = dw->addr_target, .value = addr };
	size_t index = pool_find(pool, item);

	if (index < pool->item_count)
		return index;
	section_push(dw, pool->section);
	dw_address(dw, addr);
	dw_section_end(dw);
	return pool_add(pool, item);
}

static void put_base(struct dwarf_builder *dw, enum pool_kind kind, uint16_t name)
{
	struct pool *pool = &dw->pools[kind];

	if (pool->base == NO_LABEL)
		pool->base = label_new(dw);
	dw_attr(dw, name, dw->format.version < 4 ? DW_FORM_data4 : DW_FORM_sec_offset);
	put_offset_to(dw, pool->base, 0, dw->format.offset_size);
}

void dw_str_offsets_base(struct dwarf_builder *dw)
{
	put_base(dw, POOL_STRINGS, DW_AT_str_offsets_base);
}

void dw_addr_base(struct dwarf_builder *dw)
{
	put_base(dw, POOL_ADDRS, dw->format.version < 5 ? DW_AT_GNU_addr_base : DW_AT_addr_base);
}

void dw_rnglists_base(struct dwarf_builder *dw)
{
	put_base(dw, POOL_RANGES,
		 dw->format.version < 5 ? DW_AT_GNU_ranges_base : DW_AT_rnglists_base);
}

void dw_loclists_base(struct dwarf_builder *dw)
{
	put_base(dw, POOL_LOCS, DW_AT_loclists_base);
}

// ---- Lists

static uint64_t list_begin(struct dwarf_builder *dw, enum pool_kind kind, uint32_t label)
{
	struct pool *pool = &dw->pools[kind];

	section_push(dw, pool->section);
	label_place(dw, label);
	return pool_add(pool, (struct pool_item){ .label = label });
}

uint64_t dw_range_list_begin(struct dwarf_builder *dw, const char *label)
{
	return list_begin(dw, POOL_RANGES, label_find(dw, label));
}

void dw_range_list_end(struct dwarf_builder *dw)
{
	dw_section_end(dw);
}

uint64_t dw_loc_list_begin(struct dwarf_builder *dw, const char *label)
{
	return list_begin(dw, POOL_LOCS, label_find(dw, label));
}

void dw_loc_list_end(struct dwarf_builder *dw)
{
	dw_section_end(dw);
}

static void put_entry(struct dwarf_builder *dw, uint8_t kind, const char *operands,
		      const uint64_t values[2])
{
	dw_u8(dw, kind);
	for (int i = 0; operands[i]; i++) {
		if (operands[i] == 'a')
			dw_address(dw, values[i]);
		else
			dw_uleb(dw, values[i]);
	}
}

void dw_rle(struct dwarf_builder *dw, uint8_t kind, uint64_t first, uint64_t second)
{
	// a: an address, u: a ULEB128; by DW_RLE_*
	static const char *const operands[] = { "", "u", "uu", "uu", "uu", "a", "aa", "au" };
	bool known = kind < sizeof(operands) / sizeof(*operands);

	put_entry(dw, kind, known ? operands[kind] : "", (const uint64_t[2]){ first, second });
}

void dw_lle(struct dwarf_builder *dw, uint8_t kind, uint64_t first, uint64_t second)
{
	static const char *const operands[] = {
		"", "u", "uu", "uu", "uu", "", "a", "aa", "au", "uu"
	};
	bool known = kind < sizeof(operands) / sizeof(*operands);

	put_entry(dw, kind, known ? operands[kind] : "", (const uint64_t[2]){ first, second });
}

void dw_loc_expr(struct dwarf_builder *dw, const void *data, size_t size)
{
	if (dw->format.version < 5)
		dw_u16(dw, (uint16_t)size);
	else
		dw_uleb(dw, size);
	dw_raw(dw, data, size);
}

void dw_range_pair(struct dwarf_builder *dw, uint64_t start, uint64_t end)
{
	dw_uint(dw, start, dw->format.addr_size);
	dw_uint(dw, end, dw->format.addr_size);
}

void dw_range_addrs(struct dwarf_builder *dw, uint64_t start, uint64_t end)
{
	dw_address(dw, start);
	dw_address(dw, end);
}

void dw_range_base(struct dwarf_builder *dw, uint64_t addr)
{
	dw_uint(dw, UINT64_MAX, dw->format.addr_size);
	dw_address(dw, addr);
}

// Writes a list of addresses that holds whatever the unit's base is.
static uint64_t put_range_list(struct dwarf_builder *dw, uint32_t label,
			       const struct dw_range *ranges, size_t count)
{
	bool old = dw->format.version < 5;
	uint64_t index = list_begin(dw, POOL_RANGES, label);

	if (old)
		dw_range_base(dw, 0);
	for (size_t i = 0; i < count; i++) {
		uint64_t start = ranges[i].start, end = ranges[i].end;
		if (old)
			dw_range_pair(dw, start, end);
		else
			dw_rle(dw, DW_RLE_start_length, start, end - start);
	}
	if (old)
		dw_range_pair(dw, 0, 0);
	else
		dw_rle(dw, DW_RLE_end_of_list, 0, 0);
	dw_range_list_end(dw);
	return index;
}

void dw_ranges(struct dwarf_builder *dw, const struct dw_range *ranges, size_t count)
{
	uint32_t label = label_new(dw);
	uint8_t size = dw->format.offset_size;
	uint16_t data = size == 4 ? DW_FORM_data4 : DW_FORM_data8;

	put_range_list(dw, label, ranges, count);
	dw_attr(dw, DW_AT_ranges, dw->format.version < 4 ? data : DW_FORM_sec_offset);
	put_offset_to(dw, label, 0, size);
}

void dw_rangesx(struct dwarf_builder *dw, const struct dw_range *ranges, size_t count)
{
	uint64_t index = put_range_list(dw, label_new(dw), ranges, count);

	dw_value(dw, DW_AT_ranges, DW_FORM_rnglistx, index);
}
