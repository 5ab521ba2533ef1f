#include <stdlib.h>

#include "btf/inline_writer.h"
#include "btf/types.h"

bool ic_btf_writer_begin(struct ic_btf_writer *writer, uint64_t first_size, uint64_t second_size,
			 struct ic_btf_out *out, struct ic_error *err)
{
	uint64_t size = IC_BTF_HEADER_SIZE + first_size + second_size;

	if (size > UINT32_MAX)
		return ic_fail(err, IC_ERROR_LIMIT, "the table would be 4 GiB or larger");
	writer->bytes = malloc(size);
	if (!writer->bytes)
		return ic_fail_memory(err);
	*out = (struct ic_btf_out){ writer->bytes, writer->lowering.swap };
	ic_btf_put(out, IC_BTF_MAGIC, 2);
	ic_btf_put(out, IC_BTF_VERSION, 1);
	ic_btf_put(out, 0, 1);
	ic_btf_put(out, IC_BTF_HEADER_SIZE, 4);
	ic_btf_put(out, 0, 4);
	ic_btf_put(out, first_size, 4);
	ic_btf_put(out, first_size, 4);
	ic_btf_put(out, second_size, 4);
	return true;
}
