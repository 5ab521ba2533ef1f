// Call frame information (DWARF 5, 6.4; for .eh_frame, Linux Standard Base, 10.6): the entries of a
// section. A CIE has what several FDEs have in common; an FDE describes how to unwind from the code
// of a function.
#ifndef DWARF_FRAMES_ENTRY_H
#define DWARF_FRAMES_ENTRY_H

#include "dwarf/units/pointer.h"

struct ic_cfi_section {
	struct ic_bytes bytes;
	const char *name;
	uint64_t addr;                 // of its first byte
	uint64_t text_addr, data_addr; // see struct ic_pointer_bases
	uint16_t machine;              // EM_*
	uint8_t addr_size;             // of the file
	bool is_eh;                    // .eh_frame; otherwise .debug_frame
	bool swap;
};

// Limit on the bytes of a CIE. Compilers write some 30; many FDEs can share one, which is read for
// each.
enum { IC_CIE_MOST_SIZE = 4096 };

enum ic_cfi_entry_kind { IC_CFI_CIE, IC_CFI_FDE, IC_CFI_TERMINATOR };

struct ic_cfi_entry { // the header of an entry
	enum ic_cfi_entry_kind kind;
	uint64_t off, size; // in the section, including the length field
	uint64_t cie_off;   // for an FDE
	uint8_t offset_size;
	struct ic_cursor rest; // after the header
};

struct ic_cie {
	uint64_t off;
	const char *augmentation;
	uint64_t code_align;
	int64_t data_align;
	uint32_t return_reg;
	uint8_t version, addr_size, segment_size;
	uint8_t pointer_encoding, lsda_encoding; // DW_EH_PE_*
	struct ic_pointer personality;
	bool has_data;                 // entries have augmentation data
	bool is_signal;                // frames were interrupted, not left by a call
	bool has_b_key;                // AArch64: return addresses are signed with the B key
	struct ic_cursor instructions; // they make the first row
};

struct ic_fde {
	uint64_t start, end; // addresses of the code
	struct ic_pointer lsda;
	struct ic_cursor data; // augmentation data; with a fault if the LSDA cannot be read
	struct ic_cursor instructions;
};

// An iterator over the entries from an offset on. Zero-initialised with a section it is at its
// start.
struct ic_cfi_walk {
	const struct ic_cfi_section *section;
	uint64_t next_off;
};

// Gets the header of the next entry. False at the end of the section, with err->code IC_ERROR_NONE,
// and at an error: after an impossible length the iterator is at the end of the section, after
// other errors it can continue.
bool ic_cfi_entry_next(struct ic_cfi_walk *walk, struct ic_cfi_entry *entry, struct ic_error *err);

// Reads the CIE at an offset. False if there is none, or it is too large, has an unknown version,
// or has unknown data that cannot be skipped.
bool ic_cie_read(const struct ic_cfi_section *section, uint64_t off, struct ic_cie *cie,
		 struct ic_error *err) IC_CHECKED;

// Reads an FDE whose header has been read, given its CIE. An unreadable LSDA counts as absent.
bool ic_fde_read(const struct ic_cfi_section *section, const struct ic_cfi_entry *entry,
		 const struct ic_cie *cie, struct ic_fde *fde, struct ic_error *err) IC_CHECKED;

#endif
