// Relocations of a relocatable file's debugging sections, applied where the sections lie.
//
// Those of one large section can be left for later, and applied part by part as its bytes are
// needed. Parts of a section are applied by one thread at a time, which its callers see to; bytes
// that were asked for before are not written any more, so that others may read them meanwhile.
#ifndef ELF_RELOCATE_H
#define ELF_RELOCATE_H

#include "elf/elf_file.h"

// Applies the relocations of the given sections, whose `bytes` must be writable, on several
// threads. For files of type ET_REL alone: a linker that leaves relocations in a linked file has
// already applied them.
//
// Those of `deferred`, which is one of the sections or NULL, are only made ready to be applied by
// parts: their offsets are read, on several threads too, but not the section's own bytes.
bool ic_sections_relocate(struct ic_elf_file *file, struct ic_section *const *sections,
			  uint32_t section_count, struct ic_section *deferred, uint32_t jobs,
			  struct ic_error *err) IC_CHECKED;

// Makes the bytes [start, end) of a section what they are with all its relocations applied; does
// nothing where they are that already, or where the section was not deferred. Neither end need be
// in the section.
//
// False where one of the relocations cannot be applied, which costs the bytes around it alone: the
// same is said whenever they are asked for, and other parts can be asked for all the same.
//
// Time: O(log n + k) for n relocations, of which k, or some hundred more, are in the part. Those of
// a section that has them in no order are applied all at the first call.
bool ic_section_relocate_part(const struct ic_elf_file *file, const struct ic_section *section,
			      uint64_t start, uint64_t end, struct ic_error *err) IC_CHECKED;

// The same for all that is left, on several threads.
bool ic_section_relocate_rest(const struct ic_elf_file *file, const struct ic_section *section,
			      uint32_t jobs, struct ic_error *err) IC_CHECKED;

// The addends of the relocations of a deferred section, as bytes that can be searched: those of
// offsets in sections of strings are these offsets.
struct ic_pending_addends {
	struct ic_bytes entries;
	uint32_t entry_size;
	uint32_t at; // in an entry, of the lower four bytes of the addend
	bool swap;
};

// False if the section is not deferred, or its relocations are of another kind: then what it refers
// to is known only once they are applied.
bool ic_section_pending_addends(const struct ic_elf_file *file, const struct ic_section *section,
				struct ic_pending_addends *addends);

// Where the relocation is applied in whose entry the byte at this position is.
static inline uint64_t ic_pending_addend_target(const struct ic_pending_addends *addends,
						uint64_t position)
{
	return ic_load64(addends->entries.data + (position - position % addends->entry_size),
			 addends->swap);
}

#endif
