// Applies the relocations of a relocatable file's debugging sections in place.
//
// Those of one large section can be deferred, and applied part by part as its bytes are needed.
// Callers must let only one thread at a time apply parts of a section; relocated bytes are not
// written again, so others may read them meanwhile.
#ifndef ELF_SECTIONS_RELOCATE_H
#define ELF_SECTIONS_RELOCATE_H

#include "elf/files/elf_file.h"

// Applies the relocations of the given sections, whose `bytes` must be writable, on several
// threads. Only for files of type ET_REL: a linker that leaves relocations in a linked file has
// already applied them.
//
// Relocations of `deferred`, which is one of the sections or NULL, are only prepared: their offsets
// are read, also on several threads, but the section's bytes are unchanged.
bool ic_sections_relocate(struct ic_elf_file *file, struct ic_section *const *sections,
			  uint32_t section_count, struct ic_section *deferred, uint32_t jobs,
			  struct ic_error *err) IC_CHECKED;

// Applies all relocations of the bytes [start, end) of a section; does nothing if that is done
// already, or the section was not deferred. Both ends may be outside the section.
//
// False if one of the relocations cannot be applied, which affects only the bytes around it: other
// parts can still be relocated, and the same part fails again in the same way.
//
// Time: O(log n + k) for n relocations, of which k, or some hundred more, are in the part. If they
// are in no order, all are applied at the first call.
bool ic_section_relocate_part(const struct ic_elf_file *file, const struct ic_section *section,
			      uint64_t start, uint64_t end, struct ic_error *err) IC_CHECKED;

// The same for the rest, on several threads.
bool ic_section_relocate_rest(const struct ic_elf_file *file, const struct ic_section *section,
			      uint32_t jobs, struct ic_error *err) IC_CHECKED;

// The addends of the relocations of a deferred section, as bytes that can be searched: for
// references to string sections they are the strings' offsets.
struct ic_pending_addends {
	struct ic_bytes entries;
	uint32_t entry_size;
	uint32_t at; // in an entry: the lower four bytes of the addend
	bool swap;
};

// False if the section is not deferred, or its relocations are of another kind: references are then
// known only once they are applied.
bool ic_section_pending_addends(const struct ic_elf_file *file, const struct ic_section *section,
				struct ic_pending_addends *addends);

// Where the relocation is applied whose entry contains the byte at this position.
static inline uint64_t ic_pending_addend_target(const struct ic_pending_addends *addends,
						uint64_t position)
{
	return ic_load64(addends->entries.data + (position - position % addends->entry_size),
			 addends->swap);
}

#endif
