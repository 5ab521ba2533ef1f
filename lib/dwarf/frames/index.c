#include "dwarf/frames/index.h"

#include "dwarf/units/pointer.h"

enum { VERSION = 1 };

// Size of a number in bytes; 0 if it varies.
static uint8_t size_of(uint8_t encoding, uint8_t addr_size)
{
	switch (encoding & IC_POINTER_FORMAT) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_signed: return addr_size;
	case DW_EH_PE_udata2:
	case DW_EH_PE_sdata2: return 2;
	case DW_EH_PE_udata4:
	case DW_EH_PE_sdata4: return 4;
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8: return 8;
	}
	return 0;
}

// Linkers count from the start of the section, so that 4 bytes are enough.
static bool is_searchable(uint8_t encoding)
{
	uint8_t base = encoding & (uint8_t)~IC_POINTER_FORMAT;

	return base == 0 || base == DW_EH_PE_datarel;
}

bool ic_cfi_index_read(struct ic_cfi_index *index, struct ic_bytes section, uint64_t addr,
		       uint8_t addr_size, bool swap)
{
	const struct ic_pointer_bases bases = { .section_addr = addr,
						.data_addr = addr,
						.addr_size = addr_size };
	struct ic_cursor cur = ic_cursor_at(section, ".eh_frame_hdr", 0, section.size, swap);
	uint8_t version = ic_cursor_u8(&cur), frames_encoding = ic_cursor_u8(&cur);
	uint8_t count_encoding = ic_cursor_u8(&cur), encoding = ic_cursor_u8(&cur);

	*index = (struct ic_cfi_index){ .size = size_of(encoding, addr_size), .swap = swap };
	if (version != VERSION || !is_searchable(encoding) || index->size == 0)
		return false;
	const struct ic_pointer frames = ic_pointer_read(&cur, frames_encoding, &bases);
	index->frames_addr = frames.value;
	index->has_frames_addr = !cur.fault && !frames.is_null && !frames.is_indirect;
	uint64_t count = ic_pointer_read(&cur, count_encoding, &bases).value;
	if (cur.fault || count > (uint64_t)(cur.end - cur.pos) / (2u * index->size))
		return false;
	index->pairs = cur.pos;
	index->count = count;
	index->base = encoding & IC_POINTER_BASE ? addr : 0;
	index->mask = addr_size == 4 ? UINT32_MAX : UINT64_MAX;
	index->is_signed = encoding & DW_EH_PE_signed;
	return count > 0;
}

// A number of the table, with its base added.
static uint64_t addr_at(const struct ic_cfi_index *index, uint64_t number)
{
	const uint8_t *at = index->pairs + number * index->size;
	uint64_t value;

	switch (index->size) {
	case 2:
		value = ic_load16(at, index->swap);
		value = index->is_signed ? (uint64_t)(int16_t)value : value;
		break;
	case 4:
		value = ic_load32(at, index->swap);
		value = index->is_signed ? (uint64_t)(int32_t)value : value;
		break;
	default: value = ic_load64(at, index->swap); break;
	}
	return (index->base + value) & index->mask;
}

bool ic_cfi_index_find(const struct ic_cfi_index *index, uint64_t addr,
		       struct ic_cfi_index_entry *entry)
{
	// Ends as the first entry that starts after the address.
	uint64_t low = 0, high = index->count;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (addr_at(index, 2 * middle) <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return false;
	entry->start = addr_at(index, 2 * (low - 1));
	entry->fde_addr = addr_at(index, 2 * (low - 1) + 1);
	return low == 1 || addr_at(index, 2 * (low - 2)) != entry->start;
}
