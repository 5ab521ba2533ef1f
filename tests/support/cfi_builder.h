// Call frame information, entry by entry: their lengths and identifiers are made here.
//
//	struct cfi_builder cfi = { .is_eh = true, .addr_size = 8 };
//	size_t cie = cfi_add_cie(&cfi, (struct cfi_cie){ .instructions = CFI(0x0c, 7, 8) });
//	cfi_add_fde(&cfi, (struct cfi_fde){ .cie = cie, .start = 0x1000, .size = 0x10 });
//	cfi_builder_deinit(&cfi);
#ifndef TESTS_SUPPORT_CFI_BUILDER_H
#define TESTS_SUPPORT_CFI_BUILDER_H

#include "byte_buffer.h"

// Bytes written down in a test.
#define CFI(...)                                           \
	((struct bytes){ (const uint8_t[]){ __VA_ARGS__ }, \
			 sizeof((const uint8_t[]){ __VA_ARGS__ }) })

struct cfi_builder {       // zero-initialised, with what it is
	bool is_eh;        // .eh_frame; else .debug_frame
	bool is_64;        // lengths have 64 bits; in .debug_frame CIE pointers too
	uint8_t addr_size; // bytes
	struct byte_buffer bytes;
	size_t body_off; // behind the length of the entry that was begun
};

struct cfi_cie {
	uint8_t version;          // 0: 1
	const char *augmentation; // NULL: ""
	uint64_t code_align;      // 0: 1
	int64_t data_align;       // 0: -8
	uint64_t return_reg;
	uint8_t segment_size;      // of version 4
	struct bytes data;         // if the augmentation begins with z, or is "eh"
	struct bytes instructions; // not padded
};

struct cfi_fde {
	size_t cie; // its offset
	uint64_t start, size;
	bool has_data;
	struct bytes data;
	struct bytes instructions;
};

// Begins an entry with a length, and ends it: sets the length. Returns its offset.
size_t cfi_begin(struct cfi_builder *cfi);
void cfi_end(struct cfi_builder *cfi);

// The identifier of a CIE, or of an FDE whose CIE is at an offset.
void cfi_put_cie_identifier(struct cfi_builder *cfi);
void cfi_put_cie_pointer(struct cfi_builder *cfi, size_t cie);

// Whole entries; they return their offset. Addresses are absolute, of `addr_size` bytes.
size_t cfi_add_cie(struct cfi_builder *cfi, struct cfi_cie cie);
size_t cfi_add_fde(struct cfi_builder *cfi, struct cfi_fde fde);
size_t cfi_add_terminator(struct cfi_builder *cfi);

void cfi_builder_deinit(struct cfi_builder *cfi);

// .eh_frame_hdr.
struct cfi_index {
	uint64_t addr;     // of the section
	uint8_t addr_size; // 0: 8
	uint8_t encoding;  // DW_EH_PE_* of the pairs; 0: as linkers write it
	bool big_endian;
	uint64_t more; // by how much its count is too large
};

struct cfi_pair {
	uint64_t start, fde_addr;
};

// The section with pairs, which are not sorted here.
struct byte_buffer cfi_index_build(struct cfi_index index, const struct cfi_pair *pairs,
				   size_t count);

#endif
