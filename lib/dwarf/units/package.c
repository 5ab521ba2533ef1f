#include "dwarf/units/package.h"

#include <stdlib.h>

#include "base/cursor.h"
#include "base/search.h"
#include "dwarf/units/constants.h"

enum { // section numbers in the indexes (DWARF 5, 7.3.5.3, and before)
	DW_SECT_INFO = 1,
	DW_SECT_TYPES = 2, // version 2 only
	DW_SECT_ABBREV = 3,
	DW_SECT_LOCLISTS = 5, // in version 2: .debug_loc.dwo
	DW_SECT_STR_OFFSETS = 6,
	DW_SECT_RNGLISTS = 8, // version 5; in version 2 it is another section's number
};

enum { MOST_COLUMNS = 16 };

struct index_header {
	uint32_t version;
	uint32_t columns, units, slots;
	const uint8_t *ids;          // signature of each slot
	const uint8_t *rows;         // row of each slot, from 1; 0 if the slot is free
	const uint8_t *sections;     // section number of each column
	const uint8_t *offs, *sizes; // offset and size for each row and column
};

static bool read_header(struct index_header *header, struct ic_cursor *cur, struct ic_error *err)
{
	// Version 5 has 16 bits and padding where version 2 has 32.
	uint16_t first_half = ic_cursor_u16(cur), second_half = ic_cursor_u16(cur);
	header->version = first_half ? first_half : second_half;
	if (ic_dwarf_is_version_5((uint16_t)header->version))
		header->version = 5;
	header->columns = ic_cursor_u32(cur);
	header->units = ic_cursor_u32(cur);
	header->slots = ic_cursor_u32(cur);
	if (!cur->fault && header->version != 2 && header->version != 5) {
		ic_fail_at(err, cur->section, 0, "unsupported package index version %u",
			   header->version);
		err->code = IC_ERROR_UNSUPPORTED;
		return false;
	}
	if (header->columns > MOST_COLUMNS)
		ic_cursor_fault(cur, "package index has too many columns");
	header->ids = ic_cursor_take(cur, 8ull * header->slots);
	header->rows = ic_cursor_take(cur, 4ull * header->slots);
	header->sections = ic_cursor_take(cur, 4ull * header->columns);
	for (uint32_t i = 0; !cur->fault && i < header->columns; i++)
		if (ic_load32(header->sections + 4ull * i, cur->swap) == 0)
			ic_cursor_fault(cur,
					"package index has a column with section identifier 0");
	uint64_t cells = (uint64_t)header->columns * header->units;
	if (cells > (uint64_t)(cur->end - cur->pos) / 4)
		ic_cursor_fault(cur, "package index is too small for its rows");
	header->offs = ic_cursor_take(cur, 4 * cells);
	header->sizes = ic_cursor_take(cur, 4 * cells);
	return ic_cursor_ok(cur, err);
}

// Reads a row; sets *in_types if it is of .debug_types.dwo.
static struct ic_package_row read_row(const struct index_header *header, uint32_t number, bool swap,
				      bool *in_types)
{
	struct ic_package_row row = { 0 };

	*in_types = false;
	for (uint32_t i = 0; i < header->columns; i++) {
		uint64_t at = 4 * ((uint64_t)number * header->columns + i);
		uint32_t off = ic_load32(header->offs + at, swap);

		switch (ic_load32(header->sections + 4ull * i, swap)) {
		case DW_SECT_TYPES:
			if (header->version == 5)
				break;
			*in_types = true;
			// fallthrough
		case DW_SECT_INFO:
			row.info_off = off;
			row.info_size = ic_load32(header->sizes + at, swap);
			break;
		case DW_SECT_ABBREV: row.abbrev_off = off; break;
		case DW_SECT_LOCLISTS: row.locations_off = off; break;
		case DW_SECT_STR_OFFSETS: row.str_offsets_off = off; break;
		case DW_SECT_RNGLISTS:
			if (header->version == 5)
				row.rnglists_off = off;
			break;
		}
	}
	return row;
}

static int compare_rows(const void *left, const void *right)
{
	const struct ic_package_row *a = left, *b = right;

	if (a->info_off != b->info_off)
		return a->info_off < b->info_off ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static void sort_rows(struct ic_package_row *rows, uint32_t count)
{
	if (count > 0) // the array may be NULL otherwise
		qsort(rows, count, sizeof(*rows), compare_rows);
}

bool ic_package_add(struct ic_package *package, struct ic_bytes index, const char *section,
		    bool swap, struct ic_error *err)
{
	struct ic_cursor cur = ic_cursor_at(index, section, 0, index.size, swap);
	struct index_header header;

	if (index.size == 0)
		return true;
	if (!read_header(&header, &cur, err))
		return false;
	for (uint32_t i = 0; i < header.slots; i++) {
		uint32_t number = ic_load32(header.rows + 4ull * i, swap);
		bool in_types;

		if (number == 0)
			continue;
		if (number > header.units)
			return ic_fail_at(err, section,
					  (uint64_t)(header.rows - index.data) + 4ull * i,
					  "package index has no row %u", number);
		struct ic_package_row row = read_row(&header, number - 1, swap, &in_types);
		row.id = ic_load64(header.ids + 8ull * i, swap);
		if (row.info_size == 0)
			return ic_fail_at(err, section, 0,
					  "package index has an empty unit in row %u", number);
		struct ic_package_row *place = in_types ? IC_ARRAY_PUSH(&package->in_types)
							: IC_ARRAY_PUSH(&package->in_info);
		if (!place)
			return ic_fail_memory(err);
		*place = row;
	}
	sort_rows(package->in_info.items, package->in_info.count);
	sort_rows(package->in_types.items, package->in_types.count);
	return true;
}

const struct ic_package_row *ic_package_find(const struct ic_package *package, bool in_types,
					     uint64_t info_off)
{
	const struct ic_package_row *rows = in_types ? package->in_types.items
						     : package->in_info.items;
	uint32_t next, count = in_types ? package->in_types.count : package->in_info.count;

	IC_SEARCH(next, count, at, rows[at].info_off <= info_off);
	if (next == 0 || info_off - rows[next - 1].info_off >= rows[next - 1].info_size)
		return NULL;
	return &rows[next - 1];
}

void ic_package_free(struct ic_package *package)
{
	IC_ARRAY_FREE(&package->in_info);
	IC_ARRAY_FREE(&package->in_types);
}
