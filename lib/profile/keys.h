// Numbers for texts, and values for keys composed of such numbers: equal ones get the same.
#ifndef PROFILE_KEYS_H
#define PROFILE_KEYS_H

#include "base/byte_pool.h"

struct ic_profile_keys {          // zero-initialised is empty
	struct ic_byte_pool pool; // of texts and keys
	struct ic_map text_of;    // number by address of the text
	struct ic_map value_of;   // by number of the key
	bool out_of_memory;
};

// The number of a text, which must stay at its address as long as the keys; IC_NONE for NULL, and
// if memory runs out.
uint32_t ic_profile_keys_text(struct ic_profile_keys *keys, const char *text);

// The value of a key, IC_NONE if it is new: it must then be set. Valid until the next call. NULL if
// memory runs out, now or earlier.
uint32_t *ic_profile_keys_at(struct ic_profile_keys *keys, const void *key, uint32_t size);

void ic_profile_keys_free(struct ic_profile_keys *keys);

#endif
