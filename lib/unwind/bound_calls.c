#include "unwind/bound_calls.h"

#include "base/bytes.h"
#include "elf/image/binding.h"

bool ic_bound_call_find(struct ic_target *target, uint64_t addr, bool is_after, uint64_t *callee)
{
	uint8_t bytes[8];
	uint64_t bias, slot;
	const struct ic_image *image = ic_target_image_at(target, addr - is_after, &bias);

	if (!image || !ic_image_called_by(image, addr - bias, is_after, &slot) ||
	    !ic_target_read_memory(target, slot + bias, bytes, sizeof(bytes)))
		return false;
	*callee = ic_load64(bytes, target->is_big_endian != IC_HOST_IS_BIG_ENDIAN);
	return true;
}
