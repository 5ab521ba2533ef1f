// Pointers with an explicit encoding, DW_EH_PE_* (Linux Standard Base, 10.5.1): in call frame
// information, its index, and a few location expressions.
#ifndef DWARF_UNITS_POINTER_H
#define DWARF_UNITS_POINTER_H

#include "base/cursor.h"

enum {
	DW_EH_PE_absptr,
	DW_EH_PE_uleb128,
	DW_EH_PE_udata2,
	DW_EH_PE_udata4,
	DW_EH_PE_udata8,
	DW_EH_PE_signed = 0x08, // an address, sign-extended
	DW_EH_PE_sleb128,
	DW_EH_PE_sdata2,
	DW_EH_PE_sdata4,
	DW_EH_PE_sdata8,
	IC_POINTER_FORMAT = 0x0f, // mask of the format

	DW_EH_PE_pcrel = 0x10,   // relative to the pointer itself
	DW_EH_PE_textrel = 0x20, // relative to the start of .text
	// Relative to the start of the global offset table or of .eh_frame_hdr.
	DW_EH_PE_datarel = 0x30,
	DW_EH_PE_funcrel = 0x40, // relative to the start of the function
	DW_EH_PE_aligned = 0x50, // absolute, after padding to the size of an address
	IC_POINTER_BASE = 0x70,  // mask of the base

	DW_EH_PE_indirect = 0x80, // the address of a word that holds the pointer
	DW_EH_PE_omit = 0xff      // there is no pointer
};

struct ic_pointer_bases {
	uint64_t section_addr; // of the first byte of the cursor's section
	uint64_t text_addr, data_addr, function_addr;
	uint8_t addr_size;
};

struct ic_pointer {
	uint64_t value; // an address, truncated to the size of one
	bool is_null;   // the number was 0, before its base was added
	bool is_indirect;
};

// Whether it is a supported encoding, or DW_EH_PE_omit.
bool ic_pointer_is_known(uint8_t encoding);

// Reads a pointer's number, without its base. An unknown format is an error.
uint64_t ic_pointer_read_number(struct ic_cursor *cur, uint8_t encoding, uint8_t addr_size);

// Reads a pointer; for DW_EH_PE_omit nothing is read, and it is null. An unknown encoding is an
// error.
struct ic_pointer ic_pointer_read(struct ic_cursor *cur, uint8_t encoding,
				  const struct ic_pointer_bases *bases);

#endif
