// Whole files that are compressed, as distributions install kernel modules: xfs.ko.xz, .ko.zst and
// .ko.gz.
#ifndef ELF_UNPACK_H
#define ELF_UNPACK_H

#include "elf/mapping.h"

// If the mapping holds a file compressed by xz, zstd or gzip, it becomes a mapping of what is in
// it; any other is left as it is. A file that would become more than 64 times as large is refused,
// and no file takes more memory than what it holds. Fails with the mapping unchanged.
bool ic_mapping_unpack(struct ic_mapping *mapping, const char *name, struct ic_error *err)
	IC_CHECKED;

#endif
