// Where the files of a recording are mapped, to be asked for what is in them.
#ifndef PROFILE_FILE_MAP_H
#define PROFILE_FILE_MAP_H

#include "profile/profile.h"

// Maps a part of a file, from an address on, in a space; nothing if it is none. Of a vDSO, which is
// mapped as a whole, false if it is not that of the running kernel, and perf has not kept it.
bool ic_profile_file_map(const struct ic_profile *profile, const struct ic_profile_file *file,
			 uint64_t start, uint64_t end, uint64_t offset, struct ic_space *space,
			 struct ic_error *err) IC_CHECKED;

#endif
