// The BTF kinds LOC_PARAM, LOC_PROTO and LOCSEC.
#ifndef BTF_INLINE_KINDS_H
#define BTF_INLINE_KINDS_H

#include "btf/inline_table.h"

enum { // flags of a LOC_PARAM
	IC_BTF_LOC_SIGNED = 1,
	IC_BTF_LOC_CONST = 2,
	IC_BTF_LOC_ADDR = 4,
	IC_BTF_LOC_REG = 8,
	IC_BTF_LOC_DEREF = 0x10,
	IC_BTF_LOC_OFFSET = 0x20,
};

#define IC_BTF_LOC_FRAME UINT32_MAX // the register number that stands for the frame base

// A LOC_PARAM.
struct ic_btf_loc {
	uint32_t flags;
	uint32_t word_count;
	uint64_t constant; // sign-extended if the flags say so
	uint32_t reg, second_reg;
	int32_t offset;
	uint32_t size; // in bytes
	bool is_known; // the combination of flags is valid
};

// Returns false if the type is not a LOC_PARAM.
bool ic_btf_loc_find(const struct ic_btf *btf, uint32_t id, struct ic_btf_loc *loc);

#endif
