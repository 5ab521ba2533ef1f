// Maps the files of a recording into a space, to look up addresses in them.
#ifndef PROFILE_FILE_MAP_H
#define PROFILE_FILE_MAP_H

#include "profile/profile.h"

struct ic_mapped_part {      // of a file
	uint64_t start, end; // addresses
	uint64_t offset;     // file offset
};

// Maps a part of a file into a space; nothing if it is not a file. The vDSO is mapped as a whole:
// false if it is not that of the running kernel, and perf has not cached it.
bool ic_profile_file_map(const struct ic_profile *profile, const struct ic_profile_file *file,
			 const struct ic_mapped_part *part, struct ic_space *space,
			 struct ic_error *err) IC_CHECKED;

#endif
