// Requests to servers for files by build ID.
#ifndef ELF_FINDING_DEBUGINFOD_H
#define ELF_FINDING_DEBUGINFOD_H

#include "base/bytes.h"
#include "base/error.h"

#include <inlinecall/debuginfod.h>

enum ic_debuginfod_kind {
	IC_DEBUGINFOD_DEBUG_FILE, // or a supplementary file
	IC_DEBUGINFOD_PROGRAM,    // or a library
	IC_DEBUGINFOD_KINDS,
};

// Gets the file of that kind with that build ID. `name` is the file it is for, as shown in
// progress. *path is a file in libdebuginfod's cache, to be freed. Data from a server is not
// trusted: the file may be anything.
//
// False if there is none: the message, which has no name, gives the reason and fits a list of what
// was tried; the code is IC_ERROR_NO_DEBUG or IC_ERROR_MEMORY.
bool ic_debuginfod_find(struct ic_debuginfod *client, enum ic_debuginfod_kind kind,
			struct ic_bytes build_id, const char *name, char **path,
			struct ic_error *err) IC_CHECKED;

#endif
