// Which source files of two builds are the same.
#ifndef COMPARE_SOURCE_FILES_H
#define COMPARE_SOURCE_FILES_H

#include "compare/build.h"

struct ic_source_files {              // those that declare the functions of a build
	uint32_t *numbers;            // by function; the file with number 0 is unknown
	IC_ARRAY(const char *) paths; // NULL for the first
	IC_ARRAY(uint32_t) function_counts;
};

// Numbers the files of a build. False if memory runs out; must be freed in any case.
bool ic_source_files_list(struct ic_source_files *files, const struct ic_build *build) IC_CHECKED;

void ic_source_files_free(struct ic_source_files *files);

// Two files that declare functions of the same name.
struct ic_shared_files {
	uint32_t old, new;
	uint32_t count; // of such functions
};

// Finds for each old file the new one that it became: the one with the same path, or else one
// without an old file of the same path that shares at least half of the functions of either, if
// `shared` lists both. Of several, that with the most common components at the end of the path is
// taken, then that with most shared functions. Returns an array by old file, IC_NONE for those
// without; NULL if memory runs out. Time: O(n log n).
uint32_t *ic_source_files_match(const struct ic_source_files *old,
				const struct ic_source_files *new,
				const struct ic_shared_files *shared, uint32_t shared_count);

#endif
