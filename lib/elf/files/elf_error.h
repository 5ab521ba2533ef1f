// Errors of libelf.
#ifndef ELF_FILES_ELF_ERROR_H
#define ELF_FILES_ELF_ERROR_H

#include "base/error.h"

// Fails after a failed call of libelf, with its reason. libelf's error code for lack of memory is
// not public, but errno is: it must have been set to 0 right before the call. `action` completes
// "cannot".
bool ic_fail_libelf(struct ic_error *err, enum ic_error_code code, const char *path,
		    const char *action) IC_COLD;

#endif
