// What went wrong, and where: a plain value that the callee fills in.
//
// Every public function that can fail returns false (or NULL) and takes a `struct ic_error *` as
// its last parameter, which may be NULL if the caller does not want to know. What it holds after a
// success means nothing. The value owns nothing: it may be copied, kept and forgotten.
#ifndef INLINECALL_ERROR_H
#define INLINECALL_ERROR_H

#include <stdint.h>

#include <inlinecall/version.h>

enum ic_error_code {
	IC_ERROR_NONE,
	IC_ERROR_MEMORY,      // an allocation failed
	IC_ERROR_SYSTEM,      // a system call failed: see os_error
	IC_ERROR_NOT_ELF,     // the file is not one that we can open
	IC_ERROR_NO_DEBUG,    // the file is sound but holds no debug information
	IC_ERROR_MALFORMED,   // the bytes break the format: see section and offset
	IC_ERROR_UNSUPPORTED, // the bytes keep to a format that we do not read
	IC_ERROR_ARGUMENT,    // the caller broke the contract of the function
	IC_ERROR_ARCHIVE,     // the file is an archive: see archive.h
	IC_ERROR_NO_CODE,     // the file is sound but holds neither debug information nor code
	IC_ERROR_LIMIT,       // it would take more memory than the limit: see image.h
	IC_ERROR_STOPPED,     // the caller's `progress` said so, as in struct ic_index_options
	IC_ERROR_NOT_FOUND,   // nothing has such a name
	IC_ERROR_MISMATCH,    // what was given together does not belong together
	IC_ERROR_HIDDEN       // the kernel shows it only to those with privileges
};

struct ic_error {
	enum ic_error_code code;
	const char *section; // ".debug_info" and the like, static; NULL where none is to blame
	uint64_t offset;     // bytes from the start of that section
	int os_error;        // errno of the call that failed, or 0
	char message[2048];  // lines of English without a final newline; never empty on failure
};

#endif
