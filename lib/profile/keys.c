#include "profile/keys.h"

uint32_t ic_profile_keys_text(struct ic_profile_keys *keys, const char *text)
{
	if (!text)
		return IC_NONE;
	uint32_t *number = ic_map_at(&keys->text_of, (uintptr_t)text);
	if (number && *number == IC_NONE)
		*number = ic_byte_pool_add(&keys->pool, text, (uint32_t)strlen(text) + 1);
	keys->out_of_memory |= !number || *number == IC_NONE;
	return number ? *number : IC_NONE;
}

uint32_t *ic_profile_keys_at(struct ic_profile_keys *keys, const void *key, uint32_t size)
{
	uint32_t number = ic_byte_pool_add(&keys->pool, key, size);
	uint32_t *value = number == IC_NONE ? NULL : ic_map_at(&keys->value_of, number);

	keys->out_of_memory |= !value;
	return keys->out_of_memory ? NULL : value;
}

void ic_profile_keys_free(struct ic_profile_keys *keys)
{
	ic_byte_pool_free(&keys->pool);
	ic_map_free(&keys->text_of);
	ic_map_free(&keys->value_of);
}
