// Lowers locations to the formats of tables: each becomes one run of bytes.
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
	bool swap; // the byte order is not the host's
	bool has_fixed_addresses;
};

// In the RFC's format: the expression including its end. As BTF kinds: the size of the value, the
// flags of a LOC_PARAM, and its words. If the location cannot be expressed, `lowered` is not
// meaningful.
enum ic_btf_loss ic_btf_lower(const struct ic_btf_lowering *lowering,
			      const struct ic_location *location, uint64_t size, bool is_signed,
			      struct ic_btf_lowered *lowered);

#endif
