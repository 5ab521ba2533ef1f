// The index of .eh_frame in .eh_frame_hdr (Linux Standard Base, 10.6.2): the sorted start addresses
// of FDEs' code, and the FDEs' addresses. It duplicates data of .eh_frame, so a wrong index is not
// an error: callers check that the FDE found is the right one, or otherwise read all.
#ifndef DWARF_FRAMES_INDEX_H
#define DWARF_FRAMES_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"

struct ic_cfi_index {
	const uint8_t *pairs; // of numbers: the start of the code, and the address of the FDE
	uint64_t count;       // 0: there is no searchable index
	uint64_t frames_addr; // of .eh_frame
	bool has_frames_addr;
	uint64_t base; // added to each number
	uint64_t mask; // the bits of an address
	uint8_t size;  // bytes of a number: 2, 4 or 8
	bool is_signed, swap;
};

struct ic_cfi_index_entry {
	uint64_t start, fde_addr;
};

// Reads the header of the section at `addr`, whose bytes are borrowed. False if it has no index, or
// the index does not fit, or its numbers do not all have the same size and base.
bool ic_cfi_index_read(struct ic_cfi_index *index, struct ic_bytes section, uint64_t addr,
		       uint8_t addr_size, bool swap);

// Finds the entry whose code starts last at or before the address. False if there is none, or if
// two start there. In an unsorted index the result may be any entry. Time: O(log n).
bool ic_cfi_index_find(const struct ic_cfi_index *index, uint64_t addr,
		       struct ic_cfi_index_entry *entry);

#endif
