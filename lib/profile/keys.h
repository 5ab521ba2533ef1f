// Numbers for texts, and values for what is made of such numbers: equal ones have the same.
#ifndef PROFILE_KEYS_H
#define PROFILE_KEYS_H

#include "base/byte_pool.h"

struct ic_profile_keys {          // zero-initialised is empty
	struct ic_byte_pool pool; // of texts and keys
	struct ic_map text_of;    // the number of a text, by its address
	struct ic_map value_of;   // by the number of a key
	bool out_of_memory;
};

// The number of a text, which must stay where it is as long as the keys; IC_NONE for NULL, and if
// memory runs out.
uint32_t ic_profile_keys_text(struct ic_profile_keys *keys, const char *text);

// The value of a key, IC_NONE if it is new: it must be set then. Until the next call. NULL if
// memory runs out, now or before.
uint32_t *ic_profile_keys_at(struct ic_profile_keys *keys, const void *key, uint32_t size);

void ic_profile_keys_free(struct ic_profile_keys *keys);

#endif
