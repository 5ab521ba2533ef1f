// Asking servers for files by build-id.
#ifndef ELF_DEBUGINFOD_H
#define ELF_DEBUGINFOD_H

#include "base/bytes.h"
#include "base/error.h"

#include <inlinecall/debuginfod.h>

// The debug file of that build, or a supplementary file that has this build-id. `name` is that of
// the file it is for, for the progress. *path is that of a file in libdebuginfod's cache, to be
// freed. Nothing of what a server sends is to be believed: the file may be anything.
//
// False where there is none: the message, without any name, says why and fits a list of what was
// tried; the code is IC_ERROR_NO_DEBUG, or IC_ERROR_MEMORY.
bool ic_debuginfod_find(struct ic_debuginfod *client, struct ic_bytes build_id, const char *name,
			char **path, struct ic_error *err) IC_CHECKED;

#endif
