// Errors: what failed and where, as a plain value filled in by the callee.
//
// A public function that can fail returns false (or NULL) and takes a `struct ic_error *` as its
// last parameter. Pass NULL to ignore the details. After a success its contents are unspecified.
// The value owns nothing: it can be copied, stored and dropped freely.
//
// Some functions have no such parameter. ic_demangle(), ic_call_frame_reader_text() and
// ic_trace_program() can only run out of memory; ic_space_locate() finds nothing then. Reports keep
// their first error for ic_report_end().
#ifndef INLINECALL_ERROR_H
#define INLINECALL_ERROR_H

#include <stdint.h>

#include <inlinecall/version.h>

enum ic_error_code {
	IC_ERROR_NONE,
	IC_ERROR_MEMORY,      // an allocation failed
	IC_ERROR_SYSTEM,      // a system call failed: see os_error
	IC_ERROR_NOT_ELF,     // the file is not in a format we can open
	IC_ERROR_NO_DEBUG,    // the file is valid but has no debug information
	IC_ERROR_MALFORMED,   // the data violates its format: see section and offset
	IC_ERROR_UNSUPPORTED, // the data is in a format we do not support
	IC_ERROR_ARGUMENT,    // the caller violated the function's contract
	IC_ERROR_ARCHIVE,     // the file is an archive: see archive.h
	IC_ERROR_NO_CODE,     // the file is valid but has neither debug information nor code
	IC_ERROR_LIMIT,       // the memory limit would be exceeded: see image.h
	IC_ERROR_STOPPED,     // a `progress` callback returned false: see struct ic_index_options
	IC_ERROR_NOT_FOUND,   // no such name, or no such item
	IC_ERROR_MISMATCH,    // the inputs do not belong together
	IC_ERROR_HIDDEN       // the kernel shows this only to privileged processes
};

struct ic_error {
	enum ic_error_code code;
	const char *section; // such as ".debug_info", static; NULL if no section is to blame
	uint64_t offset;     // bytes from the start of that section
	int os_error;        // errno of the failed call, or 0
	// Lines of English that begin with the file or process concerned, without a newline at the
	// end; never empty on failure.
	char message[2048];
};

#endif
