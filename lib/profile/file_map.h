// Where the files of a recording are mapped, to be asked for what is in them.
#ifndef PROFILE_FILE_MAP_H
#define PROFILE_FILE_MAP_H

#include "profile/profile.h"

struct ic_mapped_part {      // of a file
	uint64_t start, end; // addresses
	uint64_t offset;     // in the file
};

// Maps a part of a file, from an address on, in a space; nothing if it is none. Of a vDSO, which is
// mapped as a whole, false if it is not that of the running kernel, and perf has not kept it.
bool ic_profile_file_map(const struct ic_profile *profile, const struct ic_profile_file *file,
			 const struct ic_mapped_part *part, struct ic_space *space,
			 struct ic_error *err) IC_CHECKED;

#endif
