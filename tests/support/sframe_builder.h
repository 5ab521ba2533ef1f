// SFrame, as the specification describes it: FDEs with their rows, in any version.
//
//	struct sframe_builder sframe = { .version = 3, .abi = 3, .fixed_ra = -8, .addr = 0x40000 };
//	sframe_add_fde(&sframe, (struct sframe_fde){ .start = 0x1000, .size = 0x10 });
//	sframe_add_row(&sframe, (struct sframe_row){ .is_from_sp = true, .words = { 8 }, .count = 1
//}); 	struct byte_buffer section = sframe_build(&sframe); 	sframe_builder_deinit(&sframe);
#ifndef TESTS_SUPPORT_SFRAME_BUILDER_H
#define TESTS_SUPPORT_SFRAME_BUILDER_H

#include "byte_buffer.h"

enum { // flags of the header
	SFRAME_SORTED = 1,
	SFRAME_FRAME_POINTER = 2,
	SFRAME_RELATIVE = 4,
};

enum { // bits of an FDE's information
	SFRAME_REPEATED = 0x10,
	SFRAME_B_KEY = 0x20,
	SFRAME_SIGNAL = 0x80, // of version 3
};

enum { // the bits of a control word below the register
	SFRAME_REGISTER = 1,
	SFRAME_MEMORY = 2,
};

#define SFRAME_CONTROL(reg, bits) ((reg) << 3 | (bits))

struct sframe_fde {
	uint64_t start;
	uint32_t size;
	uint8_t row_type; // bytes of the starts of rows: 0: 1, 1: 2, 2: 4
	uint8_t bits;
	uint8_t type;       // of version 3; 1 is flexible
	uint8_t block_size; // since version 2
	int more_rows;      // by how much their number is too large
	int more_off;       // how much too far their offset is
};

struct sframe_row {
	uint32_t start;
	bool is_from_sp, is_signed;
	uint8_t word_size; // code for the bytes of a word: 0: 1, 1: 2, 2: 4
	uint8_t count;     // of words
	int32_t words[15];
};

struct sframe_builder { // zero-initialised, with what it is
	uint8_t version, flags, abi;
	int8_t fixed_fp, fixed_ra;
	uint64_t addr; // of the section
	bool big_endian;
	uint8_t more_header; // bytes after the header
	int more_fdes;       // by how much their number is too large
	int more_fdes_off, more_rows_size;
	struct sframe_fde fdes[16];
	uint32_t row_counts[16];
	uint32_t row_offs[16];
	size_t fde_count, row_count;
	struct byte_buffer rows;
};

// Begins an FDE, to which the following rows belong.
void sframe_add_fde(struct sframe_builder *sframe, struct sframe_fde fde);
void sframe_add_row(struct sframe_builder *sframe, struct sframe_row row);

// The section.
struct byte_buffer sframe_build(struct sframe_builder *sframe);

void sframe_builder_deinit(struct sframe_builder *sframe);

#endif
