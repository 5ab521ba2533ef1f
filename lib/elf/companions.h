// The other files that an image's debugging information is in: .dwo files, packages of them, and
// what dwz moved to a common file. They stay open as long as the image, whose strings they hold.
#ifndef ELF_COMPANIONS_H
#define ELF_COMPANIONS_H

#include "base/array.h"
#include "base/map.h"
#include "elf/elf_file.h"

struct ic_companions {
	IC_ARRAY(struct ic_elf_file *) files; // owned
	struct ic_map by_key;                 // numbers in `files`
};

// What a companion is found by again: a hash of texts, of which NULL is an empty one.
uint64_t ic_companion_key(const char *first, const char *second);

// The companion that was added under the key, or NULL. Two names may have one key, so what is
// found must be looked at as if it had just been opened.
struct ic_elf_file *ic_companions_find(const struct ic_companions *companions, uint64_t key);

// Takes the file over, and moves it: *file is empty afterwards. NULL where memory is out; the file
// is then closed.
struct ic_elf_file *ic_companions_add(struct ic_companions *companions, uint64_t key,
				      struct ic_elf_file *file);

void ic_companions_close(struct ic_companions *companions);

#endif
