// Files that are compressed as a whole, like installed kernel modules (xfs.ko.xz, .ko.zst, .ko.gz)
// and the cores of systemd-coredump (core.*.zst, .lz4 and .xz).
#ifndef ELF_FILES_UNPACK_H
#define ELF_FILES_UNPACK_H

#include "elf/files/mapping.h"

// If the mapping holds a file compressed by xz, zstd, gzip or lz4 (frames), in one part or several,
// replaces it by a mapping of the decompressed file; otherwise leaves it unchanged. Refuses a file
// that expands more than 64 times; memory is used only for the decompressed bytes. If it fails, the
// mapping is unchanged.
bool ic_mapping_unpack(struct ic_mapping *mapping, const char *name, struct ic_error *err)
	IC_CHECKED;

// The same for a core file, which may expand to 1 GiB in any case, but not to more than
// `max_memory` bytes if that is not 0.
bool ic_mapping_unpack_core(struct ic_mapping *mapping, const char *name, uint64_t max_memory,
			    struct ic_error *err) IC_CHECKED;

#endif
