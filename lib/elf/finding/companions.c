#include "elf/finding/companions.h"

#include <stdlib.h>

// FNV-1a. Deliberate collisions only find a file that is then refused.
static uint64_t hash_text(uint64_t value, const char *text)
{
	for (; text && *text; text++)
		value = (value ^ (uint8_t)*text) * 0x100000001b3;
	return (value ^ 0xff) * 0x100000001b3; // "ab", "c" is not "a", "bc"
}

uint64_t ic_companion_key(const char *first, const char *second)
{
	return hash_text(hash_text(0xcbf29ce484222325, first), second);
}

struct ic_elf_file *ic_companions_find(const struct ic_companions *companions, uint64_t key)
{
	const uint32_t *number = ic_map_find(&companions->by_key, key);

	return number ? companions->files.items[*number] : NULL;
}

struct ic_elf_file *ic_companions_add(struct ic_companions *companions, uint64_t key,
				      struct ic_elf_file *file)
{
	struct ic_elf_file *kept = malloc(sizeof(*kept));
	uint32_t *number = kept ? ic_map_at(&companions->by_key, key) : NULL;
	struct ic_elf_file **place = number ? IC_ARRAY_PUSH(&companions->files) : NULL;

	if (!place) {
		free(kept);
		ic_elf_file_close(file);
		return NULL;
	}
	*kept = *file;
	*file = (struct ic_elf_file){ 0 };
	*place = kept;
	*number = companions->files.count - 1;
	return kept;
}

void ic_companions_close(struct ic_companions *companions)
{
	for (uint32_t i = 0; i < companions->files.count; i++) {
		ic_elf_file_close(companions->files.items[i]);
		free(companions->files.items[i]);
	}
	IC_ARRAY_FREE(&companions->files);
	ic_map_free(&companions->by_key);
}
