// Other files with parts of an image's debug information: .dwo files, packages of them, and the
// supplementary file of dwz. They stay open as long as the image, which borrows their strings.
#ifndef ELF_FINDING_COMPANIONS_H
#define ELF_FINDING_COMPANIONS_H

#include "base/array.h"
#include "base/map.h"
#include "elf/files/elf_file.h"

struct ic_companions {
	IC_ARRAY(struct ic_elf_file *) files; // owned
	struct ic_map by_key;                 // indexes in `files`
};

// The key of a companion: a hash of texts; NULL counts as empty.
uint64_t ic_companion_key(const char *first, const char *second);

// The companion that was added under the key, or NULL. Two names may share a key, so the result
// must be checked like a file that has just been opened.
struct ic_elf_file *ic_companions_find(const struct ic_companions *companions, uint64_t key);

// Takes over and moves the file: *file is empty afterwards. If memory runs out, returns NULL and
// closes the file.
struct ic_elf_file *ic_companions_add(struct ic_companions *companions, uint64_t key,
				      struct ic_elf_file *file);

void ic_companions_close(struct ic_companions *companions);

#endif
