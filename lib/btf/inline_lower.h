// Locations as the forms of tables have them: each comes down to one run of bytes.
#ifndef BTF_INLINE_LOWER_H
#define BTF_INLINE_LOWER_H

#include <inlinecall/extra/btf_encode.h>

#include "base/bytes.h"

struct ic_btf_lowered {
	uint8_t bytes[32];
	uint32_t size;
};

struct ic_btf_lowering {
	enum ic_btf_inline_format format;
	bool swap; // the bytes are not in our order
	bool has_fixed_addresses;
};

// RFC: the expression with its end. LOC: the size of the value, the flags of a LOC_PARAM, and its
// words. If something is lost, it is not set.
enum ic_btf_loss ic_btf_lower(const struct ic_btf_lowering *lowering,
			      const struct ic_location *location, uint64_t size, bool is_signed,
			      struct ic_btf_lowered *lowered);

#endif
