// SFrame: the table in a section .sframe. After a header there are FDEs, one for each function, and
// FREs, the rows of all functions (sframe/rows.h).
#ifndef SFRAME_TABLE_H
#define SFRAME_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"

struct ic_sframe_abi {
	uint8_t number;
	bool is_big_endian;
	uint16_t machine;   // EM_*
	uint8_t sp, fp, ra; // DWARF register numbers
};

struct ic_sframe_section { // what to read
	struct ic_bytes bytes;
	uint64_t addr;
	uint16_t machine; // of the file
	bool is_relocatable;
	bool swap;
};

struct ic_sframe {
	struct ic_bytes bytes; // of the section, borrowed
	uint64_t addr;         // of the section
	const struct ic_sframe_abi *abi;
	uint8_t version; // 1 to 3
	bool is_sorted;  // FDEs are in the order of their code, according to the header
	// Start addresses are relative to their own field; otherwise, to the section.
	bool is_relative;
	// Where functions save registers, from the CFA; 0 if FREs describe it.
	int8_t fixed_ra, fixed_fp;
	uint32_t fde_count;
	uint32_t lost_count; // FDEs for which the section has no room
	uint64_t fdes_off;
	uint64_t fres_off, fres_end; // offsets in the section
	uint64_t end;                // offset of the end of FDEs and FREs
	bool swap;
};

struct ic_sframe_fde {
	uint64_t off;          // in the section
	uint64_t start, end;   // addresses of the code
	uint64_t rows_off;     // of the first FRE in the section
	uint32_t row_count;    // number of FREs
	uint8_t row_addr_size; // bytes of the start of an FRE: 1, 2 or 4
	uint8_t block_size;    // the rows are for each block of this size, as in PLTs; 0 if not
	bool is_flexible;      // FREs have control words (version 3)
	bool is_signal;        // frames were interrupted, not left by a call
	bool has_b_key;        // AArch64: return addresses are signed with the B key
};

// Parses the header. False if the version, ABI, or flags are unknown, or it is malformed.
bool ic_sframe_parse(struct ic_sframe *sframe, const struct ic_sframe_section *section,
		     struct ic_error *err) IC_CHECKED;

// Reads FDE number `number`, which must be below the count. False if it is malformed.
bool ic_sframe_fde_read(const struct ic_sframe *sframe, uint32_t number, struct ic_sframe_fde *fde,
			struct ic_error *err) IC_CHECKED;

// The bytes of an FDE.
uint8_t ic_sframe_fde_size(const struct ic_sframe *sframe);

// The number of the FDE at an offset of the section, such as that of an FDE read before.
uint32_t ic_sframe_fde_number(const struct ic_sframe *sframe, uint64_t off);

// Finds the FDE for an address by binary search; always succeeds if FDEs are sorted, do not
// overlap, and one covers it. False otherwise, or if that FDE is malformed. Time: O(log n).
bool ic_sframe_fde_find(const struct ic_sframe *sframe, uint64_t addr, struct ic_sframe_fde *fde);

#endif
